/** Adds actions to the graph of a build: those it starts with, and those that expansions add. */

import type { Graph, Node } from "../graph/graph.ts";
import { canonicalJson } from "../key/canonical.ts";
import type { ActionResult } from "../key/result.ts";
import type { Action, Address, Registry } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import type { State } from "../state/state.ts";
import type { ContentStore } from "../store/store.ts";
import type { Delivery } from "./delivery.ts";
import { expandAction } from "./expansion.ts";

export class GraphExpander {
  readonly #graph: Graph;
  readonly #registry: Registry;
  readonly #state: State;
  readonly #store: ContentStore;
  readonly #delivery: Delivery;
  /** The text of each expansion, because an action that is made again must not add its actions again. */
  readonly #expanded = new Map<Address, string>();

  constructor(
    graph: Graph,
    site: { readonly registry: Registry; readonly state: State; readonly store: ContentStore },
    delivery: Delivery,
  ) {
    this.#graph = graph;
    this.#registry = site.registry;
    this.#state = site.state;
    this.#store = site.store;
    this.#delivery = delivery;
  }

  /** Checks that the registry knows all steps and expansions, from a position in the graph on. Throws EngineError. */
  checkRegistered(from: number): void {
    const { actions, size } = this.#graph;
    for (let index = from; index < size; index += 1) {
      const { step, expand } = actions.shapeOf(index);
      const isKnown =
        this.#registry.steps.has(step) &&
        (expand === undefined || this.#registry.expansions.has(expand.rule));
      if (!isKnown) throw this.#unregistered(actions.get(index));
    }
  }

  /** Adds the actions of an expansion; undefined when they were added before. Throws `broken-promise`. */
  async expand(parent: Action, result: ActionResult): Promise<Node[] | undefined> {
    const { address, expand } = parent;
    const expansion = this.#registry.expansions.get(expand?.rule ?? "");
    if (expansion === undefined) throw new Error(`${address} has no expansion`);
    const actions = await expandAction(
      parent,
      result,
      expansion,
      (output) => this.#delivery.readOutput(parent, output),
      this.#state,
      this.#store,
    );
    const text = canonicalJson(actions as never);
    const before = this.#expanded.get(address);
    if (before === text) return undefined;
    if (before !== undefined) {
      throw new EngineError(
        "broken-promise",
        `${address} was made again and now adds other actions than before`,
        "build again",
        [address],
      );
    }
    this.#expanded.set(address, text);
    const first = this.#graph.size;
    const nodes = this.#graph.add(actions, address);
    this.checkRegistered(first);
    for (const promised of expand?.promises ?? []) {
      if (this.#graph.has(promised)) continue;
      throw new EngineError(
        "broken-promise",
        `${address} promised ${promised}, but did not add it`,
        `correct the expansion ${expansion.rule}`,
        [address, promised],
      );
    }
    return nodes;
  }

  #unregistered({ address, step, expand }: Action): EngineError {
    if (!this.#registry.steps.has(step))
      return new EngineError("unknown-step", `${address}: there is no step ${step}`, "register it", [
        address,
      ]);
    return new EngineError(
      "unknown-expansion",
      `${address}: there is no expansion ${expand?.rule}`,
      "register it",
      [address],
    );
  }
}
