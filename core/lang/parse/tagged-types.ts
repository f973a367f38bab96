/** Structs, unions and enums (C11 6.7.2.1-6.7.2.3). */
import type { Attribute, CType, EnumDecl, Expr, Field, Loc, RecordDecl, Symbol } from "../tree/ast.ts";
import { evaluateInteger } from "../tree/constant-evaluation.ts";
import { freshId, makeSymbol } from "../tree/scope.ts";
import { INT, LONG, UINT, ULONG, unqualified } from "../tree/types.ts";
import { DeclaratorParser, type Specifiers } from "./declarators.ts";
import { BRACKET } from "./parser-base.ts";
import { spelledConstant } from "./spelled-constants.ts";

const attributed = (attrs: readonly Attribute[]): { attrs?: readonly Attribute[] } =>
  attrs.length > 0 ? { attrs } : {};

/** gcc's pragma and attribute for the order of bytes in the members of structs. */
export const orderPragma = "scalar_storage_order";

/** gcc gives values beyond int the smallest wider type. */
function enumeratorType(value: bigint): CType {
  if (value >= -(1n << 31n) && value < 1n << 31n) return INT;
  if (value >= 0n && value < 1n << 32n) return UINT;
  return value < 1n << 63n ? LONG : ULONG;
}

export abstract class TaggedTypeParser extends DeclaratorParser {
  /** The `#pragma pack` limit at a token position. */
  protected packAt: (position: number) => number | undefined = () => undefined;
  /** The order of bytes that `#pragma scalar_storage_order` names at a token position, as its attribute does. */
  protected orderAt: (position: number) => string | undefined = () => undefined;

  /** record = ("struct" | "union") attributes? (tag | tag? "{" member-declaration* "}" attributes?) */
  protected record(): CType {
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
    const order = this.orderAt(this.pos);
    const fields = this.members();
    attrs.push(...this.attributes());
    if (order !== undefined && !attrs.some(({ name }) => name === orderPragma))
      attrs.push({ name: orderPragma, args: order });
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
      if (this.keywordAt(0) === "_Static_assert") {
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
      ...(bits && { bits: spelledConstant(bits), width: Number(width ?? 0n) }),
      ...attributed(all),
      span: this.spanFrom(start),
    };
  }

  /** enum = "enum" attributes? (tag fixed? | tag? fixed? "{" enumerator ("," enumerator)* ","? "}" attributes?) */
  protected enumeration(): CType {
    const keyword = this.next();
    const attrs = this.attributes();
    const tag = this.token.kind === "ident" ? this.next() : undefined;
    const fixed = this.fixedType();
    if (!this.at("{")) {
      if (!tag) this.fail("syntax", "expected a tag or `{` after `enum`");
      const known = this.referTag(tag.text, "enum-decl");
      const decl = known?.kind === "enum-decl" ? known : this.newEnum(tag.text, keyword.loc);
      if (fixed) decl.fixed = fixed;
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
      const type = fixed ?? enumeratorType(value);
      const sym = makeSymbol(name.text, "enumerator", type, this.scope.level, span);
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
    if (fixed) decl.fixed = fixed;
    this.defines.push(decl);
    return { kind: "enum", decl };
  }

  /** fixed = ":" type-name (C23 6.7.3.3). A bit-field's width, which may stand there as well, begins no type. */
  private fixedType(): CType | undefined {
    if (!this.at(":") || !this.startsType(1)) return undefined;
    this.next();
    return unqualified(this.specifiers("of the enumeration").type);
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

  /** static-assert = ("_Static_assert" | "static_assert") "(" constant ("," string+)? ")" ";" ; its text without the `;` */
  protected staticAssertion(): string {
    const start = this.pos;
    const { loc } = this.next();
    this.expect("(", "after `_Static_assert`");
    const test = this.conditional();
    if (this.accept(",")) while (this.token.kind === "string") this.next();
    this.expect(")", "to close `_Static_assert`");
    const text = this.textFrom(start).replace(/^static_assert\b/, "_Static_assert");
    this.expect(";", "after `_Static_assert`");
    if (evaluateInteger(test) === 0n) {
      this.error("static-assertion", "the static assertion fails", this.spanFrom(loc));
    }
    return text;
  }
}
