/** Printing types, declarators, records, enums and attributes. */
import type {
  ArrayType,
  Attribute,
  CType,
  Declared,
  EnumDecl,
  Expr,
  Field,
  FloatKind,
  FunctionType,
  IntKind,
  Param,
  Pragma,
  Quals,
  RecordDecl,
  Stmt,
  Symbol,
} from "../tree/ast.ts";
import { qualify } from "../tree/types.ts";

/**
 * How an emitter changes what is printed. A hook that returns undefined leaves the node to the printer. `print` prints
 * a part with the hooks applied; called with the node that the hook was given, it prints that node without the hook.
 */
export interface PrintOptions {
  /** The specifier of a type that is not a pointer, array or function: `uint` for OpenCL. */
  readonly typeName?: (type: CType, pointedTo: boolean) => string | undefined;
  /** Must return a primary or postfix expression: parenthesise anything else. */
  readonly expr?: (expr: Expr, print: (expr: Expr) => string) => string | undefined;
  /** The lines of a statement, without its pragmas. */
  readonly stmt?: (stmt: Stmt, print: (stmt: Stmt) => string[]) => string[] | undefined;
  /** Words before a declaration of the symbol: `__shared__`, `__local`. */
  readonly declPrefix?: (sym: Symbol) => string | undefined;
  /**
   * Qualifier of a pointer's target, such as an address space: `__global`. `of`: the variable or member that has the
   * type; `depth`: how many pointers lead to the target.
   */
  readonly pointeeQualifier?: (of: Symbol | Field | undefined, depth: number) => string | undefined;
  /** The spelling of a symbol. */
  readonly name?: (sym: Symbol) => string | undefined;
  /** The spelling of a struct or union tag; also called for records without one. */
  readonly tagName?: (decl: RecordDecl) => string | undefined;
  /** The printed body of a struct or union. */
  readonly record?: (decl: RecordDecl) => RecordBody | undefined;
  /** The spelling of a member. */
  readonly fieldName?: (name: string) => string | undefined;
  /** The spelling of a label. */
  readonly labelName?: (name: string) => string | undefined;
  /** Whether a `typeof` or typedef is replaced by the type that it stands for. */
  readonly seenThrough?: (type: CType & { readonly kind: "typedef" | "typeof" }) => boolean;
  /** The keyword for `restrict`; by default the one that compilers accept in every C standard. */
  readonly restrict?: string;
  /** Omits `auto` and `register`: other languages lack them, or forbid taking the address of such variables. */
  readonly plainLocals?: true;
  /** The lines of a pragma; an empty list drops it. */
  readonly pragma?: (pragma: Pragma) => readonly string[] | undefined;
  /** One level of indentation; two spaces by default. */
  readonly indent?: string;
}

export type RecordBody = Pick<RecordDecl, "fields" | "attrs">;

const INT_NAMES: Readonly<Record<IntKind, string>> = {
  bool: "_Bool",
  char: "char",
  schar: "signed char",
  uchar: "unsigned char",
  short: "short",
  ushort: "unsigned short",
  int: "int",
  uint: "unsigned int",
  long: "long",
  ulong: "unsigned long",
  llong: "long long",
  ullong: "unsigned long long",
  int128: "__int128",
  uint128: "unsigned __int128",
};
const FLOAT_NAMES: Readonly<Record<FloatKind, string>> = {
  float16: "_Float16",
  bfloat16: "__bf16",
  float: "float",
  double: "double",
  ldouble: "long double",
  float128: "_Float128",
  float32: "_Float32",
  float64: "_Float64",
  float32x: "_Float32x",
  float64x: "_Float64x",
};

/** A declared type in two parts: specifiers shared by declarators, and one declarator. */
interface DeclaratorText {
  readonly base: string;
  readonly declarator: string;
}

export abstract class TypePrinter {
  protected readonly options: PrintOptions;
  /** Records and enums whose bodies are printed at their next mention. */
  protected readonly pending = new Set<RecordDecl | EnumDecl>();

  constructor(options: PrintOptions) {
    this.options = options;
  }

  abstract assignment(expr: Expr): string;

  private quals(qualifiers: Quals | undefined): string {
    if (!qualifiers) return "";
    const { const: isConst, volatile, restrict, atomic } = qualifiers;
    return joinWords(
      isConst ? "const" : "",
      volatile ? "volatile" : "",
      restrict ? (this.options.restrict ?? "__restrict") : "",
      atomic ? "_Atomic" : "",
    );
  }

