/** Interned strings: equal strings have one number and are stored once. */
export class Strings {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  get size(): number {
    return this.#texts.length;
  }

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  /** Adds a string that is known to be new, without a lookup. */
  add(text: string): number {
    return this.#texts.push(text) - 1;
  }

  /** The number of a string; undefined if it has none. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#texts[number] as string;
  }
}
