/** What the engine of one project offers, and with what it is made. */
import type { Check } from "./files/up-to-date.ts";
import type { BuildResult } from "./graph/build-result.ts";
import type { KeyParts } from "./key/key.ts";
import type { ActionResult } from "./key/result.ts";
import type { Action, Address, Digest, Registry, ToolIdentity } from "./model/action.ts";
import type { Reason } from "./model/event.ts";
import type { Environment, GivenNames } from "./model/variables.ts";
import type { RemoteOptions } from "./remote/remote.ts";
import type { ServerOptions } from "./remote/transport.ts";
import type { Executor, Limits } from "./run/executor.ts";
import type { BuildOptions } from "./schedule/build-options.ts";
import type { Words } from "./state/build-memory.ts";
import type { ToolRequest } from "./state/tool.ts";

export interface EngineOptions {
  /** The project's folder. */
  readonly root: string;
  /** The store's folder; projects may share it. */
  readonly store: string;
  /** Size limit of the store in bytes; entries that were not used for longest are removed first. Default: 50 GB. */
  readonly storeLimit?: number;
  /** The folder of the build database; default `.arc` in the root. */
  readonly state?: string;
  /** A folder of the project that belongs to arc alone: files in it may be replaced if the store has their bytes. */
  readonly outputFolder?: string;
  readonly registry: Registry;
  /** How many CPUs actions may use at the same time; default all. */
  readonly jobs?: number;
  /** Memory that running actions may use together, in bytes; default all memory. */
  readonly memory?: number;
  /** How many of each token exist; default one of each. */
  readonly tokens?: Readonly<Record<string, number>>;
  /** Limits for processes on this machine whose action sets none. */
  readonly limits?: Limits;
  /** Executors besides `local` (this machine); each gets a folder on the store's file system. */
  readonly executors?: readonly ((folder: string) => Executor)[];
  /** Name of the executor for an action's processes; undefined: the action's own, else `local`. */
  readonly executorOf?: (action: Action) => string | undefined;
  /** A cache shared with others. */
  readonly remote?: RemoteCacheOptions;
  /**
   * Path of bubblewrap, which then confines all processes (native/confinement.ts), also those that ask tools for
   * versions.
   */
  readonly bwrap?: string;
  /** Environment for actions; default: that of this process. */
  readonly environment?: Environment;
  /** Variables of the environment that all processes get, beside those that all actions have. */
  readonly given?: GivenNames;
}

export interface RemoteCacheOptions extends ServerOptions, Omit<RemoteOptions, "onTrouble"> {}

export interface EngineBuildOptions extends BuildOptions, Words {
  /**
   * Identifies the kind of call: version, targets, PATH and everything else that decides the graph, except the files
   * registered with `depend`. With it, `checkUpToDate` can answer the next call of the same kind.
   */
  readonly context?: string;
  /** The state's folder goes with this engine, and it builds no more: nothing is written for later builds. */
  readonly last?: true;
  /** In a resumed build, called with the actions that the changes can reach, before any event about them. */
  readonly onActions?: (actions: readonly Action[]) => void;
}

/** An output of a built action. */
export interface Output {
  readonly digest: Digest;
  readonly kind: "file" | "folder";
  readonly size: number;
  /** Path of the file's bytes, read-only; for a folder, path of the file that lists it. */
  readonly path: string;
}

export interface Explanation {
  readonly address: Address;
  readonly key: Digest;
  /** Why it last ran or was fetched from the cache. */
  readonly why?: Reason;
  readonly parts: KeyParts;
  readonly result: ActionResult;
}

export interface Engine {
  readonly root: string;
  /**
   * Brings a graph up to date. A project has one build at a time; others wait. Throws EngineError for a graph that
   * cannot be built.
   */
  build(graph: Iterable<Action>, options?: EngineBuildOptions): Promise<BuildResult>;
  /** What changed since the last successful build with this context. */
  check(context: string): Check;
  /**
   * Whether the last successful build with this context looked at any of these paths (relative to the root or absolute)
   * or at a folder around one. Undefined if there was no such build. If a check is given, only paths that changed after
   * it count.
   */
  lookedAt(context: string, paths: readonly string[], since?: Check): boolean | undefined;
  /**
   * Builds the graph of the last successful build of this kind of call again, but reads only what the changes found by
   * `check` can reach. Returns undefined when the graph itself may have changed. Without `targets` it builds what that
   * build wanted; if those targets were a function, pass it again, as new addresses have to be tested.
   */
  resume(check: Check, options?: EngineBuildOptions): Promise<BuildResult | undefined>;
  /**
   * Records that the graph depends on a path (arc.yaml, a globbed folder, a program that may appear), or only on
   * whether the path exists. The path is relative to the root or absolute. Call this before reading the path.
   */
  depend(path: string, on?: "content" | "existence"): void;
  /** A variable of the environment, on whose value the graph depends from now on. */
  variable(name: string): string | undefined;
  /** Where an output of the last build lies. Throws `not-built`. */
  path(address: Address, output: string): Output;
  /** The verified bytes of an output file. Throws `not-built`, `blob-missing` or `blob-corrupt`. */
  read(address: Address, output: string): Buffer;
  /** The log of an action's last run; empty when it wrote nothing. Throws `not-built`. */
  log(address: Address): string;
  /** What the build database knows about an action. Throws `not-built`. */
  explain(address: Address): Explanation;
  /** The actions that this action's expansion added when it was last built, as far as the build database has them. */
  grown(address: Address): readonly Action[];
  /**
   * Throws `tool-not-found` or `tool-failed`. Afterwards the graph depends on where the tool was found, or was missing.
   */
  identifyTool(request: ToolRequest): ToolIdentity;
  /**
   * What a program (an absolute path) prints; "" if it fails. Kept in the store while the program and what `dependsOn`
   * names for the answer stay as they are; not kept if that is undefined.
   */
  askTool(
    argv: readonly [program: string, ...args: string[]],
    dependsOn: (answer: string) => readonly string[] | undefined,
  ): string;
  /** Resolves when nothing runs any more that superseded builds left running. */
  idle(): Promise<void>;
  /** Stops what superseded builds left running and frees the engine's resources. No build may be in progress. */
  close(): Promise<void>;
}
