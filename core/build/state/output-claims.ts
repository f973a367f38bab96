/**
 * Places that arc is about to write for the first time. Records are written in batches, and a process that is killed
 * loses its last ones: these claims tell which places are arc's nevertheless. Each name is ended by NUL.
 */
import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../files/folders.ts";
import { readOwnFile } from "../files/own-file.ts";
import { removeTree } from "../files/remove.ts";
import { errnoOf } from "../model/system-error.ts";

export class Claims {
  readonly #file: string;
  /** Undefined: not read yet. */
  #places: Set<string> | undefined;
  #descriptor: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  has(place: string): boolean {
    return this.#all().has(place);
  }

  *[Symbol.iterator](): Generator<string> {
    yield* this.#all();
  }

  /** Call this before anything is written to the places. */
  add(places: readonly string[]): void {
    const all = this.#all();
    const fresh = places.filter((place) => !all.has(place));
    if (fresh.length === 0) return;
    for (const place of fresh) all.add(place);
    try {
      writeSync(this.#open(), fresh.map((place) => `${place}\0`).join(""));
    } catch (error) {
      // Matters only if arc is killed while the disk is full.
      if (errnoOf(error) === undefined) throw error;
    }
  }

  /** The place has a record now, which will be written before `save`. */
  settle(place: string): void {
    this.#places?.delete(place);
  }

  /** Keeps the claims that have no record. */
  save(): void {
    if (this.#places === undefined) return;
    this.close();
    if (this.#places.size === 0) rmSync(this.#file, { force: true });
    else {
      writeFileSync(`${this.#file}.new`, [...this.#places].map((place) => `${place}\0`).join(""));
      renameSync(`${this.#file}.new`, this.#file);
    }
  }

  /** Reads the file again on next use, as another process may have written to it. */
  forget(): void {
    this.close();
    this.#places = undefined;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    if (this.#descriptor === undefined) {
      makeFolders(dirname(this.#file));
      // Writing to a named pipe would block.
      if (statSync(this.#file, { throwIfNoEntry: false })?.isFile() === false) removeTree(this.#file);
      this.#descriptor = openSync(this.#file, "a");
    }
    return this.#descriptor;
  }

  #all(): Set<string> {
    this.#places ??= new Set(this.#read());
    return this.#places;
  }

  #read(): readonly string[] {
    try {
      // What follows the last NUL was written incompletely.
      return readOwnFile(this.#file).toString("utf8").split("\0").slice(0, -1);
    } catch {
      return [];
    }
  }
}
