/** What the one who watches a build asks of it while it goes on. */
import type { Address } from "../model/action.ts";

/** A build that is under way. */
export interface Asked {
  cancel(address: Address): boolean;
  retry(address: Address): boolean;
}

export class BuildRequests {
  #build: Asked | undefined;

  /** Stops one action. What needs it is skipped, all else goes on. False: it does not run. */
  cancel(address: Address): boolean {
    return this.#build?.cancel(address) ?? false;
  }

  /** Tries a failed action again, and what was skipped for its sake. False: it did not fail, or the build comes to its end. */
  retry(address: Address): boolean {
    return this.#build?.retry(address) ?? false;
  }

  /** Asks this build from now on, until the returned function is called. */
  serve(build: Asked): () => void {
    this.#build = build;
    return () => {
      if (this.#build === build) this.#build = undefined;
    };
  }
}
