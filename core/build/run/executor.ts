/** Where actions' processes run. Staging, keys and outputs are the same everywhere. */
import type { Address, Resources } from "../model/action.ts";
import type { Errands, ErrandsDone } from "../native/process-io.ts";
import type { Capacity } from "./resource-pool.ts";

export interface ProcessRequest {
  /** Used in names of jobs. */
  readonly address: Address;
  /** argv[0] is looked up on the PATH of `env` unless it contains a slash. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Folders of this action alone, by which processes that it left running are found. */
  readonly sandbox?: { readonly work: string; readonly temporary: string };
  readonly env: Readonly<Record<string, string>>;
  readonly resources: Resources;
  readonly timeoutSeconds?: number;
  /** How long it took before. */
  readonly expectedSeconds?: number;
  readonly signal: AbortSignal;
  /** Called with a description of its state when the process has to wait. */
  readonly onPhase?: (phase: string) => void;
  /** Only for an executor that takes errands. */
  readonly errands?: Errands;
  /** No resources are free: it must start the moment another process ends. */
  readonly ahead?: boolean;
}

/** A file that receives a process's output, open for appending. */
export interface OutputFile {
  readonly path: string;
  readonly descriptor: number;
}

export interface Starvation {
  /** Memory that it had, in bytes, where known. */
  readonly had?: number;
  /** Memory that it used when it was killed, in bytes. */
  readonly used?: number;
  /** How to give it that much memory. */
  readonly remedy: (memory: string) => string;
}

export interface ProcessEnd {
  /** Undefined when the process did not end by itself: `killedBy` says why. */
  readonly code?: number;
  readonly killedBy?: string;
  /** It had too little memory. */
  readonly outOfMemory?: Starvation;
  /** The machine that it ran on was lost: worth another try elsewhere. */
  readonly lost?: true;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** User and system time including children, where known. */
  readonly cpuSeconds?: number;
  /** Seconds before it started. */
  readonly waitedSeconds?: number;
  readonly errands?: ErrandsDone;
  /** The errands could not be done, so the process was not started. */
  readonly undone?: true;
}

/** Limits of one process. */
export interface Limits {
  /** Time limit. Exceeding it counts as the machine's fault and is never cached. */
  readonly timeoutSeconds?: number;
  /** Address space; a failure under such a limit is never cached. */
  readonly memoryLimitBytes?: number;
}

export interface Executor {
  readonly name: string;
  /** For processes that set none. */
  readonly limits?: Limits;
  /** Resources for processes running at the same time. */
  readonly capacity: Capacity;
  readonly takesErrands?: boolean;
  /** It accepts one process more than fits, which then waits here for another to end. */
  readonly startsAhead?: boolean;
  /** Throws EngineError when the process cannot be started. */
  run(request: ProcessRequest, stdout: OutputFile, stderr: OutputFile): Promise<ProcessEnd>;
  /** Frees what is kept between actions. */
  close(): Promise<void>;
}
