import { hashOf, type RecordOffsets } from "../files/record-offsets.ts";
import { recordLength } from "./record-bytes.ts";

/** Records that this process appended: if no other process wrote, their offsets are known without reading them back. */
export class AppendedRecords {
  readonly #hashes: number[] = [];
  readonly #lengths: number[] = [];
  #bytes = 0;

  add(records: readonly (readonly [key: string, json: string])[], bytes: Buffer): void {
    let at = 0;
    for (const [key] of records) {
      const length = recordLength(bytes, at) as number;
      this.#hashes.push(hashOf(key));
      this.#lengths.push(length);
      at += length;
    }
    this.#bytes += bytes.length;
  }

  /** Their offsets are unknown from now on. */
  forget(): void {
    this.#bytes = Number.NaN;
  }

  /** Notes the records if they are everything between two offsets of the log; returns whether they are. */
  noteAll(start: number, end: number, offsets: RecordOffsets): boolean {
    const isAll = this.#bytes === end - start;
    let at = start;
    for (let number = 0; isAll && number < this.#hashes.length; number += 1) {
      offsets.note(this.#hashes[number] as number, at);
      at += this.#lengths[number] as number;
    }
    this.#hashes.length = 0;
    this.#lengths.length = 0;
    this.#bytes = 0;
    return isAll;
  }
}
