/** Delivers results: outputs to their places, the result itself to the action cache and the build database. */

import type { FileTable } from "../files/files.ts";
import { type ActionResult, outputOf, type StoredOutput } from "../key/result.ts";
import type { Action, Digest } from "../model/action.ts";
import { describeError, EngineError, isBlobLost } from "../model/error.ts";
import type { Event, Reason } from "../model/event.ts";
import { errnoOf } from "../model/system-error.ts";
import type { Placed } from "../run/execute.ts";
import type { Decision } from "../state/decide.ts";
import type { ActionRecord, Left, State } from "../state/state.ts";
import type { ActionLog } from "../store/action-cache.ts";
import { isInside, type Materializer, storeFromPlace } from "../store/output-tree.ts";
import type { ContentStore } from "../store/store.ts";

/** The result of a run that took at least this many seconds survives a power loss; shorter ones are made again. */
const DURABLE_SECONDS = 10;

interface DeliverySite {
  readonly files: FileTable;
  readonly store: ContentStore;
  readonly log: ActionLog;
  readonly state: State;
  readonly materializer: Materializer;
  readonly outputFolder?: string;
}

export class Delivery {
  readonly #site: DeliverySite;
  readonly #emit: (event: Event) => void;
  // Read here, not when the module is loaded: a snapshot would freeze the value.
  readonly #durableSeconds = Number(process.env.ARC_DURABLE_SECONDS ?? DURABLE_SECONDS);
  #warned = false;

  constructor(site: DeliverySite, emit: (event: Event) => void) {
    this.#site = site;
    this.#emit = emit;
  }

  /**
   * Call this before anything is written to an action's places, so that they are known to be arc's even if it is
   * killed.
   */
  claim({ address, outputs }: Action): void {
    const { state, outputFolder } = this.#site;
    const others = outputs.flatMap(({ place }) =>
      place === undefined || isInside(place, outputFolder) ? [] : place,
    );
    if (others.length === 0) return;
    const recorded = state.action(address)?.places ?? [];
    const fresh = others.filter((place) => !recorded.includes(place));
    if (fresh.length > 0) state.claims.add(fresh);
  }

  /** `placed`: outputs that are in their places already. */
  place(action: Action, result: ActionResult, placed: Placed = new Map()): void {
    for (const declared of action.outputs) {
      const output = outputOf(result, declared.name);
      if (output !== undefined) this.#site.materializer.place(output, declared, placed.get(declared.name));
    }
  }

  remember(action: Action, decision: Decision, result: ActionResult, why: Reason | undefined): void {
    const { state } = this.#site;
    const before = state.action(action.address);
    const expansion = action.expand === undefined ? undefined : before?.expansion;
    const places = action.outputs.flatMap(({ place }) => place ?? []);
    const left = before === undefined ? [] : this.#leftBy(before, places);
    state.setAction(action.address, {
      parts: decision.parts,
      result,
      ...(why === undefined ? {} : { why }),
      ...(expansion === undefined ? {} : { expansion }),
      ...(places.length === 0 ? {} : { places, at: Date.now() + 1 }),
      ...(left.length === 0 ? {} : { left }),
    });
  }

  /** Files that remain where the action wrote before and does not write any more. */
  #leftBy({ places = [], left = [], at = Date.now(), result }: ActionRecord, now: readonly string[]): Left[] {
    const isThere = (place: string): boolean => !now.includes(place) && this.#site.files.isThere(place);
    const digests = result.outputs.length === 0 ? [undefined] : result.outputs.map(({ digest }) => digest);
    const dropped = places
      .filter(isThere)
      .flatMap((place) =>
        digests.map((digest) => (digest === undefined ? { place, at } : { place, digest, at })),
      );
    return [...left.filter(({ place }) => isThere(place)), ...dropped];
  }

  /** Adds a result to the action cache. A failure to do so does not invalidate the result. */
  cache(result: ActionResult): void {
    const { log, store } = this.#site;
    const durable = result.seconds >= this.#durableSeconds;
    try {
      if (durable) for (const digest of blobsOf(result, store)) store.makeDurable(digest);
      log.append(result, durable);
    } catch (error) {
      if (errnoOf(error) === undefined || this.#warned) return;
      this.#warned = true;
      this.#emit({ type: "warning", message: `results cannot be cached: ${describeError(error)}` });
    }
  }

  /** The action's log; empty when it is lost. */
  readLog(result: ActionResult): string {
    if (result.log === undefined) return "";
    try {
      return this.#site.store.read(result.log).toString("utf8");
    } catch (error) {
      if (error instanceof EngineError) return "";
      throw error;
    }
  }

  /** Reads an output from the store or from its place. Throws `blob-missing` or `blob-corrupt`. */
  readOutput(action: Action, output: StoredOutput): Buffer {
    const { store, files } = this.#site;
    try {
      return store.read(output.digest);
    } catch (error) {
      const declared = action.outputs.find(({ name }) => name === output.name);
      if (!isBlobLost(error) || declared === undefined) throw error;
      if (!storeFromPlace(output, declared, files, store)) throw error;
      return store.read(output.digest);
    }
  }
}

function* blobsOf(result: ActionResult, store: ContentStore): Generator<Digest> {
  if (result.log !== undefined) yield result.log;
  for (const { digest, kind } of result.outputs) {
    yield digest;
    if (kind === "folder") {
      for (const entry of store.readFolder(digest)) if (entry.kind === "file") yield entry.digest;
    }
  }
}
