/** Who waits for whom in a build, what can be decided now, and how what is over ended. */
import type { Action, Address } from "./action.ts";
import type { Event } from "./event.ts";
import type { Graph } from "./graph.ts";
import type { Produced } from "./inputs.ts";
import type { ActionOutcome } from "./outcome.ts";
import type { ActionResult } from "./result.ts";
import type { Wanted } from "./wanted.ts";

/** Part of a graph cannot be built alone: an action outside it must be done again. */
export class NeedsWholeGraph extends Error {
  constructor(address: Address) {
    super(`what ${address} made is lost`);
  }
}

export class Progress {
  readonly outcomes = new Map<Address, ActionOutcome>();
  readonly #graph: Graph;
  readonly #wanted: Wanted;
  /** Done before, outside the graph. */
  readonly #given: ReadonlyMap<Address, Produced>;
  readonly #emit: (event: Event) => void;
  /** For actions that wait: how many others are not done yet. */
  readonly #unfinished = new Map<Address, number>();
  /** Who waits for an action without naming it: found by what was discovered. */
  readonly #waiters = new Map<Address, Address[]>();
  #decidable: Address[] = [];
  #next = 0;
  /** What they made is lost: they must run, whatever is known of them. */
  readonly #lost = new Set<Address>();
  /** Done before in this build, so that those who name them were told already. */
  readonly #remade = new Set<Address>();
  /** Wanted actions of the graph without an outcome. */
  #pending = 0;

  constructor(
    graph: Graph,
    wanted: Wanted,
    given: ReadonlyMap<Address, Produced>,
    emit: (event: Event) => void,
  ) {
    this.#graph = graph;
    this.#wanted = wanted;
    this.#given = given;
    this.#emit = emit;
  }

  /** Whether every wanted action is over. */
  get isComplete(): boolean {
    return this.#pending === 0;
  }

  // --- What can be decided --------------------------------------------------------------------------

  get hasDecidable(): boolean {
    return this.#next < this.#decidable.length;
  }

  /** The next action whose needs are all done; undefined when none is left for now. */
  takeDecidable(): Address | undefined {
    const address = this.#decidable[this.#next];
    if (address === undefined) {
      this.#decidable = [];
      this.#next = 0;
    } else this.#next += 1;
    return address;
  }

