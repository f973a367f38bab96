/** What a target kind is to the rest of arc. A new kind is a folder that exports one, and a line in the registry. */

import type { DeviceProfile } from "../../../core/ir/model/device-profile.ts";
import type { Emitter } from "./emit.ts";
import type { Report, Resources } from "./report.ts";
import type { Measured } from "./rescheduled.ts";

export interface TargetKind {
  /** As in arc.yaml: `kind: opencl`. */
  readonly kind: string;
  readonly description: string;
  /** JSON Schemas of the options that stand beside `kind:` in arc.yaml. */
  readonly options: { readonly [key: string]: OptionSchema };
  readonly required?: readonly string[];
  /** Its toolchain may make an image of many kernels: arc.yaml may say which. */
  readonly sharesImages?: true;
  /** Options that do not go together, each right by itself. */
  conflict?(options: TargetOptions): OptionConflict | undefined;
  /** A word of other compilers' options for devices (`sm_90`, `amdgcn`) in words of `-target`: `cuda:arch=sm_90`. */
  foreign?(word: string): string | undefined;
  /** Its kernels are an FPGA's hardware, or are run as that would. */
  readonly fpga?: true;
  /** Prints kernels. Loaded when something is translated. `margin`: delays are so many times as long as its table says. */
  emitter(options: TargetOptions, margin?: number): Promise<Emitter>;
  /** The device's table; present where passes shape kernels for the device. */
  profile?(options: TargetOptions, margin?: number): Promise<DeviceProfile>;
  /** Time and area are estimated from the device's table, which has the figures for it. */
  readonly estimated?: true;
  /** The kind and part by which kernels are counted where open tools can synthesise them, on demand. */
  readonly counted?: CountedBy;
  /** Reads what the report stage left: files by their names in its folder. Never throws. */
  readReport?(files: ReadonlyMap<string, string>): Promise<Report>;
  /** What the reports of a layout say of the clock; undefined where they do not. */
  measured?(files: ReadonlyMap<string, string>, options: TargetOptions): Promise<Measured | undefined>;
  /** What is to be shown of kernels, which its emitter tells with them, and the prover that shows it. */
  readonly proofs?: {
    readonly prover: WasmTool;
    emitter(options: TargetOptions, margin?: number): Promise<Emitter>;
  };
  /** Tools that some options ask for, beside those of `toolchain({})`. */
  readonly moreTools?: readonly OptionalTool[];
  /** How an image's payloads are made from its kernel text. */
  toolchain(options: TargetOptions): Toolchain;
  /** How files of kernels are compiled that the program's author wrote for such devices; absent: there are none. */
  authored?(options: TargetOptions): AuthoredCall;
  /** The device that programs need to run. */
  device(options: TargetOptions): DeviceNeed;
}

/** As a diagnostic of arc.yaml. */
export interface OptionConflict {
  /** The one to point at. */
  readonly option: string;
  readonly message: string;
  readonly why: string;
  readonly remedy: string;
}

/** A kind whose own back end and open synthesis stand for a vendor's. */
export interface CountedBy {
  readonly kind: string;
  /** Its target options; `part` for people. */
  readonly options: { readonly part: string; readonly clock: number };
}

export interface DeviceNeed {
  /** libarcrt's name of the back end, as in its `ARC_BACKEND_LIST`. */
  readonly backend: string;
  /** What to do where there is none, for people. */
  readonly install?: string;
  /** This machine's processor: no one need look for it. */
  readonly always?: true;
  /** The options name one: another will not do. */
  readonly named?: true;
  /** Environment that makes libarcrt choose the device that the options ask for. */
  readonly environment: Readonly<Record<string, string>>;
  /** The environment variable that names the file in which a simulated device counts its launches' cycles. */
  readonly counts?: string;
  /** Environment of runs that are compared: where a device can be stricter than users need, it is. */
  readonly strictEnvironment?: Readonly<Record<string, string>>;
}

