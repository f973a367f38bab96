/** The interface of a target kind. A new kind is a folder that exports one, and a line in the registry. */

import type { DeviceProfile } from "../../../core/ir/model/device-profile.ts";
import type { Emitter } from "./emit.ts";
import type { Power } from "./energy.ts";
import type { Report, Resources } from "./report.ts";
import type { Measured } from "./rescheduled.ts";

export interface TargetKind {
  /** As in arc.yaml: `kind: opencl`. */
  readonly kind: string;
  readonly description: string;
  /** JSON Schemas of its options, which are written beside `kind:` in arc.yaml. */
  readonly options: { readonly [key: string]: OptionSchema };
  readonly required?: readonly string[];
  /** An image may contain many kernels: arc.yaml may group them. */
  readonly sharesImages?: true;
  /** Options that are individually valid but conflict. */
  conflict?(options: TargetOptions): OptionConflict | undefined;
  /** Translates another compiler's device option (`sm_90`, `amdgcn`) to `-target` syntax: `cuda:arch=sm_90`. */
  foreign?(word: string): string | undefined;
  /** Its kernels are FPGA hardware, or run like it. */
  readonly fpga?: true;
  /** Prints kernels. Loaded at the first translation. `margin`: factor on the delays in the device's table. */
  emitter(options: TargetOptions, margin?: number): Promise<Emitter>;
  /** The device's table; present if passes shape kernels for the device. */
  profile?(options: TargetOptions, margin?: number): Promise<DeviceProfile>;
  /** Time and area can be estimated from the figures in the device's table. */
  readonly estimated?: true;
  /** The kind and part for counting a kernel's resources on demand with open synthesis tools. */
  readonly counted?: CountedBy;
  /** Reads the files of the report stage, by name in its folder. Never throws. */
  readReport?(files: ReadonlyMap<string, string>): Promise<Report>;
  /** The clock according to the reports of a layout; undefined if they do not give it. */
  measured?(files: ReadonlyMap<string, string>, options: TargetOptions): Promise<Measured | undefined>;
  /** Proof obligations that its emitter produces with the kernels, and their prover. */
  readonly proofs?: {
    readonly prover: WasmTool;
    emitter(options: TargetOptions, margin?: number): Promise<Emitter>;
  };
  /** Tools that some options need, in addition to those of `toolchain({})`. */
  readonly moreTools?: readonly OptionalTool[];
  /** How an image's payloads are built from its kernel text. `cflags`: those of the program, for kinds that mind them. */
  toolchain(options: TargetOptions, cflags?: readonly string[]): Toolchain;
  /** How user-written kernel files are compiled for such devices; absent if there can be none. */
  authored?(options: TargetOptions): AuthoredCall;
  /** The device that programs need to run. */
  device(options: TargetOptions): DeviceNeed;
}

/** Reported as a diagnostic of arc.yaml. */
interface OptionConflict {
  /** The option to point at. */
  readonly option: string;
  readonly message: string;
  readonly why: string;
  readonly remedy: string;
}

/** A kind whose back end and open synthesis approximate a vendor's. */
export interface CountedBy {
  readonly kind: string;
  /** Its target options; `part` for display. */
  readonly options: { readonly part: string; readonly clock: number };
}

export interface DeviceNeed {
  /** The back end's name in libarcrt's `ARC_BACKEND_LIST`. */
  readonly backend: string;
  /** What to do if there is no device, for display. */
  readonly install?: string;
  /** This machine's processor, which always exists. */
  readonly always?: true;
  /** The options name a specific device. */
  readonly named?: true;
  /** Environment variables that make libarcrt choose the requested device. */
  readonly environment: Readonly<Record<string, string>>;
  /** The environment variable with the name of the file in which a simulated device records its launches' cycles. */
  readonly counts?: string;
  /** Environment of compared runs, which makes devices stricter than users need. */
  readonly strictEnvironment?: Readonly<Record<string, string>>;
}

