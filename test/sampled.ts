/**
 * What every run takes of many cases, and what `ARC_SLOW_TESTS=1` takes: all of them. The cases of a run are the same each
 * time: of `sampled` always, of `inTurn` for the same commit.
 */
export const slow = process.env.ARC_SLOW_TESTS !== undefined;

/** The number of this commit's turn: build.setup.ts sets it. Consecutive commits have any turns, so that all cases are met. */
const turn = Number(process.env.ARC_TURN ?? 0);

/** Whether every run of this commit takes the k-th case, where one commit in `of` takes it. */
export const inTurn = (k: number, of: number): boolean => slow || k % of === turn % of;

/** Whether Oclgrind gets the k-th of so many functions or programs: it takes seconds to run one. */
export const isSimulated = (k: number, count: number): boolean => inTurn(k, Math.min(3, count));

/** All, or each `step`-th: a step that has no factor in common with the lengths of cycles in `all` meets all of a cycle. */
export const sampled = <T>(all: readonly T[], step: number): readonly T[] =>
  slow ? all : all.filter((_, k) => k % step === 0);
