/** The action graph. It is checked when made and whenever it grows, so that a build never meets an invalid one. */
import type { Action, Address } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import { ActionTable } from "./action-table.ts";
import { withRoom } from "./column.ts";
import { checkNames } from "./names.ts";
import { Ownership } from "./ownership.ts";

/** An action and its position in the graph; made on request. */
export interface Node {
  readonly action: Action;
  /** Position in the graph: the order in which actions were added. */
  readonly index: number;
  /** The action whose expansion added it. */
  readonly parent?: Address;
  /** Addresses that it needs, each once. */
  readonly needs: readonly Address[];
}

export class Graph {
  readonly actions: ActionTable;
  /** Promised address -> the action that will add it. */
  readonly promises = new Map<Address, Address>();
  /** Set for a part of a larger graph: the finished actions outside it, which expansions may also name. */
  readonly outside: ReadonlyMap<Address, Action> | undefined;
  /** By action: the action whose expansion added it, counted from 1; 0: none. */
  #parents = new Int32Array(0);
  /** By number of an address: its first and last use in the two columns below, counted from 1. */
  #firstUses = new Int32Array(0);
  #lastUses = new Int32Array(0);
  #users = new Int32Array(0);
  #nextUses = new Int32Array(0);
  #uses = 0;
  readonly #ownership: Ownership;
  /** By action: 1 once it is known to be in no cycle. */
  #acyclic = new Uint8Array(0);

  /** `actions` are the graph's initial actions; they are not changed when the graph grows. Throws like `add`. */
  constructor(outside?: ReadonlyMap<Address, Action>, actions: ActionTable = new ActionTable()) {
    this.outside = outside;
    this.actions = new ActionTable(actions);
    this.#ownership = new Ownership(this.actions);
    this.#admit(0, undefined);
  }

  get size(): number {
    return this.actions.size;
  }

  *nodes(): Generator<Node> {
    for (let index = 0; index < this.size; index += 1) yield this.at(index);
  }

  /**
   * Adds actions that may name each other, earlier ones and promised ones. Throws EngineError; after that the graph
   * must not be used.
   */
  add(actions: readonly Action[], parent?: Address): Node[] {
    const first = this.size;
    for (const action of actions) {
      checkAddress(action.address);
      if (this.actions.numberOf(action.address) !== undefined) throw calledTwice(action.address);
      this.actions.add(action);
    }
    this.#admit(first, parent);
    return actions.map((_, at) => this.at(first + at));
  }

  has(address: Address): boolean {
    return this.actions.numberOf(address) !== undefined;
  }

  at(index: number): Node {
    const parent = this.parentOf(index);
    return {
      action: this.actions.get(index),
      index,
      ...(parent === undefined ? {} : { parent }),
      needs: this.actions.needsOf(index).map((need) => this.actions.strings.text(need)),
    };
  }

  find(address: Address): Node | undefined {
    const index = this.actions.numberOf(address);
    return index === undefined ? undefined : this.at(index);
  }

  /** Throws `unknown-action`. */
  indexOf(address: Address): number {
    const index = this.actions.numberOf(address);
    if (index === undefined) {
      throw new EngineError(
        "unknown-action",
        `there is no action ${address}`,
        "see `arc graph` for those there are",
        [address],
      );
    }
    return index;
  }

  /** Throws `unknown-action`. */
  node(address: Address): Node {
    return this.at(this.indexOf(address));
  }

  parentOf(index: number): Address | undefined {
    const parent = this.#parents[index];
    return parent === undefined || parent === 0 ? undefined : this.actions.addressOf(parent - 1);
  }

