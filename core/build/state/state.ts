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
}

export interface ToolRecord {
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
  readonly #journal: RecordLog;
  /** Not yet on disk. */
  readonly #unwritten = new Map<string, string>();
  /** Parsed; the oldest first. */
  readonly #recent = new Map<string, unknown>();
  #loaded = false;
  #places: Set<string> | undefined;
  #lastPlaces: ReadonlySet<string> | undefined;

  constructor(directory: string) {
    this.directory = directory;
    this.claims = new Claims(join(directory, "claims"));
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
    this.#set(ACTION + address, `{"result":${resultJson(result)},${JSON.stringify(rest).slice(1)}`);
    for (const place of record.places ?? []) {
      this.#places?.add(place);
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

  /** Whether an action of the last graph had its output there, though no record may tell of it any more. */
  hadOutput(place: string): boolean {
    this.#lastPlaces ??= placesIn(this.graphFile);
    return this.#lastPlaces.has(place);
  }

  /** Takes in what another process has written since it was read. */
  refresh(): void {
    this.claims.forget();
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
    this.#journal.append([...this.#unwritten]);
    this.#unwritten.clear();
    this.#journal.refresh();
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
