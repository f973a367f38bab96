/**
 * What a loss of power may leave of files that are written while it records: of all writes, renames and removals that
 * nobody waited for (fsync) any may be lost, whatever came after them; a write may be lost in part, or leave nothing but
 * the length that it gave the file. File systems keep more order than that, each in its own way (see ALICE, OSDI 2014).
 *
 * Files keep their inode numbers: each is held by a link beside the files.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { randomFrom } from "../../../../cli/explore/random.ts";

type Data = { readonly inode: Inode; readonly offset: number; readonly bytes: Buffer; isDurable: boolean };
type Names = { readonly path: string; readonly inode: Inode | undefined; readonly from?: string };
type Operation = { readonly data: Data } | { readonly names: Names };

/** A file, whatever it is called. */
interface Inode {
  /** The link that holds it. */
  readonly held: string;
  /** What it was when the recording began. */
  readonly before: Buffer;
}

/** How many unsynchronised operations survive: `share` of each thousand, up to a point. */
export interface Loss {
  /** Where in the recording the power goes, in thousandths. */
  readonly at: number;
  /** How many of a thousand earlier operations survive; 1000: all. */
  readonly share: number;
  readonly seed: number;
}

const original = { ...fs };

export class PowerLoss {
  readonly #folder: string;
  readonly #concerns: (path: string) => boolean;
  #operations: Operation[] = [];
  /** Names when the recording began. */
  #before = new Map<string, Inode>();
  #names = new Map<string, Inode>();
  readonly #open = new Map<number, Inode>();
  #inodes = 0;
  #hooked: readonly (keyof typeof fs)[] = [];

  /** `folder`: for links to all files, on their file system. */
  constructor(folder: string, concerns: (path: string) => boolean) {
    this.#folder = folder;
    this.#concerns = concerns;
    original.mkdirSync(folder, { recursive: true });
    this.#record();
  }

