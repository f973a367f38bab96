/** Barrel shifters in levels of powers of two, each a row of multiplexers, and leading-zero counters for them. */
import { mapTuple } from "../../../checked/tuples.ts";
import type { Value } from "../../dfg/value.ts";
import type { Circuit } from "./circuit.ts";

/** Powers of two below `bits`, the largest first. */
const levels = (bits: number): number[] =>
  Array.from({ length: Math.ceil(Math.log2(bits)) }, (_, k) => k).reverse();

/** The number of leading zeros, at most the width. */
function leadingZeros(c: Circuit, value: Value): Value {
  const { bits } = value.shape;
  const size = Math.max(4, 2 ** Math.ceil(Math.log2(bits + 1)));
  // A one below the lowest bit ends the count.
  return countOf(c, c.concat(value, c.constant(-1, size - bits))).count;
}

interface Count {
  /** One bit: whether any bit is set. */
  readonly any: Value;
  readonly count: Value;
}

/** For a power of two of bits: by halving, down to the size of a lookup table. */
function countOf(c: Circuit, value: Value): Count {
  const { bits } = value.shape;
  if (bits === 4) {
    const [upper, highest, third] = [c.slice(value, 2, 2), c.bit(value, 3), c.bit(value, 1)];
    const none = c.none(upper);
    return { any: c.any(value), count: c.concat(none, c.not(c.mux(none, third, highest))) };
  }
  const [low, high] = mapTuple([0, bits / 2], (at) => countOf(c, c.slice(value, at, bits / 2)));
  return {
    any: c.or(high.any, low.any),
    count: c.concat(c.not(high.any), c.mux(high.any, high.count, low.count)),
  };
}

/** Shifts left by less than twice the width. */
function shiftedLeft(c: Circuit, value: Value, amount: Value): Value {
  const { bits } = value.shape;
  let now = value;
  for (const level of levels(bits).filter((l) => l < amount.shape.bits)) {
    const by = 2 ** level;
    const shifted = c.concat(c.resized(now, bits - by), c.constant(0, by));
    now = c.mux(c.bit(amount, level), shifted, now);
  }
  return now;
}

/** Shifts left until the top bit is set, and returns by how much; 0 stays 0. */
export function normalised(c: Circuit, value: Value): { readonly value: Value; readonly count: Value } {
  const count = leadingZeros(c, value);
  return { value: shiftedLeft(c, value, count), count };
}

/** Shifts left until the top bit is set, but by at most `limit`; returns the rest of the limit. */
export function normalisedWithin(
  c: Circuit,
  value: Value,
  limit: Value,
): { readonly value: Value; readonly limit: Value } {
  const zeros = leadingZeros(c, value);
  const amount = c.mux(c.less(limit, zeros), c.resized(limit, zeros.shape.bits), zeros);
  return { value: shiftedLeft(c, value, amount), limit: c.sub(limit.shape, limit, amount) };
}

/** Shifts right; the lowest bit of the result is sticky: set if any lost bit was set. */
export function shiftedRightJamming(c: Circuit, value: Value, amount: Value): Value {
  const { bits } = value.shape;
  const lostBits: Value[] = [];
  let now = value;
  for (const level of levels(bits).filter((l) => l < amount.shape.bits)) {
    const by = 2 ** level;
    const bit = c.bit(amount, level);
    lostBits.push(c.and(bit, c.any(c.resized(now, by))));
    now = c.mux(bit, c.concat(c.constant(0, by), c.slice(now, by, bits - by)), now);
  }
  const inside = Math.ceil(Math.log2(bits));
  const above = amount.shape.bits - inside;
  if (above > 0) {
    const beyond = c.any(c.slice(amount, inside, above));
    lostBits.push(c.and(beyond, c.any(value)));
    now = c.masked(c.not(beyond), now);
  }
  return c.concat(c.slice(now, 1, bits - 1), c.any(c.concat(c.resized(now, 1), ...lostBits)));
}

/** Shifts right and drops the lost bits. Large steps first: if few low bits are kept, few are moved. */
export function shiftedRight(c: Circuit, value: Value, amount: Value): Value {
  const { bits } = value.shape;
  const inside = Math.ceil(Math.log2(bits));
  const beyond = amount.shape.bits - inside;
  let now = beyond > 0 ? c.masked(c.none(c.slice(amount, inside, beyond)), value) : value;
  for (const level of levels(bits).filter((l) => l < amount.shape.bits)) {
    const by = 2 ** level;
    now = c.mux(c.bit(amount, level), c.concat(c.constant(0, by), c.slice(now, by, bits - by)), now);
  }
  return now;
}
