/** Shifters in levels of powers of two, each level a row of multiplexers. */
import type { Value } from "../graph.ts";
import type { Circuit } from "./circuit.ts";

/** Powers of two below `bits`, the largest first. */
const levels = (bits: number): number[] =>
  Array.from({ length: Math.ceil(Math.log2(bits)) }, (_, k) => k).reverse();

const shiftedLeft = (c: Circuit, value: Value, by: number): Value =>
  c.concat(c.resized(value, value.shape.bits - by), c.constant(0, by));

/** Shifts left until the top bit is set, and tells by how much. */
export function normalised(c: Circuit, value: Value): { readonly value: Value; readonly count: Value } {
  const { bits } = value.shape;
  const counts: Value[] = [];
  let now = value;
  for (const level of levels(bits)) {
    const by = 2 ** level;
    const empty = c.none(c.slice(now, bits - by, by));
    now = c.mux(empty, shiftedLeft(c, now, by), now);
    counts.push(empty);
  }
  return { value: now, count: c.concat(...counts) };
}

/** Shifts left until the top bit is set, but by at most `limit`; gives what is left of the limit. */
export function normalisedWithin(
  c: Circuit,
  value: Value,
  limit: Value,
): { readonly value: Value; readonly limit: Value } {
  const { bits } = value.shape;
  let [now, rest] = [value, limit];
  for (const level of levels(bits)) {
    const by = 2 ** level;
    if (level >= rest.shape.bits) continue;
    const high = c.slice(rest, level, rest.shape.bits - level);
    const take = c.and(c.none(c.slice(now, bits - by, by)), c.any(high));
    now = c.mux(take, shiftedLeft(c, now, by), now);
    const less = c.sub(high.shape, high, take);
    rest = level === 0 ? less : c.concat(less, c.resized(rest, level));
  }
  return { value: now, limit: rest };
}

/** Shifts right; the lowest bit of the result is set as well where any bit that was shifted out was. */
export function shiftedRightJamming(c: Circuit, value: Value, amount: Value): Value {
  const { bits } = value.shape;
  let now = value;
  for (let level = 0; level < amount.shape.bits && 2 ** level < bits; level++) {
    const by = 2 ** level;
    const lost = c.any(c.resized(now, by + 1));
    const kept = bits - by - 1;
    const moved = c.concat(c.constant(0, by), ...(kept > 0 ? [c.slice(now, by + 1, kept)] : []), lost);
    now = c.mux(c.bit(amount, level), moved, now);
  }
  const inside = Math.ceil(Math.log2(bits));
  if (amount.shape.bits <= inside) return now;
  const beyond = c.any(c.slice(amount, inside, amount.shape.bits - inside));
  return c.mux(beyond, c.resized(c.any(now), bits), now);
}

/** Shifts right, and drops what is shifted out. The largest steps first: where few low bits are kept, few are moved. */
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
