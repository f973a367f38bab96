/** `cc -E`: one C file with its includes as one text. Runs in the project, and discovers the headers that it used. */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, relative, resolve } from "node:path";
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/model/action.ts";
import { itemAt } from "../../core/checked/access.ts";
import type { Addition } from "../../core/ir/added/model.ts";
import { type KernelFile, withKernelFiles } from "../../core/ir/ompss/kernel-files.ts";
import { expandedMark, untouchedMark } from "../../targets/shared/host/expanded.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { optionsOf } from "../inputs/options.ts";
import { probedFiles } from "../tools/asked-files.ts";
import { type Compiler, embedFolders, includeFolders } from "../tools/compiler.ts";
import { prerequisites } from "../tools/make-rule.ts";
import {
  type Headers,
  runtimeHeaderFolder,
  runtimeHeaderOptions,
  runtimeHeaderTool,
} from "../tools/runtime-files.ts";
import { toolResult } from "../tools/tool-result.ts";
import { type DirectiveFileUse, withAdditions } from "./additions.ts";

export interface PreprocessRequest {
  readonly address: Address;
  readonly title: string;
  /** The text to preprocess. */
  readonly input: ActionInput;
  /** The file that the text stands for: named in line markers, and `#include "..."` searches its folder. */
  readonly file: string;
  readonly compiler: Compiler;
  /** From `splitOptions(...).preprocess`. */
  readonly options: readonly string[];
  /** libarcrt's headers, if the text may include them. */
  readonly headers?: Headers;
  /** Keeps `#define` lines, for readers that expand macros themselves. */
  readonly keepDefines: boolean;
  /** What arc.yaml adds to directives. */
  readonly added?: readonly Addition[];
  /** What becomes of the directive file beside the text's file; undefined: nothing. */
  readonly directiveFile?: DirectiveFileUse;
}

export const preprocessed = "unit.i";

interface Options {
  readonly file: string;
  readonly input: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly options: readonly string[];
  readonly keepDefines: boolean;
  readonly added?: readonly Addition[];
  readonly directiveFile?: DirectiveFileUse;
}

const stepOptions = optionsOf<Options>();

/** The compiler call for the user's own text; undefined for other actions and for text made by arc. */
export function preprocessCall(action: Action): Pick<Options, "file" | "argv" | "options"> | undefined {
  if (action.step !== preprocessStep.name) return undefined;
  const { file, input, argv, options } = stepOptions.read(action);
  return file === input ? { file, argv, options } : undefined;
}

export function preprocessAction(request: PreprocessRequest): Action {
  const {
    address,
    title,
    input,
    file,
    compiler,
    options,
    headers,
    keepDefines,
    added = [],
    directiveFile,
  } = request;
  const own: Options = {
    file,
    input: input.name,
    argv: compiler.argv,
    ...(compiler.env && { env: compiler.env }),
    options,
    keepDefines,
    ...(added.length > 0 && { added }),
    ...(directiveFile && { directiveFile }),
  };
  return {
    address,
    step: preprocessStep.name,
    title,
    options: stepOptions.write(own),
    tools: [compiler.identity, ...(headers === undefined ? [] : [headers.identity])],
    inputs: [input],
    outputs: [{ name: preprocessed, kind: "file" }],
  };
}

export const preprocessStep: Step = {
  name: "preprocess",
  digest: codeDigest("preprocess"),
  run,
  opensWhatItResolves: true,
};

