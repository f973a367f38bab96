/**
 * Named points where tests let the machine fail. Off (one comparison) unless ARC_FAULT is set:
 * `ARC_FAULT=point:n` kills the process the n-th time that the point is passed; `ARC_FAULT=trace:FILE`
 * appends the name of every point passed to FILE.
 */
import { appendFileSync } from "node:fs";

const setting = process.env.ARC_FAULT;
const trace = setting?.startsWith("trace:") ? setting.slice("trace:".length) : undefined;
const separator = setting?.lastIndexOf(":") ?? -1;
const point = setting?.slice(0, separator);
let countdown = Number(setting?.slice(separator + 1));

/** `damage` leaves behind what a crash in the middle would, just before the process dies. */
export function fault(name: string, damage?: () => void): void {
  if (setting === undefined) return;
  if (trace !== undefined) {
    appendFileSync(trace, `${name}\n`);
    return;
  }
  if (name !== point) return;
  countdown -= 1;
  if (countdown !== 0) return;
  damage?.();
  process.kill(process.pid, "SIGKILL");
}
