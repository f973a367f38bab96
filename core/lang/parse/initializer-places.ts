/**
 * Which part of an object each initialiser between braces initialises (C11 6.7.9), with inner braces omitted or not.
 */
import type { CType, Designator, Expr, Field, InitItem } from "../tree/ast.ts";
import { evaluateInteger } from "../tree/constant-evaluation.ts";
import { canonical, compatibleUnqualified, findField, isInteger } from "../tree/types.ts";

/** One step from an object to a part: a range of elements, both ends included, or the index of a member. */
export type Step = { readonly from: number; readonly to: number } | { readonly member: number };

interface PlacedItem {
  readonly item: InitItem;
  /** The path from the object, and the type found there. Absent for an excess initialiser (C forbids it, gcc warns). */
  readonly part?: { readonly path: readonly Step[]; readonly type: CType };
}

interface PlacedItems {
  /** In source order. */
  readonly items: readonly PlacedItem[];
  /** Number of elements that an array without a size gets. */
  readonly count: number;
}

export function placesOf(items: readonly InitItem[], type: CType): PlacedItems {
  const places = new InitialisedParts(items);
  const count = places.fill(type);
  return { items: places.placed, count };
}

/** Elements of a string literal that initialises an array of `type`, with its terminating zero. */
export function textSize(type: CType, expr: Expr): number | undefined {
  const array = canonical(type);
  if (expr.kind !== "string" || array.kind !== "array" || !isInteger(array.of)) return undefined;
  const literal = canonical(expr.type);
  return literal.kind === "array" && typeof literal.size === "number" ? literal.size : undefined;
}

type Aggregate = Extract<CType, { readonly kind: "array" | "record" }>;

const isAggregate = (type: CType): type is Aggregate => type.kind === "array" || type.kind === "record";

/** An object whose braces were omitted: its path, and the remaining designators of its first item. */
interface Entered {
  readonly path: readonly Step[];
  readonly designators: readonly Designator[];
}

class InitialisedParts {
  readonly placed: PlacedItem[] = [];
  private readonly items: readonly InitItem[];
  private at = 0;

  constructor(items: readonly InitItem[]) {
    this.items = items;
  }

  /** Places every item; returns how many elements an array of `type` gets. */
  fill(type: CType): number {
    const [only, ...more] = this.items;
    // `char s[] = {"text"};`
    const isOne = only?.init.kind === "expr" && only.designators.length === 0 && more.length === 0;
    const size = isOne ? textSize(type, only.init.expr) : undefined;
    if (size !== undefined) {
      this.take([], type);
      return size;
    }
    const seen = canonical(type);
    let count = 0;
    if (seen.kind === "vector") count = this.fillArray(seen.of, undefined, undefined);
    else if (isAggregate(seen)) count = this.fillAggregate(seen, undefined);
    else if (this.at < this.items.length) this.place(type, [], []);
    while (this.at < this.items.length) this.leaveOut();
    return count;
  }

  private take(path: readonly Step[], type: CType): void {
    this.placed.push({ item: this.items[this.at++] as InitItem, part: { path, type } });
  }

  private leaveOut(): void {
    this.placed.push({ item: this.items[this.at++] as InitItem });
  }

  /**
   * Fills the parts of an object in order. Without `entered` it is the object of the braces, which designators refer
   * to; with it, the next designator ends the object.
   */
  private fillAggregate(type: Aggregate, entered: Entered | undefined): number {
    if (type.kind === "array") {
      const limit = entered && typeof type.size === "number" ? type.size : undefined;
      return this.fillArray(type.of, limit, entered);
    }
    this.fillRecord(type, entered);
    return 0;
  }

  private fillArray(of: CType, limit = Number.POSITIVE_INFINITY, entered: Entered | undefined): number {
    let next = 0;
    let count = 0;
    for (const [first, ...rest] of this.steps(entered)) {
      const ends = first?.kind === "index" ? [first.index, first.to ?? first.index] : [];
      const [from = next, to = from] = ends.map((e) => Number(evaluateInteger(e) ?? BigInt(next)));
      if (to >= limit) break;
      this.place(of, rest, [...(entered?.path ?? []), { from, to }]);
      next = to + 1;
      count = Math.max(count, next);
    }
    return count;
  }

  private fillRecord(record: Aggregate & { readonly kind: "record" }, entered: Entered | undefined): void {
    const fields = record.decl.fields ?? [];
    const isMember = (field: Field | undefined) => field?.name !== undefined || field?.bits === undefined;
    const after = (k: number): number => (k < fields.length && !isMember(fields[k]) ? after(k + 1) : k);
    const to = (member: number): readonly Step[] => [...(entered?.path ?? []), { member }];
    const start = after(0);
    let next = start;
    for (const [first, ...rest] of this.steps(entered)) {
      if (first) {
        const name = first.kind === "field" ? first.name : "";
        const at = fields.findIndex(
          (field) => isMember(field) && (field.name === name || holds(field, name)),
        );
        const field = fields[at];
        next = after(at + 1);
        // The designator of an anonymous struct's member leads into that struct.
        if (field) this.place(field.type, field.name === undefined ? [first, ...rest] : rest, to(at));
        else this.leaveOut();
      } else {
        const field = fields[next];
        if (!field || (record.decl.union && next !== start)) return;
        const at = next;
        next = after(at + 1);
        this.place(field.type, [], to(at));
      }
    }
  }

  /** The designators to follow for each item that belongs to this object. */
  private *steps(entered: Entered | undefined): Generator<readonly Designator[]> {
    let entering = entered?.designators;
    for (let item = this.items[this.at]; item; item = this.items[this.at]) {
      const before = this.at;
      const { designators } = item;
      if (!entering && entered && designators.length > 0) return;
      yield entering ?? designators;
      entering = undefined;
      if (this.at === before) return;
    }
  }

  /**
   * Places the item, or the items if braces were omitted, for the part at `path`. `designators`: those still to follow
   * from there.
   */
  private place(type: CType, designators: readonly Designator[], path: readonly Step[]): void {
    const item = this.items[this.at];
    if (!item) return;
    const seen = canonical(type);
    if (designators.length > 0) {
      if (isAggregate(seen)) this.fillAggregate(seen, { path, designators });
      else this.leaveOut();
      return;
    }
    const { init } = item;
    const isWhole =
      init.kind === "list" ||
      compatibleUnqualified(init.expr.type, type) ||
      textSize(type, init.expr) !== undefined;
    if (!isWhole && isAggregate(seen)) {
      const before = this.at;
      this.fillAggregate(seen, { path, designators });
      if (this.at > before) return;
    }
    this.take(path, type);
  }
}

const holds = (field: Field, name: string): boolean => {
  const seen = canonical(field.type);
  return field.name === undefined && seen.kind === "record" && findField(seen.decl, name) !== undefined;
};