/** The processor as a device. If it shared the program's memory, missing transfers would go unnoticed. */
export const processor: DeviceNeed = {
  backend: "host",
  always: true,
  environment: {},
  strictEnvironment: { ARC_HOST_MEMORY: "separate" },
};

/** If the tool is missing, the device's compiler compiles the text at run time. */
export interface AuthoredCall {
  readonly tool: Tool;
  /** Extension of kernel files, which the tool depends on. */
  readonly extension: string;
  readonly args: (source: string, output: string) => readonly string[];
  /** The payload kind of the output; absent: the call only reports errors, and devices get the text. */
  readonly payload?: string;
  /** Matches the kernels' names in the output. */
  readonly symbols: RegExp;
  /** What compiles the text at run time instead; absent if the call is only a check, which may be skipped. */
  readonly otherwise?: string;
}

interface OptionSchema {
  readonly description: string;
  readonly type?: "string" | "integer" | "boolean";
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  /** The meaning of `pattern`, in words. */
  readonly patternMeaning?: string;
  readonly minimum?: number;
}

/** Validated against the kind's schemas. */
export type TargetOptions = Readonly<Record<string, unknown>>;

export interface Toolchain {
  /** File name extension of kernel text, which compilers depend on. */
  readonly extension: string;
  /** Options for the device's driver when it compiles the image. */
  readonly driverOptions?: string;
  /**
   * One image contains all kernels of a program, because loading another one takes the device seconds and interrupts
   * it.
   */
  readonly whole?: true;
  /** A required setting that the options lack, with the remedy. */
  readonly lacks?: string;
  /** A quick stage before the payloads' calls, as a separate action, which shows whether they are worth hours. */
  readonly report?: ReportCall;
  /** Stages from the kernel text to a configuration of the device, in addition to the image. */
  readonly fabric?: readonly FabricStage[];
  /** A design that misses its clock is scheduled again, once, with the measured margin. */
  readonly reschedule?: Rescheduling;
  /** The device's resources under the names used in reports, if no tool reports them. */
  readonly available?: Resources;
  /** For the model of a design's energy; absent where no source gives the device's figures. */
  readonly power?: Power;
  /** In the order in which the image lists them. */
  readonly payloads: readonly Payload[];
}

/** A call that predicts the hardware, for each kernel of an image or for all of them together. */
export interface ReportCall {
  readonly tool: Tool;
  readonly each: "image" | "kernel";
  /** `kernel`: the entry's name; for one call for all, that of the first. */
  args(source: string, kernel: string): readonly string[];
  /** Possible report folders; the first existing one is used. */
  folders(kernel: string): readonly string[];
  /** The call's output for the payloads' calls; absent: it only leaves reports. */
  object?(kernel: string): string;
}

/** A tool compiled to WebAssembly. */
export interface WasmTool {
  readonly package: string;
  /** Its function, which takes arguments and files. */
  readonly run: string;
  /**
   * Text files of the package that belong to the tool's results: outputs, and their paths in the package. An installed
   * native tool may have another version than these files, so the package's tool is always used then.
   */
  readonly files?: Readonly<Record<string, string>>;
}

/** One step from a kernel's text to a device's configuration; each step uses the results of earlier ones. */
export interface FabricStage {
  /** Last part of its action's address. */
  readonly name: string;
  /** For display: `place and route`. */
  readonly does: string;
  readonly tool: Tool;
  readonly wasm?: WasmTool;
  /** If the tool is missing, the stages end here. */
  readonly optional?: true;
  /** The kernel text and files of earlier stages. */
  readonly inputs: readonly string[];
  /** Additional files that it reads, generated from the options, by name. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Files of libarcrt that it reads, by name. */
  readonly runtime?: readonly string[];
  readonly args: (source: string) => readonly string[];
  readonly outputs: readonly string[];
  /**
   * If it reports that the design is impossible, the stage after it fails; actions that only want its messages
   * continue.
   */
  readonly refuses?: true;
  /** Outputs that the kind reads for its report. */
  readonly reports: readonly string[];
  /** The output for the user. */
  readonly product?: string;
}

