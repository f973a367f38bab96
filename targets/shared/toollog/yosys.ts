/** Yosys numbers its passes: `2.29. Executing OPT pass (performing simple optimizations).` */
import type { ToolLog } from "./tool-log.ts";

const pass = /^(?<number>\d+(?:\.\d+)?)\. Executing (?<name>.+?)(?: pass)?(?: \(.*\))?\.?(?:: .*)?$/;

export const yosysLog: ToolLog = {
  phases: () => (line) => {
    const { number, name } = pass.exec(line)?.groups ?? {};
    return name === undefined ? undefined : `pass ${number} ${name}`;
  },
  matters: (line) => /^(?:\S+:\d+(?:\.\d+-\d+\.\d+)?: )?(?:Warning|ERROR): /i.test(line),
};
