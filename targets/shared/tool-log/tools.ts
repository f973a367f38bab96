/** Tools whose logs are interpreted. */
import { nextpnrLog } from "./nextpnr.ts";
import type { ToolLog } from "./tool-log.ts";
import { verilatorLog } from "./verilator.ts";
import { yosysLog } from "./yosys.ts";

/** For other tools every line is shown. */
const unknown: ToolLog = { phases: () => () => undefined, matters: () => true };

export function logOf(program: string): ToolLog {
  if (program === "yosys") return yosysLog;
  if (program === "verilator") return verilatorLog;
  return /^(?:yowasp-)?nextpnr-/.test(program) ? nextpnrLog : unknown;
}
