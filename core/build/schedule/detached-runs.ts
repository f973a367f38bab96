/**
 * Runs left by a build that was superseded: an action that takes hours goes on beside the builds that follow. A build
 * that wants the same result waits for it; for others its memory and tokens are taken.
 */

import type { ActionResult } from "../key/result.ts";
import type { Action, Digest } from "../model/action.ts";
import type { Event } from "../model/event.ts";
import type { Execution } from "../run/execute.ts";
import type { Executor } from "../run/executor.ts";

/** A run of an action marked `finish` that has not ended. */
export interface DetachedRun {
  readonly action: Action;
  readonly base: Digest;
  readonly executor: Executor;
  /** Wall clock in ms. */
  readonly startedAt: number;
  readonly abort: AbortController;
  /** Never rejects because of what the action does. */
  readonly execution: Promise<Execution>;
  /** Receives the run's events. */
  emit: (event: Event) => void;
}

export class DetachedRuns {
  readonly #runs = new Map<Digest, DetachedRun>();
  #unpublished: ActionResult[] = [];

  /** The current runs. */
  get runs(): Iterable<DetachedRun> {
    return this.#runs.values();
  }

  /** The run that will produce the result for a base key. */
  find(base: Digest): DetachedRun | undefined {
    return this.#runs.get(base);
  }

  /** Takes over a run; `keep` stores its result for later builds. */
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

  /** Returns the results not published to a shared cache yet, and forgets them. */
  takeUnpublished(): readonly ActionResult[] {
    return this.#unpublished.splice(0);
  }

  /** Resolves when all runs have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#runs.values()].map(({ execution }) => execution));
  }

  /** Stops all runs. */
  async stop(): Promise<void> {
    for (const { abort } of this.#runs.values()) abort.abort();
    await this.ended();
  }
}
