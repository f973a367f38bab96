/** What a build takes over from earlier builds and leaves for the next: stamps, digests and the graph. */

import { unionOf } from "../files/file-rows.ts";
import type { FileEntry, FileTable } from "../files/files.ts";
import { variablesText } from "../files/graph-variables.ts";
import { ANY_TIME, type Check, stampFileOf } from "../files/up-to-date.ts";
import type { BuildResult } from "../graph/build-result.ts";
import type { ActionOutcome } from "../graph/outcome.ts";
import { type ActionResult, type Discovered, outputOf, type StoredOutput } from "../key/result.ts";
import type { Action, Address } from "../model/action.ts";
import { type Depend, isRacy, takeStamp } from "../model/stat-signature.ts";
import type { ContentStore } from "../store/store.ts";
import type { GraphFile } from "./graph-file.ts";
import { type GraphRow, type GraphRows, rowsOf, writeGraphFile } from "./graph-writer.ts";
import type { ReducedGraph } from "./resume.ts";
import {
  patchStampFile,
  pruneStampFiles,
  rememberStamps,
  type StampFileContent,
  type StampTexts,
  writeStampFile,
} from "./stamp-file.ts";
import type { StampMemory } from "./stamp-memory.ts";
import type { ActionRecord, State } from "./state.ts";

/** The kind of call under which a build that failed stores the digests it computed. */
const PARTIAL = "\u0001partial";

type Depends = ReadonlyMap<string, Depend>;

/** Texts for the next call of the same kind. */
export interface Words {
  /** What a later no-op prints; default `N actions up to date`. */
  readonly summary?: (result: BuildResult) => string;
  /** What the caller wants to get back with the next call's check, such as its settings; must not contain NUL. */
  readonly carry?: (result: BuildResult) => string;
}

export class BuildMemory {
  readonly #state: State;
  readonly #store: ContentStore;
  readonly #context: string | undefined;
  readonly #memories: readonly StampMemory[];

