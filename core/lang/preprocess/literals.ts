/** Values and types of numeric, character and string literals (C11 6.4.4, 6.4.5, GNU suffixes). */
import type { CType } from "../tree/ast.ts";
import {
  CHAR,
  COMPLEX,
  complexOf,
  DOUBLE,
  floatType,
  INT,
  intType,
  LLONG,
  LONG,
  UINT,
  ULLONG,
  ULONG,
  USHORT,
} from "../tree/types.ts";

type NumberLiteral =
  | { readonly kind: "int"; readonly value: bigint; readonly type: CType }
  | { readonly kind: "float"; readonly value: number; readonly type: CType };

const INTEGER = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLiIjJ]*)$/;
const FLOAT =
  /^(0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+|[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?)([a-zA-Z0-9]*)$/;

/** As most numbers are. */
const SMALL = /^(?:0|[1-9][0-9]{0,8})$/;

/** Undefined when the spelling is no number. */
export function parseNumber(text: string): NumberLiteral | undefined {
  if (SMALL.test(text)) return { kind: "int", value: BigInt(text), type: INT };
  const integer = INTEGER.exec(text);
  if (integer?.[1] !== undefined) return parseInteger(integer[1], (integer[2] ?? "").toLowerCase());
  const float = FLOAT.exec(text);
  if (!float?.[1]) return undefined;
  return parseFloating(float[1], (float[2] ?? "").toLowerCase());
}

const isOctal = (digits: string) => /^0[0-7]+$/.test(digits);
const spelledValue = (digits: string) => BigInt(isOctal(digits) ? `0o${digits.slice(1)}` : digits);

/** Like gcc, first truncates values larger than any type to 64 bits (`excess`). */
function parseInteger(digits: string, suffix: string): NumberLiteral | undefined {
  if (/^0[0-9]+$/.test(digits) && !isOctal(digits)) return undefined;
  const value = BigInt.asUintN(64, spelledValue(digits));
  if (/[ij]/.test(suffix)) return { kind: "float", value: Number(value), type: COMPLEX };
  if (!/^(u?l{0,2}|l{0,2}u)$/.test(suffix)) return undefined;
  const unsigned = suffix.includes("u");
  const longs = suffix.split("l").length - 1;
  const decimal = !/^0/.test(digits) || digits === "0";
  const signedTypes = [INT, LONG, LLONG].slice(longs);
  const unsignedTypes = [UINT, ULONG, ULLONG].slice(longs);
  const bits = (type: CType) => (type === INT || type === UINT ? 32n : 64n);
  for (let i = 0; i < signedTypes.length; i++) {
    const signed = signedTypes[i] as CType;
    const wide = unsignedTypes[i] as CType;
    if (!unsigned && value < 1n << (bits(signed) - 1n)) return { kind: "int", value, type: signed };
    if ((unsigned || !decimal) && value < 1n << bits(wide)) return { kind: "int", value, type: wide };
  }
  return { kind: "int", value, type: intType("int128") };
}

/**
 * Whether an integer constant is too large for every type, or only for signed 64-bit types though it is decimal without
 * `u`: compilers treat the latter differently.
 */
export function excess(text: string): "any-type" | "signed-types" | undefined {
  const [, digits, suffix = ""] = INTEGER.exec(text) ?? [];
  if (digits === undefined || digits.length < 17 || /[ij]/i.test(suffix)) return undefined;
  const value = spelledValue(digits);
  if (value >> 64n > 0n) return "any-type";
  return value >> 63n > 0n && /^[1-9]/.test(digits) && !/u/i.test(suffix) ? "signed-types" : undefined;
}

const FLOAT_SUFFIXES: Readonly<Record<string, CType>> = {
  "": DOUBLE,
  f: floatType("float"),
  l: floatType("ldouble"),
  d: DOUBLE,
  q: floatType("float128"),
  w: floatType("ldouble"),
  f16: floatType("float16"),
  f32: floatType("float32"),
  f64: floatType("float64"),
  f128: floatType("float128"),
  f32x: floatType("float32x"),
  f64x: floatType("float64x"),
  bf16: floatType("bfloat16"),
};

function parseFloating(digits: string, suffix: string): NumberLiteral | undefined {
  const imaginary = /[ij]/.test(suffix);
  const type = FLOAT_SUFFIXES[suffix.replace(/[ij]/, "")];
  if (!type) return undefined;
  const exact = /^0[xX]/.test(digits) ? hexFloat(digits) : Number(digits);
  const single = type.kind === "float" && (type.name === "float" || type.name === "float32");
  const value = single ? Math.fround(exact) : exact;
  return { kind: "float", value, type: imaginary && type.kind === "float" ? complexOf(type.name) : type };
}

function hexFloat(text: string): number {
  const [mantissa = "", exponent = "0"] = text.slice(2).split(/[pP]/);
  const [integer = "", fraction = ""] = mantissa.split(".");
  const digits = BigInt(`0x${integer + fraction || "0"}`);
  return Number(digits) * 2 ** (Number(exponent) - 4 * fraction.length);
}

const ESCAPES: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  e: 27,
  E: 27,
  "0": 0,
};
const ESCAPE = /\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))|([^\\])/gu;

