/**
 * The action cache: results by base key, in 256 logs under `actions/`, by the key's first byte, so that a build reads
 * only the logs of its keys.
 */
import { join } from "node:path";
import { makeFolders } from "../files/folders.ts";
import { type ActionResult, resultJson } from "../key/result.ts";
import type { Action, Digest } from "../model/action.ts";
import type { RefusedRecords } from "../records/refused.ts";
import { checkFits, parseResult } from "../records/result.ts";
import { BadRecord, parseJson } from "../records/schema.ts";
import { RecordLog } from "./record-log.ts";
import { storeUnusable } from "./store-errors.ts";

/** How many results of a base key are considered, newest first: an action that discovers inputs may leave many. */
const CANDIDATES = 32;
/** Up to this many keys are searched for in a log; for more it pays to index all records. */
const SEARCHES = 4;

interface Shard {
  readonly log: RecordLog;
  lookups: number;
}

export class ActionLog {
  readonly #directory: string;
  readonly #refused: RefusedRecords;
  readonly #shards = new Map<string, Shard>();

  constructor(storeDirectory: string, refused: RefusedRecords) {
    this.#refused = refused;
    this.#directory = join(storeDirectory, "actions");
    try {
      makeFolders(this.#directory);
    } catch (error) {
      throw storeUnusable(storeDirectory, error);
    }
  }

  /**
   * Results recorded for a base key, newest first; they differ in what was discovered. With an action, only those that
   * fit it.
   */
  *candidates(base: Digest, action?: Action): Generator<ActionResult> {
    const shard = this.#shard(base);
    shard.lookups += 1;
    let left = CANDIDATES;
    for (const json of shard.lookups <= SEARCHES ? shard.log.search(base) : fresh(shard.log).get(base)) {
      left -= 1;
      const result = this.#parse(json, base, action);
      if (result !== undefined) yield result;
      if (left === 0) return;
    }
  }

  #parse(json: string, base: Digest, action: Action | undefined): ActionResult | undefined {
    try {
      const result = parseResult(parseJson(json), base);
      if (action !== undefined) checkFits(result, action);
      return result;
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      this.#refused.note(error.message);
      return undefined;
    }
  }

  append(result: ActionResult, durable: boolean): void {
    this.#shard(result.base).log.append([[result.base, resultJson(result)]], durable);
  }

  /** Why results were lost, once: the disk did not give them back. */
  takeLost(): unknown {
    const all = [...this.#shards.values()].map(({ log }) => log.takeLost());
    return all.find((lost) => lost !== undefined);
  }

  close(): void {
    for (const shard of this.#shards.values()) shard.log.close();
    this.#shards.clear();
  }

  #shard(base: Digest): Shard {
    const name = base.slice(0, 2);
    let shard = this.#shards.get(name);
    if (shard === undefined) {
      shard = { log: new RecordLog(join(this.#directory, `${name}.log`), "actions"), lookups: 0 };
      this.#shards.set(name, shard);
    }
    return shard;
  }
}

function fresh(log: RecordLog): RecordLog {
  log.refresh();
  return log;
}
