/** Dependencies during a build: who waits for whom, what can be decided now, and how finished actions ended. */

import type { ActionStates } from "../graph/action-states.ts";
import { withRoom } from "../graph/column.ts";
import type { Graph } from "../graph/graph.ts";
import { outputOfProduced, type Produced } from "../graph/inputs.ts";
import type { ActionOutcome } from "../graph/outcome.ts";
import type { BuildOutcomes, ProducedOutput } from "../graph/outcome-table.ts";
import type { Wanted } from "../graph/wanted.ts";
import { NeedsWholeGraph } from "../graph/whole-graph.ts";
import type { ActionResult } from "../key/result.ts";
import type { Address } from "../model/action.ts";
import type { Event } from "../model/event.ts";

/** Actions are given by their position in the graph. */
export class DependencyTracker {
  readonly outcomes: BuildOutcomes;
  readonly #graph: Graph;
  readonly #wanted: Wanted;
  /** Actions outside the graph that were done before. */
  readonly #finished: ReadonlyMap<Address, Produced>;
  readonly #emit: (event: Event) => void;
  readonly #states: ActionStates;
  /** For each waiting action: for how many others it waits. */
  #unfinished = new Int32Array(0);
  /** Actions that wait for another without naming it, because of a discovered input. */
  readonly #waiters = new Map<number, number[]>();
  #decidable: number[] = [];
  #next = 0;
  /** Actions whose outputs are lost: they must run, whatever is known about them. */
  readonly #lost = new Set<number>();
  /** Actions that were done earlier in this build, so their consumers were notified already. */
  readonly #remade = new Set<number>();
  /** Skipped actions, by the address that caused the skip. */
  readonly #skippedFor = new Map<Address, number[]>();
  /** Number of wanted actions without an outcome. */
  #pending = 0;
  /** Counts settlements; for each action, the count at its last one. */
  #settled = 0;
  #settledAt = new Float64Array(0);

