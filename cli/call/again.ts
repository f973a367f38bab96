/** How arc starts itself another time. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** The command, with options for V8 where arc is a script of Node's: the single executable takes none. */
export function commandOfArc(flags: readonly string[]): readonly [program: string, ...args: string[]] {
  return isSingleExecutable() ? [process.execPath] : [process.execPath, ...flags, process.argv[1] ?? ""];
}

/** The same by the native launcher, if there is one: from a snapshot where there is one of such a call. */
export function quickCommandOfArc(flags: readonly string[]): ReturnType<typeof commandOfArc> {
  const script = process.argv[1] ?? "";
  const launcher = path.join(path.dirname(script), "launcher");
  return !isSingleExecutable() && process.env.ARC_NATIVE !== "0" && existsSync(launcher)
    ? [launcher, script]
    : commandOfArc(flags);
}

function isSingleExecutable(): boolean {
  try {
    return (require("node:sea") as { isSea(): boolean }).isSea();
  } catch {
    // Node before 20.12 has no such module, and makes no executable of this arc.
    return false;
  }
}
