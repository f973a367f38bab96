/** What `make` would run: the calls in its dry run, with the folder that each runs in. */
import path from "node:path";
import { execaSync } from "execa";
import { shellWords } from "../../rules/tools/compiler.ts";
import { UsageError } from "../call/usage-error.ts";

export interface Command {
  readonly folder: string;
  readonly words: readonly string[];
}

export interface DryRun {
  readonly commands: readonly Command[];
  /** Why make gave up; some commands may be missing then. */
  readonly failure?: string;
}

/**
 * Lists all commands, up to date or not. Nothing is run except what the Makefile itself starts while it is read. Throws
 * UsageError where there is no make.
 */
export function makeCommands(file: string): DryRun {
  const home = path.dirname(file);
  const args = ["-n", "-B", "-w", "-k", "-f", path.basename(file)];
  const { stdout, stderr, exitCode, shortMessage } = execaSync("make", args, { cwd: home, reject: false });
  if (exitCode === undefined)
    throw new UsageError(
      `make cannot be run: ${shortMessage}`,
      "install make, or name a compile_commands.json",
    );
  const [reason = `make ended with ${exitCode}`] = stderr
    .split("\n")
    .filter((line) => /\*\*\*|: \S/.test(line));
  return { commands: commandsIn(stdout, home), ...(exitCode !== 0 && { failure: reason.trim() }) };
}

/** Of a dry run's text. */
function commandsIn(text: string, home: string): readonly Command[] {
  const folders = [home];
  return text
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line): readonly Command[] => {
      const entered = /: Entering directory '(.*)'$/.exec(line)?.[1];
      if (entered !== undefined) folders.push(entered);
      if (/: Leaving directory '.*'$/.test(line)) folders.pop();
      let folder = folders.at(-1) ?? home;
      return parts(line).flatMap((part): readonly Command[] => {
        const words = called(shellWords(part));
        if (words[0] === "cd" && words[1] !== undefined) folder = path.resolve(folder, words[1]);
        return words.length > 0 ? [{ folder, words }] : [];
      });
    });
}

/** The commands of a line. Separators within quotes are part of a word. */
function parts(line: string): readonly string[] {
  const separators = /(\\.|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`|\$\([^)]*\))|(&&|\|\|?|;|[()])|[\s\S]/g;
  const found = [""];
  for (const [text, , separator] of line.matchAll(separators))
    if (separator === undefined) found[found.length - 1] += text;
    else found.push("");
  return found;
}

/** Words of the shell's grammar that may stand before a command. */
const grammar = new Set([
  "if",
  "then",
  "elif",
  "else",
  "do",
  "while",
  "until",
  "!",
  "{",
  "}",
  "exec",
  "time",
]);
/** Programs that start the one that follows, with its arguments. */
const starters = new Set([
  "ccache",
  "sccache",
  "distcc",
  "icecc",
  "env",
  "nice",
  "nohup",
  "command",
  "bear",
  "--",
]);

/** The program and its arguments, without what stands before it, and without redirections. */
function called(words: readonly string[]): readonly string[] {
  const first = words.findIndex(
    (word) => !grammar.has(word) && !/^[A-Za-z_]\w*=/.test(word) && !starters.has(path.basename(word)),
  );
  if (first === -1) return [];
  const kept: string[] = [];
  for (let at = first; at < words.length; at++) {
    const word = words[at] ?? "";
    if (/^\d*(?:>>?|<|>&|&>)$/.test(word)) at += 1;
    else if (!/^\d*(?:>|<|&>)/.test(word)) kept.push(word);
  }
  return kept;
}
