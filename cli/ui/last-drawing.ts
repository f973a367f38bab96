/**
 * A stream for Ink that erases the last drawing whole, although the terminal wrapped its rows when it became narrower: Ink
 * erases as many rows as it drew.
 */
import { stripVTControlCharacters } from "node:util";
import { cellsOf } from "../call/width.ts";

/** Ends what erases the drawing before: the cursor is in the first column. */
const ERASED = "\u001b[G";
const CLEARED = ["\u001bc", "\u001b[2J"];

/** Erases the cursor's row and moves up one row. */
const ERASE_UPWARDS = "\u001b[2K\u001b[1A";

/**
 * The rows of the last drawing are known from what was written: counting those of the state that is shown would not do,
 * as it may have changed since. xterm cuts rows off instead of wrapping them.
 */
export function erasingWrapped(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const wraps = process.env.XTERM_VERSION === undefined;
  let drawn = "";
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    const text = String(chunk);
    const extra = wraps && text.includes(ERASED) ? wrappedRows(drawn, columnsNow(stream)) : 0;
    if (extra > 0) stream.write(ERASE_UPWARDS.repeat(extra));
    drawn = after(drawn, text);
    return (stream.write as (...all: unknown[]) => boolean).call(stream, chunk, ...rest);
  };
  return new Proxy(stream, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** How many more rows a drawing takes than it has. */
function wrappedRows(drawn: string, columns: number): number {
  return drawn.split("\n").reduce((sum, row) => sum + Math.max(0, rowsOf(row, columns) - 1), 0);
}

/** A letter of two columns that finds one left goes to the next row. */
function rowsOf(row: string, columns: number): number {
  const cells = cellsOf(row);
  if (typeof cells === "string") return Math.ceil(cells.length / columns);
  let [rows, at] = [1, 0];
  for (const [i, cell] of cells.entries()) {
    if (cell === "") continue;
    const width = cells[i + 1] === "" ? 2 : 1;
    if (at + width > columns) [rows, at] = [rows + 1, 0];
    at += width;
  }
  return rows;
}

interface Terminal {
  /** Node's own: fills in columns and rows; not 0 where that fails. */
  readonly _handle?: { readonly getWindowSize?: (size: number[]) => number };
}

/** The width as it is, which `columns` has only after a signal was handled: a drawing may come before that. */
function columnsNow(stream: NodeJS.WriteStream): number {
  const size: number[] = [];
  const failed = (stream as unknown as Terminal)._handle?.getWindowSize?.(size) !== 0;
  return (failed ? stream.columns : size[0]) || 80;
}

/** Ink writes finished lines, and the area that it redraws, one after the other. */
function after(before: string, chunk: string): string {
  // The whole terminal is written again, with lines that are not to be erased.
  if (CLEARED.some((sequence) => chunk.includes(sequence))) return "";
  const text = stripVTControlCharacters(chunk.slice(chunk.lastIndexOf(ERASED) + 1));
  return text !== "" || chunk.includes(ERASED) ? text : before;
}
