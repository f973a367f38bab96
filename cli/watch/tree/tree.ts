/**
 * What is watched, as it was when it was last looked at. Hints only say where to look again; what differs then has
 * changed.
 *
 * Nothing is missed, because each folder is watched before it is looked at, and because the folder around it tells when
 * another one takes its place: up to the root of the file system, and wherever links lead.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { type Hints, isPollingWanted, KernelHints, Polls, whole } from "./hints.ts";
import { follow, nothing, type Place, type Step } from "./place.ts";

/** As many hints at once may mean that the kernel dropped others: its queue has 16 384 places. */
const FLOOD = 8000;
/** Under how many names, by links, one folder is looked at: links among folders make countless names. */
const MOST_NAMES = 8;

interface Watched {
  /** Files whose changes do not count, by identity. */
  readonly own: ReadonlySet<string>;
  /** Not looked at, nor what is in it. Called with absolute paths. */
  isIgnored(file: string): boolean;
  /** Called with everything that is there now and was not, is not any more, or is another. */
  onChanges(files: readonly string[]): void;
  /** Called when the kernel cannot watch a folder, so that it is polled. */
  onUnwatched(): void;
}

type Report = (file: string) => unknown;

interface Node {
  readonly path: string;
  readonly above: Node | undefined;
  readonly isDeep: boolean;
  /** Where `target` starts: a path without links. */
  start: string;
  readonly target: string;
  place: Place;
  /** The folder whose entries are in the tree; differs from the place's one if that is not to be looked at. */
  listed: string | undefined;
  readonly children: Map<string, Node>;
  isGone: boolean;
}

interface Folder {
  readonly hints: Hints;
  /** Nodes that have all entries of the folder as children. */
  readonly listedBy: Set<Node>;
  /** Nodes that only one entry leads to. */
  readonly named: Map<string, Set<Node>>;
  /** The round in which its watch was last opened. */
  opened: number;
}

export class Tree {
  readonly #watched: Watched;
  readonly #isPolled: boolean;
  readonly #roots = new Map<string, Node>();
  readonly #folders = new Map<string, Folder>();
  /** Entries to look at, and whether another file or folder may be there; in the order of the hints. */
  #hinted = new Map<Folder, Map<string, boolean>>();
  #count = 0;
  #soon: NodeJS.Immediate | undefined;
  #round = 0;
  #isClosed = false;

  constructor(watched: Watched, env: NodeJS.ProcessEnv) {
    this.#watched = watched;
    this.#isPolled = isPollingWanted(env);
  }

  /**
   * Adds a path, with all that is in it if `isDeep`; what is there is no change. Returns the time of its last change;
   * 0: nothing is there, or it was added before.
   */
  add(file: string, isDeep: boolean): number {
    if (this.#roots.has(file)) return 0;
    const root = newNode(file, undefined, "/", file, isDeep);
    this.#roots.set(file, root);
    this.#round += 1;
    this.#look(root, true, () => {});
    return root.place.time;
  }

  /** Ignores a path that was not ignored before. */
  forget(file: string): void {
    for (const root of this.#roots.values()) {
      let node: Node | undefined = root;
      for (const name of path.relative(root.path, file).split("/")) node = node?.children.get(name);
      if (node === undefined) continue;
      this.#drop(node, () => {});
      node.above?.children.delete(node.target);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearImmediate(this.#soon);
    for (const { hints } of this.#folders.values()) hints.close();
  }

  #hear(folder: Folder, name: string | undefined, mayBeOther: boolean): void {
    if (this.#isClosed) return;
    const names = name === undefined ? this.#namesIn(folder) : [name];
    for (const each of names) {
      if (folder.listedBy.size === 0 && !folder.named.has(each)) continue;
      const hinted = this.#hinted.get(folder) ?? new Map<string, boolean>();
      this.#hinted.set(folder, hinted.set(each, mayBeOther || hinted.get(each) === true));
      this.#count += 1;
      this.#soon ??= setImmediate(() => this.#lookAgain());
    }
  }

  #namesIn({ listedBy, named }: Folder): Iterable<string> {
    const listed = [...listedBy].flatMap((node) => [...node.children.keys(), ...entriesOf(node.listed)]);
    return new Set([...named.keys(), ...listed]);
  }

  #lookAgain(): void {
    const hinted = this.#hinted;
    const isFlood = this.#count > FLOOD;
    this.#hinted = new Map();
    this.#count = 0;
    this.#soon = undefined;
    this.#round += 1;
    const changed: string[] = [];
    const report = (file: string): unknown => changed.push(file);
    if (isFlood) for (const root of this.#roots.values()) this.#look(root, true, report);
    else this.#follow(hinted, report);
    if (changed.length > 0) this.#watched.onChanges(changed);
  }

  #follow(hinted: ReadonlyMap<Folder, ReadonlyMap<string, boolean>>, report: Report): void {
    for (const [{ listedBy, named }, names] of hinted) {
      for (const [name, mayBeOther] of names) {
        for (const node of [...(named.get(name) ?? [])]) this.#look(node, mayBeOther, report);
        for (const node of [...listedBy]) this.#lookIn(node, name, mayBeOther, report);
      }
    }
  }

  /** `mayBeOther`: the watches of folders on the way and in it may be those of others, which were there before. */
  #look(node: Node, mayBeOther: boolean, report: Report): void {
    if (node.isGone) return;
    const before = node.place;
    const now = follow(node.start, node.target, {
      own: this.#watched.own,
      enter: (step) => this.#enter(node, step, mayBeOther),
    });
    node.place = now;
    this.#leave(node, before.way, now.way);
    const isOther = now.state !== before.state;
    if (isOther || before.isRacy) report(node.path);
    const folder = now.folder !== undefined && this.#isToList(node, now.folder) ? now.folder : undefined;
    if (node.listed !== folder) this.#unlist(node);
    if (folder === undefined) {
      for (const child of node.children.values()) this.#drop(child, report);
      node.children.clear();
    } else if (mayBeOther || isOther || node.listed === undefined) {
      node.listed = folder;
      const entry = this.#folder(folder);
      entry.listedBy.add(node);
      entry.hints.want(whole);
      this.#open(entry, mayBeOther || isOther);
      for (const name of new Set([...node.children.keys(), ...entriesOf(folder)]))
        this.#lookIn(node, name, true, report);
    }
  }

  #lookIn(node: Node, name: string, mayBeOther: boolean, report: Report): void {
    const { listed, children } = node;
    if (node.isGone || listed === undefined) return;
    const file = path.join(node.path, name);
    if (this.#watched.isIgnored(file)) return;
    const child = children.get(name) ?? newNode(file, node, listed, name, true);
    child.start = listed;
    children.set(name, child);
    this.#look(child, mayBeOther, report);
    if (child.place.state === "") {
      this.#drop(child, () => {});
      children.delete(name);
    }
  }

  /** Before an entry is looked at, its folder is watched. */
  #enter(node: Node, [folder, name]: Step, mayBeOther: boolean): void {
    const isListed = node.above !== undefined && folder === node.start && name === node.target;
    if (isListed) return;
    const entry = this.#folder(folder);
    const nodes = entry.named.get(name) ?? new Set();
    entry.named.set(name, nodes.add(node));
    entry.hints.want(name);
    this.#open(entry, mayBeOther);
  }

