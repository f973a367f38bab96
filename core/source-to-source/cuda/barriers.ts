/** Barriers and shared memory of a CUDA kernel. */
import { everyStatement, type Statement } from "./statements.ts";
import type { Token } from "./tokens.ts";

export const isBarrier = (tokens: readonly Token[], s: Statement): boolean =>
  s.kind === "simple" && tokens[s.from]?.text === "__syncthreads";

export const hasBarrier = (tokens: readonly Token[], s: Statement): boolean =>
  isBarrier(tokens, s) || s.inside.some((one) => hasBarrier(tokens, one));

export const isShared = (tokens: readonly Token[], s: Statement): boolean =>
  tokens.slice(s.from, s.to).some(({ text }) => text === "__shared__");

export const hasPhases = (tokens: readonly Token[], statements: readonly Statement[]): boolean =>
  everyStatement(statements).some((s) => isBarrier(tokens, s) || isShared(tokens, s));
