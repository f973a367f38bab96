/**
 * Collects rejected records, so that they are reported once. Whoever asked for one continues as if it did not exist.
 */
export class RefusedRecords {
  #first: string | undefined;
  #count = 0;

  note(reason: string): void {
    this.#first ??= reason;
    this.#count += 1;
  }

  /** The first reason since the last call, and how many more there were. */
  take(): string | undefined {
    const first = this.#first;
    const more = this.#count - 1;
    this.#first = undefined;
    this.#count = 0;
    return first === undefined || more === 0 ? first : `${first} (and ${more} more)`;
  }
}
