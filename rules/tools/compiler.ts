/** The system's C compiler, and the assignment of a project's options to its phases. */

import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { Engine } from "../../core/build/engine-interface.ts";
import type { ToolIdentity } from "../../core/build/model/action.ts";
import { EngineError } from "../../core/build/model/error.ts";
import { findProgram } from "../../core/build/state/tool.ts";
import { dialectMark } from "../../core/ir/model/c-dialect.ts";
import { leadsToArc } from "./leads-to-arc.ts";

export interface Compiler {
  /** The program and its fixed arguments: `CC="gcc -m64"`. */
  readonly argv: readonly string[];
  readonly identity: ToolIdentity;
  /** Variables that its preprocessor gets beside those that all processes have. */
  readonly env?: Readonly<Record<string, string>>;
  /** The option that enables OpenMP threads; absent: its OpenMP library is not installed. */
  readonly openmp?: string;
  /** Tuning options for kernels that other compilers may not know. */
  readonly tuning: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `$ARC_CC`, else `$CC` unless that is arc itself (`CC="arc cc -acc" make`) or a script that starts it, else `cc`.
 * Throws EngineError where `cc` is such a script, too.
 */
export function compilerCommand(environment: Environment): {
  readonly program: string;
  readonly args: readonly string[];
} {
  const candidates = [environment.ARC_CC, environment.CC, "cc"].map((text) => shellWords(text ?? ""));
  for (const [program, ...args] of candidates)
    if (program !== undefined && !leadsToArc([program, ...args], environment)) return { program, args };
  throw new EngineError(
    "tool-not-found",
    "the C compiler `cc` of this PATH is a script that starts arc",
    "set ARC_CC to the C compiler that arc is to use: ARC_CC=/usr/bin/gcc",
  );
}

/** Splits text as make's shell does: quotes and backslashes keep a word together. */
export function shellWords(text: string): readonly string[] {
  const words = text.match(/(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|\S)+/gs) ?? [];
  return words.map((word) =>
    word.replace(
      /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"/gs,
      (_, escaped, single, double) => escaped ?? single ?? double.replace(/\\([$`"\\\n])/g, "$1"),
    ),
  );
}

/** Undefined if there is none. */
export function findCompiler(
  engine: Pick<Engine, "identifyTool" | "askTool">,
  environment: Environment,
): Compiler | undefined {
  const command = compilerCommand(environment);
  const argv = [command.program, ...command.args];
  const program = findProgram(command.program, environment.PATH);
  if (program === undefined) return undefined;
  const backEnds = ["cc1", "as", "ld"].flatMap((name) => backEnd(engine, program, name, environment));
  try {
    const identity = engine.identifyTool({ program, versionArgs: ["--version"], backEnds, name: "cc" });
    const tuning = tuningOf(identity);
    return hasOpenMp(engine, program, command.args, identity)
      ? { argv, identity, tuning, openmp: openmpOption }
      : { argv, identity, tuning };
  } catch (error) {
    if (error instanceof EngineError && error.code === "tool-not-found") return undefined;
    throw error;
  }
}

type Asking = Pick<Engine, "askTool">;

/** The program that the driver would start; the driver answers with the bare name if it would search PATH. */
function backEnd(engine: Asking, driver: string, name: string, environment: Environment): readonly string[] {
  const folders = () => searched(engine, driver);
  const answer = engine.askTool([driver, `-print-prog-name=${name}`], (answer) =>
    isAbsolute(answer) ? [answer] : folders(),
  );
  const path = isAbsolute(answer)
    ? answer
    : answer.includes("/")
      ? join(dirname(driver), answer)
      : findProgram(answer === "" ? name : answer, environment.PATH);
  return path === undefined ? [] : [path];
}

/** Folders in which the driver would find a program of its own: one that appears there changes its answer. */
function searched(engine: Asking, driver: string): readonly string[] | undefined {
  const answer = engine.askTool([driver, "-print-search-dirs"], () => undefined);
  const programs = /^programs: =(.*)$/m.exec(answer)?.[1];
  return programs?.split(delimiter).filter((folder) => existsSync(folder));
}

/**
 * What gcc is told for kernels. A sum in source order is one chain of operations, which is shorter with separate additions
 * than with fused multiply-adds: gcc 12 and later can avoid FMAs in chains of scalars. Vectors have enough independent
 * chains. A short loop that crosses the end of a cache line takes up to twice its time, so loops begin at 32 bytes.
 */
export function tuningOf({ version }: Pick<ToolIdentity, "version">): readonly string[] {
  const major = Number(/\) (\d\d)\.\d+\.\d+/.exec(version)?.[1]);
  if (Number.isNaN(major) || /clang/i.test(version)) return [];
  return ["-falign-loops=32", ...(major >= 12 ? ["--param=avoid-fma-max-bits=64"] : [])];
}

/** Enables OpenMP in C compilers that have it. */
export const openmpOption = "-fopenmp";

/** A driver that does not find a file answers with its bare name. */
function hasOpenMp(
  engine: Asking,
  driver: string,
  always: readonly string[],
  { version }: ToolIdentity,
): boolean {
  // gcc links by this file, clang with that library, although it also knows gcc's folders.
  const file = /clang/i.test(version) ? "libomp.so" : "libgomp.spec";
  const answer = engine.askTool([driver, ...always, `-print-file-name=${file}`], (answer) =>
    isAbsolute(answer) ? [answer] : undefined,
  );
  return isAbsolute(answer);
}

/** Options of one compiler call, by the phase that they concern. */
export interface CompilerOptions {
  readonly preprocess: readonly string[];
  /** Options for compiling preprocessed text. */
  readonly compile: readonly string[];
  readonly link: readonly string[];
}

/** Options whose value is the next word. */
const takesNext = new Set([
  ..."-I -D -U -include -imacros --embed-dir -isystem -iquote -idirafter -iprefix -iwithprefix -isysroot -A".split(
    " ",
  ),
  ..."-L -l -T -u -z -Xlinker".split(" "),
  ..."-x -o -Xassembler -Xpreprocessor -arch -target --param -aux-info -MF -MT -MQ".split(" "),
]);

export function splitOptions(options: readonly string[]): CompilerOptions {
  const preprocess: string[] = [];
  const compile: string[] = [];
  const link: string[] = [];
  for (let i = 0; i < options.length; i++) {
    const option = options[i] ?? "";
    const words = [option, ...(takesNext.has(option) && i + 1 < options.length ? [options[++i] ?? ""] : [])];
    if (
      /^-([IDUA]|include|imacros|-embed-dir|i(system|quote|dirafter|prefix|withprefix|sysroot)|Xpreprocessor|Wp,|nostdinc|undef)/.test(
        option,
      )
    ) {
      preprocess.push(...words);
    } else if (
      /^-([lLTuzs]$|[lL].|Xlinker|Wl,|static$|shared$|rdynamic$|nostdlib|nodefaultlibs|nostartfiles|no-pie$|pie$|static-)/.test(
        option,
      )
    ) {
      link.push(...words);
    } else {
      compile.push(...words);
      // These define macros (-O, -m, -f, -std, -pthread), or also affect linking.
      if (/^-(O|m|f|std=|pthread|ansi|trigraphs|p$|pg$|-param)/.test(option)) {
        preprocess.push(...words);
        link.push(...words);
      }
      if (/^-g/.test(option)) link.push(...words);
    }
  }
  return { preprocess: [...preprocess, ...dialectMark(options)], compile, link };
}

/** Folders searched for headers before the system's, in order. */
export function includeFolders(options: readonly string[]): readonly string[] {
  return ["iquote", "I", "isystem", "idirafter"].flatMap((name) => foldersOf(options, `-${name}`));
}

/** Folders searched for files of `#embed`. */
export const embedFolders = (options: readonly string[]): readonly string[] =>
  foldersOf(options, "--embed-dir").map((folder) => folder.replace(/^=/, ""));

function foldersOf(options: readonly string[], name: string): readonly string[] {
  return options.flatMap((option, i) => {
    if (!option.startsWith(name)) return [];
    const joined = option.slice(name.length);
    return [joined === "" ? (options[i + 1] ?? "") : joined];
  });
}
