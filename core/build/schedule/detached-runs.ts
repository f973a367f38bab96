/**
 * Runs that a build left when it gave way to a newer one: what takes hours goes on beside the builds that
 * follow. A build that wants the same result waits for it; others only do without its memory and tokens.
 */

import type { ActionResult } from "../key/result.ts";
import type { Action, Digest } from "../model/action.ts";
import type { Event } from "../model/event.ts";
import type { Execution } from "../run/execute.ts";
import type { Executor } from "../run/executor.ts";

/** The run of an action that is to finish, while it has not. */
export interface DetachedRun {
  readonly action: Action;
  readonly base: Digest;
  readonly executor: Executor;
  /** Wall clock, in ms. */
  readonly startedAt: number;
  readonly abort: AbortController;
  /** Never rejects for what the action does. */
  readonly execution: Promise<Execution>;
  /** Where its events go now. */
  emit: (event: Event) => void;
}

export class DetachedRuns {
  readonly #runs = new Map<Digest, DetachedRun>();
  #unpublished: ActionResult[] = [];

  /** What runs now. */
  get runs(): Iterable<DetachedRun> {
    return this.#runs.values();
  }

  /** The run that will have the result for a base key. */
  find(base: Digest): DetachedRun | undefined {
    return this.#runs.get(base);
  }

  /** Takes a run over; `keep` puts its result where later builds find it. */
  add(run: DetachedRun, keep: (result: ActionResult) => void): void {
    run.emit = () => {};
    this.#runs.set(run.base, run);
    const onEnd = (execution: Execution): void => {
      this.#runs.delete(run.base);
      if (execution.kind !== "done") return;
      keep(execution.result);
      if (execution.result.failure === undefined) this.#unpublished.push(execution.result);
    };
    run.execution.then(onEnd, () => this.#runs.delete(run.base));
  }

  /** Results that no shared cache was told of yet. */
  takeUnpublished(): readonly ActionResult[] {
    return this.#unpublished.splice(0);
  }

  /** Until all have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#runs.values()].map(({ execution }) => execution));
  }

  /** Stops them all. */
  async stop(): Promise<void> {
    for (const { abort } of this.#runs.values()) abort.abort();
    await this.ended();
  }
}
