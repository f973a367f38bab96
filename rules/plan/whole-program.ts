/** Plans for `arc cc`: objects that carry their source's text, and the images of a whole program made from these. */

import type { Action, ActionInput, Address } from "../../core/build/model/action.ts";
import { itemAt } from "../../core/checked/access.ts";
import type { Addition } from "../../core/ir/added/model.ts";
import { findKind, kinds } from "../../targets/registry.ts";
import type { Watched } from "../../targets/shared/host/host-unit.ts";
import type { TargetOptions } from "../../targets/shared/kind/kind.ts";
import { addressOf } from "../inputs/addresses.ts";
import type { OtherSources, SourceInput } from "../inputs/source-inputs.ts";
import { embedAction, embeddedImages } from "../steps/embed.ts";
import { imagesActions, imagesAddress, imagesFolder } from "../steps/kernels/kernels.ts";
import { runtimeActions, runtimeArchives, runtimeToolActions } from "../steps/runtime.ts";
import { type PlannedShaping, type Story, translateAction } from "../steps/translate.ts";
import { type Compiler, type CompilerOptions, splitOptions } from "../tools/compiler.ts";
import type { KeptUnit } from "../tools/kept-units.ts";
import type { Tools } from "../tools/tools.ts";
import { libraryActionsOf, planAuthored, planPayloads, planReport, runtimeToolsOf } from "./payloads.ts";
import {
  honouredOptions,
  openacc,
  openmp,
  readUnit,
  sourceOf,
  translatedUnit,
  withoutDirectiveOptions,
} from "./unit.ts";

export const targetKinds = kinds.map((kind) => kind.kind);

/** The target for a device name of another compiler, from the first kind that knows it. */
export function foreignTarget(word: string): string | undefined {
  for (const kind of kinds) {
    const target = kind.foreign?.(word);
    if (target !== undefined) return target;
  }
  return undefined;
}

/** Suffix of files with kernels: `.cu`. */
export const kernelExtension = async (kind: string): Promise<string> =>
  (await findKind(kind)?.emitter({}))?.extension ?? "";

export interface SourceFile {
  /** Name as the user knows it. */
  readonly file: string;
  /** Path for the engine: relative to its root, or absolute. */
  readonly path: string;
  /** Text that replaces the file's own. */
  readonly text?: string;
  /** What the project adds to its directives. */
  readonly added?: readonly Addition[];
  /** The project's options of the C compiler. */
  readonly flags?: readonly string[];
}

interface ObjectPlan {
  readonly actions: readonly Action[];
  readonly object: ActionInput;
}

/**
 * Plans the object of each source. Other sources are unknown, as they may be compiled later. `watched`: for
 * `ARC_CHECK`.
 */
export function planObject(
  { file, path, added }: SourceFile,
  compiler: Compiler,
  options: CompilerOptions,
  watched?: Watched,
): ObjectPlan {
  const input: ActionInput = { name: "source.c", from: { file: path } };
  const more = { ...(watched && { watched }), ...(added && { added }) };
  const request = { prefix: "", file, input, compiler, options, ...more };
  return translatedUnit(request, { kind: "separate" });
}

export type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";

/** The translation of one file. */
export interface Translation {
  readonly file: string;
  readonly preprocessed: ActionInput;
  /** Host code. */
  readonly host: ActionInput;
  /** `TranslatedKernel[]` as JSON, if a kind was given. */
  readonly kernels?: ActionInput;
}

/**
 * Plans the translation of a program's files for a kind, or for the host only; nothing is compiled. `cflags`: options
 * of the C compiler, which follow each file's own; `shaping`: for kinds with passes; with `story`, the translations' logs describe what the passes
 * did.
 */
export function planTranslation(
  files: readonly SourceFile[],
  kind: string | undefined,
  compiler: Compiler,
  cflags: readonly string[],
  shaping?: PlannedShaping,
  story?: Story,
): { readonly actions: readonly Action[]; readonly translations: readonly Translation[] } {
  const sources = files.map(({ file }) => sourceOf("", file));
  const parts = files.map((named, i) => {
    const { file, added, flags = [] } = named;
    const source = itemAt(sources, i);
    const others: OtherSources = { kind: "whole", others: sources.filter((other) => other !== source) };
    const request = {
      prefix: "",
      file,
      input: inputOf(named),
      compiler,
      options: honouredOptions(compiler, [...flags, ...cflags]),
      alone: true as const,
      ...(added && { added }),
    };
    const [preprocess, host] = translatedUnit(request, others).actions;
    const kernels =
      kind &&
      translateAction({
        address: addressOf(`${kind}/${file}`, "translate"),
        name: kind,
        source,
        others,
        kind,
        ...(shaping && { shaping }),
        ...(story && { story }),
      });
    const input = (action: Action): ActionInput => ({
      name: file,
      from: { action: action.address, output: action.outputs[0]?.name ?? "" },
    });
    if (preprocess === undefined || host === undefined)
      throw new Error("a unit is preprocessed and translated");
    return {
      actions: [preprocess, host, ...(kernels ? [kernels] : [])],
      translation: {
        file,
        preprocessed: input(preprocess),
        host: input(host),
        ...(kernels && { kernels: input(kernels) }),
      },
    };
  });
  return {
    actions: parts.flatMap((part) => part.actions),
    translations: parts.map((part) => part.translation),
  };
}

