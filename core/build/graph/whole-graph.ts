/** Ends a build of a part of a graph when that part is not enough. */
import type { Address } from "../model/action.ts";

/** An action outside the part must be done, or done again. */
export class NeedsWholeGraph extends Error {
  constructor(address: Address) {
    super(`${address} is to be made, outside of the part of the graph that is built`);
  }
}
