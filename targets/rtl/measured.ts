/**
 * Compares a layout with the device's table: the clock that the design reaches, and the ratio of its delays to the
 * table's.
 */
import type { LogicTiming } from "../../core/hw/operators/timing.ts";
import type { Measured } from "../shared/kind/rescheduled.ts";
import { lengthOf, slowestClock, slowestPath, type Timing, type TimingPath } from "./report.ts";

/** Undefined: there is no layout, or it has no clock. */
export function measuredOf(files: ReadonlyMap<string, string>, logic: LogicTiming): Measured | undefined {
  const text = files.get("timing.json");
  const timing = text === undefined ? undefined : (JSON.parse(text) as Timing);
  const reached = slowestClock(timing);
  if (reached === undefined) return undefined;
  const slowest = slowestPath(timing);
  const expected = slowest && expectedLength(slowest, logic);
  return { reached, ...(slowest && expected && { stretch: lengthOf(slowest) / expected }) };
}

/** The length of an iCE40 path according to the table, in nanoseconds; undefined: it has cells of another family. */
function expectedLength({ path }: TimingPath, logic: LogicTiming): number | undefined {
  let sum = 0;
  for (const [k, { type, from, to }] of path.entries()) {
    if (type === "clk-to-q") sum += to.port === "O" ? logic.register : logic.ram;
    else if (type === "setup") sum += logic.setup;
    else if (type === "logic") {
      // The table's delay for a carry chain covers entering and leaving it.
      if (to.port === "COUT") sum += logic.carryBit + (from?.port === "CIN" ? 0 : logic.carry);
      else if (to.port !== "O") return undefined;
      else if (path[k - 1]?.from?.port !== "COUT") sum += logic.lut;
    }
  }
  return sum;
}
