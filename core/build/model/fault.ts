/**
 * Named points where tests let the machine fail. Off (two comparisons) unless ARC_FAULT is set:
 * `ARC_FAULT=point:n` kills the process the n-th time that the point is passed; `ARC_FAULT=trace:FILE`
 * appends the name of every point passed to FILE.
 */
import { appendFileSync } from "node:fs";

type Setting = { readonly trace: string } | { readonly point: string; countdown: number };

/**
 * Null: off. Read at the first point, because a process that starts from a snapshot has no environment when it is made.
 */
let setting: Setting | null | undefined;

function readSetting(): Setting | null {
  const text = process.env.ARC_FAULT;
  if (text === undefined) return null;
  if (text.startsWith("trace:")) return { trace: text.slice("trace:".length) };
  const separator = text.lastIndexOf(":");
  return { point: text.slice(0, separator), countdown: Number(text.slice(separator + 1)) };
}

/** `damage` produces what a crash at this point would leave, just before the process dies. */
export function fault(name: string, damage?: () => void): void {
  if (setting === undefined) setting = readSetting();
  if (setting === null) return;
  if ("trace" in setting) {
    appendFileSync(setting.trace, `${name}\n`);
    return;
  }
  if (name !== setting.point) return;
  setting.countdown -= 1;
  if (setting.countdown !== 0) return;
  damage?.();
  process.kill(process.pid, "SIGKILL");
}
