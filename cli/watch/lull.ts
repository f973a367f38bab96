/** Detects when a build only waits for tools: no source is being read or translated, or about to be. */
import type { Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";

const translates = /#(preprocess|preprocess-host|translate)$/;

export class Lull {
  readonly #open = new Set<Address>();
  #began = false;

  /** False until something was translated: before that it is not known what will follow. */
  get isOn(): boolean {
    return this.#began && this.#open.size === 0;
  }

  /** Returns true when such a time begins. */
  heard(event: Event): boolean {
    if (!("address" in event) || !translates.test(event.address)) return false;
    if (event.type === "ready" || event.type === "running") this.#open.add(event.address);
    if (event.type !== "done" && event.type !== "failed") return false;
    this.#began = true;
    return this.#open.delete(event.address) && this.isOn;
  }
}
