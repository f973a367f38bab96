/**
 * Sums along rows that lanes load 16 bytes at a time:
 *
 *     if (the row's first elements lie at multiples of 16 bytes, and the row is long enough)
 *       each lane's fours of elements, then what is left
 *     else
 *       each lane's elements
 */
import { itemAt } from "../../../../core/checked/access.ts";
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import { isVolatile } from "../../../../core/ir/analysis/purity.ts";
import {
  canonical,
  evaluateInteger,
  LONG,
  mapStmt,
  printExpr,
  sizeOf,
  substitute,
  substituteExpr,
  unqualified,
  walkStmt,
} from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { binary, compound, declare, freshSymbol, ident, intLit } from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import { counted } from "../../device/counted-loop.ts";
import { wideLoad } from "../../device/device.ts";
import { unrollPragma } from "../../device/pragmas.ts";
import { canInterleave, interleave } from "../../loops/interleave.ts";
import { valueAt } from "../../loops/trips.ts";
import { dependents, mentions } from "../../mapping/slopes.ts";
import type { SharedLoop } from "../../mapping/team-steps.ts";
import { BYTES, isNext, isWord } from "./neighbours.ts";
import { behindFours, inFours, times, type Walk, whereWide } from "./wide-walk.ts";

/**
 * A lane's iterations, `iteration` being one of them; undefined: nothing to load so. `atOnce`: loads of 16 bytes for each
 * array that a lane issues at once. `plain`: as without wide loads.
 */
export function wideLoop(
  step: Pick<SharedLoop, "header" | "body" | "reductions">,
  iteration: readonly Stmt[],
  walk: Walk,
  atOnce: number,
  plain: Stmt,
): Stmt | undefined {
  const { header, body } = step;
  const { t, member, lanes } = walk;
  if (!isPlainSum(step)) return undefined;
  const found = new Map([...loadsAlong(step, iteration)].map((e) => [printExpr(e), e]));
  const sizes = [...found.values()].map((e) => sizeOf(e.type) ?? BYTES);
  const size = Math.min(...sizes);
  const loads = [...found].filter(([, e]) => sizeOf(e.type) === size);
  if (loads.length === 0 || !canInterleave(body, [header.var])) return undefined;
  const width = BYTES / size;

  const values = loads.map(([, e], k) => freshSymbol(`arc_load_${k}`, unqualified(e.type)));
  const places = new Map(loads.map(([key], k) => [key, ident(itemAt(values, k))]));
  const loaded = iteration.map((s) =>
    mapStmt(s, { expr: (e) => (e.kind === "index" && places.get(printExpr(e))) || e }),
  );
  const parts = values.map((v) =>
    Array.from({ length: width }, (_, n) => freshSymbol(`${v.name}_${n}`, v.type)),
  );
  const copies = Array.from(
    { length: width },
    (_, n) =>
      new Map<Symbol, Expr>([
        [t, n === 0 ? ident(t) : binary("+", ident(t), intLit(n, LONG))],
        ...values.map((v, k) => [v, ident(itemAt(itemAt(parts, k), n))] as const),
      ]),
  );
  const [counter] = iteration;
  const at = (e: Expr, place: Expr): Expr => {
    const own = counter?.kind === "decl" ? counter.decls[0]?.sym : undefined;
    return own ? substituteExpr(e, new Map([[own, valueAt(header, place)]])) : e;
  };
  const fours: Stmt = {
    ...counted(
      t,
      times(ident(member), width),
      inFours(walk, width),
      times(ident(lanes), width),
      compound([
        ...parts.flat().map((part) => declare(part)),
        ...loads.map(([, e], k) =>
          wideLoad({ into: itemAt(parts, k).map((p) => ident(p)), from: at(e, ident(t)) }),
        ),
        ...interleave(loaded, copies),
      ]),
    ),
    pragmas: [unrollPragma(atOnce)],
  };
  const rest = freshSymbol("arc_rest", LONG);
  const left: Stmt = {
    ...behindFours(rest, walk, width, substitute(compound(iteration), new Map([[t, ident(rest)]]))),
    pragmas: [unrollPragma(1)],
  };
  const first = loads.map(([, e]) => at(e, intLit(0, LONG)));
  return whereWide(first, walk, width, [fours, left], plain);
}

/** Whether iterations only combine values, all of which each of them loads. */
function isPlainSum({
  header,
  body,
  reductions,
}: Pick<SharedLoop, "header" | "body" | "reductions">): boolean {
  const type = canonical(header.var.type);
  const counts = type.kind === "int" && (type.name === "int" || type.name === "long");
  if (reductions.length === 0 || evaluateInteger(header.step) !== 1n || !counts) return false;
  if ([...usesOf(body).of.values()].some((use) => use.elementsWritten || use.addressTaken)) return false;
  let always = flat(body).every((s) => s.kind === "expr" || s.kind === "decl");
  walkStmt(body, {
    expr(e) {
      if (e.kind === "cond" || (e.kind === "binary" && (e.op === "&&" || e.op === "||"))) always = false;
    },
  });
  return always;
}

/** The loads that step by one element from iteration to iteration. */
function loadsAlong(
  { header, body }: Pick<SharedLoop, "header" | "body">,
  iteration: readonly Stmt[],
): Set<Expr> {
  const [counter, ...own] = iteration;
  const along = counter?.kind === "decl" ? counter.decls[0]?.sym : undefined;
  const found = new Set<Expr>();
  if (!along) return found;
  const all = compound(own);
  const depending = new Set([...dependents(all, along), ...usesOf(all).declared, header.var]);
  const changed = usesOf(body).of;
  walkStmt(all, {
    expr(e) {
      if (e.kind !== "index" || isVolatile(e.type) || !isWord(e) || mentions(e.base, depending)) return;
      if (!isNext(e.index, along, depending)) return;
      const isFixed = [...changed].every(([sym, use]) => !use.written || !mentions(e, new Set([sym])));
      if (isFixed) found.add(e);
    },
  });
  return found;
}
