/** Declaration specifiers: basic types, structs, unions, enums, typedef names, typeof (C11 6.7.1-6.7.5). */
import type {
  Attribute,
  CType,
  EnumDecl,
  Expr,
  Field,
  FloatKind,
  IntKind,
  Loc,
  Quals,
  RecordDecl,
  Storage,
  Symbol,
} from "../tree/ast.ts";
import { evaluateInteger } from "../tree/constant-evaluation.ts";
import { alignOf } from "../tree/layout.ts";
import { freshId, makeSymbol } from "../tree/scope.ts";
import { complexOf, floatType, INT, intType, LONG, qualify, UINT, ULONG, VOID } from "../tree/types.ts";
import { DeclaratorParser, type Specifiers } from "./declarators.ts";
import { BRACKET } from "./parser-base.ts";
import { applyTypeAttributes } from "./type-attributes.ts";

const STORAGE: ReadonlySet<string> = new Set(["typedef", "extern", "static", "auto", "register"]);
const QUALIFIERS: ReadonlyMap<string, keyof Quals> = new Map([
  ["const", "const"],
  ["volatile", "volatile"],
  ["restrict", "restrict"],
]);
const FLOAT_KEYWORDS: Readonly<Record<string, FloatKind>> = {
  _Float16: "float16",
  __bf16: "bfloat16",
  _Float32: "float32",
  _Float64: "float64",
  _Float128: "float128",
  __float128: "float128",
  __float80: "ldouble",
  _Float32x: "float32x",
  _Float64x: "float64x",
};
const BASIC: ReadonlySet<string> = new Set([
  ..."void char short int long float double signed unsigned _Bool _Complex __int128".split(" "),
  ...Object.keys(FLOAT_KEYWORDS),
]);
/** Keywords that begin a type name or, with the storage classes, a declaration. */
const TYPE_STARTS: ReadonlySet<string> = new Set([
  ...BASIC,
  ...QUALIFIERS.keys(),
  ..."struct union enum __typeof__ __auto_type _Atomic _Alignas".split(" "),
]);
const DECLARATION_STARTS: ReadonlySet<string> = new Set([
  ...TYPE_STARTS,
  ...STORAGE,
  ..."inline _Noreturn _Thread_local _Static_assert".split(" "),
]);

export abstract class SpecifierParser extends DeclaratorParser {
  /** The `#pragma pack` limit at a token position. */
  protected packAt: (position: number) => number | undefined = () => undefined;

  protected override startsType(ahead: number): boolean {
    const token = this.peek(ahead);
    if (token.kind === "ident") return this.lookup(token.text)?.kind === "typedef";
    if (token.kind !== "keyword") return false;
    if (token.text === "__extension__" || token.text === "__attribute__") return this.attributedType(ahead);
    return TYPE_STARTS.has(token.text);
  }

  /** Whether a type follows the `__extension__` or `__attribute__((...))` at `ahead`. */
  private attributedType(ahead: number): boolean {
    const at = this.peek(ahead).text === "__attribute__" ? this.pastAttribute(ahead) : ahead + 1;
    return at !== undefined && this.startsType(at);
  }

  /** Offset of the token after an `__attribute__((…))`; undefined if the file ends inside it. */
  private pastAttribute(ahead: number): number | undefined {
    let at = ahead + 1;
    let depth = 0;
    do {
      const { text, kind } = this.peek(at++);
      if (kind === "end") return undefined;
      if (kind === "punct") depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    } while (depth > 0);
    return at;
  }

  protected startsDeclaration(): boolean {
    const { token } = this;
    if (token.kind === "ident") {
      if (this.lookup(token.text)?.kind !== "typedef") return false;
      const after = this.peek(1);
      return !(after.kind === "punct" && after.text === ":");
    }
    if (token.kind !== "keyword") return false;
    if (token.text === "__extension__") return this.extensionDeclares();
    if (token.text === "__attribute__") return this.attributedType(0) || this.attributedStorage();
    return DECLARATION_STARTS.has(token.text);
  }

  private extensionDeclares(): boolean {
    const after = this.peek(1);
    return this.startsType(1) || (after.kind === "keyword" && DECLARATION_STARTS.has(after.text));
  }

  private attributedStorage(): boolean {
    const at = this.pastAttribute(0);
    if (at === undefined) return false;
    const after = this.peek(at);
    return after.kind === "keyword" && DECLARATION_STARTS.has(after.text);
  }

  protected override alignmentOfTypeName(): number {
    return alignOf(this.typeName());
  }

