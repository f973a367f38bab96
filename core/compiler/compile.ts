/**
 * The compiler as a library: takes one preprocessed source, returns host code and kernels for one target. Needs no
 * build.
 */
import type { Emitter } from "../../targets/shared/kind/emit.ts";
import type { Diagnostic } from "../lang/index.ts";
import { eachOnce } from "./driver/each-once.ts";
import type { TranslatedKernel } from "./driver/kernel-texts.ts";
import type { Shaping } from "./driver/region-choices.ts";
import type { Story } from "./driver/region-units.ts";
import { translateHost, translateKernels } from "./driver/translate.ts";

interface Source {
  /** Name for messages. */
  readonly file: string;
  /** The text as the user wrote it: host code is this text with its constructs replaced. */
  readonly text: string;
  /** The output of `cc -E -dD`, with `_OPENACC` or `_OPENMP` defined. */
  readonly preprocessed: string;
}

interface Compiled {
  /** C that calls libarcrt where the source has constructs; empty after an error. */
  readonly host: string;
  /** One per region, with the manifest by which libarcrt launches it; empty after an error. */
  readonly kernels: readonly TranslatedKernel[];
  /** What the passes did, by region. */
  readonly trace: readonly Story[];
  /** Errors, warnings and notes, each once, in the order in which they were found. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `config`: the pass configuration, for kinds with passes. Errors are returned as diagnostics, not thrown. */
export function compile(source: Source, target: Emitter, config?: Shaping): Compiled {
  const unit = { file: source.file, text: source.preprocessed };
  const device = translateKernels(unit, target, undefined, config);
  const host = translateHost(unit, source.text);
  const diagnostics = eachOnce([...device.diagnostics, ...host.diagnostics]);
  return { host: host.text, kernels: device.kernels, trace: device.stories, diagnostics };
}
