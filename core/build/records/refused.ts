/** What was found to be no record, to be told once: whoever asks goes on as if there were none. */
export class RefusedRecords {
  #first: string | undefined;
  #count = 0;

  note(reason: string): void {
    this.#first ??= reason;
    this.#count += 1;
  }

  /** Of all since the last call: the first reason, and how many more there were. */
  take(): string | undefined {
    const first = this.#first;
    const more = this.#count - 1;
    this.#first = undefined;
    this.#count = 0;
    return first === undefined || more === 0 ? first : `${first} (and ${more} more)`;
  }
}