  /**
   * specifiers = (storage | qualifier | "inline" | "_Noreturn" | "_Thread_local" | "__extension__"
   *            | attributes | alignment | basic-type+ | record | enum | typeof | atomic | typedef-name)+
   */
  protected override specifiers(context: string): Specifiers {
    const start = this.token;
    const attrs: Attribute[] = [];
    const quals: { -readonly [K in keyof Quals]: true } = {};
    const basic: string[] = [];
    let storage: Storage = "none";
    let type: CType | undefined;
    let threadLocal = false;
    let inline = false;
    let noreturn = false;
    let qualified = false;
    for (;;) {
      const { token } = this;
      const { text } = token;
      if (token.kind === "ident") {
        const sym = type || basic.length > 0 ? undefined : this.lookup(text);
        if (sym?.kind !== "typedef") break;
        this.next();
        type = { kind: "typedef", sym };
        continue;
      }
      if (token.kind !== "keyword") break;
      const qualifier = QUALIFIERS.get(text);
      if (qualifier) {
        this.next();
        quals[qualifier] = true;
        qualified = true;
      } else if (STORAGE.has(text)) {
        this.next();
        storage = text as Storage;
      } else if (BASIC.has(text)) {
        if (
          type ||
          (text in FLOAT_KEYWORDS && basic.length > 0 && !basic.every((word) => word === "_Complex"))
        )
          break;
        basic.push(this.next().text);
      } else if (text === "struct" || text === "union") type = this.record();
      else if (text === "enum") type = this.enumeration();
      else if (text === "__typeof__") type = this.typeofSpecifier();
      else if (text === "__auto_type") {
        this.next();
        type = { kind: "typeof", is: INT };
      } else if (text === "_Atomic") {
        this.next();
        if (this.at("(")) type = this.atomicType();
        else {
          quals.atomic = true;
          qualified = true;
        }
      } else if (text === "__attribute__") attrs.push(...this.attributes());
      else if (text === "_Alignas") attrs.push(this.alignas());
      else if (text === "inline") {
        this.next();
        inline = true;
      } else if (text === "_Noreturn") {
        this.next();
        noreturn = true;
      } else if (text === "_Thread_local") {
        this.next();
        threadLocal = true;
      } else if (text === "__extension__") this.next();
      else break;
    }
    if (this.token === start) this.noType(context);
    let implied: Specifiers["implied"];
    if (!type) {
      if (basic.length === 0 && this.startsUnknownType()) this.unknownType();
      if (basic.length === 0) implied = "int";
      type = basic.length === 0 ? INT : this.basicType(basic, start.loc);
    }
    const applied = applyTypeAttributes(qualified ? qualify(type, quals) : type, attrs);
    return {
      type: applied.type,
      storage,
      threadLocal,
      inline,
      noreturn,
      attrs: applied.attrs,
      ...(implied && { implied }),
    };
  }

  private noType(context: string): never {
    if (this.token.kind === "ident") this.unknownType();
    return this.fail("syntax", `expected a type ${context}, found ${this.found()}`);
  }

  /** Any order of the basic type keywords (C11 6.7.2p2). */
  private basicType(words: readonly string[], at: Loc): CType {
    const count = (word: string): number => words.filter((other) => other === word).length;
    const rest = words.filter((word) => word !== "_Complex");
    const key = [...rest].sort().join(" ");
    const complex = rest.length < words.length;
    const float = floatKeyword(key, complex);
    if (float) return complex ? complexOf(float) : floatType(float);
    if (key === "void") return VOID;
    const kind = integerKeyword(key, count);
    if (kind && !complex) return intType(kind);
    if (kind)
      return this.fail("complex-integer", `\`${words.join(" ")}\` is an extension that is not read`, {
        at,
        remedy: "use `double _Complex`, or a structure of two integers",
      });
    return this.fail("bad-type", `\`${words.join(" ")}\` is not a type`, {
      at,
      remedy: "remove one of the words",
    });
  }

  /** atomic = "_Atomic" "(" type-name ")" */
  private atomicType(): CType {
    this.next();
    const type = this.typeName();
    this.expect(")", "to close `_Atomic`");
    return qualify(type, { atomic: true });
  }

  /** typeof = "__typeof__" "(" (expression | type-name) ")" */
  private typeofSpecifier(): CType {
    this.next();
    this.expect("(", "after `typeof`");
    let type: CType;
    if (this.startsType(0)) {
      const of = this.typeName();
      type = { kind: "typeof", of, is: of };
    } else {
      const expr = this.expression();
      type = { kind: "typeof", expr, is: expr.type };
    }
    this.expect(")", "to close `typeof`");
    return type;
  }