/** The characters between the quotes: numeric escapes are code units, everything else code points. */
function* elements(body: string): Generator<{ readonly code: number; readonly unit: boolean }> {
  for (const match of body.matchAll(ESCAPE)) {
    const [, hex, octal, u4, u8, simple, plain] = match;
    if (hex !== undefined) yield { code: Number(BigInt.asUintN(32, BigInt(`0x${hex}`))), unit: true };
    else if (octal !== undefined) yield { code: Number.parseInt(octal, 8), unit: true };
    else if (u4 ?? u8) yield { code: Number.parseInt(u4 ?? u8 ?? "0", 16), unit: false };
    else if (simple === "\n") continue;
    else if (simple !== undefined) yield { code: ESCAPES[simple] ?? simple.codePointAt(0) ?? 0, unit: false };
    else yield { code: plain?.codePointAt(0) ?? 0, unit: false };
  }
}

/** The text of an ordinary string literal, quotes removed and escapes resolved. */
export function decodeString(quoted: string): string {
  const body = quoted.slice(quoted.indexOf('"') + 1, -1);
  if (!body.includes("\\")) return body;
  // Bytes, not code points: gcc writes non-ASCII file names as octal escapes of their UTF-8 bytes.
  if (/\\[0-7x]/.test(body)) return new TextDecoder().decode(Uint8Array.from(codeUnits([quoted]).units));
  return String.fromCodePoint(...[...elements(body)].map((element) => element.code));
}

/** Text whose characters are its code units in every encoding. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Code units of concatenated literals, without the terminating zero, and their element type. */
export function codeUnits(pieces: readonly string[]): { readonly units: number[]; readonly type: CType } {
  const prefixes = pieces.map((piece) => piece.slice(0, piece.indexOf('"')));
  const prefix = prefixes.find((candidate) => candidate !== "" && candidate !== "u8") ?? "";
  const type = prefix === "L" ? INT : prefix === "U" ? UINT : prefix === "u" ? USHORT : CHAR;
  const units: number[] = [];
  for (const piece of pieces) {
    const body = piece.slice(piece.indexOf('"') + 1, -1);
    if (PLAIN.test(body)) {
      for (let i = 0; i < body.length; i++) units.push(body.charCodeAt(i));
      continue;
    }
    for (const { code, unit } of elements(body)) {
      if (type === INT || type === UINT) units.push(code);
      else if (type === USHORT) units.push(...(unit ? [code & 0xffff] : utf16(code)));
      else if (unit || code < 128) units.push(code & 0xff);
      else units.push(...new TextEncoder().encode(String.fromCodePoint(code)));
    }
  }
  return { units, type };
}

function utf16(code: number): number[] {
  return code < 0x10000 ? [code] : [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff)];
}

/** Value and type of a character constant; several characters make an int, the last one lowest. */
export function parseChar(text: string): { readonly value: bigint; readonly type: CType } {
  const quote = text.indexOf("'");
  const prefix = text.slice(0, quote);
  const all = [...elements(text.slice(quote + 1, -1))];
  if (prefix === "") {
    const bytes = all.flatMap(({ code, unit }) =>
      unit || code < 128 ? [code & 0xff] : [...new TextEncoder().encode(String.fromCodePoint(code))],
    );
    if (bytes.length === 1) return { value: BigInt.asIntN(8, BigInt(bytes[0] ?? 0)), type: INT };
    return {
      value: BigInt.asIntN(
        32,
        bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
      ),
      type: INT,
    };
  }
  const code = BigInt(all[all.length - 1]?.code ?? 0);
  if (prefix === "L") return { value: BigInt.asIntN(32, code), type: INT };
  return { value: code, type: prefix === "u" ? USHORT : UINT };
}
