/** Verilator reads the design, then make announces each file that it compiles. */
import type { ToolLog } from "./tool-log.ts";

export const verilatorLog: ToolLog = {
  phases() {
    let files = 0;
    return (line) => {
      if (/^make(?:\[\d+\])?: Entering directory/.test(line)) return "compiling the model";
      const object = / -c\b.* -o (\S+)\.o\b/.exec(line)?.[1];
      if (object !== undefined) return `compiling the model: ${object} (file ${++files})`;
      return /\.o\b.* -o \S+$/.test(line) ? "linking the model" : undefined;
    };
  },
  matters: (line) => /^%(?:Warning|Error)|: (?:fatal error|error|warning): |^make.*\*\*\*/.test(line),
};
