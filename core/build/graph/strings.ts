/** Strings by number: equal ones have one number and are kept once. */
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

  /** The same without looking for an equal one, for what is not there twice. */
  add(text: string): number {
    return this.#texts.push(text) - 1;
  }

  /** Undefined for what was never given a number. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#texts[number] as string;
  }
}
