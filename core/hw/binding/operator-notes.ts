/** Notes on operations that C performs in double although the program's numbers are floats. */

import { binary64 } from "../dfg/float-format.ts";
import type { HardwareNote } from "../dfg/region.ts";
import type { Value } from "../dfg/value.ts";
import { widenedFrom } from "../operators/float-values.ts";
import { isElementary } from "../operators/lowering.ts";
import type { Process } from "./process.ts";

const isWidened = ({ op, shape }: Value): boolean =>
  op === "xtof" && shape.float?.fraction === binary64.fraction;

export function widened(processes: readonly Process[]): readonly HardwareNote[] {
  const notes = new Map<string, HardwareNote>();
  for (const { op, args, loc } of processes.flatMap((p) => [...p.operators.keys()])) {
    if (!loc || !args.some((a) => widenedFrom(a) !== undefined || isWidened(a))) continue;
    const isNamed = isElementary(op);
    if (!isNamed && !args.some((a) => a.op === "const")) continue;
    const reason = isNamed
      ? "its argument was a float; call the function whose name ends in f if a float is meant"
      : "its constant is no float; give it the suffix f if a float is meant";
    const message = `computed in double, by a circuit more than twice as large: ${reason}`;
    notes.set(`${loc.file}:${loc.line}:${loc.col}`, { message, loc });
  }
  return [...notes.values()];
}
