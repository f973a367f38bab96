/**
 * Products by rows of additions, for parts without multipliers. One factor is recoded in digits -1, 0, 1 and 2 of radix
 * 4: adding 0101...01 to it carries each digit's surplus into the next one and leaves every digit plus one, so that a
 * row's bit is a function of two digit bits and two bits of the other factor: one lookup table of four inputs. The rows
 * are summed in a tree; the +1 for a negative digit enters as the carry of the sum in which its row is the upper part.
 */
import type { Shape, Value } from "../../dfg/value.ts";
import { type Circuit, signed } from "./circuit.ts";

/** A sum of rows: `value` times 2^at, plus one at that place if `carry` is set. */
interface Row {
  readonly at: number;
  readonly value: Value;
  readonly carry: Value;
}

/**
 * The exact product, as wide as both factors together. `a` may be signed, in which case the bits are a signed number;
 * `b` is unsigned.
 */
export function product(c: Circuit, a: Value, b: Value): Value {
  return c.resized(added(c, allRows(c, a, b)).value, a.shape.bits + b.shape.bits);
}

/** The product of signed or unsigned integers modulo 2^bits; the shorter factor makes the rows. */
export function integerProduct(c: Circuit, x: Value, y: Value, bits: number): Value {
  const [a, short] = x.shape.bits < y.shape.bits ? [y, x] : [x, y];
  const wide: Shape = { bits: Math.max(2, short.shape.bits), signed: short.shape.signed };
  const b = c.graph.resize(short, wide);
  const list = allRows(c, a, c.resized(b, wide.bits));
  // The highest bit of a signed factor has negative weight.
  const top: Row = {
    at: wide.bits,
    value: c.not(c.signed(c.masked(c.bit(b, wide.bits - 1), a), a.shape.bits + 1)),
    carry: c.yes,
  };
  return c.resized(added(c, wide.signed ? [...list, top] : list).value, bits);
}

/**
 * The product without its lowest `low` bits, less than the exact one by at most one unit. Bits of rows well below are
 * not summed.
 */
export function highProduct(c: Circuit, a: Value, b: Value, low: number): Value {
  const list = allRows(c, a, b);
  const guard = Math.ceil(Math.log2(list.length)) + 1;
  const total = added(
    c,
    list.map((row) => cutOff(c, row, low - guard)),
  );
  return c.slice(total.value, low - total.at, a.shape.bits + b.shape.bits - low);
}

function allRows(c: Circuit, a: Value, b: Value): readonly Row[] {
  const lowest: Row = { at: 0, value: c.signed(c.masked(c.bit(b, 0), a), a.shape.bits + 1), carry: c.no };
  return [lowest, ...rows(c, a, c.slice(b, 1, b.shape.bits - 1))];
}

/** The part of a row from a place on. */
function cutOff(c: Circuit, row: Row, from: number): Row {
  const by = from - row.at;
  if (by <= 0) return row;
  const { shape } = row.value;
  const bits = Math.max(1, shape.bits - by);
  const value = c.graph.make("shr", shape, [row.value, c.constant(Math.min(by, shape.bits - 1), 32)]);
  return { at: from, value: c.signed(value, bits), carry: c.no };
}

/** All but the lowest bit of the second factor. */
function rows(c: Circuit, a: Value, rest: Value): readonly Row[] {
  // The highest digit's upper bit is 0, so that nothing is carried out of it.
  const count = Math.floor(rest.shape.bits / 2) + 1;
  const digits = c.named("digits", c.add(signedless(2 * count), rest, c.constant(ones(count), 2 * count)));
  const shape = signed(a.shape.bits + 2);
  const [once, twice] = [c.signed(a, shape.bits), c.signed(c.concat(a, c.no), shape.bits)];
  const none = c.graph.constant(0, shape);
  return Array.from({ length: count }, (_, k): Row => {
    const [low, high] = [c.bit(digits, 2 * k), c.bit(digits, 2 * k + 1)];
    return {
      at: 2 * k + 1,
      value: c.mux(high, c.mux(low, twice, once), c.mux(low, none, c.not(once))),
      carry: c.not(c.or(low, high)),
    };
  });
}

const signedless = (bits: number) => ({ bits, signed: false });

/** 0101...01 */
const ones = (digits: number): bigint => ((1n << BigInt(2 * digits)) - 1n) / 3n;

function added(c: Circuit, list: readonly Row[]): Row {
  const [only] = list;
  if (!only || list.length === 1) return only as Row;
  const middle = Math.ceil(list.length / 2);
  const low = added(c, list.slice(0, middle));
  const high = added(c, list.slice(middle));
  const by = high.at - low.at;
  const above = c.graph.make("shr", low.value.shape, [low.value, c.constant(by, 32)]);
  const bits = Math.max(low.value.shape.bits - by, high.value.shape.bits) + 1;
  const sum = c.addWithCarry(signed(bits), above, high.value, high.carry);
  const value = by === 0 ? sum : c.concat(sum, c.resized(low.value, by));
  return { at: low.at, value, carry: low.carry };
}