  protected memberName(name: string): string {
    return this.options.fieldName?.(name) ?? name;
  }

  protected nameOf(sym: Symbol): string {
    return this.options.name?.(sym) ?? sym.name;
  }

  /** `type` declaring `name`, or a type name when there is no name. */
  declaration(type: CType, name = "", of?: Symbol | Field): string {
    const { base, declarator } = this.split(type, name, of);
    return declarator === "" ? base : `${base} ${declarator}`;
  }

  protected split(type: CType, name: string, of?: Symbol | Field): DeclaratorText {
    return this.derive(type, name, "", of, 0);
  }

  /** `qualifier`: the qualifier for this type as a pointer's target; `depth`: how many pointers lead here. */
  private derive(
    type: CType,
    inner: string,
    qualifier: string,
    of: Symbol | Field | undefined,
    depth: number,
  ): DeclaratorText {
    switch (type.kind) {
      case "pointer": {
        const words = joinWords(qualifier, this.quals(type.quals));
        const text = `*${words}${words !== "" && /^[\w*(]/.test(inner) ? " " : ""}${inner}`;
        const to = this.spelled(type.to);
        const wrapped = to.kind === "array" || to.kind === "function" ? `(${text})` : text;
        const pointee = this.options.pointeeQualifier?.(of, depth) ?? "";
        return this.derive(type.to, wrapped, pointee, of, depth + 1);
      }
      case "array":
        return this.derive(type.of, `${inner}[${this.arraySize(type)}]`, qualifier, of, depth);
      case "function":
        return this.derive(type.ret, `${inner}(${this.parameters(type)})`, "", undefined, 0);
      default: {
        const spelled = this.spelled(type);
        if (spelled !== type) return this.derive(spelled, inner, qualifier, of, depth);
        return { base: joinWords(qualifier, this.base(type, depth > 0)), declarator: inner };
      }
    }
  }

  /** `type` with typedefs and typeofs resolved where the options say so. */
  private spelled(type: CType): CType {
    if ((type.kind !== "typeof" && type.kind !== "typedef") || !this.options.seenThrough?.(type)) return type;
    return this.spelled(qualify(type.kind === "typeof" ? type.is : type.sym.type, type.quals));
  }

  private arraySize(type: ArrayType): string {
    const { size, sizeExpr } = type;
    const words = joinWords(type.static ? "static" : "", this.quals(type.quals));
    const count = sizeExpr ?? size;
    const text =
      count === undefined ? "" : typeof count === "object" ? this.assignment(count) : String(count);
    return joinWords(words, text);
  }

  protected storageClass({ storage, asmLabel }: Declared | Symbol): string {
    const isLocal = storage === "auto" || (storage === "register" && asmLabel === undefined);
    return storage === "none" || (isLocal && this.options.plainLocals) ? "" : storage;
  }

  protected parameters(type: FunctionType): string {
    if (type.unprototyped) return "";
    const params = type.params.map((param) => this.parameter(param));
    if (type.variadic) params.push("...");
    return params.length === 0 ? "void" : params.join(", ");
  }

  protected parameter(param: Param, sym: Symbol | undefined = param.sym): string {
    const own = sym === param.sym;
    const type = own ? (param.written ?? param.type) : (sym?.type ?? param.type);
    const name = sym ? this.nameOf(sym) : (param.name ?? "");
    const storage = sym?.storage === "register" ? this.storageClass(sym) : "";
    const prefix = (sym && this.options.declPrefix?.(sym)) ?? "";
    return joinWords(prefix, storage, this.declaration(type, name, sym), this.attributes(param.attrs));
  }

  /** Specifiers of a type that no declarator derives. */
  private base(type: CType, pointedTo: boolean): string {
    return joinWords(
      this.quals(type.quals),
      this.options.typeName?.(type, pointedTo) ?? this.specifier(type),
    );
  }

