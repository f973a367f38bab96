/**
 * States that a loss of power may leave of recorded operations. What was waited for (fsync) is there; of the rest:
 *
 * - `prefix`: all before some moment, in order;
 * - `journal`: names as they were at some moment, as file systems with a journal keep them; of what was written any part,
 *   though a file may have its length;
 * - `any`: any names and any writes, whatever came after them.
 *
 * A file's times are those that it had at some moment before, whatever it holds: metadata and data go by themselves.
 */
import { chmodSync, linkSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applied, type Node, type Operation, type Recording, type Times } from "./recording.ts";

export const MODES = ["prefix", "journal", "any"] as const;

export interface Loss {
  readonly mode: (typeof MODES)[number];
  /** Operations that were begun. */
  readonly end: number;
  /** How many of a thousand unsynchronised operations survive. */
  readonly share: number;
  readonly random: () => number;
}

interface State {
  readonly names: ReadonlyMap<Node, ReadonlyMap<string, Node>>;
  readonly bytes: ReadonlyMap<Node, Buffer>;
}

/** The contents after a loss. */
export function stateAfter(recording: Recording, { mode, end, share, random }: Loss): State {
  const { operations, top } = recording;
  const names = new Map<Node, Map<string, Node>>([[top, new Map()]]);
  const bytes = new Map<Node, Buffer>();
  const durable = durableBefore(operations, end);
  for (const [at, operation] of operations.slice(0, end).entries()) {
    const isKept = mode === "prefix" || durable.has(at) || random() * 1000 < share;
    if (operation.kind === "names") {
      if (!isKept && mode !== "journal") continue;
      // A name in a folder that was lost is lost with it.
      if (!operation.changes.every(({ folder }) => names.has(folder))) continue;
      for (const { folder, name, node } of operation.changes) {
        if (node === undefined) names.get(folder)?.delete(name);
        else names.get(folder)?.set(name, node);
        if (node?.kind === "folder" && !names.has(node)) names.set(node, new Map());
      }
    } else if (operation.kind !== "fsync") {
      const content = bytes.get(operation.node) ?? Buffer.alloc(0);
      if (isKept) bytes.set(operation.node, applied(content, operation));
      else if (operation.kind === "write") {
        const way = random();
        const { bytes: written } = operation;
        if (way < 0.4)
          bytes.set(operation.node, applied(content, { ...operation, bytes: zeros(content, operation) }));
        else if (way < 0.7)
          bytes.set(
            operation.node,
            applied(content, {
              ...operation,
              bytes: written.subarray(0, Math.floor(random() * written.length)),
            }),
          );
      }
    }
  }
  return { names, bytes };
}

/** Only the length was written: the old contents, followed by zeros. */
function zeros(content: Buffer, { offset, bytes }: Operation & { kind: "write" }): Buffer {
  const left = Buffer.alloc(bytes.length);
  content.subarray(offset, offset + bytes.length).copy(left);
  return left;
}

/** Operations that something waited for before the power went: a file's bytes and first name, a folder's names. */
function durableBefore(operations: readonly Operation[], end: number): ReadonlySet<number> {
  const durable = new Set<number>();
  const waiting = new Map<Node, number[]>();
  const wait = (node: Node, at: number): void => {
    const list = waiting.get(node);
    if (list === undefined) waiting.set(node, [at]);
    else list.push(at);
  };
  for (const [at, operation] of operations.slice(0, end).entries()) {
    if (operation.kind === "fsync") {
      for (const done of waiting.get(operation.node) ?? []) durable.add(done);
      waiting.delete(operation.node);
    } else if (operation.kind === "names") for (const { folder } of operation.changes) wait(folder, at);
    else wait(operation.node, at);
  }
  return durable;
}

interface Lie extends Times {
  readonly path: string;
}

/** Creates a state in a folder, replacing its contents; returns which files had which times before. */
export function lay(folder: string, recording: Recording, { names, bytes }: State, loss: Loss): Lie[] {
  const lies: Lie[] = [];
  const laid = new Map<Node, string>();
  const layIn = (path: string, node: Node): void => {
    for (const [name, inside] of names.get(node) ?? []) {
      const to = join(path, name);
      const first = laid.get(inside);
      if (first !== undefined) {
        // No folder has two names, but for one whose old name is lost later than its new one came.
        if (inside.kind === "file") linkSync(first, to);
        continue;
      }
      laid.set(inside, to);
      if (inside.kind === "link") symlinkSync(inside.target as string, to);
      else if (inside.kind === "folder") {
        mkdirSync(to);
        layIn(to, inside);
      } else writeFileSync(to, bytes.get(inside) ?? Buffer.alloc(0), { mode: 0o644 });
      if (inside.kind !== "link") chmodSync(to, inside.mode);
    }
  };
  // The arc before it may still be clearing up there.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  mkdirSync(folder, { recursive: true });
  layIn(folder, recording.top);
  for (const [node, path] of laid) {
    const seen = node.seen.filter(({ at }) => at <= loss.end);
    // What was seen last most often: that is what arc knows.
    const of = loss.random() < 0.7 ? seen.at(-1) : seen[Math.floor(loss.random() * seen.length)];
    if (of !== undefined) lies.push({ path, ...of.times });
  }
  return lies;
}

/** The rows of stat-lies.c. */
export function rowsOf(lies: readonly Lie[]): Buffer {
  const rows = new BigInt64Array(1 + 5 * lies.length);
  rows[0] = BigInt(lies.length);
  for (const [at, { path, inode, modified, changed }] of lies.entries()) {
    const now = lstatSync(path, { bigint: true });
    rows.set([now.ino, now.ctimeNs, inode, modified, changed], 1 + 5 * at);
  }
  return Buffer.from(rows.buffer);
}
