/** How arc starts itself another time. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The command, with options for V8 where arc is a script of Node's: the single executable takes none. */
export function commandOfArc(flags: readonly string[]): readonly [program: string, ...args: string[]] {
  return isSingleExecutable() ? [process.execPath] : [process.execPath, ...flags, process.argv[1] ?? ""];
}

function isSingleExecutable(): boolean {
  try {
    return (require("node:sea") as { isSea(): boolean }).isSea();
  } catch {
    // Node before 20.12 has no such module, and makes no executable of this arc.
    return false;
  }
}
