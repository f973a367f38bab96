/**
 * How floating-point numbers are computed with: in a narrower format, and without subnormal numbers. The pass only
 * marks the region; operators are made accordingly. Results are not C's to the bit, so that the tolerance of
 * `arc verify` decides whether a program may have it.
 */
import type { SpmdHints } from "../../core/ir/ir.ts";
import { flushAxis, formatAxis } from "./axes.ts";
import type { Pass } from "./pass.ts";
import { withSpmd } from "./region.ts";

export const numbers: Pass = {
  name: "numbers",
  description: "narrower floating-point numbers, and none that are subnormal",
  axes: [formatAxis, flushAxis],
  run({ task, choice }) {
    const { flush, format } = choice;
    const hints: SpmdHints = {
      ...(flush === true && { flush }),
      ...((format === "f16" || format === "bf16") && { format }),
    };
    const marked = Object.keys(hints).length > 0;
    return {
      task: marked ? withSpmd(task, (s) => ({ ...s, hints: { ...s.hints, ...hints } })) : task,
      remarks: [],
    };
  },
};
