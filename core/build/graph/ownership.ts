/**
 * Who writes each path of the project and who reads it as a source: no path has two writers, or a writer and a reader.
 */
import { posix } from "node:path";
import type { Address } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import type { ActionTable } from "./action-table.ts";
import { withRoom } from "./column.ts";

/** Actions are given by number. */
export class Ownership {
  readonly #actions: ActionTable;
  /** By number of a place: the action that writes it, counted from 1. */
  #writers = new Int32Array(0);
  /**
   * By number of a place or folder in the form that case-insensitive file systems use: a place that equals it or lies
   * in it, counted from 1.
   */
  #owners = new Int32Array(0);
  #around = new Int32Array(0);
  /** By number of a path: the action that reads it, or something in it, as a source, counted from 1. */
  #readers = new Int32Array(0);
  #readersInside = new Int32Array(0);

  constructor(actions: ActionTable) {
    this.#actions = actions;
  }

  /** The action whose output is this path or a folder around it. */
  writerAround(path: string): Address | undefined {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const owner = this.#writerOf(at);
      if (owner !== undefined || !at.includes("/")) return owner;
    }
  }

  /** Throws `output-outside-project`, `duplicate-output` and `output-is-input`. */
  write(place: string, writer: number): void {
    const { strings } = this.#actions;
    const address = this.#actions.addressOf(writer);
    const normal = posix.normalize(place);
    if (posix.isAbsolute(place) || normal === "." || normal === ".." || normal.startsWith("../")) {
      throw new EngineError(
        "output-outside-project",
        `${address} would write ${place}, outside the project`,
        "give a path below the project's folder",
        [address],
      );
    }
    const clash = (number: number): EngineError => {
      const other = strings.text(number - 1);
      const owner = this.#writerOf(other) as Address;
      return new EngineError(
        "duplicate-output",
        other === normal
          ? `${owner} and ${address} both write ${place}`
          : `${owner} writes ${other} and ${address} writes ${place}, which are the same file or inside one another (on some file systems)`,
        "give each output its own place",
        [owner, address],
      );
    };
    const normalNumber = strings.number(normal);
    const foldedPlace = folded(normal);
    const foldedNumber = strings.number(foldedPlace);
    const same = this.#owners[foldedNumber] || this.#around[foldedNumber];
    if (same) throw clash(same);
    this.#checkUnread(normal, writer);
    for (let at = foldedPlace.lastIndexOf("/"); at > 0; at = foldedPlace.lastIndexOf("/", at - 1)) {
      const folder = strings.number(foldedPlace.slice(0, at));
      const above = this.#owners[folder];
      if (above) throw clash(above);
      // The folders further out were handled when this one was noted.
      if (this.#around[folder]) break;
      this.#around = withRoom(this.#around, folder + 1);
      this.#around[folder] = normalNumber + 1;
    }
    this.#owners = withRoom(this.#owners, foldedNumber + 1);
    this.#owners[foldedNumber] = normalNumber + 1;
    this.#writers = withRoom(this.#writers, normalNumber + 1);
    this.#writers[normalNumber] = writer + 1;
  }

  /**
   * Records a source. Nothing may write it or anything in it, as its contents would then depend on what ran first.
   * `file` is its string number. Throws `output-is-input`.
   */
  read(file: number, reader: number): void {
    if (this.#readers[file]) return;
    const { strings } = this.#actions;
    const path = posix.normalize(strings.text(file));
    const number = strings.number(path);
    this.#readers = withRoom(this.#readers, number + 1);
    this.#readers[number] = reader + 1;
    const inside = this.#around[strings.find(folded(path)) ?? -1];
    const place = inside ? strings.text(inside - 1) : path;
    const owner = inside && place.startsWith(`${path}/`) ? this.#writerOf(place) : this.writerAround(path);
    if (owner !== undefined) throw this.#readAndWritten(reader, path, owner, place);
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = strings.number(path.slice(0, at));
      if (this.#readersInside[folder]) break;
      this.#readersInside = withRoom(this.#readersInside, folder + 1);
      this.#readersInside[folder] = reader + 1;
    }
  }

  /** The same check for an action that was added later and writes what was already read. */
  #checkUnread(place: string, writer: number): void {
    if (this.#readers.length === 0) return;
    const { strings } = this.#actions;
    for (let at = place; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const number = strings.find(at) ?? -1;
      const reader = this.#readers[number] || (at === place && this.#readersInside[number]);
      if (reader) throw this.#readAndWritten(reader - 1, at, this.#actions.addressOf(writer), place);
      if (!at.includes("/")) return;
    }
  }

  #readAndWritten(reader: number, path: string, owner: Address, place: string): EngineError {
    const address = this.#actions.addressOf(reader);
    const isInside = place.startsWith(`${path}/`);
    return new EngineError(
      "output-is-input",
      isInside
        ? `${address} reads the folder ${path} as it is, but ${owner} writes ${place}`
        : `${address} reads ${path} as a source file, but ${owner} writes it`,
      isInside
        ? `name the files that it reads there, and ${place} as an output of ${owner}`
        : `take it as an output of ${owner}, so that it is made first`,
      [address, owner],
    );
  }

  #writerOf(place: string): Address | undefined {
    const text = this.#actions.strings.find(place);
    const writer = text === undefined ? 0 : (this.#writers[text] ?? 0);
    return writer === 0 ? undefined : this.#actions.addressOf(writer - 1);
  }
}

/** A path in the form that case-insensitive file systems compare. */
const folded = (path: string): string => path.normalize("NFC").toLowerCase();
