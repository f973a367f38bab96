/** The action graph: checked as it is made and as it grows, so that a build never meets a bad one. */
import { posix } from "node:path";
import type { Action, Address } from "./action.ts";
import { ActionTable } from "./actiontable.ts";
import { withRoom } from "./column.ts";
import { EngineError } from "./error.ts";
import { checkNames } from "./names.ts";

/** An action and where it stands: made when it is asked for. */
export interface Node {
  readonly action: Action;
  /** Position in the graph: the order in which actions were added. */
  readonly index: number;
  /** The action whose expansion added it. */
  readonly parent?: Address;
  /** Addresses it needs, each once. */
  readonly needs: readonly Address[];
}

export class Graph {
  readonly actions: ActionTable;
  /** Promised address -> the action that will add it. */
  readonly promises = new Map<Address, Address>();
  /** Of a part of a larger graph: actions outside it that are done. What expansions add may name others, too. */
  readonly outside: ReadonlyMap<Address, Action> | undefined;
  /** By action: the one whose expansion added it, from 1; 0: none. */
  #parents = new Int32Array(0);
  /** By number of an address: its first and its last use in the two columns after, from 1. */
  #firstUses = new Int32Array(0);
  #lastUses = new Int32Array(0);
  #users = new Int32Array(0);
  #nextUses = new Int32Array(0);
  #uses = 0;
  /** By number of a place: the action that writes it, from 1. */
  #writers = new Int32Array(0);
  /** By number of a place or a folder as case-insensitive file systems see it: a place that is it or lies in it, from 1. */
  #taken = new Int32Array(0);
  #around = new Int32Array(0);
  /** By number of a path: the action that reads it as a source, or one in it, from 1. */
  #readers = new Int32Array(0);
  #readersInside = new Int32Array(0);
  /** By action: it is in no cycle, or 0. */
  #acyclic = new Uint8Array(0);

  /** `actions` are in it from the start; it may grow, and they stay as they are. Throws as `add` does. */
  constructor(outside?: ReadonlyMap<Address, Action>, actions: ActionTable = new ActionTable()) {
    this.outside = outside;
    this.actions = new ActionTable(actions);
    this.#admit(0, undefined);
  }

  get size(): number {
    return this.actions.size;
  }

  *nodes(): Generator<Node> {
    for (let index = 0; index < this.size; index += 1) yield this.at(index);
  }

  /**
   * Adds actions that may name each other, earlier ones and promised ones. Throws EngineError; the
   * graph is then not to be used any more.
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

  /** Addresses that the expansion of an action added. */
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

  /** Who needs an address (which may be only promised), in the order of the graph. */
  consumersOf(address: Address): Address[] {
    const text = this.actions.strings.find(address);
    const users = text === undefined ? [] : this.usersOf(text);
    return users.map((user) => this.actions.addressOf(user));
  }

