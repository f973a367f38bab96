/**
 * Leftovers: files written by an action that is no longer in the graph. A clean checkout would not have them, so they
 * are refused as inputs while they are as arc left them; once changed or touched they are the user's.
 */

import type { FileTable } from "../files/files.ts";
import { NeedsWholeGraph } from "../graph/whole-graph.ts";
import type { Discovered } from "../key/result.ts";
import type { Address, Digest } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import { statIfThere } from "../model/stat-signature.ts";
import { errnoOf } from "../model/system-error.ts";
import { isCopied } from "../store/output-tree.ts";
import type { ContentStore } from "../store/store.ts";
import { withFolders } from "./resume.ts";
import type { Left, State } from "./state.ts";

interface LeftoverSite {
  readonly state: State;
  readonly files: FileTable;
  readonly store: ContentStore;
  /** The action of this graph that writes a path, or a folder around it. */
  readonly writerOf: (path: string) => Address | undefined;
  /** The graph is part of a larger one, whose sources were checked when the whole graph was built. */
  readonly isPart: boolean;
}

export class Leftovers {
  readonly #site: LeftoverSite;
  /** By path; made on first use. */
  #left: ReadonlyMap<string, readonly Left[]> | undefined;
  readonly #passed = new Set<string>();

  constructor(site: LeftoverSite) {
    this.#site = site;
  }

  /** Checks a declared source, which may be a folder. Throws `leftover-input`. */
  refuseSource(path: string, isFolder: boolean, reader: Address): void {
    if (this.#site.isPart) return;
    this.#refuse(path, reader);
    if (!isFolder) return;
    const inside = path === "." ? "" : `${path}/`;
    for (const place of this.#site.state.formerPlaces())
      if (place.startsWith(inside)) this.#refuse(place, reader);
  }

  /**
   * Checks discovered inputs. In a part of a graph, those discovered `before` were checked when the whole graph was
   * built. Throws `leftover-input`, and NeedsWholeGraph if a part cannot decide.
   */
  refuseFound({ files }: Discovered, before: Discovered | undefined, reader: Address): void {
    const known = new Set(this.#site.isPart ? before?.files.map(([path]) => path) : []);
    for (const [path] of files) if (!path.startsWith("/") && !known.has(path)) this.#refuse(path, reader);
  }

  #refuse(path: string, reader: Address): void {
    if (this.#passed.has(path)) return;
    const { state, writerOf, isPart } = this.#site;
    const former = state.formerPlaces();
    const place = former.size === 0 ? undefined : [...withFolders(path)].find((around) => former.has(around));
    if (place !== undefined && writerOf(path) === undefined) {
      if (isPart) throw new NeedsWholeGraph(reader);
      if (this.#isLeft(path, place)) throw leftover(path, reader);
    }
    this.#passed.add(path);
  }

  /** Whether the path, or a file in it, is still what arc placed. */
  #isLeft(path: string, place: string): boolean {
    const { state, files, store } = this.#site;
    const stat = statIfThere(files.absolute(path));
    if (stat === undefined) return false;
    if (stat.isDirectory())
      return files
        .tree(path)
        .some((entry) => entry.kind === "file" && this.#isLeft(`${path}/${entry.path}`, place));
    this.#left ??= byPlace(state.left());
    const left = this.#left.get(place) ?? [{ place, at: state.lastPlacedAt }];
    return left.some(({ digest, at }) => {
      if (stat.mtimeMs > at + files.clockSkewMs) return false;
      return digest === undefined ? isCopied(path, files, store) : this.#isOf(digest, path, place);
    });
  }

  /** Whether a file has the bytes of an output, or of a file in it. */
  #isOf(digest: Digest, path: string, place: string): boolean {
    const { files, store } = this.#site;
    try {
      if (path === place) {
        const now = files.look(path);
        return now.kind !== "absent" && now.digest === digest;
      }
      const inside = path.slice(place.length + 1);
      const now = files.look(path);
      return store
        .readFolder(digest)
        .some(
          (entry) =>
            entry.path === inside &&
            entry.kind === "file" &&
            now.kind === "file" &&
            entry.digest === now.digest,
        );
    } catch (error) {
      if (error instanceof EngineError || errnoOf(error) !== undefined) return false;
      throw error;
    }
  }
}

/** What may lie in each place. */
export function byPlace(all: Iterable<Left>): ReadonlyMap<string, readonly Left[]> {
  const places = new Map<string, Left[]>();
  for (const left of all) {
    const known = places.get(left.place);
    if (known === undefined) places.set(left.place, [left]);
    else known.push(left);
  }
  return places;
}

function leftover(path: string, reader: Address): EngineError {
  return new EngineError(
    "leftover-input",
    `${reader} reads ${path}, which arc wrote for an action that is no more, and nobody writes now`,
    "remove it (`arc clean` removes all that arc wrote); if it is to be a source of yours, `touch` it",
    [reader],
  );
}
