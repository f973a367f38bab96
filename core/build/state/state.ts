/**
 * What a project remembers between builds, below `.arc/`: a journal of what each action did last and of
 * known tools, the graph of the last build, and stamps per kind of call. Losing any of it costs time,
 * never correctness.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../files/folders.ts";
import type { KeyParts } from "../key/key.ts";
import { type ActionResult, resultJson } from "../key/result.ts";
import type { Address, Digest, ToolIdentity } from "../model/action.ts";
import { errnoOf } from "../model/error.ts";
import type { Reason } from "../model/event.ts";
import type { FileStamp } from "../model/stat-signature.ts";
import { RecordLog } from "../store/record-log.ts";
import { FormerPlaces } from "./former-places.ts";
import { DamagedGraph, GraphFile } from "./graph-file.ts";
import { Claims } from "./output-claims.ts";

export interface ActionRecord {
  readonly parts: KeyParts;
  readonly result: ActionResult;
  /** Why it ran or was looked up last. */
  readonly why?: Reason;
  /** Of the expansion: digest of rule and outputs, and the blob that lists the actions. */
  readonly expansion?: { readonly key: Digest; readonly actions: Digest };
  /** Places in the project that arc wrote for it. */
  readonly places?: readonly string[];
  /** When they had been written, by this machine's clock in whole milliseconds since the epoch, rounded up. */
  readonly at?: number;
  /** Places that it had before, and what may lie there still. */
  readonly left?: readonly Left[];
}

/** What arc wrote to a place that its action has no more. */
export interface Left {
  readonly place: string;
  /** Undefined: not known, as after a failure. */
  readonly digest?: Digest;
  readonly at: number;
}

export interface ToolRecord {
  /** Of the machine when it was asked (`files/boot.ts`). */
  readonly boot: number;
  readonly identity: ToolIdentity;
  /** The executable and the files behind it, by the absolute paths at which they are looked for. */
  readonly files: readonly (readonly [path: string, stamp: FileStamp])[];
}

/** Unwritten records are kept back up to so many, for one write. */
const BATCH = 64;
/** Rewrite the journal when it holds more than this many times what is current. */
const GARBAGE = 3;

/** A build asks several times for the record of an action that it is at: so many parsed ones are kept. */
const RECENT = 256;

const ACTION = "a ";
const TOOL = "t ";

export class State {
  readonly directory: string;
  /** Of places that no record tells of. */
  readonly claims: Claims;
  readonly #former: FormerPlaces;
  readonly #journal: RecordLog;
  /** Not yet on disk. */
  readonly #unwritten = new Map<string, string>();
  /** Parsed; the oldest first. */
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
    this.#set(ACTION + address, `{"result":${resultJson(result)},${JSON.stringify(rest).slice(1)}`);
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
    this.#set(TOOL + key, JSON.stringify(record));
  }

  /** Whether arc wrote what lies in a place, as far as it remembers. */
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

  /** Where arc may have written something, ever. Of a place in it that no record tells of, nothing else is known. */
  formerPlaces(): ReadonlySet<string> {
    return this.#former.all() ?? new Set([...this.places(), ...this.#placesOfLastGraph()]);
  }

  /** When a place was written for the first time last, in milliseconds since the epoch. */
  get lastPlacedAt(): number {
    return this.#former.notedAt;
  }

  /** All that arc remembers to have left in places, those that actions have no more included. */
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

  /** Takes in what another process has written since it was read. */
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

  /** Writes what is kept back. */
  flush(): void {
    if (this.#unwritten.size === 0) return;
    makeFolders(this.directory);
    this.#noteFormer();
    this.#journal.append([...this.#unwritten]);
    this.#unwritten.clear();
    this.#journal.refresh();
  }

  /** Before the journal has the records, so that it never knows a place that this does not. */
  #noteFormer(): void {
    if (!this.#isFormerWhole) {
      this.#isFormerWhole = true;
      this.#load();
      // A journal by an arc that noted none, or whose notes were lost.
      const isOlder = this.#journal.records > 0 && !this.#former.exists;
      if (isOlder) for (const place of this.places()) this.#former.add(place);
    }
    this.#former.flush();
  }

  /** Rewrites the journal without what is superseded, when most of it is. */
  compact(): void {
    this.flush();
    this.claims.save();
    this.#load();
    if (this.#journal.records <= GARBAGE * this.#journal.keyCount + BATCH) return;
    this.#journal.rewrite(this.#current([...this.#journal.keys()]));
    this.#journal.refresh();
  }

  *#current(keys: readonly string[]): Generator<[string, string]> {
    for (const key of keys) {
      const json = first(this.#journal.get(key));
      if (json !== undefined) yield [key, json];
    }
  }

  /** Something is remembered, readable or not. */
  get exists(): boolean {
    return statSync(this.journalFile, { throwIfNoEntry: false }) !== undefined;
  }

  /** How many records could be found. */
  get known(): number {
    this.#load();
    return this.#journal.records;
  }

  close(): void {
    this.flush();
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
    this.#recent.set(key, record);
    if (this.#recent.size > RECENT) this.#recent.delete(first(this.#recent.keys()) as string);
    return record;
  }

  #set(key: string, json: string): void {
    this.#recent.delete(key);
    this.#unwritten.set(key, json);
    if (this.#unwritten.size < BATCH) return;
    try {
      this.flush();
    } catch (error) {
      // Said when the build is over; until then it is kept in memory.
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
