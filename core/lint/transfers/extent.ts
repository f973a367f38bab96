/** Sections of clauses that are longer than the memory that they name. */
import { allocation, withoutCasts } from "../../ir/extents/allocations.ts";
import { canonical, elementType, sizeOf } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { binary } from "../../lang/tree/build.ts";
import { onlyValue } from "../memory/facts.ts";
import type { Moment } from "../races/recording-walk.ts";
import type { Fault } from "./fault.ts";
import type { Known } from "./known.ts";
import { asConstruct, type Construct, type Mapped, type Move } from "./trace.ts";

/** Those of a function's constructs and of its other directives. */
export function tooLong(known: Known): readonly Fault[] {
  const { constructs, moves } = known.trace;
  return [
    ...constructs.flatMap((c) => c.mapped.flatMap((m) => beyond(known, c, c.begin, m))),
    ...moves.flatMap((move: Move) =>
      move.items.flatMap((m) => beyond(known, asConstruct(move, [m]), move.at, m)),
    ),
  ];
}

function beyond(known: Known, construct: Construct, at: Moment, mapped: Mapped): readonly Fault[] {
  const { sym, motion, section, loc } = mapped;
  if (!section || motion === "other" || /->|\./.test(mapped.text)) return [];
  const size = sizeExpr(known, sym);
  const each = elementSize(sym);
  if (size === undefined || each === undefined) return [];
  let compared = 0;
  for (const s of known.sampled.samples.keys()) {
    const range = known.range(mapped, construct.directive, at, s);
    const bytes = typeof size === "number" ? size : known.valueAt(size, at, s);
    if (!range || bytes === undefined || range.count <= 0) return [];
    if ((range.from + range.count) * each <= bytes) return [];
    compared++;
  }
  return compared > 0 ? [{ kind: "section-too-long", certainty: "proved", sym, loc, construct, mapped }] : [];
}

/** How many bytes a variable has, or what it was allocated with. */
function sizeExpr({ file }: Known, sym: Symbol): Expr | number | undefined {
  if (sym.kind !== "var") return undefined;
  if (canonical(sym.type).kind === "array") return sizeOf(sym.type);
  const value = onlyValue(file.facts, sym);
  if (!value || file.facts.addressed.has(sym)) return undefined;
  const e = withoutCasts(value);
  const factors = e.kind === "call" ? allocation(e) : undefined;
  return factors?.reduce((a, b) => binary("*", a, b));
}

function elementSize({ type }: Symbol): number | undefined {
  const array = canonical(type);
  const element = array.kind === "array" ? array.of : elementType(type);
  return element && sizeOf(element);
}