/** The processor as a device. Sharing the program's memory would hide every transfer that is missing. */
export const processor: DeviceNeed = {
  backend: "host",
  always: true,
  environment: {},
  strictEnvironment: { ARC_HOST_MEMORY: "separate" },
};

/** Where the tool is not here, the device's own compiler takes the text when the program runs. */
export interface AuthoredCall {
  readonly tool: Tool;
  /** Extension of files of kernels: the tool goes by it. */
  readonly extension: string;
  readonly args: (source: string, output: string) => readonly string[];
  /** What the output is to an image; absent: the call only finds errors, and devices get the text. */
  readonly payload?: string;
  /** What the output calls its kernels. */
  readonly symbols: RegExp;
  /** Who compiles the text when the program runs; absent: where the call is a check alone, none is missed. */
  readonly otherwise?: string;
}

export interface OptionSchema {
  readonly description: string;
  readonly type?: "string" | "integer" | "boolean";
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  /** What `pattern` asks for, in words. */
  readonly patternMeaning?: string;
  readonly minimum?: number;
}

/** Validated against the kind's schemas. */
export type TargetOptions = Readonly<Record<string, unknown>>;

export interface Toolchain {
  /** File name extension of kernel text: compilers go by it. */
  readonly extension: string;
  /** What the device's driver is told when it compiles the image. */
  readonly driverOptions?: string;
  /** One image holds all kernels of a program: to load another one takes the device seconds, and stops it. */
  readonly whole?: true;
  /** What the options do not say though no call can do without it, with the remedy. */
  readonly lacks?: string;
  /** A quick stage before the payloads' calls, an action of its own: whether they are worth hours. */
  readonly report?: ReportCall;
  /** From the kernel text to a configuration of the device, beside the image. */
  readonly fabric?: readonly FabricStage[];
  /** A design that misses its clock is scheduled again, once, with the margin that was measured. */
  readonly reschedule?: Rescheduling;
  /** What the device has, by the words of reports, where no stage's tool says it. */
  readonly available?: Resources;
  /** In the order in which the image lists them. */
  readonly payloads: readonly Payload[];
}

/** A call that says what the hardware will be, for each kernel of an image or for all of them together. */
export interface ReportCall {
  readonly tool: Tool;
  readonly each: "image" | "kernel";
  /** `kernel`: the entry's name; where it is one call for all, the first's. */
  args(source: string, kernel: string): readonly string[];
  /** Folders where reports may be, the first that is there decides. */
  folders(kernel: string): readonly string[];
  /** What the call leaves for those of the payloads; absent: nothing but its reports. */
  object?(kernel: string): string;
}

/** A tool as WebAssembly. */
export interface WasmTool {
  readonly package: string;
  /** Its function that takes arguments and files. */
  readonly run: string;
  /**
   * Text files of the package that go with what the tool makes: outputs, with their places in it. A native tool may be
   * of another version than such files that lie about, so the package's is called then, whatever is installed.
   */
  readonly files?: Readonly<Record<string, string>>;
}

/** One call on the way from a kernel's text to a device's configuration; each takes what those before it made. */
export interface FabricStage {
  /** Ends the address of its action. */
  readonly name: string;
  /** For people: `place and route`. */
  readonly does: string;
  readonly tool: Tool;
  readonly wasm?: WasmTool;
  /** Where the tool is not here, the stages end before it. */
  readonly optional?: true;
  /** Of the kernel text and of files of stages before. */
  readonly inputs: readonly string[];
  /** Files that it reads besides: what the options say, by name. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Files of libarcrt that it reads, each by its own name. */
  readonly runtime?: readonly string[];
  readonly args: (source: string) => readonly string[];
  readonly outputs: readonly string[];
  /**
   * A design that it cannot make, by its own words, fails the stage after it: others, who only want to know what it
   * says, go on without it.
   */
  readonly refuses?: true;
  /** Of its outputs, what the kind reads for its report. */
  readonly reports: readonly string[];
  /** Of its outputs, what the user wants. */
  readonly product?: string;
}

