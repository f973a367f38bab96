/** Plans the object of one C file: compiled unchanged, or translated to the host program of its directives. */

import type { Action, ActionInput, Address } from "../../core/build/model/action.ts";
import type { Addition } from "../../core/ir/added/model.ts";
import type { Watched } from "../../targets/shared/host/host-unit.ts";
import { addressOf } from "../inputs/addresses.ts";
import type { OtherSources, SourceInput } from "../inputs/source-inputs.ts";
import { compileAction, object } from "../steps/compile.ts";
import { type PreprocessRequest, preprocessAction, preprocessed } from "../steps/preprocess.ts";
import { hostCode, translateHostAction } from "../steps/translate-host.ts";
import { type Compiler, type CompilerOptions, splitOptions } from "../tools/compiler.ts";
import { requestsHostOpenMp, withHostOpenMp } from "../tools/host-openmp.ts";
import { runtimeHeaders } from "../tools/runtime-files.ts";

export interface UnitRequest {
  /** Prefix of its actions' addresses. */
  readonly prefix: string;
  /** Name as the user knows it. */
  readonly file: string;
  readonly input: ActionInput;
  readonly compiler: Compiler;
  readonly options: CompilerOptions;
  /** Set if the program is built for `ARC_CHECK`. */
  readonly watched?: Watched;
  /** It is linked only with libarcrt: the host code contains the text of authored kernels. */
  readonly alone?: true;
  /** Clauses that arc.yaml adds to directives in the file. */
  readonly added?: readonly Addition[];
}

interface Unit {
  readonly actions: readonly Action[];
  readonly object: ActionInput;
}

/** The `_OPENACC` macro for OpenACC 3.3. */
export const openacc = "-D_OPENACC=202211";

/** The `_OPENMP` macro for OpenMP 5.0, for programs that ask for it. */
export const openmp = "-D_OPENMP=201811";

/** Directive options of other compilers: arc handles directives itself, and serial programs have none. */
const directiveOption = /^-f(openacc|openmp|openmp-simd|offload.*)$/;

export const withoutDirectiveOptions = (options: readonly string[]): readonly string[] =>
  options.filter((option) => !directiveOption.test(option));

/** The options of all phases, with the C compiler's OpenMP for the host's own threads if they enable it. */
export function honouredOptions(compiler: Compiler, options: readonly string[]): CompilerOptions {
  const plain = splitOptions(withoutDirectiveOptions(options));
  return requestsHostOpenMp(compiler, options) ? withHostOpenMp(compiler, plain) : plain;
}

/** The preprocessed text that translations of a file read. */
export const sourceOf = (prefix: string, file: string): SourceInput => ({
  file,
  from: { action: preprocessAddress(prefix, file), output: preprocessed },
});

const preprocessAddress = (prefix: string, file: string): Address =>
  addressOf(`${prefix}${file}`, "preprocess");

/** The object made by compiling a file. */
const objectOf = (prefix: string, file: string): ActionInput => ({
  name: `${file.replace(/\.c$/, "").replace(/^\/+/, "").replaceAll("../", "_/")}.o`,
  from: { action: addressOf(`${prefix}${file}`, "compile"), output: object },
});

/** Directives stay as they are, so that a directive file is refused. */
export const plainUnit = (request: UnitRequest): Unit => compiledUnit(request, { directiveFile: "refused" });

function compiledUnit(request: UnitRequest, directives: Directives): Unit {
  const { prefix, file } = request;
  const preprocess = preprocessOf(request, {
    address: preprocessAddress(prefix, file),
    input: request.input,
    directives,
  });
  return { actions: [preprocess, compileOf(request, preprocess.address)], object: objectOf(prefix, file) };
}

/** When files are compiled separately, the object carries its text, as the link has nothing but objects. */
export function translatedUnit(request: UnitRequest, others: OtherSources): Unit {
  const { prefix, file } = request;
  const source = sourceOf(prefix, file);
  const preprocess = preprocessOf(request, {
    address: preprocessAddress(prefix, file),
    input: request.input,
    defines: [openacc],
    keepDefines: true,
    directives: directivesOf(request),
  });
  const translate = translateHostAction({
    address: addressOf(`${prefix}${file}`, "translate"),
    source,
    original: request.input.from,
    others,
    ...(!request.alone && { authored: "images" }),
    ...(request.watched && { watched: request.watched }),
  });
  const code: ActionInput = { name: hostCode, from: { action: translate.address, output: hostCode } };
  const host = preprocessOf(request, {
    address: addressOf(`${prefix}${file}`, "preprocess", "host"),
    input: code,
    defines: [openacc],
  });
  const compile = compileOf(
    asHostProgram(request),
    host.address,
    others.kind === "separate" ? source : undefined,
  );
  return { actions: [preprocess, translate, host, compile], object: objectOf(prefix, file) };
}

/** Preprocessing only, for one directive language; `defines`: the macros that announce it. */
export function readUnit(
  request: UnitRequest,
  defines: readonly string[],
): { readonly action: Action; readonly text: ActionInput } {
  const action = preprocessOf(request, {
    address: preprocessAddress(request.prefix, request.file),
    input: request.input,
    defines,
    keepDefines: true,
    directives: directivesOf(request),
  });
  return { action, text: { name: request.file, from: { action: action.address, output: preprocessed } } };
}

/** The compiler ignores the directives. */
export function serialUnit(request: UnitRequest): Unit {
  return compiledUnit(withOptions(request, ["-Wno-unknown-pragmas"]), {});
}

/** Variables used only in regions are unused in the host program; directives between functions stay in the text. */
function asHostProgram(request: UnitRequest): UnitRequest {
  return withOptions(request, [
    "-Wno-unused-function",
    "-Wno-unused-variable",
    "-Wno-unused-but-set-variable",
    "-Wno-unknown-pragmas",
  ]);
}

function withOptions(request: UnitRequest, more: readonly string[]): UnitRequest {
  return { ...request, options: { ...request.options, compile: [...request.options.compile, ...more] } };
}

/** What directives of a text have beside what stands in it. */
type Directives = Pick<PreprocessRequest, "added" | "directiveFile">;

/** Standard input has no file beside it; of a source in another language arc makes the C that is preprocessed. */
const directivesOf = ({ file, added }: UnitRequest): Directives => ({
  ...(added && { added }),
  ...(file !== "-" && { directiveFile: /\.(cu|upir)$/.test(file) ? "refused" : "read" }),
});

interface Preprocessing {
  readonly address: Address;
  readonly input: ActionInput;
  /** Options of the compiler that define macros. */
  readonly defines?: readonly string[];
  /** The text keeps `#define` lines. */
  readonly keepDefines?: boolean;
  readonly directives?: Directives;
}

function preprocessOf(
  { prefix, file, compiler, options }: UnitRequest,
  { address, input, defines = [], keepDefines = false, directives = {} }: Preprocessing,
): Action {
  return preprocessAction({
    address,
    title: `preprocess ${input.name === hostCode ? "the host code of " : ""}${prefix}${file}`,
    input,
    file,
    compiler,
    options: [...options.preprocess, ...defines],
    headers: runtimeHeaders(),
    keepDefines,
    ...directives,
  });
}

function compileOf(
  { prefix, file, compiler, options }: UnitRequest,
  preprocess: Address,
  text?: SourceInput,
): Action {
  return compileAction({
    address: addressOf(`${prefix}${file}`, "compile"),
    title: `compile ${prefix}${file}`,
    unit: { name: preprocessed, from: { action: preprocess, output: preprocessed } },
    compiler,
    options: options.compile,
    ...(text === undefined ? {} : { text }),
  });
}
