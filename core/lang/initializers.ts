/** Initialisers (C11 6.7.9): parsing, brace elision, array sizes, conversions of the values. */
import type { CType, Designator, Expr, Field, Init, InitItem } from "./ast.ts";
import { assigned } from "./build.ts";
import { evaluateInteger } from "./consteval.ts";
import { BRACKET } from "./parser-base.ts";
import { SpecifierParser } from "./specifiers.ts";
import { canonical, compatibleUnqualified, findField, isInteger } from "./types.ts";

export abstract class InitializerParser extends SpecifierParser {
  /** initializer = assignment | braced-initializer */
  protected initializer(type: CType): { readonly init: Init; readonly type: CType } {
    if (this.at("{")) return this.bracedInit(type);
    const expr = this.assignment();
    const size = stringSize(type, expr);
    if (size !== undefined) return { init: { kind: "expr", expr }, type: sized(type, size) };
    return { init: { kind: "expr", expr: assigned(expr, type) }, type };
  }

  protected override bracedInit(type: CType): { readonly init: Init; readonly type: CType } {
    return fitted(this.braces(), type);
  }

  /** braced-initializer = "{" (designators? initializer ("," designators? initializer)* ","?)? "}" */
  private braces(): Init & { readonly kind: "list" } {
    const { loc } = this.expect("{", "to open the initialiser");
    this.enter(BRACKET);
    const items: InitItem[] = [];
    while (!this.at("}")) {
      const designators = this.designators();
      const init: Init = this.at("{") ? this.braces() : { kind: "expr", expr: this.assignment() };
      items.push({ designators, init });
      if (!this.accept(",")) break;
    }
    this.leave(BRACKET);
    this.expect("}", "to close the initialiser");
    return { kind: "list", items, span: this.spanFrom(loc) };
  }

  /** designators = ("." name | "[" constant ("..." constant)? "]")+ "=" | name ":" | "[" constant "]" */
  private designators(): Designator[] {
    const designators: Designator[] = [];
    if (this.token.kind === "ident" && this.peek(1).text === ":" && this.peek(1).kind === "punct") {
      designators.push({ kind: "field", name: this.next().text });
      this.next();
      return designators;
    }
    for (;;) {
      if (this.at(".")) {
        this.next();
        designators.push({ kind: "field", name: this.expectIdent("a member name").text });
      } else if (this.at("[")) {
        this.next();
        const index = this.conditional();
        const to = this.accept("...") ? this.conditional() : undefined;
        this.expect("]", "to close the designator");
        designators.push({ kind: "index", index, ...(to && { to }) });
      } else break;
    }
    // Old GNU form: `[2] 5` without `=`.
    if (designators.length > 0) this.accept("=");
    return designators;
  }
}

/** Elements of a string literal that initialises an array of `type`, with its terminating zero. */
function stringSize(type: CType, expr: Expr): number | undefined {
  const array = canonical(type);
  if (expr.kind !== "string" || array.kind !== "array" || !isInteger(array.of)) return undefined;
  const literal = canonical(expr.type);
  return literal.kind === "array" && typeof literal.size === "number" ? literal.size : undefined;
}

/** `type` with the number of elements that its initialiser gives it, if it is an array without one. */
function sized(type: CType, size: number): CType {
  const seen = canonical(type);
  if (seen.kind !== "array" || seen.size !== undefined) return type;
  return { ...seen, size };
}

/** Converts the values of `list` to the types of the parts of an object of `type` that they go to. */
function fitted(
  list: Init & { readonly kind: "list" },
  type: CType,
): { readonly init: Init; readonly type: CType } {
  const filler = new Filler(list.items);
  const count = filler.fill(type);
  return { init: { ...list, items: filler.out }, type: sized(type, count) };
}

/** Walks one brace-enclosed list; nested lists get a filler of their own. */
class Filler {
  readonly out: InitItem[] = [];
  private readonly items: readonly InitItem[];
  private at = 0;

  constructor(items: readonly InitItem[]) {
    this.items = items;
  }

  /** Takes every item; returns how many elements an array of `type` gets. */
  fill(type: CType): number {
    const seen = canonical(type);
    const whole = this.bracedString(type);
    if (whole !== undefined) return whole;
    let count = 0;
    if (seen.kind === "vector") count = this.fillArray(seen.of, undefined, "all");
    else if (isAggregate(seen)) count = this.fillAggregate(seen, "all");
    else if (this.at < this.items.length) this.place(type, []);
    // Items beyond the object (C forbids them, gcc warns) and those of incomplete types stay as they are.
    this.out.push(...this.items.slice(this.at));
    return count;
  }

