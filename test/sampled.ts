/**
 * What every run takes of many cases, and what `ARC_SLOW_TESTS=1` takes: all of them. The cases of every run are the same
 * each time.
 */
export const slow = process.env.ARC_SLOW_TESTS !== undefined;

/** All, or each `step`-th: a step that has no factor in common with the lengths of cycles in `all` meets all of a cycle. */
export const sampled = <T>(all: readonly T[], step: number): readonly T[] =>
  slow ? all : all.filter((_, k) => k % step === 0);
