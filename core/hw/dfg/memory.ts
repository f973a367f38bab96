/** Loop-carried dependences through memory. */
import type { Apart } from "../../ir/model/ir.ts";
import type { Loc } from "../../lang/tree/ast.ts";
import { type AffineForm, addressDifference, affineForm, constantDifference } from "./affine.ts";
import type { Graph } from "./graph.ts";
import { behind } from "./reach.ts";
import { type Access, neverMeet } from "./separation.ts";
import {
  isRead,
  type Load,
  type MemoryReference,
  readsVariable,
  type Store,
  shareRoot,
  type Value,
} from "./value.ts";

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
  const meetings = new Meetings(graph, independent, proved);
  let shortest: CarriedDependence | undefined;
  let unlessApart = true;
  for (const load of loadsOf(graph)) {
    for (const store of graph.stores) {
      const distance = meetings.first(load, store, (load.forwarded ?? 0) + 1);
      if (distance !== undefined && shareRoot(load.memory.roots, store.memory.roots)) unlessApart = false;
      if (distance === undefined || (shortest && shortest.distance <= distance)) continue;
      const reason = meetings.isKnown(load, store)
        ? `'${load.memory.name}' is read ${distance} iteration${distance > 1 ? "s" : ""} after it is written`
        : `'${load.memory.name}' may be read where an earlier iteration wrote '${store.memory.name}'`;
      shortest = { distance, reason, loc: load.memory.loc };
    }
  }
  return shortest && unlessApart ? { ...shortest, unlessApart } : shortest;
}

/** The loads that something depends on. */
export function loadsOf(graph: Graph): readonly Load[] {
  const operands = [
    ...[...graph.stores, ...graph.writes].flatMap(({ address, data, guard }) => [address, data, guard]),
    ...graph.sends.flatMap(({ data, guard }) => [data, guard]),
  ];
  const needed = behind(graph, [...graph.updates.values(), ...operands, ...graph.receives]);
  return graph.values.filter((value): value is Load => value.op === "load" && needed.has(value));
}

/** How the places of a load and of an earlier store lie: `partial` is an overlap that is no whole element. */
export type Relation = "same" | "apart" | "partial" | "unknown";

/** Where loads meet what earlier iterations stored. */
export class Meetings {
  private readonly graph: Graph;
  private readonly independent: boolean;
  private readonly proved: readonly Apart[];
  private readonly strides: Strides;
  /** Answers of `areSeparate`, which are asked for again. */
  private readonly separate = new Map<Load, Map<Store, Map<number, boolean>>>();

  constructor(graph: Graph, independent: boolean, proved: readonly Apart[]) {
    this.graph = graph;
    this.independent = independent;
    this.proved = proved;
    this.strides = new Strides(graph);
  }

  /** The first distance, of `from` and more, at which the load may read what was stored; undefined: never. */
  first(load: Load, store: Store, from: number): number | undefined {
    if (from === Number.POSITIVE_INFINITY || !this.graph.mayTouch(load.memory, store.memory))
      return undefined;
    const known = this.placesOf(load, store);
    if (this.areSeparate(load, store, from)) return undefined;
    if (known) {
      const { stride, difference } = known;
      const skipped = from - 1;
      const first = this.strides.overlapAfter(
        stride,
        difference + stride * BigInt(skipped),
        load.memory.bytes,
        store.memory.bytes,
        store.address.shape.bits,
      );
      return first === undefined ? undefined : first + skipped;
    }
    const proof = provedOf(this.proved, load.memory, store.memory);
    if (this.independent || (proof && (proof.loadsFirst || proof.distance === undefined))) return undefined;
    return Math.max(from, proof?.distance ?? 1);
  }

  /** The load, and the store so many iterations before. */
  at(load: Load, store: Store, distance: number): Relation {
    if (this.first(load, store, distance) !== distance) return "apart";
    const known = this.placesOf(load, store);
    const equal = load.memory.bytes === store.memory.bytes;
    if (!known) return equal ? "unknown" : "partial";
    const between = known.difference + known.stride * BigInt(distance);
    return equal && BigInt.asIntN(store.address.shape.bits, between) === 0n ? "same" : "partial";
  }

  /** Whether it is known at which distances they meet, or proved. */
  isKnown(load: Load, store: Store): boolean {
    return (
      this.placesOf(load, store) !== undefined ||
      provedOf(this.proved, load.memory, store.memory) !== undefined
    );
  }

  /** Whether bounds of loops keep them apart from a distance on. */
  private areSeparate(load: Load, store: Store, from: number): boolean {
    const known = this.separate.get(load)?.get(store)?.get(from);
    if (known !== undefined) return known;
    const later = { address: load.args[0], bytes: load.memory.bytes };
    const earlier = { address: store.address, bytes: store.memory.bytes };
    const found = this.strides.neverMeet(later, earlier, from);
    const ofLoad = this.separate.get(load) ?? new Map<Store, Map<number, boolean>>();
    this.separate.set(load, ofLoad.set(store, (ofLoad.get(store) ?? new Map()).set(from, found)));
    return found;
  }

  private placesOf(load: Load, store: Store): { stride: bigint; difference: bigint } | undefined {
    const stride = this.strides.of(affineForm(store.address));
    const difference = addressDifference(load.args[0], store.address);
    return stride === undefined || difference === undefined ? undefined : { stride, difference };
  }
}

/** What is proved about the array that both accesses lead to, if they lead nowhere else. */
function provedOf(proved: readonly Apart[], a: MemoryReference, b: MemoryReference): Apart | undefined {
  const within = ({ roots }: MemoryReference, array: object) =>
    roots !== "any" && roots.size === 1 && roots.has(array);
  return proved.find(({ array }) => within(a, array) && within(b, array));
}

/** More than any loop has under way: whether iterations that far from each other meet does not matter. */
const MOST_ITERATIONS = 4096;

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

  /** Whether bounds of loops keep accesses apart, from a distance on. */
  neverMeet(later: Access, earlier: Access, from: number): boolean {
    return neverMeet(this.graph, later, earlier, from, (value) => this.ofTerm(value));
  }

  private ofTerm(value: Value): bigint | undefined {
    if (!readsVariable(value)) return this.isInvariant(value) ? 0n : undefined;
    const update = this.graph.updates.get(value.variable);
    if (!update) return 0n;
    return constantDifference(affineForm(update), affineForm(value));
  }

  /**
   * The first iteration m >= 1 after a store whose load overlaps it. The store covers bytes 0 to `stored`; the load m
   * iterations later covers `loaded` bytes from `difference + stride * m` on. `bits`: of addresses.
   */
  overlapAfter(
    stride: bigint,
    difference: bigint,
    loaded: number,
    stored: number,
    bits: number,
  ): number | undefined {
    if (this.graph.bounds) return overlapAfter(stride, difference, loaded, stored);
    for (let m = 1; m <= MOST_ITERATIONS; m++) {
      const place = BigInt.asIntN(bits, difference + stride * BigInt(m));
      if (-BigInt(loaded) < place && place < BigInt(stored)) return m;
    }
    return undefined;
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

/** Where addresses do not wrap around. */
function overlapAfter(
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
