/** Requests to a running build from whoever watches it. */
import type { Address } from "../model/action.ts";

/** A running build. */
interface RunningBuild {
  cancel(address: Address): boolean;
  retry(address: Address): boolean;
}

export class BuildRequests {
  #build: RunningBuild | undefined;

  /** Stops one action. Actions that need it are skipped; everything else continues. False: it does not run. */
  cancel(address: Address): boolean {
    return this.#build?.cancel(address) ?? false;
  }

  /**
   * Tries a failed action again, with everything skipped because of it. False: it did not fail, or the build is ending.
   */
  retry(address: Address): boolean {
    return this.#build?.retry(address) ?? false;
  }

  /** Directs requests to this build until the returned function is called. */
  serve(build: RunningBuild): () => void {
    this.#build = build;
    return () => {
      if (this.#build === build) this.#build = undefined;
    };
  }
}
