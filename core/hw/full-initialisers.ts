/**
 * Initialisers in full (C11 6.7.9): braces around every object, a designator before every part, strings as characters.
 *
 *     struct p { int a, b[2]; } q[2] = {1, 2, [1].b[1] = 3};   =>   {[0] = {.a = 1, .b = {[0] = 2}}, [1] = {.b = {[1] = 3}}}
 */
import type { CType, Designator, Expr, Field, Init, InitItem, Span, Stmt } from "../lang/ast.ts";
import { convert, freshSymbol, ident, intLit } from "../lang/build.ts";
import {
  canonical,
  codeUnits,
  compatibleUnqualified,
  evaluateInteger,
  isInteger,
  mapStmt,
  qualify,
} from "../lang/index.ts";

/** The statements with such initialisers; a string that is none is an array of its own. */
export function withFullInitialisers(body: readonly Stmt[]): readonly Stmt[] {
  return body.map((s) =>
    withArraysForStrings(
      mapStmt(s, {
        expr: (e) => (e.kind === "compound" ? { ...e, init: full(e.init, e.of) } : e),
        stmt: (child) =>
          child.kind === "decl"
            ? {
                ...child,
                decls: child.decls.map((d) => (d.init ? { ...d, init: full(d.init, d.sym.type) } : d)),
              }
            : child,
      }),
    ),
  );
}

function withArraysForStrings(s: Stmt): Stmt {
  const strings: Stmt[] = [];
  return mapStmt(s, {
    expr(e) {
      // "" is the argument of nan.
      if (e.kind !== "string" || codeUnits(e.pieces).units.length === 0) return e;
      const sym = freshSymbol("arc_text", qualify(e.type, { const: true }));
      const init = full({ kind: "expr", expr: e }, e.type);
      strings.push({ kind: "decl", decls: [{ sym, init, span: e.span }], defines: [], span: e.span });
      return ident(sym, e.span);
    },
    stmt: (child) => (strings.length === 0 ? child : [...strings.splice(0), child]),
  });
}

/** `init` of an object of this type. */
export function full(init: Init, type: CType): Init {
  if (init.kind === "expr") {
    const text = characters(init.expr, type);
    return text ? written(text, type, init.expr.span) : init;
  }
  if (holdsUnnamed(type)) return init;
  return written(new Reader(init.items).object(type), type, init.span);
}

/** A value, or parts by their number: of arrays that of the element, of structs and unions that of the member. */
type Contents = { readonly value: Expr } | { readonly parts: Map<number, Contents> };

type Parts = Extract<Contents, { readonly parts: unknown }>;

type Aggregate = Extract<CType, { readonly kind: "array" | "record" }>;

const isAggregate = (type: CType): type is Aggregate => type.kind === "array" || type.kind === "record";

/** What stands between two braces. */
class Reader {
  private readonly items: readonly InitItem[];
  private at = 0;

  constructor(items: readonly InitItem[]) {
    this.items = items;
  }

  object(type: CType): Contents {
    const seen = canonical(type);
    const [first, ...more] = this.items;
    const text = first?.init.kind === "expr" && more.length === 0 && characters(first.init.expr, type);
    if (text) return text;
    if (isAggregate(seen)) {
      const made: Parts = { parts: new Map() };
      this.fill(made, seen, undefined);
      return made;
    }
    if (!first) return { value: intLit(0) };
    return first.init.kind === "expr"
      ? { value: first.init.expr }
      : new Reader(first.init.items).object(type);
  }