  /** record = ("struct" | "union") attributes? (tag | tag? "{" member-declaration* "}" attributes?) */
  private record(): CType {
    const keyword = this.next();
    const union = keyword.text === "union";
    const attrs = this.attributes();
    const tag = this.token.kind === "ident" ? this.next() : undefined;
    if (!tag && !this.at("{")) this.fail("syntax", `expected a tag or \`{\` after \`${keyword.text}\``);
    if (!this.at("{")) {
      const decl = this.referTag(tag?.text ?? "", "record-decl");
      if (decl?.kind === "record-decl") return { kind: "record", decl };
      const record: RecordDecl = {
        kind: "record-decl",
        id: freshId(),
        union,
        span: this.spanFrom(keyword.loc),
      };
      const named = { ...record, tag: tag?.text ?? "" };
      if (attrs.length > 0) named.attrs = attrs;
      this.scope.tags.set(named.tag, named);
      return { kind: "record", decl: named };
    }
    const decl = this.definedRecord(union, tag?.text, keyword.loc);
    const pack = this.packAt(this.pos);
    if (pack !== undefined) decl.pack = pack;
    const fields = this.members();
    attrs.push(...this.attributes());
    if (attrs.length > 0) decl.attrs = attrs;
    decl.fields = fields;
    decl.span = this.spanFrom(keyword.loc);
    this.defines.push(decl);
    return { kind: "record", decl };
  }

  /** The record or enum that `struct tag` refers to here; a lone `struct tag;` declares a new one. */
  private referTag(tag: string, kind: "record-decl" | "enum-decl"): RecordDecl | EnumDecl | undefined {
    const found = this.at(";") ? this.scope.tags.get(tag) : this.lookupTag(tag);
    if (found && found.kind !== kind) {
      this.fail("wrong-tag", `\`${tag}\` is ${found.kind === "enum-decl" ? "an enum" : "a struct or union"}`);
    }
    return found;
  }

  private definedRecord(union: boolean, tag: string | undefined, loc: Loc): RecordDecl {
    const known = tag === undefined ? undefined : this.scope.tags.get(tag);
    if (known?.kind === "record-decl" && !known.fields && known.union === union) return known;
    const span = this.spanFrom(loc);
    if (known) this.error("redefined", `\`${tag}\` is already defined in this scope`, span);
    const decl: RecordDecl = {
      kind: "record-decl",
      id: freshId(),
      union,
      ...(tag !== undefined && { tag }),
      span,
    };
    if (tag !== undefined) this.scope.tags.set(tag, decl);
    return decl;
  }

  /** members = "{" (specifiers (member ("," member)*)? ";" | static-assert | ";")* "}" */
  private members(): Field[] {
    const fields: Field[] = [];
    this.expect("{", "to open the members");
    this.enter(BRACKET);
    while (!this.accept("}")) {
      if (this.accept(";")) continue;
      if (this.at("_Static_assert")) {
        this.staticAssertion();
        continue;
      }
      const start = this.token.loc;
      const specs = this.specifiers("in the struct or union");
      if (this.accept(";")) {
        const { kind } = specs.type;
        if (kind === "record" || kind === "typedef")
          fields.push({ type: specs.type, span: this.spanFrom(start), ...attributed(specs.attrs) });
        continue;
      }
      do fields.push(this.member(specs));
      while (this.accept(","));
      this.expect(";", "after the member");
    }
    this.leave(BRACKET);
    return fields;
  }

  /** member = declarator (":" constant)? | ":" constant */
  private member(specs: Specifiers): Field {
    const start = this.token.loc;
    const { name, type, attrs } = this.at(":")
      ? { name: undefined, type: specs.type, attrs: [] }
      : this.declarator(specs.type);
    const bits = this.accept(":") ? this.conditional() : undefined;
    const width = bits && evaluateInteger(bits);
    if (bits && width === undefined)
      this.error("not-constant", "the width of a bit-field must be a constant", bits.span);
    const all = [...specs.attrs, ...attrs, ...this.attributes()];
    return {
      ...(name && { name: name.text }),
      type,
      ...(bits && { bits, width: Number(width ?? 0n) }),
      ...attributed(all),
      span: this.spanFrom(start),
    };
  }

