/**
 * A checksum for files that a crash may leave half written: FNV-1a of words instead of bytes, in four lanes, so that
 * the processor need not wait for one product before it begins the next. The native parts compute the same.
 */

const PRIME = 0x01000193;
const SEED = 0x811c9dc5;
const LANES = 4;

/** The native part is faster, as V8 has not compiled the loop yet when a program starts. */
export interface FastSum {
  readonly wordSum: (words: Uint32Array, seed: number) => number;
}

/** Below this number of words a native call does not pay. */
const FEW = 64;

/** `seed` is the checksum of the preceding words. */
export function wordSum(words: Uint32Array, fast?: FastSum, seed: number = SEED): number {
  if (fast !== undefined && words.length >= FEW) return fast.wordSum(words, seed);
  let [a, b, c, d] = [seed, seed, seed, seed];
  const end = words.length - (words.length % LANES);
  for (let at = 0; at < end; at += LANES) {
    a = Math.imul(a ^ (words[at] as number), PRIME);
    b = Math.imul(b ^ (words[at + 1] as number), PRIME);
    c = Math.imul(c ^ (words[at + 2] as number), PRIME);
    d = Math.imul(d ^ (words[at + 3] as number), PRIME);
  }
  let sum = seed;
  for (const lane of [a, b, c, d, ...words.subarray(end)]) sum = Math.imul(sum ^ lane, PRIME);
  return sum >>> 0;
}