async function run(context: StepContext): Promise<StepResult> {
  const settings = stepOptions.read(context.action);
  const { file, input, argv, env, keepDefines } = settings;
  const headers = context.action.tools?.some((tool) => tool.name === runtimeHeaderTool)
    ? runtimeHeaderFolder
    : undefined;
  const output = context.output(preprocessed);
  const dependencies = `${output}.d`;
  const source = context.input(input);
  // For a folder, compilers report that there is no such file.
  if (isFolder(source)) return { ok: false, fact: false, message: `${file} is a folder, not a C file` };
  const before = existsSync(source) ? readFileSync(source, "utf8") : "";
  if (!keepDefines && before.startsWith(untouchedMark)) {
    writeFileSync(output, before.slice(before.indexOf("\n") + 1));
    return { ok: true };
  }
  const options = before.startsWith(expandedMark) ? withoutFilesBefore(settings.options) : settings.options;
  const { code, stderr } = await context.spawn({
    argv: [
      ...argv,
      "-E",
      ...(keepDefines ? ["-dD"] : []),
      ...["-MD", "-MF", dependencies, "-MT", "unit"],
      ...["-iquote", dirname(file)],
      ...(headers === undefined ? [] : runtimeHeaderOptions),
      ...options,
      ...["-x", "c", source, "-o", output],
    ],
    ...(env && { env }),
    inProject: true,
  });
  const names: readonly Renaming[] = [
    [source, file],
    ...(headers === undefined ? [] : [[headers, "<arc>"] as const]),
  ];
  const messages = rename(stderr.toString("utf8"), names);
  const result = toolResult(context, {
    code: "preprocessor",
    name: "the preprocessor",
    exitCode: code,
    messages,
    fact: false,
  });
  const searched = [dirname(file), ...includeFolders(options)];
  const own = (names: readonly string[]): readonly string[] =>
    names.filter((name) => name !== source && !isInside(name, headers));
  if (!result.ok) {
    if (!existsSync(dependencies))
      await listDependencies(context, { argv, dependencies, file, source, options });
    const read = existsSync(dependencies) ? own(readDependencies(dependencies)) : [];
    discoverAfterFailure(context, read, searched);
    discoverProbed(context, { file, source, read, searched, options });
    return result;
  }
  if (!existsSync(output)) {
    return {
      ok: false,
      fact: false,
      message: `${argv[0]} -E ended well, but wrote nothing: is it a C compiler?`,
    };
  }
  // Synchronous: for such small files, asynchronous calls take longer than the work.
  const inText = names.map(([path, name]) => [quoted(path), quoted(name)] as const);
  const renamed = rename(readFileSync(output, "utf8"), inText);
  const translatable = withAdditions(context, renamed, file, settings);
  const read = own(readDependencies(dependencies));
  discover(context, read, searched);
  discoverProbed(context, { file, source, read, searched, options });
  if (!("text" in translatable)) return translatable;
  writeFileSync(
    output,
    withKernelFiles(
      translatable.text,
      (name, from) => kernelFile(context, name, from === undefined ? searched : [dirname(from), ...searched]),
      options,
    ),
  );
  return translatable.notes.length === 0
    ? result
    : { ...result, diagnostics: [...(result.diagnostics ?? []), ...translatable.notes] };
}

interface Listed {
  readonly argv: readonly string[];
  readonly dependencies: string;
  readonly file: string;
  readonly source: string;
  readonly options: readonly string[];
}

/**
 * Writes the dependencies, as a file that was read or missed may fix the error: compilers write none if a header is
 * missing.
 */
async function listDependencies(
  context: StepContext,
  { argv, dependencies, file, source, options }: Listed,
): Promise<void> {
  const rule = ["-M", "-MG", "-MF", dependencies, "-MT", "unit"];
  const include = ["-iquote", dirname(file), ...options];
  await context.spawn({ argv: [...argv, ...rule, ...include, "-x", "c", source], inProject: true });
}

interface Read {
  readonly file: string;
  /** Where the text of the file lies. */
  readonly source: string;
  readonly read: readonly string[];
  readonly searched: readonly string[];
  readonly options: readonly string[];
}

