/** The action graph: checked as it is made and as it grows, so that a build never meets a bad one. */
import { posix } from "node:path";
import type { Action, ActionInput, Address } from "./action.ts";
import { EngineError } from "./error.ts";

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
  readonly nodes = new Map<Address, Node>();
  /** Who needs an address (which may be only promised). */
  readonly consumers = new Map<Address, Address[]>();
  /** Promised address -> the action that will add it. */
  readonly promises = new Map<Address, Address>();
  /** Place -> the action that writes it. */
  readonly places = new Map<string, Address>();
  /** Actions that others may name though they are not part of this graph: done before. */
  readonly outside: ReadonlyMap<Address, Action>;
  readonly #placesFolded = new Map<string, string>();
  readonly #placeParents = new Map<string, string>();

  constructor(outside: ReadonlyMap<Address, Action> = new Map()) {
    this.outside = outside;
  }

  /**
   * Adds actions that may name each other, earlier ones and promised ones. Throws EngineError; the
   * graph is then not to be used any more.
   */
  add(actions: readonly Action[], parent?: Address): Node[] {
    const added = actions.map((action) => this.#addOne(action, parent));
    for (const node of added) this.#checkInputs(node);
    for (const node of added) this.#findCycle(node);
    return added;
  }

  /** The action whose output lies in a path, or around it. */
  placedBy(path: string): Address | undefined {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const owner = this.places.get(at);
      if (owner !== undefined || !at.includes("/")) return owner;
    }
  }

  /** Whether `from` needs `to`, by whatever way. */
  reaches(from: Address, to: Address): boolean {
    const seen = new Set<Address>([from]);
    for (const address of seen) {
      if (address === to) return true;
      const node = this.nodes.get(address);
      for (const need of node === undefined ? [] : this.#prerequisites(node)) seen.add(need);
    }
    return false;
  }

  node(address: Address): Node {
    const node = this.nodes.get(address);
    if (node === undefined) {
      throw new EngineError(
        "unknown-action",
        `there is no action ${address}`,
        "see `arc graph` for those there are",
        [address],
      );
    }
    return node;
  }

  #addOne(action: Action, parent: Address | undefined): Node {
    const { address } = action;
    if (address === "" || address.includes("\0")) {
      throw new EngineError(
        "bad-name",
        `${JSON.stringify(address)} is not an address`,
        "give the action a name",
      );
    }
    if (this.nodes.has(address)) {
      throw new EngineError(
        "duplicate-address",
        `two actions are called ${address}`,
        "give each its own name",
        [address],
      );
    }
    checkNames(action);
    const needs = new Set<Address>();
    for (const input of action.inputs) if ("action" in input.from) needs.add(input.from.action);
    const node: Node = {
      action,
      index: this.nodes.size,
      ...(parent === undefined ? {} : { parent }),
      needs: [...needs],
    };
    this.nodes.set(address, node);
    for (const need of needs) {
      const consumers = this.consumers.get(need);
      if (consumers === undefined) this.consumers.set(need, [address]);
      else consumers.push(address);
    }
    for (const promised of action.expand?.promises ?? []) this.promises.set(promised, address);
    for (const output of action.outputs) if (output.place !== undefined) this.#addPlace(output.place, action);
    return node;
  }

  #addPlace(place: string, action: Action): void {
    const { address } = action;
    const normal = posix.normalize(place);
    if (posix.isAbsolute(place) || normal === "." || normal === ".." || normal.startsWith("../")) {
      throw new EngineError(
        "output-outside-project",
        `${address} would write ${place}, outside the project`,
        "give a path below the project's folder",
        [address],
      );
    }
    const clash = (other: string): EngineError => {
      const owner = this.places.get(other) as Address;
      return new EngineError(
        "duplicate-output",
        other === normal
          ? `${owner} and ${address} both write ${place}`
          : `${owner} writes ${other} and ${address} writes ${place}, which are the same file or inside one another (on some file systems)`,
        "give each output its own place",
        [owner, address],
      );
    };
    const folded = normal.normalize("NFC").toLowerCase();
    const same = this.#placesFolded.get(folded) ?? this.#placeParents.get(folded);
    if (same !== undefined) throw clash(same);
    for (let parent = posix.dirname(folded); parent !== "."; parent = posix.dirname(parent)) {
      const above = this.#placesFolded.get(parent);
      if (above !== undefined) throw clash(above);
      if (!this.#placeParents.has(parent)) this.#placeParents.set(parent, normal);
    }
    this.#placesFolded.set(folded, normal);
    this.places.set(normal, address);
  }

  #checkInputs(node: Node): void {
    for (const input of node.action.inputs) this.#checkInput(node.action, input);
  }

  #checkInput(action: Action, input: ActionInput): void {
    const { address } = action;
    if ("file" in input.from) {
      const owner = this.places.get(posix.normalize(input.from.file));
      if (owner !== undefined) {
        throw new EngineError(
          "output-is-input",
          `${address} reads ${input.from.file} as a source file, but ${owner} writes it`,
          `take it as an output of ${owner}, so that it is made first`,
          [address, owner],
        );
      }
      return;
    }
    if (!("action" in input.from)) return;
    const { action: producer, output } = input.from;
    const from = this.nodes.get(producer)?.action ?? this.outside.get(producer);
    if (from === undefined) {
      if (this.promises.has(producer)) return;
      throw new EngineError(
        "unknown-action",
        `${address} needs ${producer}, which does not exist`,
        "declare it, or correct the name",
        [address],
      );
    }
    if (!from.outputs.some((declared) => declared.name === output)) {
      const names = from.outputs.map((declared) => declared.name).join(", ") || "nothing";
      throw new EngineError(
        "unknown-output",
        `${address} needs ${output} of ${producer}, which makes ${names}`,
        "name one of its outputs",
        [address, producer],
      );
    }
  }

  /** Depth first from one node; `#acyclic` keeps the whole search linear. */
  readonly #acyclic = new Set<Address>();

  #findCycle(start: Node): void {
    const path: { node: Node; next: number }[] = [{ node: start, next: 0 }];
    const onPath = new Set<Address>([start.action.address]);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const address = top.node.action.address;
      const need = this.#acyclic.has(address) ? undefined : this.#prerequisites(top.node)[top.next];
      top.next += 1;
      if (need === undefined) {
        this.#acyclic.add(address);
        onPath.delete(address);
        path.pop();
        continue;
      }
      if (onPath.has(need)) {
        const cycle = path.map((step) => step.node.action.address);
        throw cycleError([...cycle.slice(cycle.indexOf(need)), need]);
      }
      const node = this.nodes.get(need);
      if (node === undefined || this.#acyclic.has(need)) continue;
      onPath.add(need);
      path.push({ node, next: 0 });
    }
  }

  /** What must be done first: needs, and for a promised one the action that will add it. */
  #prerequisites(node: Node): readonly Address[] {
    if (node.needs.every((need) => this.nodes.has(need))) return node.needs;
    return node.needs.flatMap((need) => (this.nodes.has(need) ? [need] : (this.promises.get(need) ?? [])));
  }
}

