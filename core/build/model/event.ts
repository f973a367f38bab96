/** The engine's one typed event stream. The engine prints nothing; the UI, the plain log and JSON output subscribe. */
import type { Action, Address, Digest } from "./action.ts";
import type { Finding } from "./finding.ts";

export type Event =
  /** The graph is known as far as possible; `total` grows with `expanded`. */
  | { readonly type: "start"; readonly total: number; readonly time: number }
  | {
      readonly type: "expanded";
      readonly address: Address;
      readonly actions: readonly Action[];
      readonly total: number;
    }
  | { readonly type: "ready"; readonly address: Address }
  /** Another process runs the same action: this one waits for its result. `by` names the process. */
  | { readonly type: "elsewhere"; readonly address: Address; readonly title: string; readonly by: string }
  /** Why it runs: the first reason found by the walk that computed the key. */
  | {
      readonly type: "running";
      readonly address: Address;
      readonly step: string;
      readonly title: string;
      readonly reason: Reason;
      /** Milliseconds since the epoch. */
      readonly time: number;
      /** Expected duration in seconds, from earlier runs. */
      readonly expected?: number;
      /** `expected` is only the typical duration of the step: this action never ran. */
      readonly guess?: true;
      /** Seconds of work left if only the number of processors limited it; set where requested. */
      readonly work?: number;
      /** Duration of the longest chain of actions after this one, in seconds. */
      readonly behind?: number;
    }
  /** Dry run: what a build would do. `unknown`: an action before it would run, so its inputs are not known. */
  | {
      readonly type: "planned";
      readonly address: Address;
      readonly title: string;
      readonly verdict: Verdict;
      readonly reason?: Reason;
      readonly because?: Address;
      /** Why it would fail. */
      readonly message?: string;
    }
  | {
      readonly type: "progress";
      readonly address: Address;
      readonly phase: string;
      readonly fraction?: number;
    }
  | { readonly type: "log"; readonly address: Address; readonly text: string }
  | {
      readonly type: "done";
      readonly address: Address;
      readonly key: Digest;
      readonly how: "ran" | "cached" | "remote" | "up-to-date";
      readonly seconds: number /** outputs' bytes equal the previous ones: the rebuild stops here */;
      readonly unchanged?: boolean;
      /** Warnings and remarks of the run that made the result. */
      readonly diagnostics?: readonly Finding[];
    }
  | {
      readonly type: "failed";
      readonly address: Address;
      readonly title: string;
      readonly message: string;
      readonly log: string;
      readonly cached: boolean;
      readonly diagnostics?: readonly Finding[];
      readonly seconds: number;
    }
  | {
      readonly type: "skipped";
      readonly address: Address;
      readonly reason: string /** the failed or skipped action it needs */;
      readonly because?: Address;
    }
  /** A failed action is tried again on request; the actions skipped because of it wait again. */
  | { readonly type: "retried"; readonly address: Address; readonly freed: readonly Address[] }
  /** What a traced action read and wrote beside what it declares. */
  | { readonly type: "undeclared"; readonly files: Undeclared }
  | { readonly type: "warning"; readonly message: string }
  | {
      readonly type: "end";
      readonly ok: boolean;
      readonly interrupted: boolean;
      readonly seconds: number;
      readonly counts: Counts;
    };

/** Paths are relative to the project, or absolute if outside of it. */
export interface Undeclared {
  readonly address: Address;
  readonly reads: readonly string[];
  /** Paths that do not exist, or not in the folder that the action ran in. */
  readonly lookedFor: readonly string[];
  readonly writes: readonly string[];
  /** Reasons why the list may be incomplete. */
  readonly unseen: readonly string[];
}

export type Verdict = "up-to-date" | "cached" | "failed" | "run" | "unknown" | "skip";

export interface Counts {
  readonly ran: number;
  /** Results taken from the local store. */
  readonly cached: number;
  /** Results taken from the shared cache. */
  readonly remote: number;
  readonly upToDate: number;
  readonly failed: number;
  readonly skipped: number;
}

export type Reason =
  | { readonly kind: "never-built" }
  | {
      readonly kind: "input-changed";
      readonly input: string;
      readonly before?: Digest;
      readonly after?: Digest /** the action that made it */;
      readonly by?: Address;
    }
  | { readonly kind: "input-added" | "input-removed"; readonly input: string }
  | {
      readonly kind: "tool-changed";
      readonly tool: string;
      readonly before?: string;
      readonly after?: string;
    }
  | { readonly kind: "step-changed" | "options-changed" | "environment-changed"; readonly detail?: string }
  | { readonly kind: "output-missing" | "output-changed"; readonly output: string }
  /** `hit-checked`: its result is known, and is compared with that of another run. */
  | { readonly kind: "forced" | "not-cacheable" | "hit-checked" };
