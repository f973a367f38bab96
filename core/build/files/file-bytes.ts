/** Random access to a file that does not change. */
import { closeSync, fstatSync, readSync } from "node:fs";
import { native } from "../native/native.ts";

/** Offsets and lengths in bytes; offsets of numbers are multiples of their size. */
export interface FileBytes {
  readonly size: number;
  float64s(offset: number, count: number): Float64Array<ArrayBuffer>;
  uint32s(offset: number, count: number): Uint32Array<ArrayBuffer>;
  /** Decodes UTF-8. */
  text(start: number, end: number): string;
  close(): void;
}

/** Takes ownership of the descriptor. With the native part the file is mapped, so reads need no system call. */
export function openBytes(descriptor: number): FileBytes {
  const mapped = native?.map(descriptor);
  if (mapped === undefined) return new ReadBytes(descriptor);
  closeSync(descriptor);
  return new MappedBytes(mapped);
}

class MappedBytes implements FileBytes {
  readonly #memory: Buffer<ArrayBuffer>;

  constructor(memory: ArrayBuffer) {
    this.#memory = Buffer.from(memory);
  }

  get size(): number {
    return this.#memory.length;
  }

  float64s(offset: number, count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#memory.buffer, offset, count);
  }

  uint32s(offset: number, count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#memory.buffer, offset, count);
  }

  text(start: number, end: number): string {
    return this.#memory.toString("utf8", start, end);
  }

  /** Nothing to do: the mapping is freed together with the buffers made from it. */
  close(): void {}
}

class ReadBytes implements FileBytes {
  readonly #descriptor: number;
  readonly size: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.size = fstatSync(descriptor).size;
  }

  float64s(offset: number, count: number): Float64Array<ArrayBuffer> {
    return this.#fill(new Float64Array(count), offset);
  }

  uint32s(offset: number, count: number): Uint32Array<ArrayBuffer> {
    return this.#fill(new Uint32Array(count), offset);
  }

  text(start: number, end: number): string {
    return this.#fill(Buffer.allocUnsafe(end - start), start).toString("utf8");
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #fill<T extends NodeJS.ArrayBufferView>(array: T, offset: number): T {
    if (array.byteLength > 0) readSync(this.#descriptor, array, 0, array.byteLength, offset);
    return array;
  }
}