  private specifier(type: CType): string {
    switch (type.kind) {
      case "void":
        return "void";
      case "int":
        return INT_NAMES[type.name];
      case "float":
        return FLOAT_NAMES[type.name];
      case "complex":
        return `_Complex ${FLOAT_NAMES[type.name]}`;
      case "vector":
        return `__attribute__((vector_size(${type.bytes}))) ${this.base(type.of, false)}`;
      case "record":
        return this.record(type.decl);
      case "enum":
        return this.enumeration(type.decl);
      case "typedef":
        return this.nameOf(type.sym);
      case "typeof":
        if (type.expr) return `__typeof__(${this.assignment(type.expr)})`;
        return type.of ? `__typeof__(${this.declaration(type.of)})` : "__auto_type";
      default:
        return this.declaration(type);
    }
  }

  /** Prints the body if the record is pending, or has no tag to name it by. */
  private record(decl: RecordDecl): string {
    const head = decl.union ? "union" : "struct";
    const tag = this.options.tagName?.(decl) ?? decl.tag;
    if (!this.pending.delete(decl) && tag !== undefined) return `${head} ${tag}`;
    const { fields = [], attrs } = this.options.record?.(decl) ?? decl;
    const lines = this.fields(fields);
    const opening = joinWords(head, this.attributes(attrs), tag ?? "", "{");
    return [opening, ...this.indented(lines), "}"].join("\n");
  }

  private fields(fields: readonly Field[]): string[] {
    const lines: string[] = [];
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as Field;
      const { base, declarator } = this.field(field);
      let text = joinWords(base, declarator);
      // `struct { ... } a, b;`: variables of one unnamed type must stay in one declaration.
      for (let next = fields[i + 1]; next && unnamedTogether(field.type, next.type); next = fields[i + 1]) {
        text += `, ${this.field(next).declarator}`;
        i++;
      }
      lines.push(`${text};`);
    }
    return lines;
  }

  private field(field: Field): DeclaratorText {
    const { base, declarator } = this.split(
      field.type,
      field.name === undefined ? "" : this.memberName(field.name),
      field,
    );
    const bits = field.bits ? `: ${this.assignment(field.bits)}` : "";
    const alignments = field.attrs?.filter((attr) => attr.name === "_Alignas");
    const others = field.attrs?.filter((attr) => attr.name !== "_Alignas");
    return {
      base: joinWords(this.attributes(alignments), base),
      declarator: joinWords(
        `${declarator}${declarator === "" ? bits.trimStart() : bits}`,
        this.attributes(others),
      ),
    };
  }

  private enumeration(decl: EnumDecl): string {
    if (!this.pending.delete(decl) && decl.tag !== undefined) return `enum ${decl.tag}`;
    const items = (decl.items ?? []).map(({ sym, expr }) => {
      const name = joinWords(this.nameOf(sym), this.attributes(sym.attrs));
      return expr ? `${name} = ${this.assignment(expr)},` : `${name},`;
    });
    const fixed = decl.fixed ? `: ${this.base(decl.fixed, false)}` : "";
    const opening = joinWords("enum", this.attributes(decl.attrs), decl.tag ?? "", fixed, "{");
    return [opening, ...this.indented(items), "}"].join("\n");
  }

  protected attributes(attrs: readonly Attribute[] | undefined): string {
    if (!attrs || attrs.length === 0) return "";
    const gnu = attrs.filter((attr) => attr.name !== "_Alignas").map(attributeText);
    const alignments = attrs.filter((attr) => attr.name === "_Alignas").map(attributeText);
    return joinWords(...alignments, gnu.length > 0 ? `__attribute__((${gnu.join(", ")}))` : "");
  }

  protected indented(lines: readonly string[]): string[] {
    const indent = this.options.indent ?? "  ";
    return lines.flatMap((line) => line.split("\n").map((part) => (part === "" ? part : indent + part)));
  }
}

const attributeText = (attr: Attribute): string =>
  attr.args === undefined ? attr.name : `${attr.name}(${attr.args})`;

/** Non-empty parts with a space between them. */
export function joinWords(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

function innermost(type: CType): CType {
  if (type.kind === "pointer") return innermost(type.to);
  if (type.kind === "array") return innermost(type.of);
  return type.kind === "function" ? innermost(type.ret) : type;
}

function unnamedTogether(a: CType, b: CType): boolean {
  const [x, y] = [innermost(a), innermost(b)];
  if (x.kind === "record" && y.kind === "record") return x.decl === y.decl && x.decl.tag === undefined;
  return x.kind === "enum" && y.kind === "enum" && x.decl === y.decl && x.decl.tag === undefined;
}
