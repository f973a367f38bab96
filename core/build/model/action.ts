/**
 * Actions as data: what the engine runs, keys, caches and explains. The engine knows nothing of C or FPGAs; it knows
 * named steps, input bytes and output bytes.
 */
import type { Finding } from "./finding.ts";

/** SHA-256 in lower-case hex. */
export type Digest = string & { readonly __digest: unique symbol };
/** `target[:variant][/kernel][#stage]`; unique in a graph, the same in every command and event. */
export type Address = string;

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Where an input comes from. */
export type Source =
  /** A file or folder of the project, relative to its root, `/`-separated. */
  | { readonly file: string }
  /** An output of another action. The action may be promised by an expansion and not exist yet. */
  | { readonly action: Address; readonly output: string }
  /** Bytes known when the graph is made (small: a generated wrapper, a list). */
  | { readonly text: string };

export interface ActionInput {
  /** Name within the action: its path in the staging folder. */
  readonly name: string;
  readonly from: Source;
}

export interface ActionOutput {
  /** Name within the action: its path in the staging folder. */
  readonly name: string;
  readonly kind: "file" | "folder";
  /** Where the output is materialized, relative to the project root; absent: it stays in the store only. */
  readonly place?: string;
  /** For a file: whether it is executable; `as-written`: if the action made it executable. */
  readonly executable?: true | "as-written";
  /** The step may leave it out (an optional report). */
  readonly optional?: true;
}

/** A tool as part of a key; its path is never part of it. */
export interface ToolIdentity {
  readonly name: string;
  /** Digest of its version output and of the executables that do the work. */
  readonly digest: Digest;
  /** For display: `gcc 12.2.0`. */
  readonly version: string;
}

export interface Resources {
  readonly cpu?: number; // default 1
  readonly memory?: number; // bytes
  /** Licence tokens or exclusive devices by name: `{ vivado: 1 }`. */
  readonly tokens?: Readonly<Record<string, number>>;
}

/** A process. It runs in a staging folder that holds exactly the inputs. */
export interface Command {
  /** argv[0] is looked up on PATH unless absolute; arguments are relative to the staging folder. */
  readonly argv: readonly string[];
  /** Variables beside PATH, HOME, TMPDIR and LANG=C; part of the key. */
  readonly env?: Readonly<Record<string, string>>;
  /** Variables passed through without being part of the key (licence servers, proxies). */
  readonly passEnv?: readonly string[];
  /** Output that receives stdout (a declared output name). */
  readonly stdout?: string;
  /** Exit codes that mean success; default [0]. */
  readonly ok?: readonly number[];
  /** Time limit. Exceeding it counts as the machine's fault and is never cached. */
  readonly timeoutSeconds?: number;
  /** Limit of the address space of each of its processes; a failure under a limit is never cached. */
  readonly memoryLimitBytes?: number;
  /** Runs in the project folder instead of a staging folder (preprocessing: headers are discovered). */
  readonly inProject?: true;
}

export interface Action {
  readonly address: Address;
  /** Name of a registered step: its digest is in the key; its function runs the action unless `command` is set. */
  readonly step: string;
  /** Canonical options, in the key. */
  readonly options?: Json;
  readonly command?: Command;
  readonly tools?: readonly ToolIdentity[];
  readonly inputs: readonly ActionInput[];
  readonly outputs: readonly ActionOutput[];
  readonly resources?: Resources;
  /** Name of the executor for its processes, unless something else decides that. */
  readonly executor?: string;
  /** It takes so long that a superseded build still lets it finish. */
  readonly finish?: true;
  /** False: consumers are keyed on this action's key, not on its output bytes. Default true. */
  readonly deterministic?: boolean;
  /** False: always run (for example a program whose output the user wants to see). Default true. */
  readonly cache?: boolean;
  /**
   * A registered expansion that adds actions when the outputs are known; `promises` are those that other actions may
   * already name.
   */
  readonly expand?: { readonly rule: string; readonly promises: readonly Address[] };
  /**
   * Set when the tool is missing: the action succeeds without outputs, and everything that depends on it is skipped for
   * this reason.
   */
  readonly skip?: string;
  /** The position in the user's files that the action belongs to, for messages; not part of the key. */
  readonly site?: Site;
  /** Name for display: `translate src/a.c`. */
  readonly title?: string;
}

