/**
 * Actions marked `finish` in one build: they go on when the build is superseded, and a later build can share their run.
 */

import type { ActionResult } from "../key/result.ts";
import type { Event } from "../model/event.ts";
import type { Execution } from "../run/execute.ts";
import type { DetachedRun, DetachedRuns } from "./detached-runs.ts";

interface Stops {
  /** Aborts everything that the build started. */
  readonly abort: AbortSignal;
  /** Aborts everything except actions marked `finish`; also aborted together with `abort`. */
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

  /** Runs that this build started and that have not ended. */
  get runs(): Iterable<DetachedRun> {
    return this.#runs;
  }

  /** Waits for a run. Undefined if the build was superseded: the run continues, and `keep` receives its result. */
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

  /**
   * Waits for a run left by an earlier build and receives its events. Undefined when this build was superseded, too.
   */
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
