/**
 * Actions as data: what the engine runs, keys, caches and explains. The engine knows nothing of C or
 * FPGAs; it knows named steps, bytes in, bytes out.
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
  /** Where the user finds it, relative to the project root; absent: only in the store. */
  readonly place?: string;
  /** Of a file: the user may execute it; `as-written`: if it could be executed where it was written. */
  readonly executable?: true | "as-written";
  /** The step may leave it out (an optional report). */
  readonly optional?: true;
}

/** A tool as part of a key: never by path. */
export interface ToolIdentity {
  readonly name: string;
  /** Version output and digests of the executables that do the work. */
  readonly digest: Digest;
  /** For people: `gcc 12.2.0`. */
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
  /** argv[0] is found on PATH unless absolute; arguments are relative to the staging folder. */
  readonly argv: readonly string[];
  /** Added to PATH, HOME, TMPDIR, LANG=C; part of the key. */
  readonly env?: Readonly<Record<string, string>>;
  /** Part of the environment that must not be keyed (licence servers, proxies). */
  readonly passEnv?: readonly string[];
  /** Output that receives stdout (a declared output name). */
  readonly stdout?: string;
  /** Exit codes that are success; default [0]. */
  readonly ok?: readonly number[];
  /** Then it is stopped; that is the machine's fault, never cached. */
  readonly timeoutSeconds?: number;
  /** Address space of each of its processes; a failure under a limit is never cached. */
  readonly memoryLimitBytes?: number;
  /** Run in the project folder instead of a staging folder (preprocessing: headers are discovered). */
  readonly inProject?: true;
}

export interface Action {
  readonly address: Address;
  /** Registered step: its digest is in the key, its function runs the action unless `command` is set. */
  readonly step: string;
  /** Canonical options, in the key. */
  readonly options?: Json;
  readonly command?: Command;
  readonly tools?: readonly ToolIdentity[];
  readonly inputs: readonly ActionInput[];
  readonly outputs: readonly ActionOutput[];
  readonly resources?: Resources;
  /** Where its processes run, when nothing else decides that: name of an executor. */
  readonly executor?: string;
  /** It takes so long that a build that gives way to a newer one lets it finish. */
  readonly finish?: true;
  /** False: consumers are keyed on this action's key, not on its output bytes. Default true. */
  readonly deterministic?: boolean;
  /** False: always run (a program run whose output is looked at). Default true. */
  readonly cache?: boolean;
  /** When the outputs are known, this registered expansion adds actions; `promises` are the ones
   * that others may already name. */
  readonly expand?: { readonly rule: string; readonly promises: readonly Address[] };
  /** The action succeeds though the tool is missing: `skip` is the reason, outputs do not exist, and
   * everything that depends on it is skipped for the same reason. */
  readonly skip?: string;
  /** The place in the user's files that it is about, for messages: in no key. */
  readonly site?: Site;
  /** What the UI calls it: `translate src/a.c`. */
  readonly title?: string;
}

/** A place in the user's files; `lines` are, for lines of the action's text, those that they were made from. */
export interface Site {
  readonly file: string;
  readonly line: number;
  readonly lines?: readonly (readonly [textLine: number, file: string, line: number, col: number])[];
  /** The text is the user's own, taken out of the file: messages are as they would be there. */
  readonly verbatim?: true;
}

/** What to call an action before people. */
export function titleOf({ title, step, address }: Action): string {
  return title ?? `${step} ${address}`;
}

/** What a step's function gets. It must read nothing else. */
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
  /** An input found while running. `file` is project-relative or, for a file of the system, absolute. */
  discover(file: string): void;
  /** A name that was looked for and not found: should it appear, the action is stale. */
  discoverMissing(file: string): void;
  /** Progress for the UI: a phase, and a fraction where known. */
  progress(phase: string, fraction?: number): void;
  /** Text for the action's log (stored with the result, replayed on a hit). */
  log(text: string): void;
  /**
   * Runs a process of the action, killed with it. stdout and stderr are captured; `listen` gets what they say
   * meanwhile, in pieces.
   */
  spawn(
    command: Command,
    listen?: (text: string) => void,
  ): Promise<{ readonly code: number; readonly stdout: Buffer; readonly stderr: Buffer }>;
  readonly signal: AbortSignal;
}

/**
 * A step's verdict. `failed` with `fact: true` is a fact about the input (compile error, does not
 * fit): cached with its log. `fact: false` is the machine's fault (killed, disk full, licence):
 * never cached.
 */
export type StepResult =
  /** `diagnostics`: warnings and remarks as `records/finding.ts` has them, kept with the result and told again on a hit. */
  | { readonly ok: true; readonly diagnostics?: readonly Finding[] }
  | {
      readonly ok: false;
      readonly fact: boolean;
      readonly message: string;
      readonly diagnostics?: readonly Finding[];
    };

export interface Step {
  readonly name: string;
  /** Digest of everything that decides what the step does: its built code, tables it reads. */
  readonly digest: Digest;
  /** What a run usually takes, in seconds: the schedule's guess before anything was measured. */
  readonly typicalSeconds?: number;
  /** Its actions take so long that a build that gives way to a newer one lets them finish. */
  readonly finish?: true;
  /** What the user can do when a command left an output out; absent where the step, not the user, declared it. */
  readonly missingOutputRemedy?: string;
  /** Absent for pure `command` steps, whose result is the exit code. */
  run?(context: StepContext): Promise<StepResult>;
}

/** Pure: from an action and its outputs to further actions. Kept in the state, so a no-op skips it. */
export interface Expansion {
  readonly rule: string;
  readonly digest: Digest;
  expand(action: Action, read: (output: string) => Promise<Buffer>): Promise<readonly Action[]>;
}

export interface Registry {
  readonly steps: ReadonlyMap<string, Step>;
  readonly expansions: ReadonlyMap<string, Expansion>;
  /** The whole registry, where this is only the part that is quick to load. */
  readonly rest?: () => Promise<Registry>;
}