export interface Rescheduling {
  /** What the design has to reach, in MHz. */
  readonly clock: number;
  /** The fabric's stage whose reports tell what it reaches. */
  readonly stage: string;
}

/** One form in which an image holds its kernels. */
export interface Payload {
  /** One of those that the back end loads, by its own list. */
  readonly kind: string;
  /** Absent: the payload is the kernel text itself. */
  readonly call?: ToolCall;
  /** The call where the tool of the first one is not here. */
  readonly otherwise?: ToolCall;
  /** Only of images whose kernels channels connect, or only of others; absent: of all. */
  readonly connected?: boolean;
}

/** A tool call as data. The rules make it an action. */
export interface ToolCall {
  readonly tool: Tool | RuntimeTool;
  /**
   * Arguments after the program, for a kernel text (for all texts, where an image holds several) and the file to
   * write, in the working folder; where the report stage leaves objects, `objects` stands for them.
   */
  readonly args: (source: string, output: string, objects: string) => readonly string[];
  /** Extension of the file it writes, where the tool goes by it; default: the payload's kind. */
  readonly extension?: string;
  /** The project's own compiler options apply (they may change how floating point is computed). */
  readonly takesCflags?: true;
  /** The text's OpenMP directives make threads, where the compiler has a library for them. */
  readonly takesOpenMp?: true;
  /** Headers of libarcrt are included. */
  readonly takesRuntimeHeaders?: true;
  /** It synthesises, for hours: a watch lets it finish though a newer save made it stale. */
  readonly synthesises?: true;
  /** Headers that stand for a vendor's, where its kernels run on the processor, are included. */
  readonly takesEmulationHeaders?: true;
  /** Objects that the call links and that are the same for all kernels: how the tool makes them of that folder. */
  readonly library?: {
    readonly folder: "verilated";
    readonly args: readonly string[];
    readonly outputs: readonly string[];
  };
  /** libarcrt's simulators of designs, in `simulator/`, are among its files. */
  readonly takesSimulator?: true;
  /** An output of a fabric stage that it reads. */
  readonly takesStage?: string;
  /** An action before the call, which reads all that it leaves. */
  readonly before?: FabricStage;
}

/**
 * A program of libarcrt's `tools/`, which arc builds for itself. It prints the payload's tag. Exit code 2 says
 * that the payload cannot be made here, and is no failure: others of the image will do.
 */
export interface RuntimeTool {
  /** Its source file without extension. */
  readonly runtime: string;
  /** Whose drivers decide what it makes; without any it is not called. */
  readonly drivers: "opencl";
  /** The user named the device that it compiles for: a build that finds none such has failed. */
  readonly named?: true;
  readonly environment: Readonly<Record<string, string>>;
}

/** A program that is needed where an option asks for it. */
export interface OptionalTool {
  readonly tool: Tool;
  /** What does without it, in words. */
  readonly purpose: string;
  /** The npm package that does instead. */
  readonly package?: string;
}

/** A program of the system that a kind needs. */
export interface Tool {
  /** `cc` stands for the project's C compiler. */
  readonly program: string;
  /** Names that it has where others packed it; the first that is found is taken. */
  readonly aliases?: readonly string[];
  /** Absent: it tells no version, and is known by its contents. */
  readonly versionArgs?: readonly string[];
  /** Programs that it starts and that decide the result, found next to it. */
  readonly backEnds?: readonly string[];
  /** The Python package that it only starts: its record of files tells what the program is. */
  readonly pythonPackage?: string;
  /** Older ones are as good as none. */
  readonly atLeast?: { readonly version: string; readonly why: string };
  /** How to get it, for people: `apt-get install nvidia-cuda-toolkit`. */
  readonly install: string;
}
