/**
 * Chooses the ready action that starts next: the one with the longest chain of work behind it, among those whose
 * resources are free. Actions with equal demands wait in one heap, so the choice is between few.
 */
import type { Address, Resources } from "../model/action.ts";
import { EngineError } from "../model/error.ts";

export interface Capacity {
  readonly cpu: number;
  /** In bytes. */
  readonly memory: number;
  readonly tokens: Readonly<Record<string, number>>;
  /** How many exist of a token that is not listed; default 1. */
  readonly otherTokens?: number;
  /** Limit of concurrent actions, whatever they ask for; default: none. */
  readonly jobs?: number;
}

interface Queued {
  readonly address: Address;
  /** Seconds of work on the longest chain that starts here, itself included. */
  readonly priority: number;
  /** Ties keep the order of the graph. */
  readonly index: number;
  /** Whether it may be started ahead. */
  readonly mayWait: boolean;
}

/** The resources asked for, limited to the CPUs and memory that exist: alone, any action may run. */
interface Demand {
  readonly cpu: number;
  readonly memory: number;
  readonly tokens: readonly (readonly [token: string, count: number])[];
}

const NOTHING: Demand = { cpu: 0, memory: 0, tokens: [] };

interface Lane {
  readonly demand: Demand;
  readonly heap: Heap;
  /** How often its head was passed over for fitting actions of lower priority. */
  passedOver: number;
}

/** How often the most urgent action may be passed over; after that, free resources are kept until it fits. */
const PATIENCE = 16;

export class Schedule {
  readonly #capacity: Capacity;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes by identity of the resources object: many actions share one. */
  #lanesOf = new WeakMap<Resources, Lane>();
  readonly #running = new Map<Address, Demand>();
  #cpu = 0;
  #memory = 0;
  readonly #tokens = new Map<string, number>();
  #waiting = 0;
  /** Actions started ahead, until each takes the place of another. */
  readonly #ahead: { readonly address: Address; readonly demand: Demand }[] = [];

  constructor(capacity: Capacity) {
    this.#capacity = capacity;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Throws `unsatisfiable` if it requests more tokens than exist. */
  add(address: Address, resources: Resources, priority: number, index: number, mayWait = false): void {
    let lane = this.#lanesOf.get(resources);
    if (lane === undefined) {
      lane = this.#laneFor(this.#demandOf(address, resources));
      this.#lanesOf.set(resources, lane);
    }
    lane.heap.push({ address, priority, index, mayWait });
    this.#waiting += 1;
  }

  #laneFor(demand: Demand): Lane {
    const signature = JSON.stringify([demand.cpu, demand.memory, demand.tokens]);
    let lane = this.#lanes.get(signature);
    if (lane === undefined) {
      lane = { demand, heap: new Heap(), passedOver: 0 };
      this.#lanes.set(signature, lane);
    }
    return lane;
  }

  /** Takes the most urgent action that fits the free resources; undefined when none is to start now. */
  take(): Address | undefined {
    let fitting: Lane | undefined;
    let blocked: Lane | undefined;
    for (const lane of this.#lanes.values()) {
      const head = lane.heap.peek();
      if (head === undefined) continue;
      if (this.#fits(lane.demand)) {
        if (fitting === undefined || precedes(head, fitting.heap.peek() as Queued)) fitting = lane;
      } else if (blocked === undefined || precedes(head, blocked.heap.peek() as Queued)) blocked = lane;
    }
    if (fitting === undefined) return undefined;
    if (blocked !== undefined && precedes(blocked.heap.peek() as Queued, fitting.heap.peek() as Queued)) {
      if (blocked.passedOver >= PATIENCE) return undefined;
      blocked.passedOver += 1;
    }
    const { address } = fitting.heap.pop() as Queued;
    fitting.passedOver = 0;
    this.#waiting -= 1;
    this.#hold(address, fitting.demand);
    return address;
  }