  /** The same by numbers: of the address among the strings, and of actions. */
  usersOf(text: number): number[] {
    const users: number[] = [];
    for (let use = this.#firstUses[text] ?? 0; use > 0; use = this.#nextUses[use - 1] as number)
      users.push(this.#users[use - 1] as number);
    return users;
  }

  /** The action whose output lies in a path, or around it. */
  placedBy(path: string): Address | undefined {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const owner = this.#writerOf(at);
      if (owner !== undefined || !at.includes("/")) return owner;
    }
  }

  /** Whether `from` needs `to`, by whatever way. */
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

  /** Checks and connects the actions from an index on. */
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
      if (place >= 0) this.#addPlace(actions.strings.text(place), index);
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

  #writerOf(place: string): Address | undefined {
    const text = this.actions.strings.find(place);
    const writer = text === undefined ? 0 : (this.#writers[text] ?? 0);
    return writer === 0 ? undefined : this.actions.addressOf(writer - 1);
  }

  #addPlace(place: string, index: number): void {
    const { strings } = this.actions;
    const address = this.actions.addressOf(index);
    const normal = posix.normalize(place);
    if (posix.isAbsolute(place) || normal === "." || normal === ".." || normal.startsWith("../")) {
      throw new EngineError(
        "output-outside-project",
        `${address} would write ${place}, outside the project`,
        "give a path below the project's folder",
        [address],
      );
    }
    const clash = (number: number): EngineError => {
      const other = strings.text(number - 1);
      const owner = this.#writerOf(other) as Address;
      return new EngineError(
        "duplicate-output",
        other === normal
          ? `${owner} and ${address} both write ${place}`
          : `${owner} writes ${other} and ${address} writes ${place}, which are the same file or inside one another (on some file systems)`,
        "give each output its own place",
        [owner, address],
      );
    };
    const normalNumber = strings.number(normal);
    const foldedPlace = folded(normal);
    const foldedNumber = strings.number(foldedPlace);
    const same = this.#taken[foldedNumber] || this.#around[foldedNumber];
    if (same) throw clash(same);
    this.#checkUnread(normal, index);
    for (let at = foldedPlace.lastIndexOf("/"); at > 0; at = foldedPlace.lastIndexOf("/", at - 1)) {
      const folder = strings.number(foldedPlace.slice(0, at));
      const above = this.#taken[folder];
      if (above) throw clash(above);
      // Those further out were looked at when this one was noted.
      if (this.#around[folder]) break;
      this.#around = withRoom(this.#around, folder + 1);
      this.#around[folder] = normalNumber + 1;
    }
    this.#taken = withRoom(this.#taken, foldedNumber + 1);
    this.#taken[foldedNumber] = normalNumber + 1;
    this.#writers = withRoom(this.#writers, normalNumber + 1);
    this.#writers[normalNumber] = index + 1;
  }

  #checkInputs(index: number): void {
    const { actions } = this;
    for (const file of actions.filesOf(index)) this.#checkFile(index, file);
    const taken = actions.takenBy(index);
    for (let at = 0; at < taken.length; at += 2)
      this.#checkTaken(actions.addressOf(index), taken[at] as number, taken[at + 1] as number);
  }

  /** A source is written by nobody, nor anything in it: what it holds would depend on what ran first. */
  #checkFile(reader: number, file: number): void {
    if (this.#readers[file]) return;
    const { strings } = this.actions;
    const path = posix.normalize(strings.text(file));
    const number = strings.number(path);
    this.#readers = withRoom(this.#readers, number + 1);
    this.#readers[number] = reader + 1;
    const inside = this.#around[strings.find(folded(path)) ?? -1];
    const place = inside ? strings.text(inside - 1) : path;
    const owner = inside && place.startsWith(`${path}/`) ? this.#writerOf(place) : this.placedBy(path);
    if (owner !== undefined) throw this.#readAndWritten(reader, path, owner, place);
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = strings.number(path.slice(0, at));
      if (this.#readersInside[folder]) break;
      this.#readersInside = withRoom(this.#readersInside, folder + 1);
      this.#readersInside[folder] = reader + 1;
    }
  }

  /** The same for what is written by an action that the graph grew by, and was read before. */
  #checkUnread(place: string, writer: number): void {
    if (this.#readers.length === 0) return;
    const { strings } = this.actions;
    for (let at = place; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const number = strings.find(at) ?? -1;
      const reader = this.#readers[number] || (at === place && this.#readersInside[number]);
      if (reader) throw this.#readAndWritten(reader - 1, at, this.actions.addressOf(writer), place);
      if (!at.includes("/")) return;
    }
  }

  #readAndWritten(reader: number, path: string, owner: Address, place: string): EngineError {
    const address = this.actions.addressOf(reader);
    const isInside = place.startsWith(`${path}/`);
    return new EngineError(
      "output-is-input",
      isInside
        ? `${address} reads the folder ${path} as it is, but ${owner} writes ${place}`
        : `${address} reads ${path} as a source file, but ${owner} writes it`,
      isInside
        ? `name the files that it reads there, and ${place} as an output of ${owner}`
        : `take it as an output of ${owner}, so that it is made first`,
      [address, owner],
    );
  }

  /** `need` and `name`: the address of a producer and the name of an output, by number. */
  #checkTaken(address: Address, need: number, name: number): void {
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
    // Most are added after what they need.
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

  /** What must be done first: needs, and for a promised one the action that will add it. */
  #prerequisites(index: number): readonly Address[] {
    const { actions } = this;
    return actions.needsOf(index).flatMap((need) => {
      const address = actions.strings.text(need);
      return actions.numberAt(need) === undefined ? (this.promises.get(address) ?? []) : address;
    });
  }
}

/** As case-insensitive file systems see a path. */
const folded = (path: string): string => path.normalize("NFC").toLowerCase();

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
