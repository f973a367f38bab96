/** Calls of tools as plans: with the tool looked for, and words for what is known once the kernels are. */
import type { ActionInput, ToolIdentity } from "../../core/build/model/action.ts";
import type { Rescheduling, WasmTool } from "../../targets/shared/kind/kind.ts";

/** The report stage, with words in its arguments for what is known when the kernels are. */
export interface PlannedReport {
  /** The target kind, which reads reports. */
  readonly kind: string;
  readonly each: "image" | "kernel";
  readonly argv: readonly string[];
  readonly folders: readonly string[];
  readonly object?: string;
  readonly tool?: ToolIdentity;
  readonly missing?: string;
}

/** From a kernel's text to a configuration of the device. */
export interface PlannedFabric {
  /** The target kind, which reads the reports. */
  readonly kind: string;
  readonly stages: readonly PlannedStage[];
  /** Why there are no more, with the remedy. */
  readonly lacks?: string;
  /** Absent: the first schedule stays. */
  readonly reschedule?: Rescheduling;
  /** What the device has, where no tool says it. */
  readonly available?: Readonly<Record<string, number>>;
  /** Where the user finds what it makes. */
  readonly place?: string;
}

export interface PlannedStage {
  readonly name: string;
  readonly does: string;
  readonly argv: readonly string[];
  readonly inputs: readonly string[];
  readonly texts?: Readonly<Record<string, string>>;
  readonly runtime?: readonly string[];
  readonly outputs: readonly string[];
  readonly refuses?: true;
  readonly reports: readonly string[];
  readonly product?: string;
  readonly tool?: ToolIdentity;
  /** The tool is a package of WebAssembly. */
  readonly wasm?: WasmTool;
  readonly missing?: string;
}

/** A form of the kernels, with the tool that makes it already looked for. */
export interface PlannedPayload {
  readonly kind: string;
  /** Absent: the kernel text itself. */
  readonly call?: PlannedCall;
  /** Only of images whose kernels channels connect, or only of others. */
  readonly connected?: boolean;
}

export interface PlannedCall {
  /** With the tool's name first; file names are those of the action. */
  readonly argv: readonly string[];
  readonly tool?: ToolIdentity;
  /** Why it cannot be made here. */
  readonly missing?: string;
  /** Folders of libarcrt whose headers are read. */
  readonly headers: readonly ("include" | "emulation")[];
  /** Sources of libarcrt that are compiled in. */
  readonly sources?: "simulator";
  /** Objects that are made once for all calls, of a folder of libarcrt. */
  readonly library?: {
    readonly folder: "verilated";
    readonly argv: readonly string[];
    readonly outputs: readonly string[];
  };
  /** An output of a fabric stage that it reads. */
  readonly stage?: string;
  /** An action before it, whose outputs it reads. */
  readonly before?: PlannedStage;
  /** The file it writes. */
  readonly output: string;
  /** It takes hours, and is let finish. */
  readonly synthesises?: true;
  /** The tool is one of libarcrt's own. */
  readonly own?: {
    readonly name: string;
    readonly program: ActionInput;
    readonly env: Readonly<Record<string, string>>;
    /** The file that takes what it prints: the payload's tag. */
    readonly tag: string;
    /** It is a failure that its device is not here. */
    readonly required?: true;
  };
}
