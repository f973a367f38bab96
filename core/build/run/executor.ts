/** Where processes of actions run. Staging, keys and outputs are the same everywhere. */
import type { Address, Resources } from "../model/action.ts";
import type { Errands, ErrandsDone } from "../native/process-io.ts";
import type { Capacity } from "./resource-pool.ts";

export interface ProcessRequest {
  /** For the names of jobs. */
  readonly address: Address;
  /** argv[0] is found on the PATH of `env` unless it has a slash. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Folders that are its action's alone: what is left of it can be told by them. */
  readonly sandbox?: { readonly work: string; readonly temporary: string };
  readonly env: Readonly<Record<string, string>>;
  readonly resources: Resources;
  readonly timeoutSeconds?: number;
  /** What it took before. */
  readonly expectedSeconds?: number;
  readonly signal: AbortSignal;
  /** Told in words where it stands, where that takes long. */
  readonly onPhase?: (phase: string) => void;
  /** For an executor that takes them. */
  readonly errands?: Errands;
  /** All that it may hold is held by others: it is to start the moment that one of those ends. */
  readonly ahead?: boolean;
}

/** A file that takes a process's output, open for appending. */
export interface OutputFile {
  readonly path: string;
  readonly descriptor: number;
}

export interface Starvation {
  /** Bytes, where that is known. */
  readonly had?: number;
  /** When it was killed. */
  readonly used?: number;
  /** How to give it so much. */
  readonly remedy: (memory: string) => string;
}

export interface ProcessEnd {
  /** Undefined when something else than the process ended it: `killedBy` says what. */
  readonly code?: number;
  readonly killedBy?: string;
  /** It had too little memory. */
  readonly outOfMemory?: Starvation;
  /** The machine was lost under it: worth another try elsewhere. */
  readonly lost?: true;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Of user and system, children included; where it is known. */
  readonly cpuSeconds?: number;
  /** Before it started. */
  readonly waitedSeconds?: number;
  readonly errands?: ErrandsDone;
  /** The errands could not be done, so the process was not started. */
  readonly undone?: true;
}

/** Of one process. */
export interface Limits {
  /** Then it is stopped; that is the machine's fault, never cached. */
  readonly timeoutSeconds?: number;
  /** Address space; a failure under such a limit is never cached. */
  readonly memoryLimitBytes?: number;
}

export interface Executor {
  readonly name: string;
  /** For processes that have none of their own. */
  readonly limits?: Limits;
  /** How much may run here at once. */
  readonly capacity: Capacity;
  readonly takesErrands?: boolean;
  /** It may be given one more process than fits, which then waits here for one to end. */
  readonly startsAhead?: boolean;
  /** Throws EngineError when the process cannot be started. */
  run(request: ProcessRequest, stdout: OutputFile, stderr: OutputFile): Promise<ProcessEnd>;
  /** Ends what is kept between actions. */
  close(): Promise<void>;
}
