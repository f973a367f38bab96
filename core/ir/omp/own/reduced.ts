/**
 * What user-defined reductions combine: variables, whole arrays, and sections of arrays and of what pointers lead to. A
 * copy of an array is an array of the same type; a pointer's has the section's elements alone.
 *
 *     reduction(add: p[2:3])      =>      struct sum p_own[3];      p[i] is p_own[i - 2]
 */
import { itemAt } from "../../../checked/access.ts";
import {
  canonical,
  compatibleUnqualified,
  evaluateInteger,
  LONG,
  mapStmt,
  substitute,
} from "../../../lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  binary,
  compound,
  declare,
  forStmt,
  freshSymbol,
  ident,
  incdec,
  index,
  intLit,
} from "../../../lang/tree/build.ts";
import { unusedName } from "../../analysis/unused-name.ts";
import type { DeclaredReduction, Directive, VarRef } from "../../directives/directive.ts";

/** The elements of one dimension. */
interface Range {
  readonly start: Expr;
  readonly length: number;
}

/** A variable in a clause as its reduction sees it. */
interface Elements {
  /** The type of one element. */
  readonly type: CType;
  /** None for a variable that is reduced as a whole. */
  readonly ranges: readonly Range[];
  readonly copyType: CType;
}

/** The variable as elements of this type; undefined if it has none, or more than a constant says. */
export function elementsOf({ sym, object, section }: VarRef, type: CType): Elements | undefined {
  if (object.kind !== "ident") return undefined;
  const ranges: Range[] = [];
  let rest = sym.type;
  for (let k = 0; !compatibleUnqualified(type, rest); k++) {
    const c = canonical(rest);
    const all = c.kind === "array" && typeof c.size === "number" ? c.size : undefined;
    if (c.kind !== "array" && (c.kind !== "pointer" || k > 0)) return undefined;
    const range = rangeOf(section[k], all);
    if (!range) return undefined;
    ranges.push(range);
    rest = c.kind === "array" ? c.of : c.to;
  }
  if (ranges.length < section.length) return undefined;
  const c = canonical(sym.type);
  const [first] = ranges;
  const copyType: CType =
    first && c.kind === "pointer" && ranges.length > 0
      ? { kind: "array", of: c.to, size: first.length }
      : sym.type;
  return { type, ranges, copyType };
}

function rangeOf(dim: VarRef["section"][number] | undefined, all: number | undefined): Range | undefined {
  if (dim?.stride) return undefined;
  const start = dim?.start ?? intLit(0);
  const known = dim?.length && evaluateInteger(dim.length);
  if (dim?.length && known === undefined) return undefined;
  const from = evaluateInteger(start);
  const length = known ?? (all !== undefined && from !== undefined ? BigInt(all) - from : undefined);
  return length !== undefined && length > 0n ? { start, length: Number(length) } : undefined;
}

interface Reduced extends Elements {
  readonly sym: Symbol;
  readonly reduction: DeclaredReduction;
}

export interface Copied extends Reduced {
  readonly copy: Symbol;
}

export const reducedBy = (d: Directive): readonly Reduced[] =>
  d.clauses.flatMap((c) =>
    c.vars.flatMap((v, i) => {
      const reduction = c.declared?.[i];
      const elements = reduction && elementsOf(v, reduction.type);
      return elements ? [{ sym: v.sym, reduction, ...elements }] : [];
    }),
  );

interface Copies {
  readonly copies: readonly Copied[];
  /** Declares the copies and initialises them. */
  readonly before: readonly Stmt[];
  /** The statement with the copies in place of the variables. */
  readonly body: Stmt;
}

export function copiesOf(d: Directive, body: Stmt): Copies {
  const before: Stmt[] = [];
  const copies = reducedBy(d).map((r): Copied => {
    const copy = freshSymbol(unusedName(`${r.sym.name}_own`, body), r.copyType);
    before.push(declare(copy));
    return { ...r, ranges: r.ranges.map((range) => fixed(range, before)), copy };
  });
  for (const c of copies)
    before.push(
      eachElement(c, (at) => [
        {
          kind: "expr",
          expr: c.reduction.initialise(inCopy(c, ident(c.copy), at), inVariable(c, at)),
          span: body.span,
        },
      ]),
    );
  const stands = new Map(copies.map((c) => [c.sym, standsFor(c)]));
  const inside = mapStmt(substitute(body, stands), { expr: subscriptOf(new Set(stands.values())) });
  return { copies, before, body: inside };
}

/** The start of a range as the loop begins. */
function fixed(range: Range, before: Stmt[]): Range {
  if (evaluateInteger(range.start) !== undefined) return range;
  const start = freshSymbol("arc_start", LONG);
  before.push(declare(start, range.start));
  return { ...range, start: ident(start) };
}

/** Statements for each element: of loops over its ranges. */
export function eachElement(r: Elements, make: (at: readonly Expr[]) => readonly Stmt[]): Stmt {
  const counters = r.ranges.map((_, k) => freshSymbol(`arc_element${k}`, LONG));
  const inner = make(counters.map((c) => ident(c)));
  const [only] = inner;
  return r.ranges.reduceRight<Stmt>(
    (body, { length }, k) => {
      const counter = itemAt(counters, k);
      return forStmt(
        declare(counter, intLit(0, LONG)),
        binary("<", ident(counter), intLit(length, LONG)),
        incdec("++", false, ident(counter)),
        body,
      );
    },
    only && inner.length === 1 ? only : compound(inner),
  );
}

const isShifted = ({ sym, ranges }: Reduced): boolean =>
  ranges.length > 0 && canonical(sym.type).kind === "pointer";

/** The original's element. */
export const inVariable = (r: Reduced, at: readonly Expr[]): Expr => elementAt(ident(r.sym), r.ranges, at);

/** The element of a copy. */
export const inCopy = (r: Reduced, copy: Expr, at: readonly Expr[]): Expr => {
  const [first, ...others] = at;
  if (!first || !isShifted(r)) return elementAt(copy, r.ranges, at);
  return elementAt(index(copy, first), r.ranges.slice(1), others);
};

const elementAt = (base: Expr, ranges: readonly Range[], at: readonly Expr[]): Expr =>
  at.reduce((found, k, i) => {
    const { start } = itemAt(ranges, i);
    return index(found, evaluateInteger(start) === 0n ? k : binary("+", start, k));
  }, base);

/**
 * `p_own[i - 2]` for `(p_own - 2)[i]`: a pointer in front of an array is undefined, and compilers of kernels use that.
 */
const subscriptOf =
  (stands: ReadonlySet<Expr>) =>
  (e: Expr): Expr =>
    e.kind === "index" && e.base.kind === "binary" && stands.has(e.base)
      ? index(e.base.left, binary("-", e.index, e.base.right))
      : e;

function standsFor(c: Copied): Expr {
  const start = c.ranges[0]?.start;
  const isShift = start && isShifted(c) && evaluateInteger(start) !== 0n;
  return isShift ? binary("-", ident(c.copy), start) : ident(c.copy);
}
