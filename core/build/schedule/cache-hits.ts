/** Results that are known without a run: where they come from, and those that are run again before they are used. */
import type { FileTable } from "../files/files.ts";
import type { Node } from "../graph/graph.ts";
import type { ActionResult } from "../key/result.ts";
import type { Action, Address, Registry, Step } from "../model/action.ts";
import type { Event, Reason } from "../model/event.ts";
import type { RemoteCache } from "../remote/remote.ts";
import type { Execution } from "../run/execute.ts";
import { type Decision, isBelieved, stillHolds } from "../state/decide.ts";
import type { ActionLog } from "../store/action-cache.ts";
import type { ContentStore } from "../store/store.ts";
import type { Completion } from "./completion.ts";
import type { Delivery } from "./delivery.ts";
import { type CheckedHit, differenceFrom, type HitChecks } from "./hit-check.ts";

interface HitSite {
  readonly files: FileTable;
  readonly store: ContentStore;
  readonly log: ActionLog;
  readonly registry: Registry;
  readonly passes?: true;
}

/** The build that the hits belong to. */
interface HitBuild {
  readonly completion: Completion;
  readonly delivery: Delivery;
  readonly emit: (event: Event) => void;
  /** Finds the action that still has to write a path where the action's headers may be. */
  readonly awaitedBy: (address: Address) => (path: string) => Address | undefined;
  /** Runs an action although its result is known. */
  readonly runAgain: (node: Node, decision: Decision) => void;
}

export class CacheHits {
  readonly #checks: HitChecks;
  readonly #site: HitSite;
  readonly #build: HitBuild;
  /** Hits that are or were run again, by position of their actions. */
  readonly #checked = new Map<number, CheckedHit>();

  constructor(checks: HitChecks, site: HitSite, build: HitBuild) {
    this.#checks = checks;
    this.#site = site;
    this.#build = build;
  }

  /** Takes a hit, at once or after it was run again. */
  take(node: Node, decision: Decision, hit: CheckedHit, reason: Reason): void {
    const { action, index } = node;
    const step = this.#site.registry.steps.get(action.step) as Step;
    if (this.#checked.has(index) || !this.#checks.isChosen(action, step, hit.result)) {
      this.#use(action, decision, hit, reason);
      return;
    }
    this.#checked.set(index, hit);
    // Other actions with this key take the hit; they do not wait for this run.
    this.#build.runAgain(node, { ...decision, verdict: { kind: "cached", result: hit.result, reason } });
  }

  /** The hit that a run of the action is to be compared with. */
  checkedBy(index: number): CheckedHit | undefined {
    return this.#checked.get(index);
  }

  /** Reports a run whose result differs from the cache hit; the hit is used. */
  endCheck(action: Action, decision: Decision, hit: CheckedHit, execution: Execution): void {
    const difference =
      execution.kind === "interrupted" ? undefined : differenceFrom(hit, action, execution, this.#site.store);
    if (difference !== undefined) this.#build.emit({ type: "warning", message: difference });
    const reason = decision.verdict.kind === "cached" ? decision.verdict.reason : undefined;
    this.#use(action, decision, hit, reason);
  }

  #use(action: Action, decision: Decision, { result, how }: CheckedHit, reason: Reason | undefined): void {
    const isAccepted = this.#build.completion.take(action, decision, result, how, reason);
    // A result that cannot be materialized is not kept.
    if (isAccepted && how === "remote") this.#build.delivery.cache(result);
  }

  /** A result of the shared cache whose bytes are here now. */
  async fetch(action: Action, { base }: Decision, remote: RemoteCache): Promise<ActionResult | undefined> {
    for (const result of await remote.candidates(action, base))
      if (this.#holds(result, action) && (await remote.fetch(result))) return result;
    return undefined;
  }

  /** Asks the store again: while the action was queued its result may have been made, also by another arc. */
  wasMadeMeanwhile(action: Action, { base, verdict }: Decision): boolean {
    // The result was known, but the store had lost its bytes.
    if (verdict.kind === "run" && verdict.reason.kind === "output-missing") return false;
    for (const result of this.#site.log.candidates(base, action))
      if (isBelieved(result, action, this.#site) && this.#holds(result, action)) return true;
    return false;
  }

  #holds(result: ActionResult, { address }: Action): boolean {
    return stillHolds(result, this.#site.files, this.#build.awaitedBy(address));
  }
}
