/** Decides single actions: their inputs, and whether they are up to date, known, forced, or wait for another. */

import { allInTheWay } from "../files/occupied.ts";
import type { Graph, Node } from "../graph/graph.ts";
import { type ResolvedInput, resolveInputs } from "../graph/inputs.ts";
import type { Wanted } from "../graph/wanted.ts";
import { partsOf } from "../key/key.ts";
import type { Action, Address } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import type { Event } from "../model/event.ts";
import { type Decision, decide, MustWait, placesInTheWay } from "../state/decide.ts";
import type { Leftovers } from "../state/leftovers.ts";
import { type BuildOptions, type BuildSite, stepOf } from "./build-options.ts";
import type { Cancellations } from "./cancellations.ts";
import type { Completion } from "./completion.ts";
import type { DependencyTracker } from "./dependency-tracker.ts";
import type { DryRun } from "./dry-run.ts";

interface DecidedBuild {
  readonly options: BuildOptions;
  readonly site: BuildSite;
  readonly graph: Graph;
  readonly wanted: Wanted;
  readonly tracker: DependencyTracker;
  readonly dryRun: DryRun | undefined;
  readonly cancellations: Cancellations;
  readonly leftovers: Leftovers;
  readonly completion: Completion;
  readonly emit: (event: Event) => void;
}

export class Decisions {
  readonly #build: DecidedBuild;
  readonly #forced: ReadonlySet<Address>;
  #reportedPlaces = false;

  constructor(build: DecidedBuild) {
    this.#build = build;
    const { force } = build.options;
    this.#forced = new Set(Array.isArray(force) ? force : []);
  }

  /** What is to become of an action; undefined: it is settled, or waits for another. */
  decide(node: Node): Decision | undefined {
    const { action, index } = node;
    const { address, skip } = action;
    if (skip !== undefined && this.#build.dryRun === undefined && this.#build.options.mustHave?.(address))
      this.#build.completion.fail(action, { message: skip });
    else if (skip !== undefined) {
      this.#build.emit({ type: "skipped", address, reason: skip });
      this.#build.tracker.settle(index, { address, status: "skipped", message: skip });
    }
    if (skip !== undefined) return undefined;
    const unknown = node.needs.find((need) => !this.#build.tracker.isKnown(need));
    if (unknown !== undefined) {
      // In a dry run it would run; otherwise it is being made again.
      this.waitFor(action, unknown);
      return undefined;
    }
    let decision: Decision;
    try {
      const inputs = this.#resolve(node);
      decision = decide(
        action,
        stepOf(this.#build.site.registry, action),
        inputs,
        this.#isForced(node),
        this.#build.site,
        this.#build.tracker.awaitedBy(address),
      );
    } catch (error) {
      if (error instanceof MustWait) this.waitFor(action, error.producer);
      else this.#build.completion.failBy(action, this.#withAllInTheWay(error));
      return undefined;
    }
    if (this.#build.dryRun === undefined) return decision;
    const outcome = this.#build.dryRun.decided(action, decision);
    if (outcome !== undefined) this.#build.completion.finish(action, outcome);
    return undefined;
  }

  /** The first error about an occupied place names all of them, so that the user can move them away at once. */
  #withAllInTheWay(error: unknown): unknown {
    if (!(error instanceof EngineError) || error.code !== "place-occupied" || this.#reportedPlaces)
      return error;
    this.#reportedPlaces = true;
    const { actions, size } = this.#build.graph;
    const wanted = Array.from({ length: size }, (_, index) => index).filter((index) =>
      this.#build.wanted.has(index),
    );
    const all = placesInTheWay(
      wanted.map((index) => actions.get(index)),
      this.#build.site,
    );
    const others = all.filter((place) => !error.message.startsWith(`${place} `));
    return others.length === 0 ? error : allInTheWay(error, others, all);
  }

  #resolve({ action, parent }: Node): ResolvedInput[] {
    const inputs = resolveInputs(
      action,
      this.#build.site.files,
      (address, output) => this.#build.tracker.output(address, output),
      parent,
    );
    for (const { input, content } of inputs)
      if ("file" in input.from)
        this.#build.leftovers.refuseSource(input.from.file, content.kind === "folder", action.address);
    return inputs;
  }

  restore(index: number): { readonly node: Node } & Pick<Decision, "inputs" | "parts"> {
    const node = this.#build.graph.at(index);
    const inputs = this.#resolve(node);
    const keyed = inputs.map((input) => input.keyed);
    return {
      node,
      inputs,
      parts: partsOf(
        node.action,
        stepOf(this.#build.site.registry, node.action),
        keyed,
        this.#build.site.variables,
      ),
    };
  }

  /** Whether the action is forced, or keyed on one that was: its bytes may differ under the same key. */
  #isForced(node: Node): boolean {
    if (this.#build.tracker.isLost(node.index)) return true;
    if (this.#build.cancellations.isRetried(node.index)) return true;
    if (this.#build.options.force === true || this.#forced.has(node.action.address)) return true;
    return node.needs.some((need) => {
      const producer = this.#build.graph.actions.numberOf(need);
      if (producer === undefined || this.#build.tracker.outcomes.reason(producer)?.kind !== "forced")
        return false;
      const { deterministic, cache } = this.#build.graph.actions.shapeOf(producer);
      return deterministic === false && cache !== false;
    });
  }

  waitFor(action: Action, producer: Address): void {
    // Finished with an unknown result, which happens only in a dry run: what it would write is not known.
    if (this.#build.dryRun !== undefined && this.#build.tracker.outcomes.has(producer)) {
      this.#build.dryRun.plan(action, { verdict: "unknown", because: producer });
    } else this.#build.tracker.waitFor(this.#build.graph.indexOf(action.address), producer);
  }
}
