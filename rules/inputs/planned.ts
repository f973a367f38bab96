/** Planned calls of tools: the tool is already looked up; placeholders stand for what is known with the kernels. */
import type { ActionInput, ToolIdentity } from "../../core/build/model/action.ts";
import type { Rescheduling, WasmTool } from "../../targets/shared/kind/kind.ts";

/** The report stage, with placeholders in its arguments for what is known with the kernels. */
export interface PlannedReport {
  /** The target kind, which parses the reports. */
  readonly kind: string;
  readonly each: "image" | "kernel";
  readonly argv: readonly string[];
  readonly folders: readonly string[];
  readonly object?: string;
  readonly tool?: ToolIdentity;
  readonly missing?: string;
}

/** The stages from a kernel's text to a device configuration. */
export interface PlannedFabric {
  /** The target kind, which parses the reports. */
  readonly kind: string;
  readonly stages: readonly PlannedStage[];
  /** Why there are no further stages, and the remedy. */
  readonly lacks?: string;
  /** Absent: the first schedule is final. */
  readonly reschedule?: Rescheduling;
  /** The device's resources, if no tool reports them. */
  readonly available?: Readonly<Record<string, number>>;
  /** Where the result is placed for the user. */
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
  /** Set if the tool is a WebAssembly package. */
  readonly wasm?: WasmTool;
  readonly missing?: string;
}

/** A form of the kernels, with the tool that makes it already looked up. */
export interface PlannedPayload {
  readonly kind: string;
  /** Absent: the payload is the kernel text itself. */
  readonly call?: PlannedCall;
  /** Only for images whose kernels are connected by channels, or only for others. */
  readonly connected?: boolean;
}

export interface PlannedCall {
  /** Starts with the tool's name; file names are those in the action. */
  readonly argv: readonly string[];
  readonly tool?: ToolIdentity;
  /** Why it cannot be made on this machine. */
  readonly missing?: string;
  /** Folders of libarcrt with headers that it reads. */
  readonly headers: readonly ("include" | "emulation")[];
  /** Sources of libarcrt that are compiled with it. */
  readonly sources?: "simulator";
  /** Objects from a folder of libarcrt, made once for all calls. */
  readonly library?: {
    readonly folder: "verilated";
    readonly argv: readonly string[];
    readonly outputs: readonly string[];
  };
  /** An output of a fabric stage that it reads. */
  readonly stage?: string;
  /** An action before it, whose outputs it reads. */
  readonly before?: PlannedStage;
  /** The file that it writes. */
  readonly output: string;
  /** It takes hours and is marked `finish`. */
  readonly synthesises?: true;
  /** The tool belongs to libarcrt. */
  readonly own?: {
    readonly name: string;
    readonly program: ActionInput;
    readonly env: Readonly<Record<string, string>>;
    /** The file that receives its output: the payload's tag. */
    readonly tag: string;
    /** A missing device is a failure. */
    readonly required?: true;
  };
}
