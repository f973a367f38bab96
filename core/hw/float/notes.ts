/** What C computes in double although the program's numbers are floats, because of a constant that is no float. */
import type { Process } from "../process.ts";
import type { HardwareNote } from "../region.ts";
import { widenedFrom } from "./values.ts";

export function widenedByConstants(processes: readonly Process[]): readonly HardwareNote[] {
  const notes = new Map<string, HardwareNote>();
  for (const { args, loc } of processes.flatMap((p) => [...p.operators.keys()])) {
    const widens = args.some((a) => a.op === "const") && args.some((a) => widenedFrom(a) !== undefined);
    if (!widens || !loc) continue;
    const message =
      "computed in double, by a circuit more than twice as large: its constant is no float; give it the suffix f if a float is meant";
    notes.set(`${loc.file}:${loc.line}:${loc.col}`, { message, loc });
  }
  return [...notes.values()];
}
