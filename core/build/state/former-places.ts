/**
 * Every place in the project where an action ever had an output, including those of old graphs. The file holds names
 * ended by NUL, each appended before the journal has the record. Records tell what lies in a place; this list quickly
 * rules out places that have none.
 */
import { appendFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../files/folders.ts";
import { readOwnFile } from "../files/own-file.ts";
import { removeTree } from "../files/remove.ts";
import { errnoOf } from "../model/system-error.ts";

export class FormerPlaces {
  readonly #file: string;
  /** Undefined: not read yet. */
  #places: Set<string> | undefined;
  #unwritten: string[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Undefined if nothing was noted: the journal is older than this list, or the list was lost. */
  all(): ReadonlySet<string> | undefined {
    if (this.#places === undefined) {
      const noted = this.#read();
      if (noted === undefined && this.#unwritten.length === 0) return undefined;
      this.#places = new Set([...(noted ?? []), ...this.#unwritten]);
    }
    return this.#places;
  }

  get exists(): boolean {
    return statSync(this.#file, { throwIfNoEntry: false }) !== undefined;
  }

  /** When a place was last added, in ms since the epoch. */
  get notedAt(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  add(place: string): void {
    if (this.#places?.has(place)) return;
    this.#places?.add(place);
    this.#unwritten.push(place);
  }

  flush(): void {
    if (this.#unwritten.length === 0) return;
    makeFolders(dirname(this.#file));
    try {
      // Writing to a named pipe would block.
      if (statSync(this.#file, { throwIfNoEntry: false })?.isFile() === false) removeTree(this.#file);
      appendFileSync(this.#file, this.#unwritten.map((place) => `${place}\0`).join(""));
    } catch (error) {
      // Without the list a leftover is searched for in the journal or not found; builds stay correct.
      if (errnoOf(error) === undefined) throw error;
    }
    this.#unwritten = [];
  }

  /** Reads the file again on next use, as another process may have written to it. */
  forget(): void {
    this.#places = undefined;
  }

  #read(): readonly string[] | undefined {
    try {
      // What follows the last NUL was written incompletely.
      return readOwnFile(this.#file).toString("utf8").split("\0").slice(0, -1);
    } catch {
      return undefined;
    }
  }
}
