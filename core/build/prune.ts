/** Keeps a store below a size. What is removed is made again when it is needed: only time is lost. */
import { readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

export interface StoreSize {
  readonly blobs: number;
  readonly bytes: number;
}

export function storeSize(store: string): StoreSize {
  const blobs = [...blobsOf(store)];
  return { blobs: blobs.length, bytes: sum(blobs) };
}

/** Removes what was not used for longest until at most `limit` bytes are left; tells what was removed. */
export function pruneStore(store: string, limit: number): StoreSize {
  const blobs = [...blobsOf(store)].sort((a, b) => usedAt(a.stat) - usedAt(b.stat));
  let excess = sum(blobs) - limit;
  const removed = [];
  for (const blob of blobs) {
    if (excess <= 0) break;
    rmSync(blob.file, { force: true });
    excess -= blob.stat.size;
    removed.push(blob);
  }
  return { blobs: removed.length, bytes: sum(removed) };
}

interface Blob {
  readonly file: string;
  readonly stat: Stats;
}

function* blobsOf(store: string): Generator<Blob> {
  const cas = join(store, "cas");
  for (const folder of list(cas)) {
    for (const name of list(join(cas, folder))) {
      const file = join(cas, folder, name);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat?.isFile()) yield { file, stat };
    }
  }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Times of access are kept at least once a day almost everywhere; where they are not, the age counts. */
const usedAt = (stat: Stats): number => Math.max(stat.atimeMs, stat.mtimeMs);

const sum = (blobs: readonly Blob[]): number => blobs.reduce((bytes, blob) => bytes + blob.stat.size, 0);
