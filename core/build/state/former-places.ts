/**
 * Every place in the project that an action ever had for an output, also of graphs that are long gone: names, each ended by
 * NUL, appended before the journal has the record. Records tell what lies there; this tells fast where none can.
 */
import { appendFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../files/folders.ts";
import { readOwnFile } from "../files/own-file.ts";
import { removeTree } from "../files/remove.ts";
import { errnoOf } from "../model/error.ts";

export class FormerPlaces {
  readonly #file: string;
  /** Undefined: not read yet. */
  #places: Set<string> | undefined;
  #unwritten: string[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Undefined where nothing was noted: the journal is older, or this was lost. */
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

  /** When a place was noted last, in milliseconds since the epoch. */
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
      // To write to a named pipe waits.
      if (statSync(this.#file, { throwIfNoEntry: false })?.isFile() === false) removeTree(this.#file);
      appendFileSync(this.#file, this.#unwritten.map((place) => `${place}\0`).join(""));
    } catch (error) {
      // Without it a leftover is looked for in the journal, or not found: a build is no less right.
      if (errnoOf(error) === undefined) throw error;
    }
    this.#unwritten = [];
  }

  /** Another process may have written since it was read. */
  forget(): void {
    this.#places = undefined;
  }

  #read(): readonly string[] | undefined {
    try {
      // What follows the last NUL was not written to its end.
      return readOwnFile(this.#file).toString("utf8").split("\0").slice(0, -1);
    } catch {
      return undefined;
    }
  }
}