  /**
   * Takes the most urgent action that lacks nothing but a processor. At most one such action per processor; each takes
   * the place of the next action that is released.
   */
  takeAhead(): Address | undefined {
    if (this.#ahead.length >= this.#capacity.cpu || this.#capacity.jobs !== undefined) return undefined;
    let urgent: Lane | undefined;
    for (const lane of this.#lanes.values()) {
      const head = lane.heap.peek();
      if (head !== undefined && (urgent === undefined || precedes(head, urgent.heap.peek() as Queued)))
        urgent = lane;
    }
    if (urgent === undefined || urgent.heap.peek()?.mayWait !== true) return undefined;
    const { demand } = urgent;
    if (demand.cpu > 1 || demand.memory > 0 || demand.tokens.length > 0 || this.#cpu === 0) return undefined;
    const { address } = urgent.heap.pop() as Queued;
    this.#waiting -= 1;
    this.#running.set(address, NOTHING);
    this.#ahead.push({ address, demand });
    return address;
  }

  /**
   * Reserves memory and tokens for a process that runs beside this schedule, until the returned function is called.
   * CPUs are shared: a short action must not wait for a long one.
   */
  lend(resources: Resources): () => void {
    const { memory, tokens } = this.#within(resources);
    this.#use({ cpu: 0, memory, tokens }, 1);
    return () => this.#use({ cpu: 0, memory, tokens }, -1);
  }

  /** Returns what an action held. */
  release(address: Address): void {
    const demand = this.#running.get(address);
    if (demand === undefined) return;
    this.#running.delete(address);
    this.#use(demand, -1);
    const early = this.#ahead.findIndex((ahead) => ahead.address === address);
    // The action that was started ahead ended before the release of the one it replaces.
    if (early >= 0) this.#ahead.splice(early, 1);
    else {
      const ahead = this.#ahead.shift();
      if (ahead !== undefined) this.#hold(ahead.address, ahead.demand);
    }
  }

  /** Forgets everything that has not started. */
  clear(): void {
    this.#lanes.clear();
    this.#lanesOf = new WeakMap();
    this.#waiting = 0;
  }

  #hold(address: Address, demand: Demand): void {
    this.#running.set(address, demand);
    this.#use(demand, 1);
  }

  #use({ cpu, memory, tokens }: Demand, times: 1 | -1): void {
    this.#cpu += times * cpu;
    this.#memory += times * memory;
    for (const [token, count] of tokens)
      this.#tokens.set(token, (this.#tokens.get(token) ?? 0) + times * count);
  }

  #fits(demand: Demand): boolean {
    return (
      this.#running.size < (this.#capacity.jobs ?? Number.POSITIVE_INFINITY) &&
      this.#cpu + demand.cpu <= this.#capacity.cpu &&
      this.#memory + demand.memory <= this.#capacity.memory &&
      demand.tokens.every(([token, count]) => (this.#tokens.get(token) ?? 0) + count <= this.#exists(token))
    );
  }

  #exists(token: string): number {
    return this.#capacity.tokens[token] ?? this.#capacity.otherTokens ?? 1;
  }

  #demandOf(address: Address, resources: Resources): Demand {
    const tokens = Object.entries(resources.tokens ?? {}).sort();
    for (const [token, count] of tokens) {
      if (count <= this.#exists(token)) continue;
      throw new EngineError(
        "unsatisfiable",
        `${address} needs ${count} of ${token}, but there ${this.#exists(token) === 1 ? "is" : "are"} ${this.#exists(token)}`,
        `raise the number of ${token} that there are, or ask for fewer`,
        [address],
      );
    }
    return this.#within(resources);
  }

  #within({ cpu = 1, memory = 0, tokens = {} }: Resources): Demand {
    return {
      cpu: Math.min(cpu, this.#capacity.cpu),
      memory: Math.min(memory, this.#capacity.memory),
      tokens: Object.entries(tokens).sort(),
    };
  }
}

function precedes(a: Queued, b: Queued): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.index < b.index);
}

/** A binary heap, most urgent first. */
class Heap {
  readonly #items: Queued[] = [];

  peek(): Queued | undefined {
    return this.#items[0];
  }

  push(item: Queued): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!precedes(item, items[parent] as Queued)) break;
      items[at] = items[parent] as Queued;
      at = parent;
    }
    items[at] = item;
  }

  pop(): Queued | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && precedes(items[child + 1] as Queued, items[child] as Queued))
        child += 1;
      if (!precedes(items[child] as Queued, last)) break;
      items[at] = items[child] as Queued;
      at = child;
    }
    items[at] = last;
    return top;
  }
}
