/**
 * Reads a project's existing build: a compilation database (clang.llvm.org, "JSON Compilation Database"), or what
 * `make` would run. Supplies sources, include folders, macros and options of the C compiler.
 */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { execaSync } from "execa";
import { itemAt } from "../../core/checked/access.ts";
import { shellWords } from "../../rules/tools/compiler.ts";
import { foreignOption } from "../../schema/contract/foreign-options.ts";
import { UsageError } from "../call/usage-error.ts";

export interface BuildFlags {
  /** C files that exist, relative to the project. */
  readonly files: readonly string[];
  readonly include: readonly string[];
  /** `N` or `N=4`. */
  readonly defines: readonly string[];
  readonly cflags: readonly string[];
  readonly ldflags: readonly string[];
  readonly libs: readonly string[];
  /** Options that only some sources have, or that point outside the project: they are not taken over. */
  readonly left: readonly string[];
}

interface Command {
  readonly folder: string;
  readonly words: readonly string[];
}

/** Throws UsageError for a file that cannot be read or has no C sources. */
export function buildFlags(file: string, root: string): BuildFlags {
  const commands = file.endsWith(".json") ? databaseCommands(file) : makeCommands(file);
  const calls = commands.filter(({ words }) => isCompiler(words[0] ?? ""));
  const read = calls.map((command) => flagsOf(command, root));
  const compiled = read.filter(({ files }) => files.length > 0);
  if (compiled.length === 0)
    throw new UsageError(
      `${file} compiles no C files below ${root}`,
      "name a compile_commands.json or a Makefile whose targets do",
    );
  const common = (of: (flags: Flags) => readonly string[]): readonly string[] =>
    unique(compiled.flatMap(of)).filter((one) => compiled.every((flags) => of(flags).includes(one)));
  const only = (of: (flags: Flags) => readonly string[]): readonly string[] =>
    unique(compiled.flatMap(of))
      .filter((one) => !common(of).includes(one))
      .map((one) => `${one} of ${compiled.find((flags) => of(flags).includes(one))?.files[0] ?? "one file"}`);
  return {
    files: [...unique(compiled.flatMap(({ files }) => files))].sort(),
    include: unique(compiled.flatMap(({ include }) => include)),
    defines: common(({ defines }) => defines),
    cflags: common(({ cflags }) => cflags),
    ldflags: unique(read.flatMap(({ ldflags }) => ldflags)),
    libs: unique(read.flatMap(({ libs }) => libs)),
    left: unique([
      ...only(({ defines }) => defines.map((one) => `-D${one}`)),
      ...only(({ cflags }) => cflags),
      ...read.flatMap(({ left }) => left),
    ]),
  };
}

const unique = (words: readonly string[]): readonly string[] => [...new Set(words)];

function databaseCommands(file: string): readonly Command[] {
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${(error as Error).message}`,
      "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
    );
  }
  const list = (Array.isArray(entries) ? entries : []) as readonly {
    readonly directory?: string;
    readonly command?: string;
    readonly arguments?: readonly string[];
  }[];
  return list.map(({ directory = ".", command = "", arguments: words }) => ({
    folder: path.resolve(path.dirname(file), directory),
    words: words ?? shellWords(command),
  }));
}

/** Lists all commands, up to date or not. Nothing is run except what the Makefile itself starts while it is read. */
function makeCommands(file: string): readonly Command[] {
  const home = path.dirname(file);
  const args = ["-n", "-B", "-w", "-k", "-f", path.basename(file)];
  const { stdout, exitCode, shortMessage } = execaSync("make", args, { cwd: home, reject: false });
  if (exitCode === undefined)
    throw new UsageError(
      `make cannot be run: ${shortMessage}`,
      "install make, or name a compile_commands.json",
    );
  const folders = [home];
  return stdout
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line): readonly Command[] => {
      const entered = /: Entering directory '(.*)'$/.exec(line)?.[1];
      if (entered !== undefined) folders.push(entered);
      if (/: Leaving directory '.*'$/.test(line)) folders.pop();
      let folder = folders.at(-1) ?? home;
      return line.split(/&&|\|\||;/).flatMap((part): readonly Command[] => {
        const words = shellWords(part);
        if (words[0] === "cd" && words[1] !== undefined) folder = path.resolve(folder, words[1]);
        return words.length > 0 ? [{ folder, words }] : [];
      });
    });
}

const isCompiler = (program: string): boolean =>
  /^(?:[\w.-]+-)?(?:cc|c99|gcc|clang|icx|icc|nvc|pgcc|mpicc|xlc|craycc)(?:-[\d.]+)?$/.test(
    path.basename(program),
  );

type Flags = Omit<BuildFlags, "files"> & { readonly files: readonly string[] };

/** Options that are not taken over, together with the word that follows. */
const dropped = new Set(["-o", "-MF", "-MT", "-MQ", "-x"]);

function flagsOf({ folder, words }: Command, root: string): Flags {
  const flags = {
    files: [] as string[],
    include: [] as string[],
    defines: [] as string[],
    cflags: [] as string[],
    ldflags: [] as string[],
    libs: [] as string[],
    left: [] as string[],
  };
  const below = (name: string): string | undefined => {
    const place = path.relative(root, path.resolve(folder, name));
    return place.startsWith("..") || path.isAbsolute(place) ? undefined : place || ".";
  };
  const rest = words.slice(1);
  for (let at = 0; at < rest.length; at++) {
    const word = itemAt(rest, at);
    /** The option's value: joined to it, or the next word. */
    const value = (option: string): string =>
      word === option ? (rest[++at] ?? "") : word.slice(option.length);
    if (dropped.has(word)) at += 1;
    else if (word.startsWith("-I")) {
      const name = value("-I");
      const place = below(name);
      if (place === undefined) flags.cflags.push(`-I${path.resolve(folder, name)}`);
      else flags.include.push(place);
    } else if (word.startsWith("-D")) flags.defines.push(value("-D"));
    else if (word.startsWith("-l")) flags.libs.push(value("-l"));
    else if (word.startsWith("-L")) flags.ldflags.push(`-L${path.resolve(folder, value("-L"))}`);
    else if (word.startsWith("-Wl,")) flags.ldflags.push(word);
    else if (isDirectiveOption(word)) flags.left.push(`${word} (arc reads directives itself)`);
    else if (/^-(?:[cSE]|M\w*|g\w*|O\w*)$/.test(word)) {
      if (/^-[gO]/.test(word)) flags.cflags.push(word);
    } else if (word.startsWith("-")) flags.cflags.push(word);
    else if (word.endsWith(".c")) {
      const place = below(word);
      if (place === undefined) flags.left.push(`${word} (it lies outside the project)`);
      else if (existsSync(path.join(root, place))) flags.files.push(place);
      else flags.left.push(`${word} (there is no such file yet)`);
    }
  }
  return flags;
}

const isDirectiveOption = (word: string): boolean =>
  foreignOption(word) !== undefined || /^-(?:fopenmp|fopenacc|acc|omp|mp)$/.test(word);
