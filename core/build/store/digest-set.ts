/**
 * Digests as bytes in one array: a Set of strings takes three times the memory, which the collector has to traverse.
 */
import type { Digest } from "../model/action.ts";

const BYTES = 32;
const WORDS = BYTES / 4;
const FIRST_SLOTS = 64;
const FREE = 0;
const TAKEN = 1;
/** The slot held a removed digest: the search must continue after it. */
const LEFT = 2;

/** The digest being looked up, as bytes and as words. */
const probe = Buffer.alloc(BYTES);
const probeWords = new Uint32Array(probe.buffer, probe.byteOffset, WORDS);

export class DigestSet {
  #states = new Uint8Array(FIRST_SLOTS);
  #words = new Uint32Array(FIRST_SLOTS * WORDS);
  /** Slots that are not free: at most half of all. */
  #used = 0;

  has(digest: Digest): boolean {
    probe.write(digest, "hex");
    return this.#states[this.#find(probeWords)] === TAKEN;
  }

  add(digest: Digest): void {
    if (2 * (this.#used + 1) > this.#states.length) this.#grow();
    probe.write(digest, "hex");
    this.#put(probeWords);
  }

  delete(digest: Digest): void {
    probe.write(digest, "hex");
    const slot = this.#find(probeWords);
    if (this.#states[slot] === TAKEN) this.#states[slot] = LEFT;
  }

  #put(words: Uint32Array): void {
    const slot = this.#find(words);
    if (this.#states[slot] === FREE) this.#used += 1;
    this.#states[slot] = TAKEN;
    this.#words.set(words, slot * WORDS);
  }

  /** The slot that holds or held the digest, or the free slot where the search ends. */
  #find(words: Uint32Array): number {
    const mask = this.#states.length - 1;
    let slot = (words[0] as number) & mask;
    while (this.#states[slot] !== FREE && !this.#isAt(slot, words)) slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(slot: number, words: Uint32Array): boolean {
    const from = slot * WORDS;
    for (let at = 0; at < WORDS; at += 1) if (this.#words[from + at] !== words[at]) return false;
    return true;
  }

  #grow(): void {
    const [states, words] = [this.#states, this.#words];
    this.#states = new Uint8Array(2 * states.length);
    this.#words = new Uint32Array(2 * words.length);
    this.#used = 0;
    for (let slot = 0; slot < states.length; slot += 1) {
      if (states[slot] === TAKEN) this.#put(words.subarray(slot * WORDS, (slot + 1) * WORDS));
    }
  }
}
