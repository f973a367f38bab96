/** Yosys numbers its passes: `2.29. Executing OPT pass (performing simple optimizations).` */
import type { ToolLog } from "./tool-log.ts";

const pass = /^(?<number>\d+(?:\.\d+)?)\. Executing (?<name>.+?)(?: pass)?(?: \(.*\))?\.?(?:: .*)?$/;

export const yosysLog: ToolLog = {
  phases: () => (line) => {
    const { number, name } = pass.exec(line)?.groups ?? {};
    return name === undefined ? undefined : `pass ${number} ${name}`;
  },
  // Yosys' own libraries leave RAM ports wider than their connections.
  matters: (line) =>
    /^(?:\S+:\d+(?:\.\d+-\d+\.\d+)?: )?(?:Warning|ERROR): (?!Resizing cell port)/i.test(line),
};