export interface Rescheduling {
  /** The required clock in MHz. */
  readonly clock: number;
  /** The fabric stage whose reports give the achieved clock. */
  readonly stage: string;
}

/** One form of an image's kernels. */
export interface Payload {
  /** A kind from the list of those that the back end loads. */
  readonly kind: string;
  /** Absent: the payload is the kernel text itself. */
  readonly call?: ToolCall;
  /** The call to use if the first one's tool is missing. */
  readonly otherwise?: ToolCall;
  /** Only for images with connected kernels, or only for others; absent: for all. */
  readonly connected?: boolean;
}

/** A tool call as data, from which the rules make an action. */
export interface ToolCall {
  readonly tool: Tool | RuntimeTool;
  /**
   * Arguments after the program name, for a kernel text (or all texts, if an image holds several) and the output file,
   * in the working folder; `objects` are those of the report stage, if it leaves any, and the kernels' own arguments.
   */
  readonly args: (source: string, output: string, objects: string) => readonly string[];
  /** Extension of the output file, if the tool depends on it; default: the payload's kind. */
  readonly extension?: string;
  /** The project's compiler options apply (they may change floating-point results). */
  readonly takesCflags?: true;
  /** The text's OpenMP directives create threads, if the compiler has the library for them. */
  readonly takesOpenMp?: true;
  /** It includes headers of libarcrt. */
  readonly takesRuntimeHeaders?: true;
  /** It runs synthesis for hours: a watch lets it finish even if a newer save has made it stale. */
  readonly synthesises?: true;
  /** It includes headers that replace a vendor's when kernels run on the processor. */
  readonly takesEmulationHeaders?: true;
  /** Objects that the call links, the same for all kernels: how the tool builds them from that folder. */
  readonly library?: {
    readonly folder: "verilated";
    readonly args: readonly string[];
    readonly outputs: readonly string[];
  };
  /** Its inputs include libarcrt's design simulators, in `simulator/`. */
  readonly takesSimulator?: true;
  /** An output of a fabric stage that it reads. */
  readonly takesStage?: string;
  /** An action before the call, whose outputs it reads. */
  readonly before?: FabricStage;
}

/**
 * A program of libarcrt's `tools/`, which arc builds when needed. It prints the payload's tag. Exit code 2 means that
 * the payload cannot be made here, which is not a failure, because the image has others.
 */
interface RuntimeTool {
  /** Its source file without extension. */
  readonly runtime: string;
  /** The kind of drivers that it needs; without any it is not called. */
  readonly drivers: "opencl";
  /** The user named the device: a build that does not find it fails. */
  readonly named?: true;
  readonly environment: Readonly<Record<string, string>>;
}

/** A program that some option needs. */
export interface OptionalTool {
  readonly tool: Tool;
  /** What works without it, for display. */
  readonly purpose: string;
  /** The npm package that can replace it. */
  readonly package?: string;
}

/** A system program that a kind needs. */
export interface Tool {
  /** `cc` means the project's C compiler. */
  readonly program: string;
  /** Its names in other packages; the first one found is used. */
  readonly aliases?: readonly string[];
  /** Absent: it reports no version and is identified by its contents. */
  readonly versionArgs?: readonly string[];
  /** Programs that it starts and that affect the result, found next to it. */
  readonly backEnds?: readonly string[];
  /** The Python package that it only starts: the package's file record identifies it. */
  readonly pythonPackage?: string;
  /** Older versions count as missing. */
  readonly atLeast?: { readonly version: string; readonly why: string };
  /** How to install it, for display: `apt-get install nvidia-cuda-toolkit`. */
  readonly install: string;
}
