/** Loop-carried dependences through memory. */
import type { Apart } from "../../ir/model/ir.ts";
import type { Loc } from "../../lang/tree/ast.ts";
import { type AffineForm, affineForm, constantDifference } from "./affine.ts";
import type { Graph } from "./graph.ts";
import { isRead, type MemoryReference, readsVariable, shareRoot, type Value } from "./value.ts";

export interface CarriedDependence {
  /** Dependence distance: the load may need what the store wrote this many iterations before. */
  readonly distance: number;
  readonly reason: string;
  readonly loc: Loc;
  /** Only different pointers might overlap: there is no dependence if the launch finds their memory disjoint. */
  readonly unlessApart?: true;
}

/**
 * The shortest distance at which a load may read what an earlier iteration stored; undefined: never. Loads run ahead of
 * stores, so a load never sees what a later iteration stores. If the directive declares the iterations `independent`,
 * only dependences that are proved count. `proved`: what passes have proved about arrays.
 */
export function carriedDependence(
  graph: Graph,
  independent: boolean,
  proved: readonly Apart[],
): CarriedDependence | undefined {
  const strides = new Strides(graph);
  let shortest: CarriedDependence | undefined;
  let unlessApart = true;
  for (const load of graph.values) {
    if (load.op !== "load" || !load.memory) continue;
    for (const store of graph.stores) {
      if (!graph.mayTouch(load.memory, store.memory)) continue;
      const loadAddress = affineForm(load.args[0]);
      const storeAddress = affineForm(store.address);
      const stride = strides.of(storeAddress);
      const difference = constantDifference(loadAddress, storeAddress);
      const known = stride !== undefined && difference !== undefined;
      const proof = known ? undefined : provedOf(proved, load.memory, store.memory);
      if (!known && (independent || (proof && (proof.loadsFirst || proof.distance === undefined)))) continue;
      const distance = known
        ? overlapAfter(stride, difference, load.memory.bytes, store.memory.bytes)
        : (proof?.distance ?? 1);
      if (distance !== undefined && shareRoot(load.memory.roots, store.memory.roots)) unlessApart = false;
      if (distance === undefined || (shortest && shortest.distance <= distance)) continue;
      const reason =
        known || proof
          ? `'${load.memory.name}' is read ${distance} iteration${distance > 1 ? "s" : ""} after it is written`
          : `'${load.memory.name}' may be read where an earlier iteration wrote '${store.memory.name}'`;
      shortest = { distance, reason, loc: load.memory.loc };
    }
  }
  return shortest && unlessApart ? { ...shortest, unlessApart } : shortest;
}

/** What is proved about the array that both accesses lead to, if they lead nowhere else. */
function provedOf(proved: readonly Apart[], a: MemoryReference, b: MemoryReference): Apart | undefined {
  const within = ({ roots }: MemoryReference, array: object) =>
    roots !== "any" && roots.size === 1 && roots.has(array);
  return proved.find(({ array }) => within(a, array) && within(b, array));
}

/** By how much addresses advance per iteration. */
export class Strides {
  private readonly graph: Graph;

  constructor(graph: Graph) {
    this.graph = graph;
  }

  of(form: AffineForm): bigint | undefined {
    let sum = 0n;
    for (const [value, factor] of form.terms) {
      const stride = this.ofTerm(value);
      if (stride === undefined) return undefined;
      sum += stride * factor;
    }
    return sum;
  }

  private ofTerm(value: Value): bigint | undefined {
    if (!readsVariable(value)) return this.isInvariant(value) ? 0n : undefined;
    const update = this.graph.updates.get(value.variable);
    if (!update) return 0n;
    return constantDifference(affineForm(update), affineForm(value));
  }

  private readonly invariant = new Map<Value, boolean>();

  private isInvariant(value: Value): boolean {
    const known = this.invariant.get(value) ?? this.staysSame(value);
    this.invariant.set(value, known);
    return known;
  }

  private staysSame(value: Value): boolean {
    if (isRead(value) || value.op === "delay") return false;
    if (readsVariable(value)) return !this.graph.updates.has(value.variable);
    return value.args.every((a) => this.isInvariant(a));
  }
}

/**
 * The first iteration m >= 1 after a store whose load overlaps it. The store covers bytes 0 to `stored`; the load m
 * iterations later covers `loaded` bytes from `difference + stride * m` on.
 */
export function overlapAfter(
  stride: bigint,
  difference: bigint,
  loaded: number,
  stored: number,
): number | undefined {
  const [low, high] = [-BigInt(loaded) - difference, BigInt(stored) - difference];
  // low < stride * m < high
  if (stride === 0n) return low < 0n && 0n < high ? 1 : undefined;
  if (stride < 0n) return overlapAfter(-stride, -difference, stored, loaded);
  const first = low < stride ? 1n : low / stride + 1n;
  return stride * first < high ? Number(first) : undefined;
}
