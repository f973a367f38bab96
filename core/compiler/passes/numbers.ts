/**
 * Number formats: a narrower floating-point format or fixed point, and flushing of subnormal numbers. The pass only
 * marks the region; operators are made accordingly. Results differ from C's, so the tolerance of `arc verify` decides
 * whether a program may use it.
 */

import type { Assignment } from "../../../schema/document/axis.ts";
import { fixedPoint, MOST_BITS } from "../../ir/model/fixed-format.ts";
import type { SpmdHints } from "../../ir/model/ir.ts";
import type { Loc } from "../../lang/tree/ast.ts";
import { flushAxis, formatAxis } from "./axes.ts";
import { Illegal, type Pass, passing } from "./rewrite/pass.ts";
import { withSpmd } from "./rewrite/region.ts";

export const numbers: Pass = {
  name: "numbers",
  description: "narrower numbers, in fixed point too, and none that are subnormal",
  axes: [formatAxis, flushAxis],
  run: ({ task, choice }) =>
    passing(() => {
      const { flush } = choice;
      const format = formatOf(choice, task.site.loc);
      const hints: SpmdHints = { ...(flush === true && { flush }), ...(format && { format }) };
      if (Object.keys(hints).length === 0) return { task, remarks: [] };
      const made = [
        ...(format ? [`numbers of the format ${choice.format}`] : []),
        ...(flush === true ? ["no subnormal numbers"] : []),
      ];
      return {
        task: withSpmd(task, (s) => ({ ...s, hints: { ...s.hints, ...hints } })),
        remarks: [{ pass: "numbers", applied: true, message: made.join(", "), loc: task.site.loc }],
      };
    }),
};

function formatOf({ format }: Assignment, loc: Loc): SpmdHints["format"] {
  if (format === "f16" || format === "bf16") return format;
  const fixed = fixedPoint(format);
  const bits = fixed ? fixed.whole + fixed.fractionBits : 0;
  if (!fixed || (bits > 1 && bits <= MOST_BITS)) return fixed;
  throw new Illegal({
    code: "number-format",
    loc,
    message: `numbers of the format ${format} have ${bits} bits`,
    why: `there are operators for 2 to ${MOST_BITS} bits`,
    remedy: `give the format other numbers of bits before and behind the point, ${MOST_BITS} at most together`,
  });
}
