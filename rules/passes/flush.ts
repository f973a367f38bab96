/**
 * Floating-point operators without subnormal numbers: what is nearer to 0 than the least normal number counts as 0.
 * The pass only marks the region; operators are made accordingly. Results differ from C's where such numbers occur, so
 * that the tolerance of `arc verify` decides whether a program may have it.
 */
import { flushAxis } from "./axes.ts";
import type { Pass } from "./pass.ts";
import { withSpmd } from "./region.ts";

export const flush: Pass = {
  name: "flush",
  description: "floating-point operators without subnormal numbers",
  axes: [flushAxis],
  run: ({ task, choice }) => ({
    task:
      choice.flush === true ? withSpmd(task, (s) => ({ ...s, hints: { ...s.hints, flush: true } })) : task,
    remarks: [],
  }),
};
