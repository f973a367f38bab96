/** Declaration specifiers: basic types, structs, unions, enums, typedef names, typeof (C11 6.7.1-6.7.5). */

import type { Attribute, CType, FloatKind, IntKind, Loc, Quals, Storage } from "../tree/ast.ts";
import { alignOf } from "../tree/layout.ts";
import { complexOf, floatType, INT, intType, qualify, unqualified, VOID } from "../tree/types.ts";
import type { Specifiers } from "./declarators.ts";
import { TaggedTypeParser } from "./tagged-types.ts";
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
  ..."struct union enum __typeof__ typeof_unqual __auto_type _Atomic _Alignas".split(" "),
]);
const DECLARATION_STARTS: ReadonlySet<string> = new Set([
  ...TYPE_STARTS,
  ...STORAGE,
  ..."inline _Noreturn _Thread_local _Static_assert".split(" "),
]);

export abstract class SpecifierParser extends TaggedTypeParser {
  protected override startsType(ahead: number): boolean {
    const token = this.peek(ahead);
    const known = token.kind === "ident" ? this.lookup(token.text) : undefined;
    if (known) return known.kind === "typedef";
    if (token.text === "__extension__" || this.startsAttribute(ahead)) return this.attributedType(ahead);
    return TYPE_STARTS.has(this.keywordAt(ahead) ?? "");
  }

  /** Whether a type follows the `__extension__` or the attribute at `ahead`. */
  private attributedType(ahead: number): boolean {
    const at = this.startsAttribute(ahead) ? this.pastAttribute(ahead) : ahead + 1;
    return at !== undefined && this.startsType(at);
  }

  /** Offset of the token after an attribute; undefined if the file ends inside it. */
  private pastAttribute(ahead: number): number | undefined {
    let at = this.peek(ahead).kind === "keyword" ? ahead + 1 : ahead;
    let depth = 0;
    do {
      const { text, kind } = this.peek(at++);
      if (kind === "end") return undefined;
      if (kind === "punct") depth += /^[([]$/.test(text) ? 1 : /^[)\]]$/.test(text) ? -1 : 0;
    } while (depth > 0);
    return at;
  }

  protected startsDeclaration(): boolean {
    const { token } = this;
    if (token.kind === "ident") {
      const after = this.peek(1);
      const isLabel = after.kind === "punct" && after.text === ":";
      const known = this.lookup(token.text);
      if (known || isLabel) return known?.kind === "typedef" && !isLabel;
    }
    if (token.text === "__extension__") return this.extensionDeclares();
    if (this.startsAttribute()) return this.attributedType(0) || this.attributedStorage();
    return DECLARATION_STARTS.has(this.keywordAt(0) ?? "");
  }

  private extensionDeclares(): boolean {
    const after = this.peek(1);
    return this.startsType(1) || (after.kind === "keyword" && DECLARATION_STARTS.has(after.text));
  }

  private attributedStorage(): boolean {
    const at = this.pastAttribute(0);
    return at !== undefined && DECLARATION_STARTS.has(this.keywordAt(at) ?? "");
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
      if (this.startsAttribute()) {
        attrs.push(...this.attributes());
        continue;
      }
      const isTyped = type !== undefined || basic.length > 0;
      const sym = token.kind === "ident" && !isTyped ? this.lookup(token.text) : undefined;
      if (sym?.kind === "typedef") {
        this.next();
        type = { kind: "typedef", sym };
        continue;
      }
      // Behind a type a new keyword is a name that this declares, as in `typedef int bool;`.
      const text = token.kind === "ident" && isTyped ? undefined : this.keywordAt(0);
      if (text === undefined) break;
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
        this.next();
        basic.push(text);
      } else if (text === "struct" || text === "union") type = this.record();
      else if (text === "enum") type = this.enumeration();
      else if (text === "__typeof__") type = this.typeofSpecifier();
      else if (text === "typeof_unqual") type = unqualified(this.typeofSpecifier());
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
      } else if (text === "_Alignas") attrs.push(this.alignas());
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
    if (!type && basic.length > 0) type = this.basicType(basic, start.loc);
    if (!type) {
      if (this.startsUnknownType()) this.unknownType();
      implied = storage === "auto" ? "auto" : "int";
      type = implied === "auto" ? { kind: "typeof", is: INT } : INT;
    }
    const applied = applyTypeAttributes(qualified ? qualify(type, quals) : type, attrs);
    return {
      type: applied.type,
      storage: implied === "auto" ? "none" : storage,
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

  /** typeof = ("__typeof__" | "typeof_unqual") "(" (expression | type-name) ")" */
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
