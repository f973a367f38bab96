/**
 * The build database, below `.arc/`: a journal of what each action did last and of known tools, the graph of the last
 * build, and stamps per kind of call. Losing any of it costs time, never correctness.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../files/folders.ts";
import type { KeyParts } from "../key/key.ts";
import { type ActionResult, resultJson } from "../key/result.ts";
import type { Address, Digest, ToolIdentity } from "../model/action.ts";
import type { Reason } from "../model/event.ts";
import type { FileStamp } from "../model/stat-signature.ts";
import { errnoOf } from "../model/system-error.ts";
import { RecordLog } from "../store/record-log.ts";
import { FormerPlaces } from "./former-places.ts";
import { DamagedGraph, GraphFile } from "./graph-file.ts";
import { Claims } from "./output-claims.ts";

export interface ActionRecord {
  readonly parts: KeyParts;
  readonly result: ActionResult;
  /** Why it was last run or looked up. */
  readonly why?: Reason;
  /** The expansion: digest of rule and outputs, and the blob that lists its actions. */
  readonly expansion?: { readonly key: Digest; readonly actions: Digest };
  /** Places in the project that arc wrote for it. */
  readonly places?: readonly string[];
  /** When they had been written, on this machine's clock in whole ms since the epoch, rounded up. */
  readonly at?: number;
  /** Places that it had before, and what may still lie there. */
  readonly left?: readonly Left[];
}

/** What arc wrote to a place that its action no longer has. */
export interface Left {
  readonly place: string;
  /** Undefined: not known, as after a failure. */
  readonly digest?: Digest;
  readonly at: number;
}

interface ToolRecord {
  /** Identity of the machine's boot when the tool was asked (`files/boot.ts`). */
  readonly boot: number;
  readonly identity: ToolIdentity;
  /** The executable and its back ends, by the absolute paths at which they are looked up. */
  readonly files: readonly (readonly [path: string, stamp: FileStamp])[];
}

/** Up to this many records are collected for one write. */
const BATCH = 64;
/** The journal is rewritten when it holds more than this many times the current records, or their bytes. */
const GARBAGE = 3;
/** Fewer bytes are never too many. */
const SMALL_BYTES = 4 * 2 ** 20;

/** How many parsed records are cached: a build needs that of the current action several times. */
const RECENT = 256;

const ACTION = "a ";
const TOOL = "t ";

export class State {
  readonly directory: string;
  /** Claims of places without a record. */
  readonly claims: Claims;
  readonly #former: FormerPlaces;
  readonly #journal: RecordLog;
  /** Records that are not on disk yet. */
  readonly #unwritten = new Map<string, string>();
  /** Parsed records, the oldest first. */
  readonly #recent = new Map<string, unknown>();
  #loaded = false;
  #isFormerWhole = false;
  #places: Set<string> | undefined;
  #lastPlaces: ReadonlySet<string> | undefined;

  constructor(directory: string) {
    this.directory = directory;
    this.claims = new Claims(join(directory, "claims"));
    this.#former = new FormerPlaces(join(directory, "places"));
    this.#journal = new RecordLog(this.journalFile, "journal", join(this.directory, "index"));
  }

  get journalFile(): string {
    return join(this.directory, "journal");
  }

  get graphFile(): string {
    return join(this.directory, "graph");
  }

  action(address: Address): ActionRecord | undefined {
    return this.#get(ACTION + address) as ActionRecord | undefined;
  }

  setAction(address: Address, record: ActionRecord): void {
    const { result, ...rest } = record;
    const known = this.action(address)?.places ?? [];
    this.#set(ACTION + address, `{"result":${resultJson(result)},${JSON.stringify(rest).slice(1)}`, record);
    for (const place of record.places ?? []) {
      this.#places?.add(place);
      if (!known.includes(place)) this.#former.add(place);
      this.claims.settle(place);
    }
  }

