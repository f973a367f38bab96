/**
 * Products of unsigned numbers by rows of additions, for parts without multipliers. One factor is written in
 * digits -1, 0, 1 and 2 of radix 4: adding 0101...01 to it carries each digit's surplus into the next one and
 * leaves every digit plus one, so that a row's bit is a function of two digit bits and two bits of the other
 * factor: one lookup table of four inputs. The rows are summed in a tree; a negative digit's last one enters as
 * the carry of the sum in which its row is the higher part.
 */
import type { Value } from "../graph.ts";
import { type Circuit, signed } from "./circuit.ts";

/** A sum of rows: `value` times 2^at, and one more there where `carry` is set. */
interface Row {
  readonly at: number;
  readonly value: Value;
  readonly carry: Value;
}

/** Exact: as wide as both together. */
export function product(c: Circuit, a: Value, b: Value): Value {
  const [wa, wb] = [a.shape.bits, b.shape.bits];
  const lowest: Row = { at: 0, value: c.signed(c.masked(c.bit(b, 0), a), wa + 1), carry: c.no };
  const total = added(c, [lowest, ...rows(c, a, c.slice(b, 1, wb - 1))]);
  return c.resized(total.value, wa + wb);
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
  return { at: low.at, value: c.concat(sum, c.resized(low.value, by)), carry: low.carry };
}
