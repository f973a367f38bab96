/** The emitter of one kind of target, as the registry lists it. */
import type { Diagnostic } from "../../core/lang/ast.ts";
import type { LoweredRegion } from "./device.ts";
import type { ExecutionModel } from "./geometry.ts";
import type { PlacedText } from "./places.ts";

export interface EmittedRegion extends PlacedText {
  readonly diagnostics: readonly Diagnostic[];
}

export interface Emitter {
  /** Suffix of the kernel file: `.cu`. */
  readonly extension: string;
  readonly model: ExecutionModel;
  emit(region: LoweredRegion): EmittedRegion;
}
