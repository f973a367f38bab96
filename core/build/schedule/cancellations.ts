/** Of single actions, by position in the graph: what stops one that runs, which were cancelled, which are to be tried again. */

/** Stops an action that runs; released when it has ended. */
export interface Stop {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

export class Cancellations {
  /** Whether anybody can cancel a single action; without, all of a build's actions stop by one signal. */
  readonly #isAsked: boolean;
  readonly #running = new Map<number, AbortController>();
  readonly #cancelled = new Set<number>();
  readonly #again = new Set<number>();

  constructor(isAsked: boolean) {
    this.#isAsked = isAsked;
  }

  /** Of an action that starts: by the build's signal, or by whoever cancels it. `own`: it does not stop with the build. */
  begin(index: number, build: AbortSignal, own?: AbortController): Stop {
    this.#cancelled.delete(index);
    if (!this.#isAsked) return { signal: own?.signal ?? build, release: () => {} };
    const abort = own ?? new AbortController();
    const onBuildStop = (): void => abort.abort();
    if (own === undefined) {
      build.addEventListener("abort", onBuildStop, { once: true });
      if (build.aborted) abort.abort();
    }
    this.#running.set(index, abort);
    return {
      signal: abort.signal,
      release: () => {
        this.#running.delete(index);
        build.removeEventListener("abort", onBuildStop);
      },
    };
  }

  /** Of an action that runs already, for an earlier build. */
  join(index: number, abort: AbortController): () => void {
    this.#running.set(index, abort);
    return () => this.#running.delete(index);
  }

  /** Whether it ran. */
  cancel(index: number): boolean {
    const abort = this.#running.get(index);
    if (abort === undefined) return false;
    this.#cancelled.add(index);
    abort.abort();
    return true;
  }

  wasCancelled(index: number): boolean {
    return this.#cancelled.has(index);
  }

  /** Whether it was cancelled, which then is forgotten. */
  forget(index: number): boolean {
    return this.#cancelled.delete(index);
  }

  tryAgain(index: number): void {
    this.#cancelled.delete(index);
    this.#again.add(index);
  }

  isTriedAgain(index: number): boolean {
    return this.#again.has(index);
  }
}