  constructor(
    graph: Graph,
    states: ActionStates,
    wanted: Wanted,
    finished: ReadonlyMap<Address, Produced>,
    emit: (event: Event) => void,
    outcomes: BuildOutcomes,
  ) {
    this.outcomes = outcomes;
    this.#graph = graph;
    this.#states = states;
    this.#wanted = wanted;
    this.#finished = finished;
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

  /** The next action whose needs are all done; undefined when there is none for now. */
  takeDecidable(): number | undefined {
    const index = this.#decidable[this.#next];
    if (index === undefined) {
      this.#decidable = [];
      this.#next = 0;
    } else {
      this.#next += 1;
      this.#states.move(index, "deciding");
    }
    return index;
  }

  /** Makes an action wait for its needs, or decidable if they are done. */
  activate(address: Address): void {
    const { actions } = this.#graph;
    const index = actions.numberOf(address);
    if (index === undefined) return;
    this.#pending += 1;
    this.#states.move(index, "waiting");
    this.#unfinished = withRoom(this.#unfinished, this.#graph.size);
    let unfinished = 0;
    for (const need of actions.needsOf(index)) {
      const outcome = this.#endOf(need);
      if (outcome?.status === "failed" || outcome?.status === "skipped") {
        this.#skip(index, outcome);
        return;
      }
      if (outcome === undefined && !this.#finished.has(actions.strings.text(need))) unfinished += 1;
    }
    this.#unfinished[index] = unfinished;
    if (unfinished === 0) this.decide(index);
  }

  /** How the action with an address ended; the address is a string number. */
  #endOf(text: number): Pick<ActionOutcome, "status" | "address" | "message"> | undefined {
    const { actions } = this.#graph;
    const index = actions.numberAt(text);
    if (index === undefined) return this.outcomes.get(actions.strings.text(text));
    return this.outcomes.isOver(index) ? this.outcomes.at(index) : undefined;
  }

  /** Marks an action for its first or another decision. */
  decide(index: number): void {
    this.#states.move(index, "decidable");
    this.#decidable.push(index);
  }

  // --- Waiting for what only discovery shows ----------------------------------------------------------

  /** Finds the action that still has to write a path where the action's headers may be. */
  awaitedBy(address: Address): (path: string) => Address | undefined {
    return (path) => this.awaited(address, path);
  }

  /** Another action that will write a path and has not done so yet. */
  awaited(address: Address, path: string): Address | undefined {
    if (path.startsWith("/")) return undefined;
    const producer = this.#graph.placedBy(path);
    if (producer === undefined || producer === address || this.isKnown(producer)) return undefined;
    const outcome = this.outcomes.get(producer);
    // A failed or skipped producer writes nothing any more; a planned one is waited for although it never writes.
    if (outcome?.status === "failed" || outcome?.status === "skipped") return undefined;
    return this.#graph.reaches(producer, address) ? undefined : producer;
  }

  /** The current moment of the build, for `writtenSince`. */
  get moment(): number {
    return this.#settled;
  }

  /** Another action that completed after a moment and wrote this path or around it. */
  writtenSince(address: Address, path: string, moment: number): Address | undefined {
    if (path.startsWith("/")) return undefined;
    const producer = this.#graph.placedBy(path);
    if (producer === undefined || producer === address || !this.isKnown(producer)) return undefined;
    const index = this.#graph.actions.numberOf(producer);
    return index !== undefined && (this.#settledAt[index] ?? 0) > moment ? producer : undefined;
  }

  waitFor(index: number, producer: Address): void {
    this.#states.move(index, "waiting");
    this.#unfinished[index] = 1;
    this.#addWaiter(this.#graph.indexOf(producer), index);
    for (const fresh of this.#wanted.add([producer])) this.activate(fresh);
  }

  #addWaiter(producer: number, waiter: number): void {
    const waiters = this.#waiters.get(producer);
    if (waiters === undefined) this.#waiters.set(producer, [waiter]);
    else waiters.push(waiter);
  }

  // --- Doing again ------------------------------------------------------------------------------------

  isLost(index: number): boolean {
    return this.#lost.has(index);
  }

  /** Makes an action wait until lost outputs of others are made again. Throws NeedsWholeGraph. */
  remake(producers: ReadonlySet<Address>, waiter: number): void {
    this.#states.move(waiter, "waiting");
    this.#unfinished[waiter] = producers.size;
    for (const address of producers) {
      const producer = this.#graph.actions.numberOf(address);
      if (producer === undefined) throw new NeedsWholeGraph(address);
      this.#addWaiter(producer, waiter);
      if (!this.#states.isOver(producer)) continue;
      this.outcomes.delete(producer);
      this.#pending += 1;
      this.#remade.add(producer);
      this.runAgain(producer);
    }
  }

  /** The action's outputs were lost before it was settled: it runs again. */
  runAgain(index: number): void {
    this.#lost.add(index);
    this.decide(index);
  }

  /** Decides a failed action again. Actions skipped because of it wait again and are returned. */
  retry(failed: number): readonly Address[] {
    const freed = this.#freedBy(this.#graph.actions.addressOf(failed));
    for (const index of [failed, ...freed]) this.outcomes.delete(index);
    this.#pending += 1;
    this.decide(failed);
    for (const index of freed) this.#states.move(index, "wanted");
    const addresses = freed.map((index) => this.#graph.actions.addressOf(index));
    for (const address of addresses) this.activate(address);
    return addresses;
  }

  #freedBy(cause: Address): readonly number[] {
    const freed = this.#skippedFor.get(cause) ?? [];
    this.#skippedFor.delete(cause);
    return freed.flatMap((index) => [index, ...this.#freedBy(this.#graph.actions.addressOf(index))]);
  }

  // --- What is known ----------------------------------------------------------------------------------

  /** Whether an action's outputs are known: it is done, or a dry run knows that they will not change. */
  isKnown(address: Address): boolean {
    const index = this.#graph.actions.numberOf(address);
    return (index !== undefined && this.outcomes.hasResult(index)) || this.#finished.has(address);
  }

  /** An output of an action whose outputs are known; undefined: the action left it out. */
  output(address: Address, name: string): ProducedOutput | undefined {
    const finished = this.#finished.get(address);
    if (finished !== undefined) return outputOfProduced(finished, name);
    return this.outcomes.output(this.#graph.indexOf(address), name);
  }

  produced(address: Address): Produced {
    const finished = this.#finished.get(address);
    if (finished !== undefined) return finished;
    const index = this.#graph.indexOf(address);
    return { action: this.#graph.actions.get(index), result: this.outcomes.result(index) as ActionResult };
  }

  // --- Completion -------------------------------------------------------------------------------------------

  /** Notifies everything that waits for an action, or for what it promised, that it is done or never will be. */
  settle(index: number, outcome: ActionOutcome): void {
    this.outcomes.set(index, outcome);
    this.#pending -= 1;
    this.#settled += 1;
    this.#settledAt = withRoom(this.#settledAt, this.#graph.size);
    this.#settledAt[index] = this.#settled;
    // Actions that name it have waited since they were activated; when it is remade, only its waiters wait.
    const consumers = this.#remade.has(index) ? [] : this.#usersOf(index);
    const waiting = [...consumers, ...(this.#waiters.get(index) ?? [])];
    this.#waiters.delete(index);
    if (outcome.status === "done" || outcome.status === "planned") {
      for (const consumer of waiting) this.#needDone(consumer);
      return;
    }
    for (const consumer of [...waiting, ...this.#hoping(index)]) this.#skip(consumer, outcome);
  }

  #usersOf(index: number): readonly number[] {
    return this.#graph.usersOf(this.#graph.actions.addressText(index));
  }

  /** Actions that need what an action promised. */
  #hoping(index: number): readonly number[] {
    const { strings } = this.#graph.actions;
    return this.#graph
      .promisedBy(index)
      .flatMap((promised) => this.#graph.usersOf(strings.find(promised) ?? -1));
  }

  /** For a promised address that a dry run cannot know: its consumers are planned nevertheless. */
  settlePromise(promised: Address): void {
    this.outcomes.setPromised({ address: promised, status: "planned", verdict: "unknown" });
    const text = this.#graph.actions.strings.find(promised);
    for (const consumer of text === undefined ? [] : this.#graph.usersOf(text)) this.#needDone(consumer);
  }

  #needDone(consumer: number): void {
    if (!this.#states.is(consumer, "waiting")) return;
    const unfinished = (this.#unfinished[consumer] as number) - 1;
    this.#unfinished[consumer] = unfinished;
    if (unfinished === 0) this.decide(consumer);
  }

  /** Skips an action and everything that needs it, because of one that failed or was skipped. */
  #skip(first: number, cause: Pick<ActionOutcome, "status" | "address" | "message">): void {
    const reason = cause.status === "skipped" ? (cause.message ?? "") : `${cause.address} failed`;
    const rest = [first];
    for (let index = rest.shift(); index !== undefined; index = rest.shift()) {
      if (!this.#states.is(index, "waiting")) continue;
      const address = this.#graph.actions.addressOf(index);
      this.outcomes.set(index, { address, status: "skipped", message: reason });
      this.#pending -= 1;
      this.#emit({ type: "skipped", address, reason, because: cause.address });
      const others = this.#skippedFor.get(cause.address);
      if (others === undefined) this.#skippedFor.set(cause.address, [index]);
      else others.push(index);
      rest.push(...this.#usersOf(index), ...(this.#waiters.get(index) ?? []), ...this.#hoping(index));
    }
  }
}
