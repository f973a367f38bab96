/**
 * Reads a project's existing build: a compilation database (clang.llvm.org, "JSON Compilation Database"), or what
 * `make` would run. Supplies sources, include folders, macros and options of the C compiler.
 */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { itemAt } from "../../core/checked/access.ts";
import { shellWords } from "../../rules/tools/compiler.ts";
import { foreignOption } from "../../schema/contract/foreign-options.ts";
import { UsageError } from "../call/usage-error.ts";
import { type Command, type DryRun, makeCommands } from "./make-commands.ts";

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

/** Throws UsageError for a file that cannot be read or has no C sources. */
export function buildFlags(file: string, root: string): BuildFlags {
  const { commands, failure }: DryRun = file.endsWith(".json")
    ? { commands: databaseCommands(file) }
    : makeCommands(file);
  const calls = commands.filter(({ words }) => isCompiler(words[0] ?? ""));
  const read = calls.map(withResponseFiles).map((command) => flagsOf(command, root));
  const compiled = read.filter(({ files }) => files.length > 0);
  if (compiled.length === 0)
    throw new UsageError(
      `${file} compiles no C files below ${root}${failure === undefined ? "" : `: ${failure}`}`,
      "name a compile_commands.json or a Makefile whose targets do; names that a loop of the shell makes are not seen",
    );
  const common = (of: (flags: Flags) => readonly string[]): readonly string[] =>
    unique(compiled.flatMap(of)).filter((one) => compiled.every((flags) => of(flags).includes(one)));
  const only = (of: (flags: Flags) => readonly string[]): readonly string[] =>
    unique(compiled.flatMap(of))
      .filter((one) => !common(of).includes(one))
      .map((one) => `${one} of ${compiled.find((flags) => of(flags).includes(one))?.files[0] ?? "one file"}`);
  const archives = commands.flatMap(madeArchive);
  const made = new Set(archives.map(({ name }) => name));
  const isOfMade = (option: string): boolean => archives.some(({ folder }) => option === `-L${folder}`);
  return {
    files: [...unique(compiled.flatMap(({ files }) => files))].sort(),
    include: unique(compiled.flatMap(({ include }) => include)),
    defines: common(({ defines }) => defines),
    cflags: common(({ cflags }) => cflags),
    ldflags: unique(read.flatMap(({ ldflags }) => ldflags)).filter((one) => !isOfMade(one)),
    libs: unique(read.flatMap(({ libs }) => libs)).filter((name) => !made.has(name)),
    left: unique([
      ...only(({ defines }) => defines.map((one) => `-D${one}`)),
      ...only(({ cflags }) => cflags),
      ...read.flatMap(({ left }) => left),
      ...[...made].map((name) => `-l${name} (what is in it is compiled into the program)`),
      ...(failure === undefined ? [] : [`commands that make did not list (${failure})`]),
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

/** A library of the project's own objects, which arc compiles itself. */
function madeArchive({
  folder,
  words,
}: Command): readonly { readonly folder: string; readonly name: string }[] {
  if (!/^(?:[\w.-]+-)?(?:gcc-)?ar$/.test(path.basename(words[0] ?? ""))) return [];
  return words.flatMap((word) => {
    const [, name] = /^lib(.+)\.a$/.exec(path.basename(word)) ?? [];
    return name === undefined ? [] : [{ folder: path.dirname(path.resolve(folder, word)), name }];
  });
}

/**
 * `@file` stands for the words in a file, relative to the folder of the call (gcc's manual, Overall Options). A file
 * that cannot be read is kept as it is.
 */
function withResponseFiles({ folder, words }: Command): Command {
  return {
    folder,
    words: words.flatMap((word, at) => {
      if (at === 0 || !word.startsWith("@")) return [word];
      try {
        return shellWords(readFileSync(path.resolve(folder, word.slice(1)), "utf8"));
      } catch {
        return [word];
      }
    }),
  };
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
    if (/`|\$\(/.test(word)) {
      // What the shell would compute is not known, and ends at the next quote or bracket.
      const end = rest.findIndex(
        (one, i) => i >= at && /[`)]$/.test(one) && (i > at || !/^(`|\$\()[^`)]*$/.test(one)),
      );
      flags.left.push(`${rest.slice(at, (end < 0 ? at : end) + 1).join(" ")} (the shell computes it)`);
      at = Math.max(at, end);
    } else if (word.startsWith("@")) flags.left.push(`${word} (this file of options cannot be read)`);
    else if (dropped.has(word)) at += 1;
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
      else flags.left.push(`${place} (there is no such file yet: make it, and call arc init again)`);
    }
  }
  return flags;
}

const isDirectiveOption = (word: string): boolean =>
  foreignOption(word) !== undefined || /^-(?:fopenmp|fopenacc|acc|omp|mp)$/.test(word);