function cycleError(cycle: readonly Address[]): EngineError {
  return new EngineError(
    "cycle",
    `actions need each other: ${cycle.join(" needs ")}`,
    "remove one of these inputs",
    cycle.slice(0, -1),
  );
}

/** Names are paths in a staging folder: relative, below it, none twice, none inside another. */
function checkNames(action: Action): void {
  const names = new Set<string>();
  const check = (name: string, what: string): void => {
    const normal = posix.normalize(name);
    if (
      name === "" ||
      normal !== name ||
      name.startsWith("/") ||
      name === ".." ||
      name.startsWith("../") ||
      name === "." ||
      name.includes("\0") ||
      name.endsWith("/")
    ) {
      throw new EngineError(
        "bad-name",
        `${action.address}: ${JSON.stringify(name)} cannot be the name of an ${what}`,
        "use a path relative to the action's folder, without `.` and `..`",
        [action.address],
      );
    }
    if (names.has(name)) {
      throw new EngineError(
        "bad-name",
        `${action.address} uses the name ${name} twice`,
        "give each its own name",
        [action.address],
      );
    }
    names.add(name);
  };
  for (const input of action.inputs) check(input.name, "input");
  for (const output of action.outputs) check(output.name, "output");
  for (const name of names) {
    for (let parent = posix.dirname(name); parent !== "."; parent = posix.dirname(parent)) {
      if (names.has(parent)) {
        throw new EngineError(
          "bad-name",
          `${action.address}: ${name} lies inside ${parent}, which is an input or output itself`,
          "declare the folder or what is in it, not both",
          [action.address],
        );
      }
    }
  }
}
