/** How often the body of a loop exists side by side. */
import type { Pragma, Stmt } from "../../lang/tree/ast.ts";
import { hasLoop } from "../analysis/control.ts";
import type { LoopHeader } from "../model/ir.ts";
import { constantTrips } from "./trips.ts";

/** Vendors' compilers unroll loops of up to this many iterations without being asked. */
const AUTOMATIC_UNROLL = 16;
/** An unroll request beyond this many copies, or resulting nodes, is ignored. */
const MOST_COPIES = 4096;
const LARGEST = 200_000;

/** Iterations of a nest. */
const tripsOf = (headers: readonly LoopHeader[]): number | undefined =>
  headers
    .map(constantTrips)
    .reduce<number | undefined>((a, n) => (a === undefined || n === undefined ? undefined : a * n), 1);

/**
 * Whether a graph of `nodes` nodes gets a copy of the nest's body for each iteration. `requested`: copies that the program
 * asks for, 0 for all.
 */
export function unrollsFully(
  headers: readonly LoopHeader[],
  body: Stmt,
  requested: number | undefined,
  nodes: number,
): boolean {
  const trips = tripsOf(headers);
  const isWanted =
    requested === 0 || (requested === undefined && !hasLoop(body) && (trips ?? Infinity) <= AUTOMATIC_UNROLL);
  return isWanted && trips !== undefined && nodes < LARGEST && trips <= MOST_COPIES;
}

/** Copies of the body of a nest that stays a loop. */
export const copiesOf = (headers: readonly LoopHeader[], requested: number | undefined): number =>
  Math.max(1, Math.min(requested ?? 1, tripsOf(headers) ?? Infinity));

/** `#pragma unroll N`; 0: all iterations; undefined: no request. */
export function requestedCopies(pragmas: readonly Pragma[] | undefined): number | undefined {
  const tokens = pragmas?.find((p) => p.tokens[0]?.text === "unroll")?.tokens;
  if (!tokens) return undefined;
  const digits = tokens.map((t) => t.text).find((t) => /^\d+$/.test(t));
  return digits === undefined ? 0 : Number(digits);
}
