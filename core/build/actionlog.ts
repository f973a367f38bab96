/**
 * The action cache: results by base key, in 256 logs under `actions/`, by the key's first byte, so that
 * a build reads only what its keys lead to.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Digest } from "./action.ts";
import { RecordLog } from "./recordlog.ts";
import type { ActionResult } from "./result.ts";

/** An action that discovers its inputs may leave many results for one base key; the newest are worth a look. */
const CANDIDATES = 32;

export class ActionLog {
  readonly #directory: string;
  readonly #shards = new Map<string, RecordLog>();

  constructor(storeDirectory: string) {
    this.#directory = join(storeDirectory, "actions");
    mkdirSync(this.#directory, { recursive: true });
  }

  /** Results recorded for a base key, newest first; they differ in what was discovered. */
  *candidates(base: Digest): Generator<ActionResult> {
    const shard = this.#shard(base);
    shard.refresh();
    let left = CANDIDATES;
    for (const json of shard.get(base)) {
      yield JSON.parse(json) as ActionResult;
      left -= 1;
      if (left === 0) return;
    }
  }

  append(result: ActionResult, durable: boolean): void {
    this.#shard(result.base).append([[result.base, JSON.stringify(result)]], durable);
  }

  close(): void {
    for (const shard of this.#shards.values()) shard.close();
    this.#shards.clear();
  }

  #shard(base: Digest): RecordLog {
    const name = base.slice(0, 2);
    let shard = this.#shards.get(name);
    if (shard === undefined) {
      shard = new RecordLog(join(this.#directory, `${name}.log`), "actions");
      this.#shards.set(name, shard);
    }
    return shard;
  }
}
