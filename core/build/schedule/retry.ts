/**
 * Actions that must be decided again through no fault of their own: an input changed while they ran, or the machine or
 * the store lost something. After a few tries they fail: then a method returns why.
 */

import { type FileTable, isAround } from "../files/files.ts";
import type { Graph } from "../graph/graph.ts";
import { outputOf } from "../key/result.ts";
import type { Action, Address } from "../model/action.ts";
import type { EngineError } from "../model/error.ts";
import type { Event } from "../model/event.ts";
import { isStored, storeFromPlace } from "../store/output-tree.ts";
import type { ContentStore } from "../store/store.ts";
import type { DependencyTracker } from "./dependency-tracker.ts";

const TRIES = 3;

export class Retries {
  readonly #graph: Graph;
  readonly #tracker: DependencyTracker;
  readonly #files: FileTable;
  readonly #store: ContentStore;
  readonly #emit: (event: Event) => void;
  readonly #tries = new Map<Address, number>();

  constructor(
    graph: Graph,
    progress: DependencyTracker,
    site: { readonly files: FileTable; readonly store: ContentStore },
    emit: (event: Event) => void,
  ) {
    this.#graph = graph;
    this.#tracker = progress;
    this.#files = site.files;
    this.#store = site.store;
    this.#emit = emit;
  }

  /** A file that the action read changed during the run. */
  inputMoved(action: Action, file: string): string | undefined {
    const { address, inputs } = action;
    if (this.#areUp(address)) {
      const store = this.#store.directory;
      if (isAround(this.#files.absolute(file), store))
        return `the store ${store} lies in ${file}, which ${address} reads, so that it changes while that is read; put the store elsewhere (\`--store\`, ARC_STORE, \`store:\` in arc.yaml), or name the files that ${address} reads`;
      return `${file} keeps changing while ${address} reads it; if the action writes it, declare it as an output`;
    }
    for (const { from } of inputs) if ("file" in from) this.#files.forget(from.file);
    this.#files.forget(file);
    this.#tracker.decide(this.#indexOf(address));
    return undefined;
  }

  machineLost({ address }: Action, why: string): string | undefined {
    if (this.#areUp(address)) return why;
    this.#emit({ type: "warning", message: `${address} is tried again: ${why}` });
    this.#tracker.decide(this.#indexOf(address));
    return undefined;
  }

  /** The store lost inputs: they are restored from their places, or made again. */
  inputsLost({ address, inputs }: Action): string | undefined {
    if (this.#areUp(address)) return `the store keeps losing inputs of ${address}`;
    const lost = new Set<Address>();
    for (const { from } of inputs) {
      if ("action" in from && !this.#isThere(from.action, from.output)) lost.add(from.action);
    }
    if (lost.size === 0) this.#tracker.decide(this.#indexOf(address));
    else this.#tracker.remake(lost, this.#indexOf(address));
    return undefined;
  }

  /** The store lost what the action just made; `error` says what. */
  outputsLost({ address }: Action, error: EngineError): string | undefined {
    if (this.#areUp(address)) return `${error.message}; ${error.remedy}`;
    this.#tracker.runAgain(this.#indexOf(address));
    return undefined;
  }

  #isThere(producer: Address, name: string): boolean {
    // Otherwise it is being made again already.
    if (!this.#tracker.isKnown(producer)) return false;
    const { action, result } = this.#tracker.produced(producer);
    const output = outputOf(result, name);
    const declared = action.outputs.find((candidate) => candidate.name === name);
    if (output === undefined || declared === undefined) return true;
    return isStored(output, this.#store) || storeFromPlace(output, declared, this.#files, this.#store);
  }

  #indexOf(address: Address): number {
    return this.#graph.indexOf(address);
  }

  #areUp(address: Address): boolean {
    const tries = (this.#tries.get(address) ?? 0) + 1;
    this.#tries.set(address, tries);
    return tries >= TRIES;
  }
}
