/** Compiles libarcrt for programs on this machine. */
import { basename, dirname, join } from "node:path";
import type { Action, ActionInput, Address, Step } from "../../core/build/model/action.ts";
import { addressOf } from "../inputs/addresses.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import type { Compiler } from "../tools/compiler.ts";
import { runtimeFiles, runtimeFolder } from "../tools/runtime-files.ts";
import { linkAction } from "./link.ts";

export const runtimeStep: Step = {
  name: "runtime",
  digest: codeDigest("runtime"),
  typicalSeconds: 1,
  opensWhatItResolves: true,
};

/** System libraries that a program with libarcrt needs. */
export const runtimeLibraries = ["-lpthread", "-ldl", "-lm"];

/** The archive that translated programs are linked with. */
const runtimeArchive: ActionInput = {
  name: "libarcrt.a",
  from: { action: "runtime#archive", output: "libarcrt.a" },
};

/** OpenMP's routines for a single-threaded host, if the C compiler's OpenMP is not used. */
const threadsArchive: ActionInput = {
  name: "libarcomp.a",
  from: { action: "runtime#archive-threads", output: "libarcomp.a" },
};

/** Archives that translated programs are linked with. */
export const runtimeArchives = (hostOpenMp: boolean): readonly ActionInput[] => [
  runtimeArchive,
  ...(hostOpenMp ? [] : [threadsArchive]),
];

/** Serial versions of the OpenACC and OpenMP libraries: everything that calls of `acc_...` and `omp_...` need. */
export const serialObjects = (hostOpenMp: boolean): readonly ActionInput[] => [
  ...["serial/openacc_serial.c", "src/api/openmp.c", "src/api/openmp_interop.c"].map(objectInput),
  ...(hostOpenMp ? [] : [threadsArchive]),
];

function objectInput(source: string): ActionInput {
  return {
    // Includes the folder, as two folders may have files of the same name.
    name: `${source.replaceAll("/", "-").replace(/\.c$/, "")}.o`,
    from: { action: compileAddress(dirname(source)), output: objectOf(source) },
  };
}

const compileAddress = (folder: string): Address => addressOf(`runtime/${folder}`, "compile");

/** As compilers name it. */
const objectOf = (source: string): string => basename(source).replace(/c$/, "o");

const installed = (name: string): ActionInput => ({ name, from: { file: join(runtimeFolder, name) } });

/** A program in libarcrt's `tools/`, by its source file without extension. */
export const runtimeTool = (name: string): ActionInput => ({
  name: `arc-${name}`,
  from: { action: addressOf(`runtime/tools/${name}`, "link"), output: `arc-${name}` },
});

export function runtimeToolActions(compiler: Compiler, name: string): readonly Action[] {
  const source = `tools/${name}.c`;
  const compile = compileRuntime(compiler, `tools/${name}`, [source], installedHeaders());
  const unit: ActionInput = {
    name: `${name}.o`,
    from: { action: compile.address, output: objectOf(source) },
  };
  const link = linkAction({
    address: addressOf(`runtime/tools/${name}`, "link"),
    objects: [unit, runtimeArchive],
    compiler,
    options: [],
    libraries: runtimeLibraries,
    program: runtimeTool(name).name,
  });
  return [compile, link];
}

/** One action compiles a folder: every program needs them all, and deciding an action takes as long as a small file's. */
export function runtimeActions(compiler: Compiler): readonly Action[] {
  const sources = runtimeFiles("src", ".c");
  const headers = installedHeaders();
  const all = [...sources, ...runtimeFiles("serial", ".c")];
  const inFolder = (folder: string) => all.filter((source) => dirname(source) === folder);
  return [...new Set(all.map((source) => dirname(source)))]
    .map((folder) => compileRuntime(compiler, folder, inFolder(folder), headers))
    .concat(archive(compiler, runtimeArchive, sources))
    .concat(archive(compiler, threadsArchive, ["serial/openmp_threads.c"]));
}

function archive(compiler: Compiler, { name, from }: ActionInput, sources: readonly string[]): Action {
  if (!("action" in from)) throw new Error("an archive is made by an action");
  const objects = sources.map(objectInput);
  return {
    address: from.action,
    step: runtimeStep.name,
    title: `archive ${basename(name, ".a")}`,
    // D: no times and owners, so that equal objects give equal archives.
    command: { argv: ["ar", "rcsD", name, ...objects.map((input) => input.name)] },
    tools: [compiler.identity],
    inputs: objects,
    outputs: [{ name, kind: "file" }],
  };
}

/** Looked up once for all sources: finding them takes longer than planning what needs them. */
const installedHeaders = (): readonly ActionInput[] =>
  [...runtimeFiles("include", ".h"), ...runtimeFiles("src", ".h")].map(installed);

function compileRuntime(
  compiler: Compiler,
  name: string,
  sources: readonly string[],
  headers: readonly ActionInput[],
): Action {
  return {
    address: compileAddress(name),
    step: runtimeStep.name,
    command: {
      argv: [
        ...compiler.argv,
        "-std=c11",
        "-O2",
        "-fPIC",
        "-Iinclude",
        "-Isrc",
        "-c",
        // For each file, as compilers for C++ forget it after one.
        ...sources.flatMap((source) => ["-x", "c", source]),
      ],
    },
    tools: [compiler.identity],
    inputs: [...sources.map(installed), ...headers],
    outputs: sources.map((source) => ({ name: objectOf(source), kind: "file" })),
  };
}
