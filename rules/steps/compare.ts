/** Compares the outputs of two runs: token by token with a tolerance for numbers, or as arrays of numbers. */
import type { ElementType } from "../../schema/contract/arc-schema.ts";

export interface Tolerance {
  readonly rel: number;
  readonly abs: number;
}

interface Place {
  /** `stdout, line 3`. */
  readonly where: string;
  /** The line of text that the target's program has there, if that is more than the value. */
  readonly row?: string;
}

interface Difference extends Place {
  readonly serial: string;
  readonly target: string;
}

export interface Comparison {
  /** Number of tokens or elements compared. */
  readonly compared: number;
  readonly different: number;
  /** The first few. */
  readonly differences: readonly Difference[];
  /** Greatest difference between numbers, whether or not within the tolerance. */
  readonly worst: { readonly rel: number; readonly abs: number };
  /** Position of the greatest relative difference: `out.bin[17]`. */
  readonly worstAt?: string;
}

const shownDifferences = 10;

export function combine(comparisons: readonly Comparison[]): Comparison {
  const [most] = [...comparisons].sort((a, b) => b.worst.rel - a.worst.rel);
  return {
    ...(most?.worstAt !== undefined && { worstAt: most.worstAt }),
    compared: sum(comparisons.map((c) => c.compared)),
    different: sum(comparisons.map((c) => c.different)),
    differences: comparisons.flatMap((c) => c.differences).slice(0, shownDifferences),
    worst: {
      rel: Math.max(0, ...comparisons.map((c) => c.worst.rel)),
      abs: Math.max(0, ...comparisons.map((c) => c.worst.abs)),
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Lines that match a pattern of `ignore` are skipped on both sides. */
export function compareText(
  name: string,
  serial: string,
  target: string,
  tolerance: Tolerance,
  ignore: readonly RegExp[],
): Comparison {
  const tally = new Tally(tolerance);
  const left = tokensOf(serial, ignore);
  const right = tokensOf(target, ignore);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const a = left[i];
    const b = right[i];
    const where = `${name}, line ${(b ?? a)?.line ?? 1}`;
    const at = b === undefined || b.row === b.text ? { where } : { where, row: b.row };
    tally.add(at, a?.text ?? "(end)", b?.text ?? "(end)");
    // Everything beyond the end of one side differs; one message is enough.
    if (a === undefined || b === undefined) break;
  }
  return tally.result();
}

interface Token {
  readonly text: string;
  readonly line: number;
  /** The whole line. */
  readonly row: string;
}

const number =
  /[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\b(?:inf(?:inity)?|nan)\b(?:\([^)]*\))?)/gi;

/** Splits text into numbers and the text between them, without white space. */
function tokensOf(text: string, ignore: readonly RegExp[]): readonly Token[] {
  const tokens: Token[] = [];
  for (const [index, row] of text.split("\n").entries()) {
    if (ignore.some((pattern) => pattern.test(row))) continue;
    for (const word of row.split(/\s+/)) {
      for (const piece of splitNumbers(word)) tokens.push({ text: piece, line: index + 1, row });
    }
  }
  return tokens;
}

function splitNumbers(word: string): readonly string[] {
  if (wholeNumber.test(word)) return [word];
  const pieces: string[] = [];
  let end = 0;
  for (const match of word.matchAll(number)) {
    pieces.push(word.slice(end, match.index), match[0]);
    end = match.index + match[0].length;
  }
  return [...pieces, word.slice(end)].filter((piece) => piece !== "");
}

/** Compares element by element, in this machine's byte order. */
export function compareArrays(
  name: string,
  serial: Uint8Array,
  target: Uint8Array,
  type: ElementType,
  tolerance: Tolerance,
): Comparison {
  const tally = new Tally(tolerance);
  const left = elementsOf(serial, type);
  const right = elementsOf(target, type);
  if (left.length !== right.length) {
    tally.add({ where: `${name}, length` }, `${left.length} elements`, `${right.length} elements`);
    return tally.result();
  }
  left.forEach((a, i) => {
    const b = right[i];
    if (typeof a === "bigint") tally.add({ where: `${name}[${i}]` }, String(a), String(b));
    else tally.addNumbers({ where: `${name}[${i}]` }, a, Number(b));
  });
  return tally.result();
}

function elementsOf(bytes: Uint8Array, type: ElementType): readonly (number | bigint)[] {
  const size = Number(type.slice(1)) / 8;
  // Copied for alignment, as a Buffer may start anywhere in a larger one.
  const aligned = Uint8Array.from(bytes.subarray(0, bytes.length - (bytes.length % size))).buffer;
  const views = {
    f32: Float32Array,
    f64: Float64Array,
    i8: Int8Array,
    i16: Int16Array,
    i32: Int32Array,
    i64: BigInt64Array,
    u8: Uint8Array,
    u16: Uint16Array,
    u32: Uint32Array,
    u64: BigUint64Array,
  } as const;
  const elements: readonly (number | bigint)[] = Array.from(
    new views[type](aligned) as Iterable<number | bigint>,
  );
  // An incomplete last element must not be ignored.
  return bytes.length % size === 0 ? elements : [...elements, Number.NaN];
}

class Tally {
  readonly #tolerance: Tolerance;
  readonly #differences: Difference[] = [];
  #compared = 0;
  #different = 0;
  #rel = 0;
  #abs = 0;
  #worstAt: string | undefined;

  constructor(tolerance: Tolerance) {
    this.#tolerance = tolerance;
  }

  add(at: Place, serial: string, target: string): void {
    if (serial === target) this.#count(true, at, serial, target);
    else if (isInteger(serial) && isInteger(target)) this.#addIntegers(at, serial, target);
    else if (isNumber(serial) && isNumber(target))
      this.addNumbers(at, valueOf(serial), valueOf(target), serial, target);
    else this.#count(false, at, serial, target);
  }

  addNumbers(at: Place, serial: number, target: number, left = String(serial), right = String(target)): void {
    const abs = Math.abs(serial - target);
    const same = Object.is(serial, target) || serial === target;
    if (!same && Number.isFinite(abs)) this.#note(at, abs, Math.abs(serial));
    const { rel, abs: most } = this.#tolerance;
    this.#count(same || abs <= most + rel * Math.abs(serial), at, left, right);
  }

  /** Exact, as doubles cannot represent all large integers. */
  #addIntegers(at: Place, serial: string, target: string): void {
    const difference = integer(serial) - integer(target);
    const abs = Math.abs(Number(difference));
    const size = Math.abs(Number(serial));
    this.#note(at, abs, size);
    const { rel, abs: most } = this.#tolerance;
    this.#count(difference === 0n || (abs <= most + rel * size && most + rel > 0), at, serial, target);
  }

  #note({ where }: Place, abs: number, size: number): void {
    if (size !== 0 ? abs / size > this.#rel : this.#rel === 0 && abs > this.#abs) this.#worstAt = where;
    this.#abs = Math.max(this.#abs, abs);
    if (size !== 0) this.#rel = Math.max(this.#rel, abs / size);
  }

  #count(same: boolean, at: Place, serial: string, target: string): void {
    this.#compared += 1;
    if (same) return;
    this.#different += 1;
    if (this.#differences.length < shownDifferences) this.#differences.push({ ...at, serial, target });
  }

  result(): Comparison {
    const worst = { rel: this.#rel, abs: this.#abs };
    return {
      compared: this.#compared,
      different: this.#different,
      differences: this.#differences,
      worst,
      ...(this.#worstAt !== undefined && { worstAt: this.#worstAt }),
    };
  }
}

const wholeNumber = new RegExp(`^(?:${number.source})$`, "i");
const isNumber = (text: string): boolean => wholeNumber.test(text);

const isInteger = (text: string): boolean => /^[-+]?\d+$/.test(text);

/** BigInt rejects a leading plus. */
const integer = (text: string): bigint => BigInt(text.replace(/^\+/, ""));

/** The value of a token that is a number in C's notation. */
function valueOf(text: string): number {
  if (/nan/i.test(text)) return Number.NaN;
  if (/inf/i.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}