  /** Addresses that an action's expansion added. */
  addedBy(address: Address): Address[] {
    const number = (this.actions.numberOf(address) ?? -1) + 1;
    const added: Address[] = [];
    for (let index = 0; number > 0 && index < this.size; index += 1)
      if (this.#parents[index] === number) added.push(this.actions.addressOf(index));
    return added;
  }

  /** Addresses that an action promised. */
  promisedBy(index: number): readonly Address[] {
    return this.actions.shapeOf(index).expand?.promises ?? [];
  }

  /** The actions that need an address (which may be only promised), in the order of the graph. */
  consumersOf(address: Address): Address[] {
    const text = this.actions.strings.find(address);
    const users = text === undefined ? [] : this.usersOf(text);
    return users.map((user) => this.actions.addressOf(user));
  }

  /** Like `consumersOf`, by string number of the address and numbers of actions. */
  usersOf(text: number): number[] {
    const users: number[] = [];
    for (let use = this.#firstUses[text] ?? 0; use > 0; use = this.#nextUses[use - 1] as number)
      users.push(this.#users[use - 1] as number);
    return users;
  }

  /** The action whose output is this path or a folder around it. */
  placedBy(path: string): Address | undefined {
    return this.#ownership.writerAround(path);
  }

  /** Whether `from` needs `to`, directly or indirectly. */
  reaches(from: Address, to: Address): boolean {
    const seen = new Set<Address>([from]);
    for (const address of seen) {
      if (address === to) return true;
      const index = this.actions.numberOf(address);
      for (const need of index === undefined ? [] : this.#prerequisites(index)) seen.add(need);
    }
    return false;
  }

  // --- Checks -----------------------------------------------------------------------------------------

  /** Checks and connects the actions from index `first` on. */
  #admit(first: number, parent: Address | undefined): void {
    const { actions, size } = this;
    this.#parents = withRoom(this.#parents, size);
    this.#acyclic = withRoom(this.#acyclic, size);
    const parentNumber = parent === undefined ? 0 : (actions.numberOf(parent) ?? -1) + 1;
    for (let index = first; index < size; index += 1) {
      this.#parents[index] = parentNumber;
      this.#connect(index);
    }
    for (let index = first; index < size; index += 1) this.#checkInputs(index);
    for (let index = first; index < size; index += 1) this.#findCycle(index);
  }

  #connect(index: number): void {
    const { actions } = this;
    const address = actions.addressOf(index);
    checkAddress(address);
    if (actions.numberOf(address) !== index) throw calledTwice(address);
    checkNames(
      address,
      actions.namesOf(index).map((name) => actions.strings.text(name)),
      actions.outputCount(index),
    );
    for (const need of actions.needsOf(index)) this.#addUse(need, index);
    for (const promised of this.promisedBy(index)) this.promises.set(promised, address);
    for (const place of actions.placesOf(index))
      if (place >= 0) this.#ownership.write(actions.strings.text(place), index);
  }

  #addUse(text: number, user: number): void {
    this.#firstUses = withRoom(this.#firstUses, text + 1);
    this.#lastUses = withRoom(this.#lastUses, text + 1);
    this.#users = withRoom(this.#users, this.#uses + 1);
    this.#nextUses = withRoom(this.#nextUses, this.#uses + 1);
    this.#users[this.#uses] = user;
    this.#nextUses[this.#uses] = 0;
    this.#uses += 1;
    const last = this.#lastUses[text] as number;
    if (last === 0) this.#firstUses[text] = this.#uses;
    else this.#nextUses[last - 1] = this.#uses;
    this.#lastUses[text] = this.#uses;
  }

  #checkInputs(index: number): void {
    const { actions } = this;
    for (const file of actions.filesOf(index)) this.#ownership.read(file, index);
    const reads = actions.outputsReadBy(index);
    for (let at = 0; at < reads.length; at += 2)
      this.#checkRead(actions.addressOf(index), reads[at] as number, reads[at + 1] as number);
  }

  /** Checks that a producer has the named output; `need` and `name` are string numbers. */
  #checkRead(address: Address, need: number, name: number): void {
    const index = this.actions.numberAt(need);
    if (index !== undefined && this.actions.outputCalled(index, name) >= 0) return;
    const producer = this.actions.strings.text(need);
    const output = this.actions.strings.text(name);
    const known = index === undefined ? this.outside?.get(producer) : this.actions.get(index);
    if (known === undefined) {
      if (this.promises.has(producer) || this.outside !== undefined) return;
      throw new EngineError(
        "unknown-action",
        `${address} needs ${producer}, which does not exist`,
        "declare it, or correct the name",
        [address],
      );
    }
    if (!known.outputs.some((declared) => declared.name === output)) {
      const names = known.outputs.map((declared) => declared.name).join(", ") || "nothing";
      throw new EngineError(
        "unknown-output",
        `${address} needs ${output} of ${producer}, which makes ${names}`,
        "name one of its outputs",
        [address, producer],
      );
    }
  }

  /** Depth first from one action; `#acyclic` keeps the whole search linear. */
  #findCycle(start: number): void {
    const { actions } = this;
    // Fast path: most actions are added after what they need.
    const isAfter = actions.needsOf(start).every((need) => this.#acyclic[actions.numberAt(need) ?? -1] === 1);
    if (isAfter) {
      this.#acyclic[start] = 1;
      return;
    }
    const path: { index: number; needs: readonly Address[]; next: number }[] = [];
    const onPath = new Set<Address>();
    const push = (index: number): void => {
      const isAcyclic = this.#acyclic[index] === 1;
      path.push({ index, needs: isAcyclic ? [] : this.#prerequisites(index), next: 0 });
      onPath.add(actions.addressOf(index));
    };
    push(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const need = top.needs[top.next];
      top.next += 1;
      if (need === undefined) {
        this.#acyclic[top.index] = 1;
        onPath.delete(actions.addressOf(top.index));
        path.pop();
        continue;
      }
      if (onPath.has(need)) {
        const cycle = path.map(({ index }) => actions.addressOf(index));
        throw cycleError([...cycle.slice(cycle.indexOf(need)), need]);
      }
      const index = actions.numberOf(need);
      if (index !== undefined && this.#acyclic[index] !== 1) push(index);
    }
  }

  /** What must be done first: its needs, and for a promised address the action that will add it. */
  #prerequisites(index: number): readonly Address[] {
    const { actions } = this;
    return actions.needsOf(index).flatMap((need) => {
      const address = actions.strings.text(need);
      return actions.numberAt(need) === undefined ? (this.promises.get(address) ?? []) : address;
    });
  }
}

function checkAddress(address: Address): void {
  if (address !== "" && !address.includes("\0")) return;
  throw new EngineError("bad-name", `${JSON.stringify(address)} is not an address`, "give the action a name");
}

function calledTwice(address: Address): EngineError {
  return new EngineError("duplicate-address", `two actions are called ${address}`, "give each its own name", [
    address,
  ]);
}

function cycleError(cycle: readonly Address[]): EngineError {
  return new EngineError(
    "cycle",
    `actions need each other: ${cycle.join(" needs ")}`,
    "remove one of these inputs",
    cycle.slice(0, -1),
  );
}
