/**
 * Cancelling single actions, by position in the graph: how a running one is stopped, and which are to be tried again.
 */

/** Stops a running action; released when the action has ended. */
interface Stop {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

export class Cancellations {
  /** Whether single actions can be cancelled; if not, all actions of the build share one signal. */
  readonly #isCancellable: boolean;
  readonly #running = new Map<number, AbortController>();
  readonly #cancelled = new Set<number>();
  readonly #again = new Set<number>();

  constructor(isCancellable: boolean) {
    this.#isCancellable = isCancellable;
  }

  /**
   * Registers an action that starts; it stops with the build or when cancelled. With `own` it does not stop with the
   * build.
   */
  begin(index: number, build: AbortSignal, own?: AbortController): Stop {
    this.#cancelled.delete(index);
    if (!this.#isCancellable) return { signal: own?.signal ?? build, release: () => {} };
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

  /** Registers an action that already runs for an earlier build. */
  join(index: number, abort: AbortController): () => void {
    this.#running.set(index, abort);
    return () => this.#running.delete(index);
  }

  /** Returns whether it was running. */
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

  /** Whether it was cancelled; clears that mark. */
  forget(index: number): boolean {
    return this.#cancelled.delete(index);
  }

  tryAgain(index: number): void {
    this.#cancelled.delete(index);
    this.#again.add(index);
  }

  isRetried(index: number): boolean {
    return this.#again.has(index);
  }
}