  #leave(node: Node, before: readonly Step[], now: readonly Step[]): void {
    for (const [folder, name] of before) {
      if (now.some(([at, of]) => at === folder && of === name)) continue;
      const entry = this.#folders.get(folder);
      const nodes = entry?.named.get(name);
      nodes?.delete(node);
      if (nodes?.size === 0) entry?.named.delete(name);
      this.#closeUnused(folder);
    }
  }

  #folder(folder: string): Folder {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const hear = (name: string | undefined, mayBeOther: boolean): void => this.#hear(entry, name, mayBeOther);
    const entry: Folder = {
      hints: this.#isPolled
        ? new Polls(folder, hear)
        : new KernelHints(folder, hear, () => this.#watched.onUnwatched()),
      listedBy: new Set(),
      named: new Map(),
      opened: -1,
    };
    this.#folders.set(folder, entry);
    return entry;
  }

  /** `again`: although it is open. */
  #open(folder: Folder, again: boolean): void {
    if (folder.opened === this.#round || (folder.opened >= 0 && !again)) return;
    folder.opened = this.#round;
    folder.hints.open();
  }

  #closeUnused(folder: string): void {
    const entry = this.#folders.get(folder);
    if (entry === undefined || entry.listedBy.size > 0 || entry.named.size > 0) return;
    entry.hints.close();
    this.#folders.delete(folder);
  }

  /** Not where links lead in circles, or back to what is ignored. */
  #isToList(node: Node, folder: string): boolean {
    if (!node.isDeep) return false;
    for (let { above } = node; above !== undefined; above = above.above) {
      if (above.listed === folder) return false;
      const inside = above.above === undefined ? path.relative(above.listed ?? "/", folder) : "..";
      if (!inside.startsWith("..") && isAnyIgnored(above.path, inside, this.#watched.isIgnored)) return false;
    }
    return node.listed === folder || (this.#folders.get(folder)?.listedBy.size ?? 0) < MOST_NAMES;
  }

  #unlist(node: Node): void {
    if (node.listed === undefined) return;
    this.#folders.get(node.listed)?.listedBy.delete(node);
    this.#closeUnused(node.listed);
    node.listed = undefined;
  }

  #drop(node: Node, report: Report): void {
    if (node.isGone) return;
    node.isGone = true;
    if (node.place.state !== "") report(node.path);
    this.#leave(node, node.place.way, []);
    this.#unlist(node);
    for (const child of node.children.values()) this.#drop(child, report);
  }
}

function newNode(
  file: string,
  above: Node | undefined,
  start: string,
  target: string,
  isDeep: boolean,
): Node {
  const children = new Map<string, Node>();
  return {
    path: file,
    above,
    isDeep,
    start,
    target,
    place: nothing,
    listed: undefined,
    children,
    isGone: false,
  };
}

/** None where nobody may read, or if the folder is gone. */
function entriesOf(folder: string | undefined): readonly string[] {
  try {
    return folder === undefined ? [] : readdirSync(folder);
  } catch {
    return [];
  }
}

function isAnyIgnored(folder: string, inside: string, isIgnored: (file: string) => boolean): boolean {
  let at = folder;
  return inside.split("/").some((name) => {
    at = path.join(at, name);
    return isIgnored(at);
  });
}
