/**
 * How many iterations of the outer loop a team runs at a time. If all of them load the same data in the inner loop, as
 * n-body code does, several share each load:
 *
 *     for (j = ...) {  q = x[j];  s0 += f(q - p0);  s1 += f(q - p1);  s2 += ...  }
 */
import { type Uses, usesOf } from "../../../core/ir/analysis/access.ts";
import type { LoopHeader } from "../../../core/ir/model/ir.ts";
import { isPointer, walkStmt } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { mentions } from "../mapping/slopes.ts";
import type { SharedLoop } from "../mapping/team-steps.ts";
import { canInterleave } from "./interleave.ts";

type Inner = Pick<SharedLoop, "header" | "body" | "reductions">;

/** Rows that share a load, largest first, each with a limit on the inner loop's expressions, for the sake of registers. */
const TOGETHER = [
  { rows: 8, expressions: 120 },
  { rows: 4, expressions: 200 },
];

/**
 * Requires inner loops that are equally long in every iteration of the loop with the header `outer`. `code`: what every
 * lane runs before them.
 */
export function rowsTogether(
  outer: LoopHeader,
  shared: readonly Inner[],
  code: readonly Stmt[],
  privates: readonly Symbol[],
): number {
  if (isPointer(outer.var.type)) return 1;
  const before = code.map((s) => usesOf(s));
  const own = new Set([outer.var, ...privates, ...before.flatMap((uses) => [...uses.declared])]);
  const changed = [
    ...before.flatMap(written),
    ...shared.flatMap((part) => part.reductions.map((r) => r.sym)),
  ];
  const fits =
    changed.every((sym) => own.has(sym)) &&
    shared.every(({ header, body }) => canInterleave(body, [...own]) && loadsAreShared(header, body, own));
  const size = Math.max(...shared.map(({ body }) => sizeOf(body)));
  return (fits && TOGETHER.find(({ expressions }) => size <= expressions)?.rows) || 1;
}

function sizeOf(body: Stmt): number {
  let size = 0;
  walkStmt(body, { expr: () => void size++ });
  return size;
}

const written = ({ of }: Uses): Symbol[] => [...of].flatMap(([sym, use]) => (use.written ? [sym] : []));

/** Whether all loads that vary in the inner loop are independent of the row. */
function loadsAreShared(header: LoopHeader, body: Stmt, ofRow: ReadonlySet<Symbol>): boolean {
  const uses = usesOf(body);
  const ofIteration = new Set([header.var, ...uses.declared, ...written(uses)]);
  let [some, all] = [false, true];
  walkStmt(body, {
    expr(e) {
      if (e.kind !== "index" && !(e.kind === "unary" && e.op === "*")) return;
      if (!mentions(e, ofIteration)) return;
      some = true;
      all &&= !mentions(e, ofRow);
    },
  });
  return some && all;
}
