/** Whether a command that is named as the C compiler starts `arc cc`: then it cannot be what arc itself starts. */

import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { findProgram } from "../../core/build/state/tool.ts";

/** A question that `arc cc` answers with its last word. C compilers answer with the word or fail. */
export const whoOption = "-print-prog-name=arc";
export const whoAnswer = "arc cc";

type Environment = Readonly<Record<string, string | undefined>>;

const known = new Map<string, boolean>();

/**
 * `words`: the program and its arguments. A script like `exec arc cc -acc "$@"`, or a launcher like ccache, is asked,
 * once in a process. CMake gives its compiler to everything that it starts as `CC`, so without this arc would start the
 * script, and the script arc, for ever.
 */
export function leadsToArc(words: readonly string[], environment: Environment): boolean {
  const [program = "", ...args] = words;
  if (basename(program) === "arc") return true;
  const file = findProgram(program, environment.PATH);
  if (file === undefined || (isUsualName.test(basename(file)) && !isScript(file))) return false;
  const key = [file, ...args].join("\0");
  const before = known.get(key);
  if (before !== undefined) return before;
  // Loaded on demand: nearly always the name says it.
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const { stdout } = spawnSync(file, [...args, whoOption], {
    encoding: "utf8",
    env: { ...environment },
    timeout: 60_000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const answer = stdout?.trim() === whoAnswer;
  known.set(key, answer);
  return answer;
}

const isUsualName = /^([\w-]+-)?(cc|gcc|clang|icx|icc|tcc)(-[\d.]+)?$/;

/** Whether the file begins as scripts do; a file that cannot be read counts as one. */
function isScript(file: string): boolean {
  const start = Buffer.alloc(2);
  try {
    const handle = openSync(file, "r");
    try {
      readSync(handle, start, 0, 2, 0);
    } finally {
      closeSync(handle);
    }
  } catch {
    return true;
  }
  return start.toString("latin1") === "#!";
}
