/** A valid project: arc.yaml with every default filled in and every name resolved. */
import type { ActionEntry, ElementType, KernelEntry } from "./arc-schema.ts";
import type { VariantSpace } from "./variants.ts";

export interface Project {
  readonly name: string;
  /** arc.yaml as the user named it. */
  readonly file: string;
  /** Folder of arc.yaml; all paths below are relative to it. */
  readonly root: string;
  readonly sources: readonly string[];
  readonly host: readonly string[];
  readonly cflags: readonly string[];
  readonly include: readonly string[];
  /** Compiler options for `defines:`, in its order: `-DN=4`. */
  readonly defines: readonly string[];
  readonly ldflags: readonly string[];
  readonly libs: readonly string[];
  /** Variables of the environment that all processes get: those of every key, and those of none. */
  readonly envFrom: readonly string[];
  readonly passEnv: readonly string[];
  readonly kernels: readonly Kernel[];
  readonly targets: readonly Target[];
  readonly actions: readonly ProjectAction[];
  readonly runs: readonly Run[];
  readonly verify: Verify;
  /** As written: the report knows the figures. */
  readonly budgets?: { readonly baseline?: string; readonly fail: readonly string[] };
  /** Set if the program is built for `ARC_CHECK`. */
  readonly watched?: { readonly tolerance?: number };
  readonly executors: Executors;
  readonly cache?: SharedCache;
  readonly store: { readonly path?: string; readonly limit?: number };
}

export interface Kernel extends KernelEntry {
  readonly name: string;
}

export interface Target {
  readonly name: string;
  readonly kind: string;
  /** Options that the kind's own schema allows. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Kernels that share an image, if the target groups them. */
  readonly images?: readonly (readonly string[])[];
  readonly space: VariantSpace;
}

/** Sizes in bytes, times in seconds. */
export interface Executors {
  readonly local: {
    readonly jobs?: number;
    readonly memory?: number;
    readonly tokens?: Readonly<Record<string, number>>;
    readonly timeout?: number;
    readonly memoryLimit?: number;
  };
  readonly slurm?: {
    readonly steps?: readonly string[];
    readonly partition?: string;
    readonly account?: string;
    readonly qos?: string;
    readonly options?: readonly string[];
    readonly tokens?: Readonly<Record<string, string>>;
    readonly allocation?: number;
    readonly jobs?: number;
    readonly timeout?: number;
  };
}

/** A cache shared with others. Secrets are given by names of environment variables. */
export interface SharedCache {
  /** Undefined: none, or one given by the call. */
  readonly remote?: string;
  readonly mode: "read" | "readwrite";
  readonly tokenFrom?: string;
  readonly headersFrom?: Readonly<Record<string, string>>;
  readonly keyFrom?: string;
  readonly certificates?: string;
  readonly timeout?: number;
  /** Fraction of cache hits that are run again and compared, 0 to 1. */
  readonly check?: number;
}

export interface ProjectAction
  extends Omit<ActionEntry, "run" | "env" | "env-from" | "pass-env" | "timeout" | "memory" | "memory-limit"> {
  readonly name: string;
  readonly run: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that it gets from the environment: those of its key, and those that decide no result. */
  readonly envFrom?: readonly string[];
  readonly passEnv?: readonly string[];
  /** In seconds. */
  readonly timeout?: number;
  /** In bytes. */
  readonly memory?: number;
  readonly memoryLimit?: number;
}

export interface Run {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Declared inputs, and project files and action outputs named in the arguments. */
  readonly inputs: readonly string[];
  readonly outputs: readonly RunOutput[];
  /** Expected exit status; absent: that of the serial program. */
  readonly status?: number;
  /** In seconds. */
  readonly timeout?: number;
}

export interface RunOutput {
  readonly file: string;
  /** Absent: text, compared token by token. */
  readonly type?: ElementType;
}

export interface Verify {
  /** Names of runs. */
  readonly runs: readonly string[];
  readonly tolerance: { readonly rel: number; readonly abs: number };
  readonly ignore: readonly string[];
  readonly strict: boolean;
}
