/** What is to finish, in one build: it is left to go on when the build gives way, and shared when an earlier one left it. */

import type { ActionResult } from "../key/result.ts";
import type { Event } from "../model/event.ts";
import type { Execution } from "../run/execute.ts";
import type { DetachedRun, DetachedRuns } from "./detached-runs.ts";

export interface Stops {
  /** Of all that the build started. */
  readonly abort: AbortSignal;
  /** Of all but what is to finish; given with `abort`, too. */
  readonly giveWay: AbortSignal;
}

export class Finishing {
  readonly #detached: DetachedRuns;
  readonly #stops: Stops;
  readonly #runs = new Set<DetachedRun>();

  constructor(background: DetachedRuns, stops: Stops) {
    this.#detached = background;
    this.#stops = stops;
  }

  /** Those that this build started and that have not ended. */
  get runs(): Iterable<DetachedRun> {
    return this.#runs;
  }

  /** Undefined when the build gave way: the run goes on without it, and `keep` is given its result. */
  async orLeave(run: DetachedRun, keep: (result: ActionResult) => void): Promise<Execution | undefined> {
    const { abort, giveWay } = this.#stops;
    this.#runs.add(run);
    const left = new Promise<undefined>((resolve) => {
      const leave = (): void => {
        if (abort.aborted) run.abort.abort();
        else {
          this.#detached.add(run, keep);
          resolve(undefined);
        }
      };
      giveWay.addEventListener("abort", leave, { once: true });
    });
    const execution = await Promise.race([run.execution, left]);
    this.#runs.delete(run);
    return execution;
  }

  /** Waits for a run that an earlier build left, and hears of it meanwhile. Undefined when this build gave way, too. */
  async share(run: DetachedRun, emit: (event: Event) => void): Promise<Execution | undefined> {
    run.emit = emit;
    const gaveWay = new Promise<undefined>((resolve) => {
      this.#stops.giveWay.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    const execution = await Promise.race([run.execution, gaveWay]);
    run.emit = () => {};
    return execution;
  }
}
