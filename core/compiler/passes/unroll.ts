/**
 * Unrolls innermost pipelined loops as the variant says: `#pragma unroll N` for the vendor's compiler. Loops with a
 * window or a shift register are unrolled by those passes.
 */
import { asIdiom } from "../../ir/model/idioms.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { findStatement } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { unrollAxis } from "./axes.ts";
import type { Pass, PassInput, PassResult, Remark } from "./rewrite/pass.ts";
import { isSingle, loopStmt, loopsIn, mapLoops, withBody } from "./rewrite/region.ts";

export const unroll: Pass = {
  name: "unroll",
  description: "several copies of a loop's body",
  axes: [unrollAxis],
  run,
};

function run({ task, choice }: PassInput): PassResult {
  const requested = choice.unroll ?? "auto";
  if (typeof requested !== "number" || !isSingle(task)) return { task, remarks: [] };
  const remarks: Remark[] = [];
  const body = mapLoops(spmdOf(task).body, (loop, at) => {
    if (loop.hints?.windows || loopsIn(loop.body).length > 0 || hasIdiom(loop.body)) return at;
    remarks.push({
      pass: "unroll",
      applied: requested > 1,
      message: `${requested} copies of the loop's body`,
      loc: loop.site.loc,
    });
    return loopStmt({ ...loop, hints: { ...loop.hints, unroll: requested } }, at);
  });
  return { task: withBody(task, body), remarks };
}

const hasIdiom = (body: Stmt): boolean =>
  findStatement(
    body,
    (s) => asIdiom(s, "delayline") !== undefined || asIdiom(s, "accumulate") !== undefined,
  ) !== undefined;
