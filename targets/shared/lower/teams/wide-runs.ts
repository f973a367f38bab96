/**
 * Loops of a team that store along memory, whose lanes load and store 16 bytes at a time:
 *
 *     if (the row's first elements lie at multiples of 16 bytes, and the row is long enough)
 *       parts = several fours of elements; the iterations, on parts; the elements = parts
 *     else
 *       each lane's elements
 */
import { entryOf, itemAt } from "../../../../core/checked/access.ts";
import { hasLoop } from "../../../../core/ir/analysis/control.ts";
import {
  copyWithFreshLocals,
  LONG,
  mapStmt,
  printExpr,
  sizeOf,
  substitute,
  substituteExpr,
  unqualified,
} from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  binary,
  compound,
  declare,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { counted } from "../../device/counted-loop.ts";
import { wideLoad, wideStore } from "../../device/device.ts";
import { canInterleave } from "../../loops/interleave.ts";
import { valueAt } from "../../loops/trips.ts";
import type { SharedLoop } from "../../mapping/team-steps.ts";
import { BYTES } from "./neighbours.ts";
import { wideScan } from "./wide-scans.ts";
import { behindFours, inFours, times, type Walk, whereWide } from "./wide-walk.ts";

/**
 * A lane's iterations, `iteration` being one of them; undefined: nothing to store so. `atOnce`: fours of each array that
 * a lane loads before it stores. `plain`: as without wide accesses.
 */
export function wideRun(
  { header, body }: Pick<SharedLoop, "header" | "body">,
  iteration: readonly Stmt[],
  walk: Walk,
  atOnce: number,
  plain: Stmt,
): Stmt | undefined {
  const { t, member, lanes } = walk;
  const [first, ...own] = iteration;
  const counter = first?.kind === "decl" ? first.decls[0]?.sym : undefined;
  if (!counter || hasLoop(body) || !canInterleave(body, [header.var])) return undefined;
  const wide = wideScan({ header: { ...header, var: counter }, body: compound(own), privates: [] });
  if (!wide || wide.stores.length === 0) return undefined;
  const elements = new Map([...wide.loads, ...wide.stores].map((e) => [printExpr(e), e]));
  const [size, ...others] = new Set([...elements.values()].map((e) => sizeOf(e.type)));
  if (!size || others.length > 0) return undefined;
  const width = BYTES / size;

  const values = new Map(
    [...elements].map(([text, e]) => [text, freshSymbol("arc_part", unqualified(e.type))] as const),
  );
  const onParts = compound(
    iteration.map((s) =>
      mapStmt(s, {
        expr(e) {
          const value = e.kind === "index" ? values.get(printExpr(e)) : undefined;
          return value ? ident(value) : e;
        },
      }),
    ),
  );
  const apart = (from: Symbol, fours: number): Expr =>
    fours === 0 ? ident(from) : binary("+", ident(from), times(ident(lanes), fours * width));
  const elementAt = (e: Expr, place: Expr): Expr =>
    substituteExpr(e, new Map([[counter, valueAt(header, place)]]));

  /** So many fours, the first at `from`. */
  const batch = (from: Symbol, fours: number): Stmt => {
    const units = Array.from({ length: fours }, (_, u) => ({
      at: apart(from, u),
      parts: new Map(
        [...values].map(([text, v]) => [
          text,
          Array.from({ length: width }, (_, n) => freshSymbol(`${v.name}_${u}_${n}`, v.type)),
        ]),
      ),
    }));
    const partsOf = (unit: (typeof units)[number], e: Expr): readonly Symbol[] =>
      unit.parts.get(printExpr(e)) as readonly Symbol[];
    const idents = (unit: (typeof units)[number], e: Expr) => partsOf(unit, e).map((p) => ident(p));
    return compound([
      ...units.flatMap(({ parts }) => [...parts.values()].flat().map((p) => declare(p))),
      ...units.flatMap((unit) =>
        wide.loads.map((e) => wideLoad({ into: idents(unit, e), from: elementAt(e, unit.at) })),
      ),
      ...units.flatMap((unit) =>
        Array.from({ length: width }, (_, n) => {
          const names = [...values].map(
            ([text, v]) => [v, ident(itemAt(entryOf(unit.parts, text), n))] as const,
          );
          const place = n === 0 ? unit.at : binary("+", unit.at, intLit(n, LONG));
          return copyWithFreshLocals(substitute(onParts, new Map<Symbol, Expr>([[t, place], ...names])));
        }),
      ),
      ...units.flatMap((unit) =>
        wide.stores.map((e) => wideStore({ to: elementAt(e, unit.at), from: idents(unit, e) })),
      ),
    ]);
  };

  const fours = inFours(walk, width);
  const [rest, left] = [freshSymbol("arc_rest", t.type), freshSymbol("arc_rest", t.type)];
  const all = counted(
    t,
    times(ident(member), width),
    fours,
    times(ident(lanes), width * atOnce),
    ifStmt(
      binary("<", apart(t, atOnce - 1), fours),
      batch(t, atOnce),
      counted(rest, ident(t), fours, times(ident(lanes), width), batch(rest, 1)),
    ),
  );
  const iterationLeft = substitute(compound(iteration), new Map([[t, ident(left)]]));
  const last = behindFours(left, walk, width, copyWithFreshLocals(iterationLeft));
  const starts = [...elements.values()].map((e) => elementAt(e, intLit(0, LONG)));
  return whereWide(starts, walk, width, [all, last], plain);
}