  /** Starts to wait for what an action needs, or lets it be decided. */
  activate(address: Address): void {
    const node = this.#graph.nodes.get(address);
    if (node === undefined) return;
    this.#pending += 1;
    let unfinished = 0;
    for (const need of node.needs) {
      const outcome = this.outcomes.get(need);
      if (outcome?.status === "failed" || outcome?.status === "skipped") {
        this.#unfinished.set(address, 0);
        this.#skip(address, outcome);
        return;
      }
      if (outcome === undefined && !this.#given.has(need)) unfinished += 1;
    }
    this.#unfinished.set(address, unfinished);
    if (unfinished === 0) this.decide(address);
  }

  /** It is to be decided, for the first time or again. */
  decide(address: Address): void {
    this.#decidable.push(address);
  }

  // --- Waiting for what only discovery shows ----------------------------------------------------------

  /** The other action that will write a path and has not yet. */
  awaited(address: Address, path: string): Address | undefined {
    if (path.startsWith("/")) return undefined;
    const producer = this.#graph.placedBy(path);
    if (producer === undefined || producer === address || this.isKnown(producer)) return undefined;
    const outcome = this.outcomes.get(producer);
    // A failed or skipped producer writes nothing any more; a planned one is waited for, to no avail.
    if (outcome?.status === "failed" || outcome?.status === "skipped") return undefined;
    return this.#graph.reaches(producer, address) ? undefined : producer;
  }

  waitFor(address: Address, producer: Address): void {
    this.#unfinished.set(address, 1);
    this.#addWaiter(producer, address);
    for (const fresh of this.#wanted.add([producer])) this.activate(fresh);
  }

  #addWaiter(producer: Address, waiter: Address): void {
    const waiters = this.#waiters.get(producer);
    if (waiters === undefined) this.#waiters.set(producer, [waiter]);
    else waiters.push(waiter);
  }

  // --- Doing again ------------------------------------------------------------------------------------

  isLost(address: Address): boolean {
    return this.#lost.has(address);
  }

  /** Lets an action wait until what others made and lost is made again. Throws NeedsWholeGraph. */
  remake(producers: ReadonlySet<Address>, waiter: Address): void {
    this.#unfinished.set(waiter, producers.size);
    for (const producer of producers) {
      if (!this.#graph.nodes.has(producer)) throw new NeedsWholeGraph(producer);
      this.#addWaiter(producer, waiter);
      if (!this.outcomes.delete(producer)) continue;
      this.#pending += 1;
      this.#remade.add(producer);
      this.runAgain(producer);
    }
  }

  /** What it made is lost before it was told to be done. */
  runAgain(address: Address): void {
    this.#lost.add(address);
    this.decide(address);
  }

  // --- What is known ----------------------------------------------------------------------------------

  /** Whether an action's outputs are known: done, or in a dry run known to be as they are. */
  isKnown(address: Address): boolean {
    return this.#given.has(address) || this.outcomes.get(address)?.result !== undefined;
  }

  produced(address: Address): Produced {
    const given = this.#given.get(address);
    if (given !== undefined) return given;
    return {
      action: this.#graph.node(address).action,
      result: this.outcomes.get(address)?.result as ActionResult,
    };
  }

  // --- Ends -------------------------------------------------------------------------------------------

  /** Tells those who wait for an action, or for what it promised, that it is done or will never be. */
  settle(action: Action, outcome: ActionOutcome): void {
    const { address } = action;
    this.outcomes.set(address, outcome);
    this.#pending -= 1;
    // Those that name it have waited since they were activated; when it is remade, only its waiters wait.
    const consumers = this.#remade.has(address) ? [] : (this.#graph.consumers.get(address) ?? []);
    const waiting = [...consumers, ...(this.#waiters.get(address) ?? [])];
    this.#waiters.delete(address);
    if (outcome.status === "done" || outcome.status === "planned") {
      for (const consumer of waiting) this.#needDone(consumer);
      return;
    }
    const hoping = (action.expand?.promises ?? []).flatMap(
      (promised) => this.#graph.consumers.get(promised) ?? [],
    );
    for (const consumer of [...waiting, ...hoping]) this.#skip(consumer, outcome);
  }

  /** Of a promised action that a dry run cannot know: those who need it are planned all the same. */
  settlePromise(promised: Address): void {
    this.outcomes.set(promised, { address: promised, status: "planned", verdict: "unknown" });
    for (const consumer of this.#graph.consumers.get(promised) ?? []) this.#needDone(consumer);
  }

  #needDone(consumer: Address): void {
    const unfinished = this.#unfinished.get(consumer);
    if (unfinished === undefined || unfinished === 0 || this.outcomes.has(consumer)) return;
    this.#unfinished.set(consumer, unfinished - 1);
    if (unfinished === 1) this.decide(consumer);
  }

  /** Skips an action, and all that need it, for the sake of one that failed or was skipped. */
  #skip(first: Address, cause: ActionOutcome): void {
    const reason = cause.status === "skipped" ? (cause.message ?? "") : `${cause.address} failed`;
    const rest = [first];
    for (let address = rest.shift(); address !== undefined; address = rest.shift()) {
      if (!this.#unfinished.has(address) || this.outcomes.has(address)) continue;
      this.outcomes.set(address, { address, status: "skipped", message: reason });
      this.#pending -= 1;
      this.#emit({ type: "skipped", address, reason, because: cause.address });
      const promises = this.#graph.nodes.get(address)?.action.expand?.promises ?? [];
      for (const needed of [address, ...promises]) {
        rest.push(...(this.#graph.consumers.get(needed) ?? []), ...(this.#waiters.get(needed) ?? []));
      }
    }
  }
}
