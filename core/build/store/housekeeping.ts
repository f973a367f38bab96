/**
 * Keeps a store small and sound. Blobs are removed in the order of their last use, except those that a running build
 * may need. A result whose bytes are gone is forgotten.
 */
import { lstatSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { holderStart } from "../files/lock-owner.ts";
import { readOwnFile } from "../files/own-file.ts";
import { uniqueName } from "../files/unique.ts";
import { hashFile, isDigest } from "../key/digest.ts";
import type { ActionResult } from "../key/result.ts";
import type { Digest } from "../model/action.ts";
import { errnoOf } from "../model/system-error.ts";
import { OWN_FOLDERS, parseFolder } from "../records/folder.ts";
import { parseResult } from "../records/result.ts";
import { BadRecord, parseJson } from "../records/schema.ts";
import { RecordLog } from "./record-log.ts";
import { RUNNING } from "./runs-under-way.ts";
import { isScratchHeld, isServer } from "./scratch-folder.ts";
import { USED_MS } from "./store.ts";

interface Blob {
  /** Absent for entries that other clients sent: these are named by key. */
  readonly digest?: Digest;
  readonly path: string;
  readonly size: number;
  /** Time of last use in ms. */
  readonly used: number;
}

interface StoreStats {
  readonly blobs: number;
  readonly bytes: number;
  /** Results in the action cache, including failures. */
  readonly results: number;
  readonly failures: number;
  /** Times of last use in ms; undefined when there is no blob. */
  readonly oldest?: number;
  readonly newest?: number;
}

export interface PruneLimits {
  /** Blobs are removed until at most this many bytes are left. */
  readonly maxBytes?: number;
  /** Blobs that were not used for this long are removed. */
  readonly maxAgeMs?: number;
}

interface Pruned {
  readonly blobs: number;
  readonly bytes: number;
  readonly results: number;
  readonly leftBytes: number;
  /** Bytes that were kept only because a running build may need them. */
  readonly pinnedBytes: number;
}

interface Verified {
  readonly blobs: number;
  /** Blobs that were removed because their bytes did not match their name. */
  readonly damaged: readonly Digest[];
  /** Results that were forgotten because their bytes were missing. */
  readonly results: number;
}

/** No clock is as wrong as this, in ms: a run that was announced, and not touched for so long, is dead. */
const DEAD_MS = 7 * 24 * 3_600_000;

/** Default limit of a store in bytes. */
export const defaultStoreLimit = 50e9;

export function storeStats(store: string): StoreStats {
  const stats = { blobs: 0, bytes: 0, results: 0, failures: 0 };
  let oldest: number | undefined;
  let newest: number | undefined;
  for (const { size, used } of blobsIn(store)) {
    stats.blobs += 1;
    stats.bytes += size;
    oldest = Math.min(oldest ?? used, used);
    newest = Math.max(newest ?? used, used);
  }
  for (const shard of shardsIn(store)) {
    for (const [, result] of resultsIn(shard)) {
      stats.results += 1;
      if (result.failure !== undefined) stats.failures += 1;
    }
    shard.close();
  }
  return { ...stats, ...(oldest === undefined || newest === undefined ? {} : { oldest, newest }) };
}

export function pruneStore(store: string, limits: PruneLimits, now = Date.now()): Pruned {
  // Uses are recorded only now and then, so what was used shortly before a build counts as used by it.
  const pinnedSince = oldestBuild(store) - USED_MS;
  const blobs = [...blobsIn(store)].sort((a, b) => a.used - b.used);
  let left = blobs.reduce((sum, { size }) => sum + size, 0);
  const { maxBytes = Number.POSITIVE_INFINITY, maxAgeMs = Number.POSITIVE_INFINITY } = limits;
  let removed = 0;
  let bytes = 0;
  let pinnedBytes = 0;
  for (const blob of blobs) {
    if (left <= maxBytes && now - blob.used <= maxAgeMs) break;
    if (blob.used >= pinnedSince || lastUse(blob.path) !== blob.used) {
      pinnedBytes += blob.size;
      continue;
    }
    rmSync(blob.path, { force: true });
    left -= blob.size;
    bytes += blob.size;
    removed += 1;
  }
  const results = removed === 0 ? 0 : forgetLostResults(store);
  forgetDeadRuns(store, now);
  writeUsage(store, left);
  return { blobs: removed, bytes, results, leftBytes: left, pinnedBytes };
}

export function verifyStore(store: string): Verified {
  let blobs = 0;
  const damaged: Digest[] = [];
  for (const { path, digest } of blobsIn(store)) {
    if (digest === undefined) continue;
    blobs += 1;
    if (isSound(path, digest)) continue;
    damaged.push(digest);
    rmSync(path, { force: true });
  }
  return { blobs, damaged, results: forgetLostResults(store) };
}

/**
 * Adds a build's new bytes to the count, and prunes to nine tenths of the limit when it is exceeded. The count is
 * inexact when several arcs write it at once; pruning counts again. `isNew`: this process made the store.
 */
export function keepWithin(
  store: string,
  added: number,
  maxBytes: number,
  isNew = false,
): Pruned | undefined {
  const usage = readUsage(store) ?? (isNew ? 0 : undefined);
  if (usage === undefined) writeUsage(store, countUsage(store));
  else if (added > 0) writeUsage(store, usage + added);
  if ((readUsage(store) ?? 0) <= maxBytes) return undefined;
  return pruneStore(store, { maxBytes: maxBytes * 0.9 });
}

/** Makes room for this many bytes, pruning if necessary; false if they do not fit. */
export function makeRoom(store: string, bytes: number, maxBytes: number): boolean {
  if (hasRoom(store, bytes, maxBytes)) return true;
  return pruneStore(store, { maxBytes: Math.max(0, maxBytes * 0.9 - bytes) }).leftBytes + bytes <= maxBytes;
}

/** Whether this many bytes fit according to the count, without pruning. */
export function hasRoom(store: string, bytes: number, maxBytes: number): boolean {
  return (readUsage(store) ?? countUsage(store)) + bytes <= maxBytes;
}

function countUsage(store: string): number {
  return [...blobsIn(store)].reduce((sum, { size }) => sum + size, 0);
}

/** True also for a blob that was pruned meanwhile. Throws when it cannot be read. */
function isSound(path: string, digest: Digest): boolean {
  try {
    const { atime, mtime } = statSync(path);
    const sound = hashFile(path).digest === digest;
    // Being verified does not count as use.
    if (sound) setTimes(path, atime, mtime);
    return sound;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "EPERM") return true;
    if (errno === "EACCES") throw error;
    return false;
  }
}

