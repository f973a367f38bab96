/**
 * Accesses of one iteration to adjacent elements, as in an unrolled loop. If an iteration advances by as many elements
 * as it accesses, they are transferred as one word.
 */
import { firstOf, itemAt } from "../../checked/access.ts";
import { type AffineForm, affineForm, constantDifference } from "./affine.ts";
import type { MemoryReference, Store, Value } from "./value.ts";

/** Size of the widest word in bytes. */
const MOST_BYTES = 64;

type Access = Value | Store;

/** Adjacent accesses, the lowest address first. */
export interface Lanes<T extends Access> {
  readonly lanes: readonly T[];
  /** Bytes by which they advance with each iteration: equal to their total size. */
  readonly stride: bigint;
}

/** `stride`: bytes by which an address advances with each iteration, if that is constant. */
export function sideBySide<T extends Access>(
  accesses: readonly T[],
  stride: (address: Value) => bigint | undefined,
): readonly Lanes<T>[] {
  const groups: Lanes<T>[] = [];
  const remaining = new Set(accesses);
  for (const first of accesses) {
    if (!remaining.has(first)) continue;
    const near = [...remaining].flatMap((other) => {
      const at = distance(first, other);
      return at === undefined ? [] : [{ access: other, at }];
    });
    for (const { access } of near) remaining.delete(access);
    if (near.length < 2) continue;
    const bytes = BigInt(memoryOf(first).bytes);
    const advance = stride(addressOf(first));
    if (advance === undefined || !isWord(advance, bytes)) continue;
    const byPlace = new Map(near.reverse().map(({ access, at }) => [at, access]));
    for (const place of [...byPlace.keys()].sort((a, b) => Number(a - b))) {
      const lanes = Array.from({ length: Number(advance / bytes) }, (_, k) =>
        byPlace.get(place + BigInt(k) * bytes),
      );
      const complete = lanes.filter((lane) => lane !== undefined);
      if (complete.length < lanes.length) continue;
      groups.push({ lanes: complete, stride: advance });
      lanes.forEach((_, k) => {
        byPlace.delete(place + BigInt(k) * bytes);
      });
    }
  }
  return groups;
}

const isWord = (advance: bigint, bytes: bigint): boolean =>
  advance >= 2n * bytes &&
  advance <= BigInt(MOST_BYTES) &&
  (advance & (advance - 1n)) === 0n &&
  advance % bytes === 0n;

export const addressOf = (access: Access): Value => ("op" in access ? firstOf(access.args) : access.address);
export const guardOf = (access: Access): Value => ("op" in access ? itemAt(access.args, 1) : access.guard);
const memoryOf = (access: Access): MemoryReference => access.memory as MemoryReference;

/** Bytes from one access to another of the same array and size. */
function distance(a: Access, b: Access): bigint | undefined {
  const [x, y] = [memoryOf(a), memoryOf(b)];
  if (x.bytes !== y.bytes) return undefined;
  const form = (access: Access): AffineForm => affineForm(addressOf(access));
  return constantDifference(form(b), form(a));
}