  constructor(state: State, store: ContentStore, context: string | undefined, memory?: StampMemory) {
    this.#state = state;
    this.#store = store;
    this.#context = context;
    this.#memories =
      memory === undefined ? rememberStamps(this.#file(context ?? PARTIAL), this.#file(PARTIAL)) : [memory];
  }

  entry(path: string): FileEntry | undefined {
    for (const memory of this.#memories) {
      const entry = memory.entry(path);
      if (entry?.digest !== undefined) return entry;
    }
    return undefined;
  }

  /** Saves a build of a whole graph; paths and variables are those that decide the graph itself. */
  async saveBuild(
    result: BuildResult,
    files: FileTable,
    depends: Depends,
    variables: ReadonlyMap<string, string | undefined>,
    { summary, carry }: Words,
  ): Promise<void> {
    await files.settle();
    const context = this.#context;
    if (context === undefined || !isRepeatable(result)) {
      writeStampFile(this.#file(PARTIAL), {
        context: PARTIAL,
        summary: "",
        carry: "",
        variables: "",
        graph: 0,
        depends: new Map(),
        entries: files.entries,
        sums: new Float64Array(),
        wanted: new Uint8Array(),
      });
      return;
    }
    const { size } = result.graph;
    const wanted = Uint8Array.from({ length: size }, (_, index) => wantOf(result.outcomes.status(index)));
    const graph = newIdentity();
    writeGraphFile(this.#state.graphFile, graph, this.#rowsOf(result));
    writeStampFile(this.#file(context), {
      context,
      summary: summary?.(result) ?? defaultSummary(result),
      carry: carry?.(result) ?? "",
      variables: variablesText(variables),
      graph,
      depends,
      entries: unionOf(new Map(storedOutputs(result, this.#store)), files.entries),
      sums: Float64Array.from({ length: size }, (_, index) => result.outcomes.sum(index)),
      wanted: wantedBytes(wanted),
    });
    pruneStampFiles(`${this.#state.directory}/stamps`);
  }

  /**
   * Saves a build of the part of a graph that changes could reach; `graph` and `reduced` are what the part was made
   * from.
   */
  async saveResumed(
    result: BuildResult,
    files: FileTable,
    check: Check,
    { graph, reduced, before }: Resumed,
    { summary, carry }: Words,
  ): Promise<void> {
    const [memory] = this.#memories;
    if (memory === undefined || check.upToDate || check.rows === undefined || !isRepeatable(result)) return;
    await files.settle();
    const { rows } = memory;
    const changes = new Map<string, FileEntry | undefined>();
    // A change that no longer concerns any action must not be found again by every build.
    for (const [row, now] of check.changed) {
      const path = memory.path(row);
      changes.set(path, files.entries.has(path) ? files.entries.get(path) : entryOf(now, check.time));
    }
    for (const path of files.news()) changes.set(path, files.entries.get(path));
    for (const [path, entry] of storedOutputs(result, this.#store)) changes.set(path, entry);
    const texts = {
      summary: summary?.(result) ?? defaultSummary(result),
      carry: carry?.(result) ?? rows.carry,
    };
    if (isSameShape(result, before)) {
      const same = { ...texts, graph: rows.graph };
      const sums = new Map(
        reduced.reached.map(({ number, address }) => [number, sumIn(result, address)] as const),
      );
      if (patchStampFile(memory, changes, sums, same)) return;
      const all = memory.sums();
      for (const [number, sum] of sums) all[number] = sum;
      this.#writeStamps(memory, same, [...memory.entries(), ...changes], {
        sums: all,
        wanted: memory.wanted(),
      });
      return;
    }
    const merged = this.#mergeGraph(result, graph, reduced, memory);
    if (merged === undefined) {
      // The next change needs the whole graph.
      const unknown = { sums: new Float64Array(), wanted: new Uint8Array() };
      this.#writeStamps(memory, { ...texts, graph: 0 }, [...memory.entries(), ...changes], unknown);
      return;
    }
    const isOfUse = ([path, entry]: readonly [string, FileEntry | undefined]): boolean =>
      merged.paths.has(path) || (entry !== undefined && !path.startsWith(this.#store.blobs));
    const known = [...memory.entries()].filter(isOfUse);
    this.#writeStamps(memory, { ...texts, graph: merged.identity }, [...known, ...changes], merged);
  }

  #writeStamps(
    memory: StampMemory,
    texts: StampTexts,
    entries: Iterable<readonly [string, FileEntry | undefined]>,
    { sums, wanted }: Pick<StampFileContent, "sums" | "wanted">,
  ): void {
    const { file, context, variables } = memory.rows;
    writeStampFile(file, {
      context,
      variables,
      ...texts,
      depends: memory.depends(),
      entries: new Map(entries),
      sums,
      wanted,
    });
  }

  /** Writes the graph with the built part replaced. Undefined if more must be known for that. */
  #mergeGraph(
    result: BuildResult,
    graph: GraphFile,
    { reached, grown }: ReducedGraph,
    memory: StampMemory,
  ): Merged | undefined {
    const wants = memory.wanted();
    const replaced = new Set([...grown, ...reached.map(({ number }) => number)]);
    const rows: GraphRow[] = [];
    const wanted: number[] = [];
    const sums: number[] = [];
    const paths = new Set<string>();
    for (let number = 0; number < graph.count; number += 1) {
      if (replaced.has(number)) continue;
      const { action, parent } = graph.row(number);
      // A result with other discovered inputs would be looked up instead of this one.
      if (memory.sum(number) !== 0 && !memory.isOf(number, this.#state.action(action.address)))
        return undefined;
      rows.push(this.#rowOf(action, parent));
      sums.push(memory.sum(number));
      wanted.push(wants.length === 0 ? WANT.done : (wants[number] as number));
      const known = this.#state.action(action.address)?.result;
      for (const { digest } of unplacedOutputs(action, known)) paths.add(this.#store.path(digest));
    }
    for (const { action, parent, index } of result.graph.nodes()) {
      rows.push(this.#rowOf(action, parent, result));
      wanted.push(wantOf(result.outcomes.status(index)));
      sums.push(result.outcomes.sum(index));
    }
    for (const { files } of rows) for (const path of files) paths.add(path);
    const identity = newIdentity();
    writeGraphFile(this.#state.graphFile, identity, rowsOf(rows));
    return {
      identity,
      sums: Float64Array.from(sums),
      wanted: wantedBytes(Uint8Array.from(wanted)),
      paths,
    };
  }

  /** Rows for all actions of a build. */
  #rowsOf({ graph, outcomes }: BuildResult): GraphRows {
    const { actions } = graph;
    const { strings } = actions;
    const placesOf = (index: number): string[] =>
      actions.placesOf(index).flatMap((place) => (place < 0 ? [] : strings.text(place)));
    const discovered = (index: number): Discovered | undefined => {
      if (!outcomes.hasResult(index)) return this.#state.action(actions.addressOf(index))?.result.discovered;
      return outcomes.hasDiscovered(index) ? outcomes.result(index)?.discovered : undefined;
    };
    return {
      count: graph.size,
      address: (index) => actions.addressOf(index),
      action: (index) => actions.get(index),
      parent: (index) => graph.parentOf(index),
      files: (index) => {
        const sources = actions.filesOf(index).map((file) => strings.text(file));
        const found = discovered(index);
        const files = found === undefined ? [] : [...found.files.map(([path]) => path), ...found.missing];
        return [...new Set([...sources, ...placesOf(index), ...files])];
      },
      needs: (index) => actions.needsOf(index).map((need) => strings.text(need)),
      places: placesOf,
    };
  }

  #rowOf(action: Action, parent: Address | undefined, result?: BuildResult): GraphRow {
    const { address } = action;
    const done = result?.outcomes.get(address)?.result ?? this.#state.action(address)?.result;
    const files = pathsOf(action, done?.discovered);
    return { action, files, ...(parent === undefined ? {} : { parent }) };
  }

  #file(context: string): string {
    return stampFileOf(this.#state.directory, context);
  }
}

/** A graph that was written, and what the stamp file says about it. */
interface Merged extends Pick<StampFileContent, "sums" | "wanted"> {
  readonly identity: number;
  /** Files that may concern one of its actions. */
  readonly paths: ReadonlySet<string>;
}

function sumIn({ graph, outcomes }: BuildResult, address: Address): number {
  return outcomes.sum(graph.actions.numberOf(address) ?? -1);
}

/** What a partial build started from. */
interface Resumed {
  readonly graph: GraphFile;
  readonly reduced: ReducedGraph;
  /** The records of the part's actions when the graph was written. */
  readonly before: ReadonlyMap<Address, ActionRecord | undefined>;
}

/** Paths whose change concerns an action. */
function pathsOf({ inputs, outputs }: Action, found: Discovered | undefined): string[] {
  const paths = new Set<string>();
  for (const { from } of inputs) if ("file" in from) paths.add(from.file);
  for (const { place } of outputs) if (place !== undefined) paths.add(place);
  for (const [path] of found?.files ?? []) paths.add(path);
  for (const path of found?.missing ?? []) paths.add(path);
  return [...paths];
}

/** Outputs that are only in the store: they must still be there for the build to be up to date. */
function* storedOutputs(
  { outcomes, graph }: BuildResult,
  store: ContentStore,
): Generator<[string, FileEntry]> {
  const { actions } = graph;
  for (let index = 0; index < graph.size; index += 1) {
    if (!actions.placesOf(index).includes(-1)) continue;
    for (const { digest, kind, size } of unplacedOutputs(actions.get(index), outcomes.result(index))) {
      const stamp = takeStamp(store.path(digest));
      if (stamp === undefined) continue;
      const identity = {
        ...stamp,
        size: kind === "file" ? size : stamp.size,
        mtimeMs: ANY_TIME,
        ctimeMs: ANY_TIME,
      };
      yield [store.path(digest), { stamp: identity, executable: false, racy: false }];
    }
  }
}

function unplacedOutputs({ outputs }: Action, result: ActionResult | undefined): readonly StoredOutput[] {
  if (result === undefined) return [];
  return outputs.flatMap(({ name, place }) => (place === undefined ? (outputOf(result, name) ?? []) : []));
}

/** What an action of the graph is for a kind of call, as one byte; if there are no bytes, all are done. */
export const WANT = { no: 0, done: 1, skipped: 2 } as const;

function wantedBytes(wanted: Uint8Array): Uint8Array {
  return wanted.every((want) => want === WANT.done) ? new Uint8Array() : wanted;
}

function wantOf(status: ActionOutcome["status"] | undefined): number {
  if (status === undefined) return WANT.no;
  return status === "skipped" ? WANT.skipped : WANT.done;
}

/** Whether repeating the build would do nothing. */
function isRepeatable(result: BuildResult): boolean {
  if (!result.ok) return false;
  const { graph, outcomes } = result;
  for (let index = 0; index < graph.size; index += 1) {
    if (graph.actions.shapeOf(index).cache === false && outcomes.at(index)?.how === "ran") return false;
  }
  return true;
}

/** Whether the graph has the same actions, reached by the same paths. */
function isSameShape(result: BuildResult, before: ReadonlyMap<Address, ActionRecord | undefined>): boolean {
  if (result.graph.size !== before.size) return false;
  for (const [index, address] of [...result.graph.actions.addresses()].entries()) {
    if (!before.has(address)) return false;
    if (namesOf(result.outcomes.result(index)) !== namesOf(before.get(address)?.result)) return false;
  }
  return true;
}

function namesOf(result: ActionResult | undefined): string {
  const { files = [], missing = [] } = result?.discovered ?? {};
  return JSON.stringify([files.map(([path]) => path), missing]);
}

function entryOf(now: Float64Array, time: number): FileEntry | undefined {
  const [mtimeMs = 0, ctimeMs = 0, size = 0, ino = -1] = now;
  if (ino < 0) return undefined;
  const stamp = { mtimeMs, ctimeMs, size, ino };
  return { stamp, executable: false, racy: Number.isNaN(ino) || isRacy(stamp, time) };
}

function defaultSummary({ counts }: BuildResult): string {
  const done = counts.ran + counts.cached + counts.remote + counts.upToDate;
  const skipped = counts.skipped === 0 ? "" : `, ${counts.skipped} skipped`;
  return `${done} actions up to date${skipped}`;
}

/** Not 0, and unique. */
function newIdentity(): number {
  return Date.now() * 1024 + Math.floor(Math.random() * 1024);
}