function setTimes(path: string, accessed: Date, modified: Date): void {
  try {
    utimesSync(path, accessed, modified);
  } catch (error) {
    // The blob may be gone, or the file system read-only.
    if (errnoOf(error) === undefined) throw error;
  }
}

function* blobsIn(store: string): Generator<Blob> {
  for (const folder of ["cas", "ac"]) {
    for (const shard of namesIn(join(store, folder))) {
      for (const name of namesIn(join(store, folder, shard))) {
        if (!isDigest(name)) continue;
        const path = join(store, folder, shard, name);
        const stat = statSync(path, { throwIfNoEntry: false });
        if (stat === undefined) continue;
        // The newer one: access time moves when it is read and marked, modification time when it is made.
        const used = Math.max(stat.atimeMs, stat.mtimeMs);
        yield { path, size: stat.size, used, ...(folder === "cas" ? { digest: name } : {}) };
      }
    }
  }
}

function lastUse(path: string): number | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : Math.max(stat.atimeMs, stat.mtimeMs);
}

/** When the oldest running build started, in ms; infinity if none runs. */
function oldestBuild(store: string): number {
  let oldest = Number.POSITIVE_INFINITY;
  const temporary = join(store, "tmp");
  for (const name of namesIn(temporary)) {
    const scratch = join(temporary, name);
    if (!isScratchHeld(scratch)) continue;
    if (isServer(scratch)) {
      oldest = Math.min(oldest, Date.now());
      continue;
    }
    // For a build of another machine only the folder's time is known, which is the same or earlier.
    const stat = statSync(scratch, { throwIfNoEntry: false });
    oldest = Math.min(oldest, holderStart(name) ?? stat?.birthtimeMs ?? Date.now());
  }
  return oldest;
}

function* shardsIn(store: string): Generator<RecordLog> {
  const folder = join(store, "actions");
  for (const name of namesIn(folder)) {
    if (!name.endsWith(".log")) continue;
    const shard = new RecordLog(join(folder, name), "actions");
    shard.refresh();
    yield shard;
  }
}

/** Undefined for an invalid record. */
function ifGood<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error;
    return undefined;
  }
}

/** Each result once: the newest of each key. Invalid records are left out. */
function* resultsIn(shard: RecordLog): Generator<[json: string, result: ActionResult]> {
  for (const key of shard.keys()) {
    const seen = new Set<string>();
    for (const json of shard.get(key)) {
      const result = ifGood(() => parseResult(parseJson(json), key as Digest));
      if (result === undefined || seen.has(result.key)) continue;
      seen.add(result.key);
      yield [json, result];
    }
  }
}

/** Returns how many were forgotten. */
function forgetLostResults(store: string): number {
  let forgotten = 0;
  for (const shard of shardsIn(store)) {
    const kept: [string, string][] = [];
    const before = shard.records;
    for (const [json, result] of resultsIn(shard)) {
      if (isWhole(store, result)) kept.push([result.base, json]);
      else forgotten += 1;
    }
    // Oldest first, the order in which they were appended.
    if (kept.length < before) shard.rewrite(kept.reverse());
    shard.close();
  }
  return forgotten;
}

function isWhole(store: string, result: ActionResult): boolean {
  const has = (digest: Digest): boolean =>
    statSync(join(store, "cas", digest.slice(0, 2), digest), { throwIfNoEntry: false }) !== undefined;
  return result.outputs.every(({ kind, digest }) => {
    if (!has(digest)) return false;
    if (kind === "file") return true;
    const list = readOwnFile(join(store, "cas", digest.slice(0, 2), digest));
    const entries = ifGood(() => parseFolder(list, OWN_FOLDERS));
    return entries?.every((entry) => entry.kind !== "file" || has(entry.digest)) ?? false;
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes what killed processes announced as their runs, and what nobody needed since. */
function forgetDeadRuns(store: string, now: number): void {
  const folder = join(store, RUNNING);
  for (const name of namesIn(folder)) {
    const touched = lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - touched > DEAD_MS) rmSync(join(folder, name), { force: true, recursive: true });
  }
}

function readUsage(store: string): number | undefined {
  try {
    const usage = readOwnFile(join(store, "usage")).toString("utf8");
    // A power loss may leave the file empty.
    return /^\d+$/.test(usage) ? Number(usage) : undefined;
  } catch {
    return undefined;
  }
}

function writeUsage(store: string, bytes: number): void {
  const file = join(store, "usage");
  const temporary = `${file}.${uniqueName()}`;
  try {
    writeFileSync(temporary, String(bytes));
    renameSync(temporary, file);
  } catch {
    // Only an estimate: without it the next prune counts again.
    rmSync(temporary, { force: true });
  }
}