  /** Addresses of all actions that were ever done here. */
  *actions(): Generator<Address> {
    this.#load();
    for (const key of new Set([...this.#journal.keys(), ...this.#unwritten.keys()])) {
      if (key.startsWith(ACTION)) yield key.slice(ACTION.length);
    }
  }

  tool(key: Digest): ToolRecord | undefined {
    return this.#get(TOOL + key) as ToolRecord | undefined;
  }

  setTool(key: Digest, record: ToolRecord): void {
    this.#set(TOOL + key, JSON.stringify(record), record);
  }

  /** Whether arc wrote the content of a place, as far as it knows. */
  owns(place: string): boolean {
    return this.places().has(place);
  }

  places(): ReadonlySet<string> {
    this.#places ??= new Set([...this.actions()].flatMap((address) => this.action(address)?.places ?? []));
    return this.#places;
  }

  /** Whether an action of the last graph has its output there. */
  hadOutput(place: string): boolean {
    return this.#placesOfLastGraph().has(place);
  }

  #placesOfLastGraph(): ReadonlySet<string> {
    this.#lastPlaces ??= placesIn(this.graphFile);
    return this.#lastPlaces;
  }

  /** Every place where arc may have written something. A place in it without a record says no more than that. */
  formerPlaces(): ReadonlySet<string> {
    return this.#former.all() ?? new Set([...this.places(), ...this.#placesOfLastGraph()]);
  }

  /** When a new place was last written, in ms since the epoch. */
  get lastPlacedAt(): number {
    return this.#former.notedAt;
  }

  /** Everything that arc left in places, including those that actions no longer have. */
  *left(): Generator<Left> {
    for (const address of this.actions()) {
      const record = this.action(address);
      if (record === undefined) continue;
      yield* record.left ?? [];
      const { places = [], at = Number.POSITIVE_INFINITY, result } = record;
      const digests = result.outputs.map(({ digest }) => digest);
      for (const place of places) {
        if (digests.length === 0) yield { place, at };
        for (const digest of digests) yield { place, digest, at };
      }
    }
  }

  /** Takes over what another process has written since the last read. */
  refresh(): void {
    this.claims.forget();
    this.#former.forget();
    this.#lastPlaces = undefined;
    if (!this.#loaded) return;
    const before = this.#journal.records;
    this.#journal.refresh();
    if (this.#journal.records === before) return;
    this.#recent.clear();
    this.#places = undefined;
  }

  /** Writes the collected records. */
  flush(): void {
    if (this.#unwritten.size === 0) return;
    makeFolders(this.directory);
    this.#noteFormer();
    this.#journal.append([...this.#unwritten]);
    this.#unwritten.clear();
    this.#journal.refresh();
  }

  /** Called before the journal has the records, so that the list has every place that the journal knows. */
  #noteFormer(): void {
    if (!this.#isFormerWhole) {
      this.#isFormerWhole = true;
      this.#load();
      // The journal was written by an arc without this list, or the list was lost.
      const isOlder = this.#journal.records > 0 && !this.#former.exists;
      if (isOlder) for (const place of this.places()) this.#former.add(place);
    }
    this.#former.flush();
  }

  /** Rewrites the journal without superseded records when these are the majority. */
  compact(): void {
    this.flush();
    this.claims.save();
    this.#load();
    const { records, keyCount, bytes, usefulBytes } = this.#journal;
    const isLong = records > GARBAGE * keyCount + BATCH || bytes > GARBAGE * usefulBytes + SMALL_BYTES;
    if (!isLong) return;
    this.#journal.rewrite(this.#current([...this.#journal.keys()]));
    this.#journal.refresh();
  }

  *#current(keys: readonly string[]): Generator<[string, string]> {
    for (const key of keys) {
      const json = first(this.#journal.get(key));
      if (json !== undefined) yield [key, json];
    }
  }

  /** Whether there is a journal, readable or not. */
  get exists(): boolean {
    return statSync(this.journalFile, { throwIfNoEntry: false }) !== undefined;
  }

  /** Why the journal was lost, once: the disk did not give it back. */
  takeLost(): unknown {
    return this.#journal.takeLost();
  }

  /** How many records were found. */
  get known(): number {
    this.#load();
    return this.#journal.records;
  }

  close(): void {
    this.#tryToFlush();
    this.claims.close();
    this.#journal.saveIndex();
    this.#journal.close();
  }

  #get(key: string): unknown {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    this.#load();
    const json = this.#unwritten.get(key) ?? first(this.#journal.get(key));
    if (json === undefined) return undefined;
    const record: unknown = JSON.parse(json);
    this.#noteRecent(key, record);
    return record;
  }

  #noteRecent(key: string, record: unknown): void {
    this.#recent.set(key, record);
    if (this.#recent.size > RECENT) this.#recent.delete(first(this.#recent.keys()) as string);
  }

  #set(key: string, json: string, record: unknown): void {
    this.#recent.delete(key);
    this.#noteRecent(key, record);
    this.#unwritten.set(key, json);
    if (this.#unwritten.size >= BATCH) this.#tryToFlush();
  }

  /** A failure is reported at the end of the build; until then the records stay in memory. */
  #tryToFlush(): void {
    try {
      this.flush();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }

  #load(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    this.#journal.refresh();
  }
}

function placesIn(graphFile: string): ReadonlySet<string> {
  const graph = GraphFile.open(graphFile);
  try {
    return new Set(graph?.places());
  } catch (error) {
    if (!(error instanceof DamagedGraph)) throw error;
    return new Set();
  } finally {
    graph?.close();
  }
}

function first(values: Iterable<string>): string | undefined {
  for (const value of values) return value;
  return undefined;
}