  /** `char s[] = {"text"};` */
  private bracedString(type: CType): number | undefined {
    const [only] = this.items;
    if (this.items.length !== 1 || only?.init.kind !== "expr" || only.designators.length > 0)
      return undefined;
    const size = stringSize(type, only.init.expr);
    if (size !== undefined) this.out.push(only);
    return size;
  }

  private current(): InitItem | undefined {
    return this.items[this.at];
  }

  /**
   * Values for the parts of an object, in order. "all": the list's own object, which designators refer
   * to. A path: an object whose braces were left out; the first item's designators lead to it and then
   * along the path, and the next designator ends it (C11 6.7.9p17-20).
   */
  private fillAggregate(type: Aggregate, items: "all" | readonly Designator[]): number {
    if (type.kind === "array") {
      const limit = items === "all" || typeof type.size !== "number" ? undefined : type.size;
      return this.fillArray(type.of, limit, items);
    }
    this.fillRecord(type, items);
    return 0;
  }

  private fillArray(
    of: CType,
    limit = Number.POSITIVE_INFINITY,
    items: "all" | readonly Designator[],
  ): number {
    let index = 0;
    let count = 0;
    for (const [first, ...rest] of this.steps(items)) {
      if (first?.kind === "index") index = Number(evaluateInteger(first.to ?? first.index) ?? BigInt(index));
      if (index >= limit) break;
      this.place(of, rest);
      count = Math.max(count, ++index);
    }
    return count;
  }

  private fillRecord(
    record: Aggregate & { readonly kind: "record" },
    items: "all" | readonly Designator[],
  ): void {
    const fields = record.decl.fields ?? [];
    const members = fields.filter((field) => field.name !== undefined || field.bits === undefined);
    let next = 0;
    for (const [first, ...rest] of this.steps(items)) {
      if (first) {
        const name = first.kind === "field" ? first.name : "";
        const at = members.findIndex((member) => member.name === name || holds(member, name));
        const member = members[at];
        next = at + 1;
        // The designator of a member of an anonymous struct leads into that struct.
        if (member) this.place(member.type, member.name === undefined ? [first, ...rest] : rest);
        else this.keep();
      } else {
        const member = members[next];
        if (!member || (record.decl.union && next > 0)) return;
        next++;
        this.place(member.type, []);
      }
    }
  }

  /** The designators that count for each item that belongs here. */
  private *steps(items: "all" | readonly Designator[]): Generator<readonly Designator[]> {
    let entering = items === "all" ? undefined : items;
    for (let item = this.current(); item; item = this.current()) {
      const before = this.at;
      const { designators } = item;
      if (!entering && items !== "all" && designators.length > 0) return;
      yield entering ?? designators;
      entering = undefined;
      if (this.at === before) return;
    }
  }

  private keep(): void {
    const item = this.current();
    if (item) this.out.push(item);
    this.at++;
  }

  /** The item, or with braces left out the items, for the part of an object of `type` at `path`. */
  private place(type: CType, path: readonly Designator[]): void {
    const item = this.current();
    if (!item) return;
    const seen = canonical(type);
    if (path.length > 0) {
      if (isAggregate(seen)) this.fillAggregate(seen, path);
      else this.keep();
      return;
    }
    if (item.init.kind === "list") {
      this.out.push({ ...item, init: fitted(item.init, type).init });
      this.at++;
      return;
    }
    const { expr } = item.init;
    const takesWhole = compatibleUnqualified(expr.type, type) || stringSize(type, expr) !== undefined;
    if (!takesWhole && isAggregate(seen)) {
      const before = this.at;
      this.fillAggregate(seen, []);
      if (this.at > before) return;
    }
    const value = takesWhole || isAggregate(seen) ? expr : assigned(expr, type);
    this.out.push({ ...item, init: { kind: "expr", expr: value } });
    this.at++;
  }
}

type Aggregate = Extract<CType, { readonly kind: "array" | "record" }>;

const isAggregate = (type: CType): type is Aggregate => type.kind === "array" || type.kind === "record";

const holds = (field: Field, name: string): boolean => {
  const seen = canonical(field.type);
  return field.name === undefined && seen.kind === "record" && findField(seen.decl, name) !== undefined;
};