  stop(): void {
    Object.assign(fs, Object.fromEntries(this.#hooked.map((name) => [name, original[name]])));
    syncBuiltinESMExports();
  }

  get operations(): number {
    return this.#operations.length;
  }

  /** Puts the files into a state that a loss of power may leave, and records from there. */
  lose({ at, share, seed }: Loss): void {
    const random = randomFrom(seed);
    const end = Math.round((this.#operations.length * at) / 1000);
    const names = new Map(this.#before);
    const contents = new Map<Inode, Buffer>();
    const contentOf = (inode: Inode): Buffer => contents.get(inode) ?? inode.before;
    for (const [number, operation] of this.#operations.entries()) {
      const isKept = number < end && random() * 1000 < share;
      if ("names" in operation) {
        if (!isKept) continue;
        const { path, inode, from } = operation.names;
        if (from !== undefined) names.delete(from);
        if (inode === undefined) names.delete(path);
        else names.set(path, inode);
        continue;
      }
      const { inode, offset, bytes, isDurable } = operation.data;
      if (isKept || isDurable) {
        contents.set(inode, withBytes(contentOf(inode), offset, bytes));
        continue;
      }
      if (number >= end) continue;
      const way = random();
      if (way < 0.3) contents.set(inode, withBytes(contentOf(inode), offset, Buffer.alloc(bytes.length)));
      else if (way < 0.6) {
        const part = bytes.subarray(0, Math.floor(random() * bytes.length));
        contents.set(inode, withBytes(contentOf(inode), offset, part));
      }
    }
    this.#put(names, contents);
  }

  #put(names: Map<string, Inode>, contents: ReadonlyMap<Inode, Buffer>): void {
    for (const path of this.#names.keys()) original.rmSync(path, { force: true });
    for (const inode of new Set([...names.values()])) {
      original.writeFileSync(inode.held, contents.get(inode) ?? inode.before, { mode: 0o644 });
    }
    for (const [path, inode] of names) original.linkSync(inode.held, path);
    this.#operations = [];
    const again = new Map<Inode, Inode>();
    for (const [path, inode] of names) {
      const now = again.get(inode) ?? { held: inode.held, before: contents.get(inode) ?? inode.before };
      again.set(inode, now);
      names.set(path, now);
    }
    this.#before = new Map(names);
    this.#names = names;
  }

  // --- Recording --------------------------------------------------------------------------------------

  #record(): void {
    const text = (path: unknown): string => String(path);
    const hooks: Partial<typeof fs> = {
      openSync: (path, flags, mode) => {
        const descriptor = original.openSync(path, flags, mode);
        const name = text(path);
        if (!this.#concerns(name) || flags === "r") return descriptor;
        this.#open.set(descriptor, this.#inodeOf(name));
        return descriptor;
      },
      closeSync: (descriptor) => {
        this.#open.delete(descriptor);
        original.closeSync(descriptor);
      },
      writeSync: ((
        descriptor: number,
        data: string | NodeJS.ArrayBufferView,
        offset?: number,
        length?: number,
        position?: number | null,
      ) => {
        const inode = this.#open.get(descriptor);
        const size = inode === undefined ? 0 : original.fstatSync(descriptor).size;
        const bytes = typeof data === "string" ? Buffer.from(data) : bytesOf(data);
        const from = typeof data === "string" ? 0 : (offset ?? 0);
        const written =
          typeof data === "string"
            ? original.writeSync(descriptor, data)
            : original.writeSync(descriptor, data, from, length ?? bytes.length - from, position ?? null);
        if (inode !== undefined) this.#write(inode, position ?? size, bytes.subarray(from, from + written));
        return written;
      }) as typeof fs.writeSync,
      ftruncateSync: (descriptor, length = 0) => {
        const inode = this.#open.get(descriptor);
        const { size } = original.fstatSync(descriptor);
        original.ftruncateSync(descriptor, length);
        if (inode !== undefined && length > size) this.#write(inode, size, Buffer.alloc(length - size));
      },
      fsyncSync: (descriptor) => {
        const inode = this.#open.get(descriptor);
        for (const operation of this.#operations) {
          if ("data" in operation && operation.data.inode === inode) operation.data.isDurable = true;
        }
        original.fsyncSync(descriptor);
      },
      writeFileSync: ((path: fs.PathOrFileDescriptor, data: string, options?: fs.WriteFileOptions) => {
        original.writeFileSync(path, data, options);
        const name = text(path);
        if (this.#concerns(name)) this.#write(this.#inodeOf(name), 0, original.readFileSync(name));
      }) as typeof fs.writeFileSync,
      renameSync: (from, to) => {
        original.renameSync(from, to);
        const [source, target] = [text(from), text(to)];
        if (!this.#concerns(source) && !this.#concerns(target)) return;
        const inode = this.#names.get(source);
        this.#names.delete(source);
        if (inode === undefined) return;
        this.#names.set(target, inode);
        this.#operations.push({ names: { path: target, inode, from: source } });
      },
      rmSync: (path, options) => {
        original.rmSync(path, options);
        this.#removed(text(path));
      },
      unlinkSync: (path) => {
        original.unlinkSync(path);
        this.#removed(text(path));
      },
    };
    this.#hooked = Object.keys(hooks) as (keyof typeof fs)[];
    Object.assign(fs, hooks);
    syncBuiltinESMExports();
  }

  #removed(path: string): void {
    if (this.#names.delete(path)) this.#operations.push({ names: { path, inode: undefined } });
  }

  #write(inode: Inode, offset: number, bytes: Buffer): void {
    this.#operations.push({ data: { inode, offset, bytes: Buffer.from(bytes), isDurable: false } });
  }

  /** The object under a name; a new one is tracked from now on. */
  #inodeOf(path: string): Inode {
    const known = this.#names.get(path);
    if (known !== undefined) return known;
    this.#inodes += 1;
    const inode = { held: join(this.#folder, String(this.#inodes)), before: Buffer.alloc(0) };
    original.linkSync(path, inode.held);
    this.#names.set(path, inode);
    this.#operations.push({ names: { path, inode } });
    return inode;
  }
}

function bytesOf(view: NodeJS.ArrayBufferView): Buffer {
  return Buffer.from(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength);
}

function withBytes(content: Buffer, offset: number, bytes: Buffer): Buffer {
  const all = Buffer.alloc(Math.max(content.length, bytes.length === 0 ? 0 : offset + bytes.length));
  content.copy(all);
  bytes.copy(all, offset);
  return all;
}
