/**
 * Which ready action starts next: the one with the longest chain of work behind it, among those whose
 * resources are free. Actions that ask for the same wait in one heap, so the choice is between few.
 */
import type { Address, Resources } from "../model/action.ts";
import { EngineError } from "../model/error.ts";

export interface Capacity {
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
  readonly tokens: Readonly<Record<string, number>>;
  /** How many there are of a token that is not listed; default 1. */
  readonly otherTokens?: number;
  /** Actions at once, whatever they ask for; default: no bound. */
  readonly jobs?: number;
}

interface Queued {
  readonly address: Address;
  /** Seconds of work on the longest chain from here, itself included. */
  readonly priority: number;
  /** Ties keep the order of the graph. */
  readonly index: number;
  /** Whether it may be taken ahead. */
  readonly mayWait: boolean;
}

/** What is asked for, never more CPUs and memory than there are: alone, everything may run. */
interface Demand {
  readonly cpu: number;
  readonly memory: number;
  readonly tokens: readonly (readonly [token: string, count: number])[];
}

const NOTHING: Demand = { cpu: 0, memory: 0, tokens: [] };

interface Lane {
  readonly demand: Demand;
  readonly heap: Heap;
  /** How often its head was passed over for actions of less priority that fitted. */
  passedOver: number;
}

/** So often the most urgent action may be passed over; then what is free is kept until it fits. */
const PATIENCE = 16;

export class Schedule {
  readonly #capacity: Capacity;
  readonly #lanes = new Map<string, Lane>();
  /** The same by the very object that asks: many actions have one. */
  #lanesOf = new WeakMap<Resources, Lane>();
  readonly #running = new Map<Address, Demand>();
  #cpu = 0;
  #memory = 0;
  readonly #tokens = new Map<string, number>();
  #waiting = 0;
  /** What was taken ahead, until each takes the place of another. */
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

  /** Throws `unsatisfiable` when there are not as many tokens in all. */
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

  /** Takes the most urgent action that fits into what is free; undefined when none is to start now. */
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
   * Takes the most urgent action though it does not fit, if it waits for nothing but a processor: one for each that
   * there is, which has the place of the next one that is released.
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
   * Does without the memory and the tokens of what runs beside this schedule, until the returned function is
   * called. CPUs are shared: what is short must not wait for what is long.
   */
  lend(resources: Resources): () => void {
    const { memory, tokens } = this.#within(resources);
    this.#use({ cpu: 0, memory, tokens }, 1);
    return () => this.#use({ cpu: 0, memory, tokens }, -1);
  }

  /** Gives back what an action held. */
  release(address: Address): void {
    const demand = this.#running.get(address);
    if (demand === undefined) return;
    this.#running.delete(address);
    this.#use(demand, -1);
    const early = this.#ahead.findIndex((ahead) => ahead.address === address);
    // It was over before the other's end was told.
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
