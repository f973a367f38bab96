/**
 * Parsers for the parts of records. Data from a server, or from a store that others can write, may be anything until it
 * was parsed here. What a parser returns is built anew and has only known fields.
 */

import { isDigest } from "../key/digest.ts";
import type { Digest } from "../model/action.ts";

/** A record that is invalid, with the reason. */
export class BadRecord extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "BadRecord";
  }
}

/** Throws `BadRecord`; `where` is the value's name in the record. */
export type Parser<T> = (value: unknown, where: string) => T;

/** Error about a wrong value, described briefly on one line. */
export function bad(where: string, expected: string, value: unknown): BadRecord {
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : describe(value);
  return new BadRecord(`${where} is ${text}, not ${expected}`);
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value).slice(0, 80);
}

/** Limit of lists and objects in one record: each takes a few bytes of JSON, but much more memory. */
const MOST_PARTS = 2_000_000;

export function parseJson(json: string): unknown {
  if (json.length > MOST_PARTS && partsOf(json) > MOST_PARTS)
    throw new BadRecord(`it has more than ${MOST_PARTS} lists and objects`);
  try {
    return JSON.parse(json);
  } catch {
    throw new BadRecord("it is no JSON");
  }
}

function partsOf(json: string): number {
  let parts = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) parts += 1;
  }
  return parts;
}

export const text: Parser<string> = (value, where) => {
  if (typeof value === "string") return value;
  throw bad(where, "a text", value);
};

/** Longest path and longest name that Linux accepts, in bytes. */
const LONGEST_PATH = 4095;
const LONGEST_NAME = 255;
/** A lone surrogate has no bytes in UTF-8: several such names would become one. */
const HALF = /\p{Surrogate}/u;

/** A valid path of the file system. */
export const path: Parser<string> = (value, where) => {
  const result = text(value, where);
  if (result === "") throw new BadRecord(`${where} is empty`);
  if (result.includes("\0") || HALF.test(result)) throw bad(where, "a name that a file can have", result);
  if (Buffer.byteLength(result) > LONGEST_PATH) throw new BadRecord(`${where} is too long`);
  return result;
};

/** Path of something inside a folder. */
export const pathInside: Parser<string> = (value, where) => {
  const result = path(value, where);
  for (const part of result.split("/")) {
    if (part === "" || part === "." || part === "..") throw bad(where, "a path in a folder", result);
    if (Buffer.byteLength(part) > LONGEST_NAME)
      throw new BadRecord(`${where} has a name in it that is too long`);
  }
  return result;
};

export const digest: Parser<Digest> = (value, where) => {
  if (typeof value === "string" && isDigest(value)) return value;
  throw bad(where, "a digest", value);
};

export const number: Parser<number> = (value, where) => {
  if (Number.isFinite(value)) return value as number;
  throw bad(where, "a number", value);
};

export const seconds: Parser<number> = (value, where) => {
  if (Number.isFinite(value) && (value as number) >= 0) return value as number;
  throw bad(where, "a number of seconds", value);
};

/** Whole numbers up to `most`. */
export function upTo(most: number): Parser<number> {
  return (value, where) => {
    if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most)
      return value as number;
    throw bad(where, `a whole number up to ${most}`, value);
  };
}

export function oneOf<T extends string | true>(...all: readonly T[]): Parser<T> {
  return (value, where) => {
    const found = all.find((one) => one === value);
    if (found === undefined) throw bad(where, all.join(" or "), value);
    return found;
  };
}

export function list<T>(item: Parser<T>, most: number): Parser<readonly T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) throw bad(where, "a list", value);
    if (value.length > most) throw new BadRecord(`${where} has ${value.length} rows, more than ${most}`);
    return value.map((one, at) => item(one, `${where}[${at}]`));
  };
}

export function pair<A, B>(first: Parser<A>, second: Parser<B>): Parser<readonly [A, B]> {
  return (value, where) => {
    if (!Array.isArray(value) || value.length !== 2) throw bad(where, "a pair", value);
    return [first(value[0], `${where}[0]`), second(value[1], `${where}[1]`)];
  };
}

type Fields = Readonly<Record<string, Parser<unknown>>>;
type Parsed<F extends Fields> = { readonly [K in keyof F]: ReturnType<F[K]> };

/** Unknown fields are left out. */
export function object<R extends Fields, O extends Fields>(
  required: R,
  optional: O,
): Parser<Parsed<R> & Partial<Parsed<O>>> {
  return (value, where) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw bad(where, "an object", value);
    const fields = value as Readonly<Record<string, unknown>>;
    const parsed: Record<string, unknown> = {};
    for (const name in required)
      parsed[name] = (required[name] as Parser<unknown>)(fields[name], `${where}.${name}`);
    for (const name in optional)
      if (fields[name] !== undefined)
        parsed[name] = (optional[name] as Parser<unknown>)(fields[name], `${where}.${name}`);
    return parsed as Parsed<R> & Partial<Parsed<O>>;
  };
}