  /** enum = "enum" attributes? (tag | tag? "{" enumerator ("," enumerator)* ","? "}" attributes?) */
  private enumeration(): CType {
    const keyword = this.next();
    const attrs = this.attributes();
    const tag = this.token.kind === "ident" ? this.next() : undefined;
    if (!this.at("{")) {
      if (!tag) this.fail("syntax", "expected a tag or `{` after `enum`");
      const known = this.referTag(tag.text, "enum-decl");
      const decl = known?.kind === "enum-decl" ? known : this.newEnum(tag.text, keyword.loc);
      return { kind: "enum", decl };
    }
    const known = tag && this.scope.tags.get(tag.text);
    const decl = known?.kind === "enum-decl" && !known.items ? known : this.newEnum(tag?.text, keyword.loc);
    this.next();
    const items: { readonly sym: Symbol; readonly value: bigint; readonly expr?: Expr }[] = [];
    let value = 0n;
    while (!this.at("}")) {
      const name = this.expectIdent("an enumerator");
      const itemAttrs = this.attributes();
      const expr = this.accept("=") ? this.conditional() : undefined;
      if (expr) value = this.enumeratorValue(expr) ?? value;
      const span = this.spanFrom(name.loc);
      const sym = makeSymbol(name.text, "enumerator", enumeratorType(value), this.scope.level, span);
      sym.value = value;
      if (itemAttrs.length > 0) sym.attrs = itemAttrs;
      this.scope.names.set(name.text, sym);
      items.push({ sym, value, ...(expr && { expr }) });
      value++;
      if (!this.accept(",")) break;
    }
    this.expect("}", "to close the enumerators");
    attrs.push(...this.attributes());
    if (attrs.length > 0) decl.attrs = attrs;
    decl.items = items;
    decl.span = this.spanFrom(keyword.loc);
    this.defines.push(decl);
    return { kind: "enum", decl };
  }

  private newEnum(tag: string | undefined, loc: Loc): EnumDecl {
    const decl: EnumDecl = {
      kind: "enum-decl",
      id: freshId(),
      ...(tag !== undefined && { tag }),
      span: this.spanFrom(loc),
    };
    if (tag !== undefined) this.scope.tags.set(tag, decl);
    return decl;
  }

  private enumeratorValue(expr: Expr): bigint | undefined {
    const value = evaluateInteger(expr);
    if (value === undefined)
      this.error("not-constant", "the value of an enumerator must be a constant", expr.span);
    return value;
  }

  /** static-assert = "_Static_assert" "(" constant ("," string+)? ")" ";" ; its text without the `;` */
  protected staticAssertion(): string {
    const start = this.pos;
    const { loc } = this.next();
    this.expect("(", "after `_Static_assert`");
    const test = this.conditional();
    if (this.accept(",")) while (this.token.kind === "string") this.next();
    this.expect(")", "to close `_Static_assert`");
    const text = this.textFrom(start);
    this.expect(";", "after `_Static_assert`");
    if (evaluateInteger(test) === 0n) {
      this.error("static-assertion", "the static assertion fails", this.spanFrom(loc));
    }
    return text;
  }
}

const attributed = (attrs: readonly Attribute[]): { attrs?: readonly Attribute[] } =>
  attrs.length > 0 ? { attrs } : {};

/** gcc gives values beyond int the smallest wider type. */
function enumeratorType(value: bigint): CType {
  if (value >= -(1n << 31n) && value < 1n << 31n) return INT;
  if (value >= 0n && value < 1n << 32n) return UINT;
  return value < 1n << 63n ? LONG : ULONG;
}

function floatKeyword(key: string, complex: boolean): FloatKind | undefined {
  if (key === "float" || key === "double") return key;
  if (key === "double long") return "ldouble";
  if (key === "" && complex) return "double";
  return FLOAT_KEYWORDS[key];
}

function integerKeyword(key: string, count: (word: string) => number): IntKind | undefined {
  const unsigned = count("unsigned") === 1;
  if (unsigned && count("signed") > 0) return undefined;
  const core = key
    .split(" ")
    .filter((word) => word !== "signed" && word !== "unsigned" && !(word === "int" && key !== "int"))
    .join(" ");
  switch (core) {
    case "_Bool":
      return "bool";
    case "char":
      return unsigned ? "uchar" : count("signed") > 0 ? "schar" : "char";
    case "short":
      return unsigned ? "ushort" : "short";
    case "":
    case "int":
      return unsigned ? "uint" : "int";
    case "long":
      return unsigned ? "ulong" : "long";
    case "long long":
      return unsigned ? "ullong" : "llong";
    case "__int128":
      return unsigned ? "uint128" : "int128";
    default:
      return undefined;
  }
}