/** A position in the user's files; `lines` maps lines of the action's text to the lines that they were made from. */
export interface Site {
  readonly file: string;
  readonly line: number;
  readonly lines?: readonly (readonly [textLine: number, file: string, line: number, col: number])[];
  /** The text was copied from the user's file unchanged, so messages can be shown at the original position. */
  readonly verbatim?: true;
}

/** Name of an action for display. */
export function titleOf({ title, step, address }: Action): string {
  return title ?? `${step} ${address}`;
}

/** What a step's function gets. It must not read anything else. */
export interface StepContext {
  readonly action: Action;
  /** Absolute path of a declared input, by name. Read-only. */
  input(name: string): string;
  readInput(name: string): Promise<Buffer>;
  /** Absolute path to write a declared output to, by name. */
  output(name: string): string;
  writeOutput(name: string, bytes: string | Uint8Array): Promise<void>;
  /** Absolute project root, for steps that discover inputs (preprocessing). */
  readonly root: string;
  /** Declares an input found while running. `file` is relative to the project or, for a system file, absolute. */
  discover(file: string): void;
  /** Declares a name that was looked for and not found: if it appears, the action is stale. */
  discoverMissing(file: string): void;
  /** Reports progress to the UI: a phase, and a fraction where known. */
  progress(phase: string, fraction?: number): void;
  /** Adds to the action's log (stored with the result, shown again on a cache hit). */
  log(text: string): void;
  /**
   * Runs a process of the action; it is killed with the action. stdout and stderr are captured; `listen` receives them
   * piece by piece while the process runs.
   */
  spawn(
    command: Command,
    listen?: (text: string) => void,
  ): Promise<{ readonly code: number; readonly stdout: Buffer; readonly stderr: Buffer }>;
  readonly signal: AbortSignal;
}

/**
 * Result of a step. `fact: true` marks a failure that is a fact about the input (compile error, does not fit): it is
 * cached with its log. `fact: false` is the machine's fault (killed, disk full, licence): never cached.
 */
export type StepResult =
  /**
   * `diagnostics`: warnings and remarks (`finding.ts`), stored with the result and shown again on a cache hit.
   */
  | { readonly ok: true; readonly diagnostics?: readonly Finding[] }
  | {
      readonly ok: false;
      readonly fact: boolean;
      readonly message: string;
      readonly diagnostics?: readonly Finding[];
    };

export interface Step {
  readonly name: string;
  /** Digest of everything that decides what the step does: its compiled code and the tables that it reads. */
  readonly digest: Digest;
  /** Typical duration of a run in seconds: used for scheduling until one was measured. */
  readonly typicalSeconds?: number;
  /** Its actions take so long that a superseded build still lets them finish. */
  readonly finish?: true;
  /**
   * What the user can do when a command did not write an output; absent if the step, not the user, declared the output.
   */
  readonly missingOutputRemedy?: string;
  /** Its processes open or look at every file whose path they resolve, as compilers and linkers do. */
  readonly opensWhatItResolves?: true;
  /** Absent for steps that only run a command: their result is the exit code. */
  run?(context: StepContext): Promise<StepResult>;
}

/**
 * Pure function from an action and its outputs to further actions. Its result is kept in the build database, so that a
 * no-op build skips it.
 */
export interface Expansion {
  readonly rule: string;
  readonly digest: Digest;
  expand(action: Action, read: (output: string) => Promise<Buffer>): Promise<readonly Action[]>;
}

export interface Registry {
  readonly steps: ReadonlyMap<string, Step>;
  readonly expansions: ReadonlyMap<string, Expansion>;
  /** Loads the whole registry, if this is only the part that loads quickly. */
  readonly rest?: () => Promise<Registry>;
}
