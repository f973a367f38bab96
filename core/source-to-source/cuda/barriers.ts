/** Barriers and shared memory of a CUDA kernel. */
import { itemAt } from "../../checked/access.ts";
import type { Kernel } from "./functions.ts";
import { everyStatement, type Statement } from "./statements.ts";
import type { SourceLocations, Token } from "./tokens.ts";

export const isBarrier = (tokens: readonly Token[], s: Statement): boolean =>
  s.kind === "simple" && tokens[s.from]?.text === "__syncthreads";

export const hasBarrier = (tokens: readonly Token[], s: Statement): boolean =>
  isBarrier(tokens, s) || s.inside.some((one) => hasBarrier(tokens, one));

export const isShared = (tokens: readonly Token[], s: Statement): boolean =>
  tokens.slice(s.from, s.to).some(({ text }) => text === "__shared__");

export const hasPhases = (tokens: readonly Token[], statements: readonly Statement[]): boolean =>
  everyStatement(statements).some((s) => isBarrier(tokens, s) || isShared(tokens, s));

/** Barriers that are no statements as the source is written: in what a macro with parameters makes a loop of, or in an expression. */
export function refuseHiddenBarriers(
  { statements, from, to }: NonNullable<Kernel["body"]>,
  tokens: readonly Token[],
  locations: SourceLocations,
): void {
  const every = everyStatement(statements);
  for (let k = from; k < to; k++) {
    if (itemAt(tokens, k).text !== "__syncthreads") continue;
    const around = every.findLast((s) => s.from <= k && k < s.to);
    if (!around || isBarrier(tokens, around)) continue;
    const first = itemAt(tokens, around.from);
    locations.refuse(
      first,
      `a barrier stands in what '${first.text}' makes of it, and kernels are read as they are written`,
      "write the loop or condition around the barrier as it is, without a macro",
    );
  }
}
