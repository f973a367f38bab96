/** Remembers what a stream was last written, so that it can be erased after the terminal wrapped it. */
import { stripVTControlCharacters } from "node:util";

/** Ends what erases the drawing before: the cursor is in the first column. */
const ERASED = "\u001b[G";
const CLEARED = ["\u001bc", "\u001b[2J"];

interface Watched {
  /** Writes to the stream, and remembers what. */
  readonly stream: NodeJS.WriteStream;
  /** The rows that the last write left, by their length. */
  readonly rows: () => readonly number[];
}

/** Counting the rows of the state that is shown would not do: it may have changed since it was drawn. */
export function watched(stream: NodeJS.WriteStream): Watched {
  let drawn = "";
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    drawn = after(drawn, String(chunk));
    return (stream.write as (...all: unknown[]) => boolean).call(stream, chunk, ...rest);
  };
  const proxy = new Proxy(stream, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { stream: proxy, rows: () => drawn.split("\n").map((row) => row.length) };
}

/** Ink writes finished lines, and the area that it redraws, one after the other. */
function after(before: string, chunk: string): string {
  // The whole terminal is written again, with lines that are not to be erased.
  if (CLEARED.some((sequence) => chunk.includes(sequence))) return "";
  const text = stripVTControlCharacters(chunk.slice(chunk.lastIndexOf(ERASED) + 1));
  return text !== "" || chunk.includes(ERASED) ? text : before;
}