/** Discovers files that the source and its non-system headers ask for without including them (`probedFiles`). */
function discoverProbed(context: StepContext, { file, source, read, searched, options }: Read): void {
  const isSystems = (header: string): boolean =>
    isAbsolute(header) &&
    !isInside(header, context.root) &&
    !searched.some((folder) => isInside(header, folder));
  const headers = read.filter((header) => !isSystems(header) && isFile(resolve(context.root, header)));
  const texts = [source, ...headers.map((header) => resolve(context.root, header))];
  const probed = probedFiles(
    texts.map((path) => readFileSync(path, "utf8")),
    options,
  );
  const folders = [...searched, ...embedFolders(options)];
  for (const [k, includer] of [file, ...headers].entries())
    for (const { name, quoted } of probed[k] ?? []) {
      const paths = [...(quoted ? [dirname(includer)] : []), ...folders].map((folder) =>
        isAbsolute(name) ? name : join(folder, name),
      );
      const found = paths.findIndex((path) => isFile(resolve(context.root, path)));
      for (const path of found < 0 ? paths : paths.slice(0, found)) context.discoverMissing(path);
      if (found >= 0) context.discover(itemAt(paths, found));
    }
}

/** A file of kernels named by a directive, next to the source or in an include folder, or a header of one. */
function kernelFile(context: StepContext, name: string, searched: readonly string[]): KernelFile | undefined {
  const paths = isAbsolute(name) ? [name] : searched.map((folder) => join(folder, name));
  const found = paths.findIndex((path) => isFile(resolve(context.root, path)));
  for (const path of found < 0 ? paths : paths.slice(0, found)) context.discoverMissing(path);
  if (found < 0) return undefined;
  const path = itemAt(paths, found);
  context.discover(path);
  return { path, text: readFileSync(resolve(context.root, path), "utf8") };
}

type Renaming = readonly [path: string, name: string];

const isFolder = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Removes `-include FILE` and `-imacros FILE`. */
function withoutFilesBefore(options: readonly string[]): readonly string[] {
  const names = (option: string | undefined) => option === "-include" || option === "-imacros";
  return options.filter(
    (option, i) => !names(option) && !names(options[i - 1]) && !/^-(include|imacros)./.test(option),
  );
}
const isFile = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;

/** Replaces paths that depend on the machine: the text decides what is rebuilt, so they must not appear in it. */
function rename(text: string, names: readonly Renaming[]): string {
  return names.reduce((rest, [path, name]) => rest.replaceAll(path, name), text);
}

/** A name as it stands between quotes, in line markers and `__FILE__`. */
const quoted = (name: string): string => name.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n");

/** The files in the rule that `-MD` wrote. */
const readDependencies = (file: string): readonly string[] => prerequisites(readFileSync(file, "utf8"));

const isInside = (file: string, folder: string | undefined): boolean =>
  folder !== undefined && file.startsWith(`${folder}/`);

/**
 * Discovers every header, and its absence in the folders searched before: a file that appears there would be read
 * instead.
 */
function discover(context: StepContext, headers: readonly string[], searched: readonly string[]): void {
  const folders = [...new Set(searched.map((folder) => normalize(folder)))];
  for (const header of headers) {
    context.discover(header);
    const position = folders.findIndex((folder) => isInside(normalize(header), folder));
    // Every relative path lies in the project's own folder, so that counts only if no other folder contains it.
    const found = position < 0 && !isAbsolute(header) ? folders.indexOf(".") : position;
    const name = found >= 0 ? relative(folders[found] ?? "", header) : systemName(header);
    const before = found >= 0 ? folders.slice(0, found) : folders;
    if (name !== undefined) for (const folder of before) context.discoverMissing(join(folder, name));
  }
}

/** A missing header may appear in any of the folders, or next to the file that includes it. */
function discoverAfterFailure(
  context: StepContext,
  headers: readonly string[],
  searched: readonly string[],
): void {
  const isThere = (header: string): boolean => existsSync(resolve(context.root, header));
  const found = headers.filter(isThere);
  discover(context, found, searched);
  const folders = new Set([...searched, ...found.map((header) => dirname(header))]);
  for (const header of headers)
    if (!isThere(header)) for (const folder of folders) context.discoverMissing(join(folder, header));
}

/** The name by which a system header is included: its path below the include folder. */
function systemName(header: string): string | undefined {
  const [, name] = /\/include(?:-fixed)?\/(?:[a-z0-9_]+-linux-gnu\w*\/)?(.*)$/.exec(header) ?? [];
  return name;
}