  /**
   * Values for the parts of an object, in order. `entering`: of one without braces of its own the designators that lead
   * into it; the next designator ends it.
   */
  private fill(into: Parts, type: Aggregate, entering: readonly Designator[] | undefined): void {
    const own = entering === undefined;
    const count =
      type.kind === "array" ? (own ? Number.POSITIVE_INFINITY : Number(type.size)) : membersOf(type).length;
    let next = 0;
    let path = entering;
    for (let item = this.items[this.at]; item; item = this.items[this.at]) {
      if (!path && !own && item.designators.length > 0) return;
      const [first, ...rest] = path ?? item.designators;
      path = undefined;
      const [from, to] = first ? range(first, type) : [next, next];
      if (to >= count || from < 0 || (!first && isFull(type, next))) return;
      const start = this.at;
      for (let k = from; k <= to; k++) {
        this.at = start;
        this.place(into, k, partOf(type, k), rest);
      }
      next = to + 1;
      if (this.at === start) return;
    }
  }

  /** The item, or the items where braces were left out, for one part. */
  private place(into: Parts, k: number, type: CType, path: readonly Designator[]): void {
    const item = this.items[this.at] as InitItem;
    const seen = canonical(type);
    const inside = (designators: readonly Designator[]): void => {
      const known = into.parts.get(k);
      const part: Parts = known && "parts" in known ? known : { parts: new Map() };
      into.parts.set(k, part);
      this.fill(part, seen as Aggregate, designators);
    };
    if (path.length > 0 && isAggregate(seen)) return inside(path);
    const { init } = item;
    const whole = init.kind === "list" || compatibleUnqualified(init.expr.type, type);
    const text = init.kind === "expr" ? characters(init.expr, type) : undefined;
    if (!whole && !text && isAggregate(seen)) return inside([]);
    const made = init.kind === "list" ? new Reader(init.items).object(type) : (text ?? { value: init.expr });
    into.parts.set(k, made);
    this.at++;
  }
}

function membersOf(type: CType): readonly Field[] {
  const seen = canonical(type);
  return seen.kind === "record" ? (seen.decl.fields ?? []).filter((f) => f.name !== undefined) : [];
}

/** Of a union without designators only the first member. */
const isFull = (type: Aggregate, next: number): boolean =>
  type.kind === "record" && type.decl.union === true && next > 0;

const partOf = (type: Aggregate, k: number): CType =>
  type.kind === "array" ? type.of : (membersOf(type)[k] as Field).type;

function range(designator: Designator, type: Aggregate): readonly [number, number] {
  if (designator.kind === "field") {
    const k = membersOf(type).findIndex(({ name }) => name === designator.name);
    return [k, k];
  }
  const [from, to] = [designator.index, designator.to ?? designator.index].map((e) =>
    Number(evaluateInteger(e) ?? -1n),
  );
  return [from as number, to as number];
}

/** The elements of an array of characters that a string initialises, without the zeros behind them. */
function characters(e: Expr, type: CType): Parts | undefined {
  const seen = canonical(type);
  if (e.kind !== "string" || seen.kind !== "array" || !isInteger(seen.of)) return undefined;
  const { units } = codeUnits(e.pieces);
  const kept = typeof seen.size === "number" ? units.slice(0, seen.size) : units;
  return {
    parts: new Map(kept.map((unit, k) => [k, { value: convert(intLit(unit), seen.of) } as const])),
  };
}

function written(contents: Contents, type: CType, span: Span): Init {
  if ("value" in contents) return { kind: "expr", expr: contents.value };
  const seen = canonical(type) as Aggregate;
  const members = membersOf(seen);
  const items = [...contents.parts]
    .sort(([a], [b]) => a - b)
    .map(([k, part]): InitItem => {
      const designator: Designator =
        seen.kind === "array"
          ? { kind: "index", index: intLit(k) }
          : { kind: "field", name: (members[k] as Field).name as string };
      return { designators: [designator], init: written(part, partOf(seen, k), span) };
    });
  return { kind: "list", items, span };
}

/** Structs and unions without a name, whose members stand beside those of the one around them. */
function holdsUnnamed(type: CType): boolean {
  const seen = canonical(type);
  if (seen.kind === "array") return holdsUnnamed(seen.of);
  return (
    seen.kind === "record" &&
    (seen.decl.fields ?? []).some(
      (f) => (f.name === undefined && f.bits === undefined) || holdsUnnamed(f.type),
    )
  );
}
