/**
 * What processes did to the files below a folder, as strace saw it: every write, name and fsync, in order, of Node, of
 * the native part and of the commands that actions run.
 */
import { spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Times {
  readonly inode: bigint;
  readonly modified: bigint;
  readonly changed: bigint;
}

export interface Node {
  readonly kind: "file" | "folder" | "link";
  readonly target?: string;
  mode: number;
  /** Its `stat` results, by the number of operations done at that time. */
  readonly seen: { readonly at: number; readonly times: Times }[];
}

/** `name`: a node is there from now on; undefined: none. A rename is both at once. */
interface NameChange {
  readonly folder: Node;
  readonly name: string;
  readonly node: Node | undefined;
}
export type Operation =
  | { readonly kind: "names"; readonly changes: readonly NameChange[] }
  | { readonly kind: "write"; readonly node: Node; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: "truncate"; readonly node: Node; readonly length: number }
  | { readonly kind: "fsync"; readonly node: Node };

const CALLS = [
  "open,openat,creat,write,pwrite64,writev,pwritev,pwritev2,rename,renameat,renameat2,link,linkat,unlink,unlinkat",
  "rmdir,mkdir,mkdirat,symlink,symlinkat,truncate,ftruncate,fallocate,fsync,fdatasync,sync,syncfs,chmod,fchmod",
  "fchmodat,copy_file_range,sendfile,splice,mmap,ioctl,lseek,dup,dup2,dup3,io_uring_setup",
].join(",");

interface Description {
  readonly node: Node;
  at: number;
  readonly appends: boolean;
}

/** A folder with all that happens in it. */
export class Recording {
  readonly operations: Operation[] = [];
  readonly top: Node = { kind: "folder", mode: 0o755, seen: [] };
  readonly #folder: string;
  readonly #names = new Map<Node, Map<string, Node>>([[this.top, new Map()]]);
  readonly #bytes = new Map<Node, Buffer>();
  readonly #open = new Map<string, Description>();
  readonly #last = new Map<Node, Description>();

  /** What lies in the folder already is there for good. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#take("", this.top);
    this.#see();
  }

  /** Runs a command, and records its operations. Throws if their replay does not give the actual contents. */
  run(argv: readonly string[], env: NodeJS.ProcessEnv): string {
    const scratch = mkdtempSync(join(tmpdir(), "arc-strace-"));
    try {
      const file = join(scratch, "trace");
      const limit = String(64 * 1024 * 1024);
      const options = ["-f", "-y", "-xx", "-qq", "--seccomp-bpf", "-e", "signal=none", "-s", limit];
      const run = spawnSync("strace", [...options, "-e", `trace=${CALLS}`, "-o", file, "--", ...argv], {
        env,
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
      if (run.error !== undefined || run.status !== 0)
        throw new Error(`${argv[0]}: ${run.error?.message ?? run.stderr}`);
      for (const { pid, call } of whole(readFileSync(file, "latin1"))) this.#note(pid, call);
      this.#open.clear();
      this.#compare("", this.top);
      this.#see();
      return run.stdout;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  /** Names below a folder after all operations. */
  names(node: Node): ReadonlyMap<string, Node> {
    return this.#names.get(node) ?? new Map();
  }

  // --- Contents ----------------------------------------------------------------------------------

  #take(path: string, folder: Node): void {
    for (const entry of readdirSync(join(this.#folder, path), { withFileTypes: true })) {
      const inside = join(path, entry.name);
      const kind = entry.isDirectory() ? "folder" : "file";
      const node: Node = { kind, mode: statSync(join(this.#folder, inside)).mode & 0o777, seen: [] };
      this.#name([{ folder, name: entry.name, node }]);
      if (kind === "folder") this.#take(inside, node);
      else this.#put({ kind: "write", node, offset: 0, bytes: readFileSync(join(this.#folder, inside)) });
      this.operations.push({ kind: "fsync", node });
    }
    this.operations.push({ kind: "fsync", node: folder });
  }

  #compare(path: string, folder: Node): void {
    const names = this.names(folder);
    const there = readdirSync(join(this.#folder, path)).sort();
    if (there.join("\n") !== [...names.keys()].sort().join("\n"))
      throw new Error(`recorded in ${path}: ${[...names.keys()].sort()}; there: ${there}`);
    for (const [name, node] of names) {
      const inside = join(path, name);
      if (node.kind === "folder") this.#compare(inside, node);
      else if (node.kind === "link") {
        if (readlinkSync(join(this.#folder, inside)) !== node.target)
          throw new Error(`${inside}: another link`);
      } else if (!readFileSync(join(this.#folder, inside)).equals(this.#content(node)))
        throw new Error(`${inside} was recorded as ${this.#content(node).length} other bytes`);
    }
  }

  #see(path = "", folder = this.top): void {
    for (const [name, node] of this.names(folder)) {
      const inside = join(path, name);
      const stat = lstatSync(join(this.#folder, inside), { bigint: true });
      const times = { inode: stat.ino, modified: stat.mtimeNs, changed: stat.ctimeNs };
      if (node.seen.at(-1)?.at !== this.operations.length)
        node.seen.push({ at: this.operations.length, times });
      node.mode = Number(stat.mode) & 0o777;
      if (node.kind === "folder") this.#see(inside, node);
    }
  }

  // --- The model --------------------------------------------------------------------------------------

  #content(node: Node): Buffer {
    return this.#bytes.get(node) ?? Buffer.alloc(0);
  }

  #name(changes: readonly NameChange[]): void {
    this.operations.push({ kind: "names", changes });
    for (const { folder, name, node } of changes) {
      const names = this.#names.get(folder) as Map<string, Node>;
      if (node === undefined) names.delete(name);
      else names.set(name, node);
      if (node?.kind === "folder" && !this.#names.has(node)) this.#names.set(node, new Map());
    }
  }

  #put(operation: Operation & { kind: "write" | "truncate" }): void {
    this.operations.push(operation);
    this.#bytes.set(operation.node, applied(this.#content(operation.node), operation));
  }

  /** The node of a path, and where it is named; undefined: not below the folder. */
  #at(path: string): { folder: Node; name: string; node: Node | undefined } | undefined {
    if (path === this.#folder) return { folder: this.top, name: ".", node: this.top };
    if (!path.startsWith(`${this.#folder}/`)) return undefined;
    const parts = path.slice(this.#folder.length + 1).split("/");
    const name = parts.pop() as string;
    let folder = this.top;
    for (const part of parts) {
      const next = this.names(folder).get(part);
      if (next?.kind !== "folder") return undefined;
      folder = next;
    }
    return { folder, name, node: this.names(folder).get(name) };
  }

  // --- Calls ------------------------------------------------------------------------------------------

  #note(pid: string, call: Call): void {
    const { name, args, result } = call;
    const value = Number.parseInt(result, 10);
    if (!(value >= 0) && !result.startsWith("0x")) return;
    const path = (at: number): string => absolute(args, at);
    switch (name) {
      case "open":
      case "creat":
        return this.#opened(
          pid,
          value,
          textOf(args[0]),
          name === "creat" ? "O_WRONLY|O_TRUNC" : args[1],
          args[2],
        );
      case "openat":
        return this.#opened(pid, value, path(0), args[2], args[3]);
      case "write":
      case "pwrite64":
        return this.#wrote(pid, args[0], args[3], bytesOf(args[1]).subarray(0, value));
      case "writev":
      case "pwritev":
      case "pwritev2": {
        const parts = [...(args[1] ?? "").matchAll(/iov_base=("[^"]*")/g)].map((part) => bytesOf(part[1]));
        return this.#wrote(
          pid,
          args[0],
          name === "writev" ? undefined : args[3],
          Buffer.concat(parts).subarray(0, value),
        );
      }
      case "rename":
        return this.#renamed(textOf(args[0]), textOf(args[1]));
      case "renameat":
      case "renameat2":
        return this.#renamed(path(0), path(2));
      case "link":
        return this.#linked(textOf(args[0]), textOf(args[1]));
      case "linkat":
        return this.#linked(path(0), path(2));
      case "unlink":
      case "rmdir":
        return this.#removed(textOf(args[0]));
      case "unlinkat":
        return this.#removed(path(0));
      case "mkdir":
        return this.#made(textOf(args[0]), { kind: "folder", mode: 0o755, seen: [] });
      case "mkdirat":
        return this.#made(path(0), { kind: "folder", mode: 0o755, seen: [] });
      case "symlink":
        return this.#made(textOf(args[1]), { kind: "link", target: textOf(args[0]), mode: 0o777, seen: [] });
      case "symlinkat":
        return this.#made(path(1), { kind: "link", target: textOf(args[0]), mode: 0o777, seen: [] });
      case "truncate":
        return this.#cut(this.#at(textOf(args[0]))?.node, Number(args[1]));
      case "ftruncate":
        return this.#cut(this.#description(pid, args[0])?.node, Number(args[1]));
      case "fsync":
      case "fdatasync": {
        const node = this.#at(pathOf(args[0]))?.node;
        if (node !== undefined) this.operations.push({ kind: "fsync", node });
        return;
      }
      case "chmod":
        return this.#changedMode(this.#at(textOf(args[0]))?.node, args[1]);
      case "fchmod":
        return this.#changedMode(this.#at(pathOf(args[0]))?.node, args[1]);
      case "fchmodat":
        return this.#changedMode(this.#at(path(0))?.node, args[2]);
      case "copy_file_range":
        return this.#copied(pid, args[0], args[1], args[2], args[3], value);
      case "sendfile":
        return this.#copied(pid, args[1], args[2], args[0], "NULL", value);
      case "ioctl": {
        if (args[1] !== "FICLONE" && args[1]?.startsWith("BTRFS_IOC_CLONE") !== true) return;
        const from = this.#description(pid, args[2]);
        const to = this.#description(pid, args[0]);
        if (to === undefined) return;
        if (from === undefined) throw new Error("cloned from elsewhere");
        return this.#put({ kind: "write", node: to.node, offset: 0, bytes: this.#content(from.node) });
      }
      case "lseek": {
        const description = this.#open.get(`${pid}:${numberOf(args[0])}`) ?? this.#description(pid, args[0]);
        if (description !== undefined) description.at = value;
        return;
      }
      case "dup":
      case "dup2":
      case "dup3": {
        const description = this.#description(pid, args[0]);
        if (description !== undefined) this.#open.set(`${pid}:${value}`, description);
        return;
      }
      case "mmap":
        if (args[3]?.includes("MAP_SHARED") && args[2]?.includes("PROT_WRITE") && this.#at(pathOf(args[4])))
          throw new Error(`a file is written as memory, which is not recorded: ${pathOf(args[4])}`);
        return;
      default:
        if (args.some((arg) => this.#at(pathOf(arg)) !== undefined) || name === "io_uring_setup")
          throw new Error(`${name} is not recorded`);
    }
  }

  #opened(pid: string, descriptor: number, path: string, flags = "", mode = "0644"): void {
    const at = this.#at(path);
    if (at === undefined) return;
    let { node } = at;
    if (node === undefined) {
      node = { kind: "file", mode: Number.parseInt(mode, 8) & ~0o022, seen: [] };
      this.#name([{ ...at, node }]);
    }
    const writes = /O_WRONLY|O_RDWR/.test(flags);
    if (node.kind === "link" && writes)
      throw new Error(`${path} is written through a link, which is not recorded`);
    if (flags.includes("O_TRUNC") && this.#content(node).length > 0) this.#cut(node, 0);
    const description = { node, at: 0, appends: flags.includes("O_APPEND") };
    this.#open.set(`${pid}:${descriptor}`, description);
    if (writes) this.#last.set(node, description);
  }

  /** Threads and children write through descriptors that others opened: strace prints a descriptor's path. */
  #description(pid: string, arg: string | undefined): Description | undefined {
    const node = this.#at(pathOf(arg))?.node;
    if (node === undefined) return undefined;
    const own = this.#open.get(`${pid}:${numberOf(arg)}`);
    if (own?.node === node) return own;
    return this.#last.get(node) ?? { node, at: 0, appends: false };
  }

  #wrote(pid: string, descriptor: string | undefined, offset: string | undefined, bytes: Buffer): void {
    const description = this.#description(pid, descriptor);
    if (description === undefined || bytes.length === 0) return;
    const { node, appends } = description;
    const from =
      offset !== undefined ? Number(offset) : appends ? this.#content(node).length : description.at;
    this.#put({ kind: "write", node, offset: from, bytes });
    if (offset === undefined) description.at = from + bytes.length;
  }

  #copied(
    pid: string,
    from: string | undefined,
    fromAt: string | undefined,
    to: string | undefined,
    toAt: string | undefined,
    size: number,
  ): void {
    const source = this.#description(pid, from);
    if (this.#at(pathOf(to)) === undefined || size === 0) return;
    const given = /^\[(\d+)/.exec(fromAt ?? "")?.[1];
    const start = given === undefined ? (source?.at ?? 0) : Number(given);
    const all = source === undefined ? readFileSync(pathOf(from)) : this.#content(source.node);
    if (source !== undefined && given === undefined) source.at = start + size;
    this.#wrote(pid, to, /^\[(\d+)/.exec(toAt ?? "")?.[1], all.subarray(start, start + size));
  }

  #renamed(from: string, to: string): void {
    const source = this.#at(from);
    const target = this.#at(to);
    if (source?.node === undefined || target === undefined) {
      if (source?.node !== undefined || target !== undefined)
        throw new Error(`renamed across: ${from} ${to}`);
      return;
    }
    if (source.node === target.node) return;
    this.#name([
      { ...source, node: undefined },
      { ...target, node: source.node },
    ]);
  }

  #linked(from: string, to: string): void {
    const node = this.#at(from)?.node;
    if (node !== undefined) this.#made(to, node);
  }

  #made(path: string, node: Node): void {
    const at = this.#at(path);
    if (at !== undefined) this.#name([{ ...at, node }]);
  }

  #removed(path: string): void {
    const at = this.#at(path);
    if (at?.node !== undefined) this.#name([{ ...at, node: undefined }]);
  }

  #cut(node: Node | undefined, length: number): void {
    if (node !== undefined) this.#put({ kind: "truncate", node, length });
  }

  #changedMode(node: Node | undefined, mode = "0644"): void {
    if (node !== undefined) node.mode = Number.parseInt(mode, 8);
  }
}

/** A file's bytes after an operation. */
export function applied(content: Buffer, operation: Operation & { kind: "write" | "truncate" }): Buffer {
  const length =
    operation.kind === "truncate"
      ? operation.length
      : Math.max(content.length, operation.offset + operation.bytes.length);
  const all = Buffer.alloc(length);
  content.copy(all);
  if (operation.kind === "write") operation.bytes.copy(all, operation.offset);
  return all;
}

/** Whether strace can be used here; else why not. */
export function cannotRecord(): string | undefined {
  const run = spawnSync("strace", ["-f", "--seccomp-bpf", "-o", "/dev/null", "true"], { encoding: "utf8" });
  return run.status === 0 ? undefined : (run.error?.message ?? run.stderr.trim());
}

// --- strace's text ------------------------------------------------------------------------------------

interface Call {
  readonly name: string;
  readonly args: readonly string[];
  readonly result: string;
}

/** Calls in the order in which they ended. */
function* whole(trace: string): Generator<{ pid: string; call: Call }> {
  const begun = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [, pid = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (text.endsWith("<unfinished ...>")) {
      begun.set(pid, text.slice(0, -"<unfinished ...>".length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const all = resumed === null ? text : `${begun.get(pid) ?? ""}${resumed[1]}`;
    const [, name, rest, result] = /^(\w+)\((.*)\)\s+= (\S.*)$/.exec(all) ?? [];
    if (name === undefined || rest === undefined || result === undefined) continue;
    yield { pid, call: { name, args: split(rest), result } };
  }
}

/** Arguments, at commas outside of brackets and strings. */
function split(text: string): string[] {
  const args: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '"') quoted = !quoted;
    if (quoted) continue;
    if ("[{<(".includes(char)) depth += 1;
    else if ("]}>)".includes(char)) depth -= 1;
    else if (char === "," && depth === 0) {
      args.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  args.push(text.slice(from).trim());
  return args;
}

const unescaped = (text: string): Buffer =>
  Buffer.from(
    text.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );

function bytesOf(arg = ""): Buffer {
  const [, text = ""] = /^"([^"]*)"$/.exec(arg) ?? [];
  return unescaped(text);
}

const textOf = (arg: string | undefined): string => bytesOf(arg).toString("utf8");

/** The object that a descriptor refers to, according to strace. */
function pathOf(arg = ""): string {
  const [, path = ""] = /^(?:\d+|AT_FDCWD)<([^>]*)>/.exec(arg) ?? [];
  return unescaped(path).toString("utf8");
}

const numberOf = (arg = ""): number => Number.parseInt(arg, 10);

/** A path after the folder that it is relative to. */
function absolute(args: readonly string[], at: number): string {
  const path = textOf(args[at + 1]);
  return path.startsWith("/") ? path : join(pathOf(args[at]), path);
}
