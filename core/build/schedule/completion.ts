/** Completion of actions: materializes and records results, expands the graph, and reports failures. */

import type { ActionStates } from "../graph/action-states.ts";
import type { Graph, Node } from "../graph/graph.ts";
import type { ActionOutcome } from "../graph/outcome.ts";
import type { Wanted } from "../graph/wanted.ts";
import { type ActionResult, outputOf } from "../key/result.ts";
import { type Action, type Address, titleOf } from "../model/action.ts";
import { describeError, EngineError, isBlobLost } from "../model/error.ts";
import type { Event, Reason } from "../model/event.ts";
import type { Finding } from "../model/finding.ts";
import { errnoOf } from "../model/system-error.ts";
import type { Placed } from "../run/execute.ts";
import type { Decision } from "../state/decide.ts";
import type { Leftovers } from "../state/leftovers.ts";
import type { State } from "../state/state.ts";
import type { Priorities } from "./critical-path.ts";
import type { Delivery } from "./delivery.ts";
import type { DependencyTracker } from "./dependency-tracker.ts";
import type { DryRun } from "./dry-run.ts";
import type { GraphExpander } from "./graph-expander.ts";
import type { Retries } from "./retry.ts";

interface Failure {
  readonly message: string;
  readonly log?: string;
  /** The result was known before. */
  readonly cached?: boolean;
  readonly seconds?: number;
  readonly diagnostics?: readonly Finding[];
  readonly read?: readonly string[];
}

/** The build that the actions belong to. */
interface CompletionSite {
  readonly state: State;
  readonly graph: Graph;
  readonly states: ActionStates;
  readonly progress: DependencyTracker;
  readonly wanted: Wanted;
  readonly growth: GraphExpander;
  readonly priorities: Priorities;
  readonly delivery: Delivery;
  readonly leftovers: Leftovers;
  readonly retries: Retries;
  readonly dryRun: DryRun | undefined;
  readonly emit: (event: Event) => void;
  /** Makes the build wait for background work. */
  readonly after: (work: Promise<void>) => void;
  /** Called for each failure, after the action's consumers were notified. */
  readonly onFailure: (address: Address) => void;
}

export class Completion {
  readonly #site: CompletionSite;

  constructor(site: CompletionSite) {
    this.#site = site;
  }

  /** Materializes a result and completes the action; false if that was impossible. */
  take(
    action: Action,
    decision: Decision,
    result: ActionResult,
    how: "ran" | "cached" | "remote" | "up-to-date",
    why: Reason | undefined,
    placed?: Placed,
  ): boolean {
    const { address } = action;
    const { key, seconds, diagnostics } = result;
    const reason = why === undefined ? {} : { reason: why };
    try {
      this.#refuseLeftovers(address, result);
    } catch (error) {
      this.failBy(action, error, seconds);
      return false;
    }
    let unchanged = false;
    if (how !== "up-to-date") {
      const before = this.#site.state.action(address)?.result;
      unchanged = how === "ran" && before !== undefined && sameOutputs(before, result);
      const log = how === "ran" ? "" : this.#site.delivery.readLog(result);
      if (log !== "") this.#site.emit({ type: "log", address, text: log });
      try {
        if (how !== "ran") this.#site.delivery.claim(action);
        this.#site.delivery.place(action, result, placed);
      } catch (error) {
        // The store lost the result between look-up and copy, or it was damaged: it is made again.
        if (how !== "ran" && isBlobLost(error))
          this.#site.progress.decide(this.#site.graph.indexOf(action.address));
        else this.failBy(action, error, seconds);
        return false;
      }
      this.#site.delivery.remember(action, decision, result, why);
    }
    this.#site.emit({
      type: "done",
      address,
      key,
      how,
      seconds,
      ...(unchanged ? { unchanged } : {}),
      ...(diagnostics === undefined ? {} : { diagnostics }),
    });
    this.finish(action, { address, status: "done", how, result, ...reason });
    return true;
  }

  #refuseLeftovers(address: Address, { discovered }: ActionResult): void {
    if (discovered === undefined) return;
    const { leftovers, state } = this.#site;
    const before = state.action(address)?.result.discovered;
    leftovers.refuseFound(discovered, before, address);
  }

  /** Settles an action after its expansion was added to the graph. */
  finish(action: Action, outcome: ActionOutcome): void {
    if (action.expand === undefined)
      this.#site.progress.settle(this.#site.graph.indexOf(action.address), outcome);
    else {
      this.#site.states.move(this.#site.graph.indexOf(action.address), "expanding");
      this.#site.after(this.#expand(action, outcome));
    }
  }

  async #expand(action: Action, outcome: ActionOutcome): Promise<void> {
    const { address } = action;
    let nodes: Node[] | undefined;
    try {
      nodes = await this.#site.growth.expand(action, outcome.result as ActionResult);
    } catch (error) {
      if (isBlobLost(error)) this.failIf(action, this.#site.retries.outputsLost(action, error));
      else this.failBy(action, error);
      return;
    }
    if (nodes !== undefined) {
      const actions = nodes.map((node) => node.action);
      const fresh = this.#site.wanted.grown(actions.map((added) => added.address));
      this.#site.priorities.forget();
      this.#site.emit({ type: "expanded", address, actions, total: this.#site.wanted.size });
      for (const added of fresh) this.#site.progress.activate(added);
    }
    this.#site.progress.settle(this.#site.graph.indexOf(action.address), outcome);
  }

  /** Turns an error of the engine or the file system into a failure; anything else is a bug. */
  failBy(action: Action, error: unknown, seconds = 0): void {
    if (!(error instanceof EngineError) && errnoOf(error) === undefined) throw error;
    this.fail(action, { message: describeError(error), seconds });
  }

  failIf(action: Action, message: string | undefined, seconds = 0): void {
    if (message !== undefined) this.fail(action, { message, seconds });
  }

  /** Fails an action whose result is a failure. */
  failFor(action: Action, decision: Decision, result: ActionResult, why: Reason, cached: boolean): void {
    this.#site.delivery.remember(action, decision, result, why);
    const { failure, seconds, discovered } = result;
    const read = [...(discovered?.missing ?? []), ...(discovered?.files ?? []).map(([file]) => file)];
    this.fail(action, {
      message: "",
      ...failure,
      log: this.#site.delivery.readLog(result),
      cached,
      seconds,
      read,
    });
  }

  fail(action: Action, failure: Failure): void {
    const { address } = action;
    const { message, log = "", cached = false, seconds = 0, diagnostics, read = [] } = failure;
    if (this.#site.dryRun !== undefined) {
      this.#site.dryRun.plan(action, { verdict: "failed", message });
      return;
    }
    this.#site.emit({
      type: "failed",
      address,
      title: titleOf(action),
      message,
      log,
      cached,
      seconds,
      ...(diagnostics === undefined ? {} : { diagnostics }),
    });
    this.#site.progress.settle(this.#site.graph.indexOf(action.address), {
      address,
      status: "failed",
      message,
      ...(read.length === 0 ? {} : { read }),
    });
    this.#site.onFailure(address);
  }
}

function sameOutputs(before: ActionResult, after: ActionResult): boolean {
  return (
    before.outputs.length === after.outputs.length &&
    after.outputs.every((output) => outputOf(before, output.name)?.digest === output.digest)
  );
}
