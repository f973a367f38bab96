/**
 * Local arrays in block RAM: which accesses must keep their order, within an iteration and between iterations. A read
 * returns the word as it was before the cycle; a word that is used is never written in the cycle in which it is read.
 */
import { firstOf, itemAt } from "../../checked/access.ts";
import { addressDifference, affineForm, constantDifference } from "./affine.ts";
import type { Graph } from "./graph.ts";
import { Strides } from "./memory.ts";
import type { Fetch, Ram, RamWrite, Value } from "./value.ts";

/** `to` starts after `from`, which is `distance` iterations earlier. */
interface RamOrder {
  readonly from: Value | RamWrite;
  readonly to: Value | RamWrite;
  readonly distance: number;
}

/** Orders among fetches and writes of a graph; `sharedPorts`: fetches that share a port; `looping`: iterations overlap. */
export function ramOrders(
  graph: Graph,
  fetches: readonly Value[],
  writes: readonly RamWrite[],
  sharedPorts: readonly (readonly Value[])[],
  looping: boolean,
): readonly RamOrder[] {
  const strides = new Strides(graph);
  const orders: RamOrder[] = [];
  for (const value of fetches)
    for (const write of writes) {
      const { ram, after, before } = value.fetch as Fetch;
      if (write.ram !== ram) continue;
      const place = graph.writes.indexOf(write);
      const apart = addressDifference(addressOf(value), write.address);
      // If it is certainly the same word, the iteration uses the written value instead.
      if (place < after && apart === undefined) orders.push({ from: write, to: value, distance: 0 });
      if (place >= before && (apart === undefined || apart === 0n))
        orders.push({ from: value, to: write, distance: 0 });
      if (!looping) continue;
      const forwardDistance = carried(strides, write, value);
      if (forwardDistance !== undefined) orders.push({ from: write, to: value, distance: forwardDistance });
      const later = between(strides, write.address, addressOf(value));
      if (later !== undefined) orders.push({ from: value, to: write, distance: later });
    }
  const arrays = [...new Set(writes.map((w) => w.ram))];
  const ports = [...arrays.map((ram) => writes.filter((w) => w.ram === ram)), ...sharedPorts];
  return [...orders, ...ports.flatMap((port) => inTurn(port, looping))];
}

/** Users of a port, one after the other, and all before those of the next iteration. */
function inTurn(port: readonly (Value | RamWrite)[], looping: boolean): readonly RamOrder[] {
  const chain = port.slice(1).map((to, k): RamOrder => ({ from: itemAt(port, k), to, distance: 0 }));
  const [first, last] = [port[0], port.at(-1)];
  return looping && first && last && first !== last
    ? [...chain, { from: last, to: first, distance: 1 }]
    : chain;
}

/** Iterations from a write to the first one whose fetch must see it; undefined: never. */
export function carried(strides: Strides, write: RamWrite, value: Value): number | undefined {
  const distance = between(strides, addressOf(value), write.address);
  return distance === 1 && value.fetch?.blind ? 2 : distance;
}

const addressOf = (value: Value) => firstOf(value.args);

/** The first later iteration in which another access may meet the word accessed at `first`. */
function between(strides: Strides, second: Value, first: Value): number | undefined {
  const stride = strides.of(affineForm(first));
  const difference = constantDifference(affineForm(second), affineForm(first));
  if (strides.neverMeet({ address: second, bytes: 1 }, { address: first, bytes: 1 }, 1)) return undefined;
  if (stride === undefined || difference === undefined) return 1;
  return strides.overlapAfter(stride, difference, 1, 1, first.shape.bits);
}

/** Block RAMs have one read port: an array that is read several times in a cycle has copies, up to this number. */
const MOST_COPIES = 4;

/** Fetches grouped by the copy of their array that they share; `interval`: cycles in which a copy can serve them. */
export function sharedReadPorts(fetches: readonly Value[], interval: number): readonly (readonly Value[])[] {
  return byRam(fetches).flatMap((sameRam) => {
    const copies = Math.min(MOST_COPIES, Math.max(1, Math.ceil(sameRam.length / interval)));
    return Array.from({ length: copies }, (_, copy) => sameRam.filter((_, k) => k % copies === copy));
  });
}

/**
 * The copy that each fetch reads. One copy serves fetches in different cycles of one interval: whenever the next
 * iteration starts, its fetches come later. `first`: number of copies that others use.
 */
export function copiesOf(
  sharedPorts: readonly (readonly Value[])[],
  cycle: (value: Value) => number,
  interval: number,
  first: (ram: Ram) => number,
): ReadonlyMap<Value, number> {
  const copies = new Map<Ram, Value[][]>();
  const starts = (group: readonly Value[]) => Math.min(...group.map(cycle));
  for (const group of [...sharedPorts].sort((a, b) => starts(a) - starts(b))) {
    const { ram } = firstOf(group).fetch as Fetch;
    const known = copies.get(ram) ?? [];
    copies.set(ram, known);
    const fits = (copy: readonly Value[]) => {
      const cycles = [...copy, ...group].map(cycle);
      return Math.max(...cycles) - Math.min(...cycles) < interval && new Set(cycles).size === cycles.length;
    };
    const copy = known.find(fits);
    if (copy) copy.push(...group);
    else known.push([...group]);
  }
  return new Map(
    [...copies].flatMap(([ram, known]) =>
      known.flatMap((group, k) => group.map((value) => [value, first(ram) + k] as const)),
    ),
  );
}

/** In an order in which they can be executed one after the other. */
function byRam(fetches: readonly Value[]): readonly (readonly Value[])[] {
  const place = ({ fetch }: Value) => (fetch as Fetch).before;
  const ordered = [...fetches].sort((a, b) => place(a) - place(b) || a.id - b.id);
  const rams = [...new Set(ordered.map(({ fetch }) => (fetch as Fetch).ram))];
  return rams.map((ram) => ordered.filter(({ fetch }) => fetch?.ram === ram));
}
