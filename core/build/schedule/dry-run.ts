/** Dry run: makes the same decisions as a build and reports them instead of acting. */

import type { Graph } from "../graph/graph.ts";
import type { ActionOutcome } from "../graph/outcome.ts";
import { type Action, type Address, titleOf } from "../model/action.ts";
import type { Event, Reason, Verdict } from "../model/event.ts";
import type { Decision } from "../state/decide.ts";
import type { DependencyTracker } from "./dependency-tracker.ts";

interface Plan {
  readonly verdict: Verdict;
  readonly reason?: Reason;
  /** The action that must run before anything is known. */
  readonly because?: Address;
  /** Why it would fail. */
  readonly message?: string;
}

export class DryRun {
  readonly #graph: Graph;
  readonly #tracker: DependencyTracker;
  readonly #emit: (event: Event) => void;

  constructor(graph: Graph, progress: DependencyTracker, emit: (event: Event) => void) {
    this.#graph = graph;
    this.#tracker = progress;
    this.#emit = emit;
  }

  /** An outcome for an action that would not run, and may expand; an action that would run or fail is settled. */
  decided(action: Action, { verdict }: Decision): ActionOutcome | undefined {
    const { address } = action;
    if (verdict.kind === "run" || verdict.kind === "failed") {
      this.plan(action, { verdict: verdict.kind, reason: verdict.reason });
      return undefined;
    }
    const reason = verdict.kind === "cached" ? { reason: verdict.reason } : {};
    this.#report(address, titleOf(action), { verdict: verdict.kind, ...reason });
    return { address, status: "planned", verdict: verdict.kind, result: verdict.result, ...reason };
  }

  /** Settles an action whose outputs stay unknown, and everything that it promised. */
  plan(action: Action, plan: Plan): void {
    const { address } = action;
    const { because: _, ...rest } = plan;
    this.#report(address, titleOf(action), plan);
    this.#tracker.settle(this.#graph.indexOf(address), { address, status: "planned", ...rest });
    for (const promised of action.expand?.promises ?? []) {
      if (this.#graph.has(promised)) continue;
      this.#report(promised, promised, { verdict: "unknown", because: address });
      this.#tracker.settlePromise(promised);
    }
  }

  #report(address: Address, title: string, plan: Plan): void {
    this.#emit({ type: "planned", address, title, ...plan });
  }
}
