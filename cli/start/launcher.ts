/**
 * The file that `arc` starts: answers simple calls at once and loads the rest only when needed. It is bundled alone,
 * because every start pays for what it imports.
 */
import { writeSync } from "node:fs";
import type { FastFiles } from "../../core/build/files/up-to-date.ts";
import { findCommand } from "../call/commands.ts";
import { helpText } from "../call/help.ts";
import { lookForChanges } from "./no-op.ts";
import { loadMainScript } from "./scripts.ts";

declare const ARC_VERSION: string;

function quickAnswer(args: readonly string[]): string | undefined {
  const [first = "--help", second] = args;
  // 0 where a terminal does not know.
  const columns = process.stdout.columns || undefined;
  if (first === "--version" || first === "-V") return `arc ${ARC_VERSION}\n`;
  if (first === "--help" || first === "-h") return helpText(undefined, columns);
  const asked = second === "--help" || second === "-h" ? undefined : second;
  if (first === "help" && (asked === undefined || findCommand(asked))) return helpText(asked, columns);
  const command = findCommand(first);
  if (command === undefined) return undefined;
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const isHelp = command.verbatim
    ? second === "--help" && args.length === 2
    : own.includes("--help") || own.includes("-h");
  return isHelp ? helpText(first, columns) : undefined;
}

/** Without a path: why there is none. */
function workingFolder(): { readonly path: string } | { readonly problem: string; readonly remedy: string } {
  try {
    return { path: process.cwd() };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
      ? { problem: "the folder that it was called in is gone", remedy: "go to one that is there: cd" }
      : { problem: "the folder that it was called in has no path that can be used", remedy: "shorten it" };
  }
}

/** Undefined without the native part. */
function fastFiles(): FastFiles | undefined {
  if (process.env.ARC_NATIVE === "0") return undefined;
  try {
    return require("./native.node") as FastFiles;
  } catch {
    return undefined;
  }
}

/** In older versions modules do not know their own folder. */
const OLDEST_NODE = [20, 11] as const;

function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

/** Reports a problem of the call or the machine before anything else is loaded. */
function refuse(problem: string, remedy: string): void {
  writeSync(2, `arc: ${problem}\n  try: ${remedy}\n`);
  process.exitCode = 2;
}

function say(text: string): void {
  try {
    writeSync(1, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The reader of a pipe has gone.
    if (code !== "EPIPE")
      refuse(`standard output cannot be written: ${code}`, "free some space, or print it elsewhere");
    process.exitCode = 1;
  }
}

const args = process.argv.slice(2);
const answer = quickAnswer(args);
const cwd = workingFolder();
if (answer !== undefined) {
  say(answer);
} else if (isNodeTooOld()) {
  refuse(
    `needs Node ${OLDEST_NODE.join(".")} or later, and \`node\` is ${process.version} (${process.execPath})`,
    "install a newer one, and put it first on PATH",
  );
} else if ("problem" in cwd) {
  refuse(cwd.problem, cwd.remedy);
} else {
  // The native launcher has already found a change, and looks for more while the rest is loaded.
  const inherited = process.env.ARC_CHECKED;
  delete process.env.ARC_CHECKED;
  if (inherited !== undefined) loadMainScript(__dirname).mainOnChange(args, inherited);
  else {
    const check = lookForChanges(args, cwd.path, process.env, fastFiles());
    if (check?.upToDate) writeSync(2, check.rows.summary);
    else loadMainScript(__dirname).main(args, check);
  }
}