const inputOf = ({ path, text }: SourceFile): ActionInput => ({
  name: "source.c",
  from: text === undefined ? { file: path } : { text },
});

/** Plans the preprocessed texts of a program's files, for one directive language; `cflags` follow each file's own. */
export function planReading(
  files: readonly SourceFile[],
  language: "openacc" | "openmp",
  compiler: Compiler,
  cflags: readonly string[],
): readonly { readonly file: SourceFile; readonly action: Action; readonly text: ActionInput }[] {
  return files.map((source) => {
    const { file, added, flags = [] } = source;
    const options = splitOptions(withoutDirectiveOptions([...flags, ...cflags]));
    const input = inputOf(source);
    const defines = [language === "openacc" ? openacc : openmp];
    return {
      file: source,
      ...readUnit({ prefix: "", file, input, compiler, options, ...(added && { added }) }, defines),
    };
  });
}

/** What passes use if nothing was chosen: the directives, and the defaults of the axes. */
const defaultShaping: PlannedShaping = { target: {}, all: {}, named: [] };

export interface RuntimePlan {
  readonly actions: readonly Action[];
  readonly archives: readonly ActionInput[];
}

/** Plans libarcrt for linking. */
export function planRuntime(compiler: Compiler, hostOpenMp: boolean): RuntimePlan {
  return { actions: runtimeActions(compiler), archives: runtimeArchives(hostOpenMp) };
}

/** An existing kind with valid options. */
export interface ProgramTarget {
  readonly kind: string;
  readonly options: TargetOptions;
}

interface ProgramImages {
  readonly actions: readonly Action[];
  /** An object that contains all images. */
  readonly object: ActionInput;
}

/**
 * Plans the images of a program with these units, to be built together with the runtime; `cflags` as for its objects.
 */
export function planImages(
  units: readonly KeptUnit[],
  targets: readonly ProgramTarget[],
  compiler: Compiler,
  cflags: readonly string[],
  tools: Tools,
): ProgramImages {
  const sources = units.map(({ file, text }): SourceInput => ({ file, from: { text } }));
  const actions = targets.flatMap((target) => targetActions(target, sources, compiler, cflags, tools));
  const embed = embedAction({
    address: "images#embed",
    compiler,
    images: targets.map(({ kind }) => ({
      target: kind,
      folder: { name: kind, from: { action: imagesAddress(variantOf(kind)), output: imagesFolder } },
    })),
  });
  return {
    actions: [...actions, embed],
    object: { name: embeddedImages, from: { action: embed.address, output: embeddedImages } },
  };
}

/** `arc cc` has only the default variant. */
const variantOf = (kind: string): Address => `${kind}:default`;

function targetActions(
  { kind: kindName, options: target }: ProgramTarget,
  sources: readonly SourceInput[],
  compiler: Compiler,
  cflags: readonly string[],
  tools: Tools,
): readonly Action[] {
  const kind = findKind(kindName);
  if (kind === undefined) throw new Error(`there is no target kind ${kindName}`);
  const toolchain = kind.toolchain(target, cflags);
  const payloads = planPayloads(toolchain, compiler, cflags, tools);
  const report = planReport(toolchain, kindName, tools);
  const variant = variantOf(kindName);
  const translations = sources.map((source, i) =>
    translateAction({
      // Two units may have the same file name.
      address: addressOf(`${variant}/${i}/${source.file}`, "translate"),
      name: kindName,
      source,
      others: { kind: "separate", others: sources.filter((other) => other !== source) },
      kind: kindName,
      ...(kind.profile && { shaping: { ...defaultShaping, target } }),
    }),
  );
  const images = imagesActions({
    variant,
    translations: translations.map((action) => action.address),
    options: {
      target: kindName,
      variantName: "default",
      backend: kind.device(target).backend,
      extension: toolchain.extension,
      driverOptions: toolchain.driverOptions ?? "",
      ...(toolchain.whole && { whole: true }),
      ...(report && { report }),
      device: { kind: kindName, options: target },
      authoredTools: planAuthored(tools),
      payloads,
    },
  });
  const own = runtimeToolsOf(payloads).flatMap((name) => runtimeToolActions(compiler, name));
  return [...translations, ...images, ...own, ...libraryActionsOf(payloads)];
}
