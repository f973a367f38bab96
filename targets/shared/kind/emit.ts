/** The emitter of a target kind, as listed in the registry. */
import type { CType, Diagnostic } from "../../../core/lang/tree/ast.ts";
import type { LoweredRegion } from "../device/device.ts";
import type { MappedText } from "../device/source-map.ts";
import type { ExecutionModel } from "../lower/geometry/execution-model.ts";
import type { Obligation } from "./proof.ts";
import type { DesignFacts } from "./report.ts";

/** A channel between two kernels of one text, with space for `depth` elements. */
export interface ChannelDeclaration {
  readonly name: string;
  readonly type: CType;
  readonly depth: number;
  /** The kernels at its ends. */
  readonly from: string;
  readonly to: string;
}

export interface EmittedRegion extends MappedText {
  /** Additional arguments about the kernels for the command that compiles them or builds the image. */
  readonly links?: readonly string[];
  /** Headers for that command, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** C that computes the same as the hardware, in the same order: for people and tests. */
  readonly reference?: string;
  /** Facts about the hardware, if the emitter schedules it itself. */
  readonly facts?: DesignFacts;
  /** Proof obligations, if they were requested. */
  readonly obligations?: readonly Obligation[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Emitter {
  /** Suffix of the kernel file: `.cu`. */
  readonly extension: string;
  readonly model: ExecutionModel;
  emit(region: LoweredRegion): EmittedRegion;
  /** The program's own C compiler compiles its kernels, with its options. */
  readonly ownCompiler?: true;
  /** Options that change what C means and that the kernels' compiler has as well. */
  readonly follows?: readonly string[];
  /** It is slow enough that its results per region are worth caching. */
  readonly slow?: true;
  /** A device needs one text for all kernels of a source: `connected` prints it. */
  readonly whole?: true;
  /** Kernels that run concurrently and their channels, as one text. */
  connected?(regions: readonly LoweredRegion[], channels: readonly ChannelDeclaration[]): EmittedRegion;
}
