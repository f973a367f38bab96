/** The emitter of one kind of target, as the registry lists it. */
import type { CType, Diagnostic } from "../../../core/lang/tree/ast.ts";
import type { LoweredRegion } from "../device/device.ts";
import type { PlacedText } from "../device/source-map.ts";
import type { ExecutionModel } from "../lower/geometry.ts";
import type { Obligation } from "./proof.ts";
import type { DesignFacts } from "./report.ts";

/** A channel between two kernels of one text; `depth` elements wait in it. */
export interface ChannelDeclaration {
  readonly name: string;
  readonly type: CType;
  readonly depth: number;
  /** Kernels at its ends. */
  readonly from: string;
  readonly to: string;
}

export interface EmittedRegion extends PlacedText {
  /** What the call that makes the image is told of the kernels beside their text. */
  readonly links?: readonly string[];
  /** Headers that the call compiles in, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** C that computes what the hardware does, in its order: for people and tests. */
  readonly reference?: string;
  /** What is known of the hardware, where the emitter schedules it itself. */
  readonly facts?: DesignFacts;
  /** What there is to prove of it, where the emitter was asked for that. */
  readonly obligations?: readonly Obligation[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Emitter {
  /** Suffix of the kernel file: `.cu`. */
  readonly extension: string;
  readonly model: ExecutionModel;
  emit(region: LoweredRegion): EmittedRegion;
  /** It takes long enough that what it made of a region is worth keeping. */
  readonly slow?: true;
  /** A device takes one text for all kernels of a source: `connected` prints it. */
  readonly whole?: true;
  /** Kernels that run at the same time, with the channels between them, as one text. */
  connected?(regions: readonly LoweredRegion[], channels: readonly ChannelDeclaration[]): EmittedRegion;
}
