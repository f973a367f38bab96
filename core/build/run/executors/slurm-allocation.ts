/** One allocation of CPUs for many short processes, made when the first needs it. */
import { isForgotten, type SlurmClient } from "./slurm-client.ts";
import { verdictOf } from "./slurm-states.ts";

export class SlurmAllocation {
  readonly #slurm: SlurmClient;
  readonly #options: readonly string[];
  readonly #closed = new AbortController();
  #granted: Promise<string> | undefined;

  /** `options` are salloc's. */
  constructor(slurm: SlurmClient, options: readonly string[]) {
    this.#slurm = slurm;
    this.#options = options;
  }

  /** Slurm's id of it, or undefined if `signal` comes first; another one is asked for after a failure. */
  async id(signal: AbortSignal): Promise<string | undefined> {
    this.#granted ??= this.#slurm.allocate(this.#options, this.#closed.signal);
    const granted = this.#granted;
    const known = granted.catch((error: unknown) => {
      if (this.#granted === granted) this.#granted = undefined;
      throw error;
    });
    // Slurm may grant it in hours; others may still wait for it.
    return new Promise((resolve, reject) => {
      const onAbort = (): void => resolve(undefined);
      signal.addEventListener("abort", onAbort, { once: true });
      known.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
    });
  }

  /** To be called when a step in it was lost: it may have come to its end, as its partition limits its time. */
  async lookAfter(id: string): Promise<void> {
    const state = await this.#slurm.look([id]).then(
      (looks) => looks.get(id)?.state,
      (error: unknown) => (isForgotten(error) ? undefined : "UNKNOWN"),
    );
    const isOver = verdictOf(state, () => "") !== "going-on";
    if (isOver && (await this.#granted) === id) this.#granted = undefined;
  }

  /** Its id, for giving it back; it is asked for no longer. */
  async left(): Promise<readonly string[]> {
    this.#closed.abort();
    return (
      this.#granted?.then(
        (id) => [id],
        () => [],
      ) ?? []
    );
  }
}
