/**
 * Fits a table to the terminal: cells are wrapped, and columns that still do not fit go into further tables below, with
 * the same first column.
 */
import { firstOf, itemAt } from "../../core/checked/access.ts";
import { widthOf } from "../call/width.ts";
import { columns } from "./columns.ts";

type Line = readonly string[];

const GAP = 2;
/** Columns are not wrapped to less than this: a second table below is easier to read. */
const READABLE = 20;

/** `width`: in characters; infinite for files and pipes, where lines are not wrapped. The first line is the header. */
export function fitted(lines: readonly Line[], width: number): string {
  if (lines.length === 0) return "";
  const widths = widthsOf(lines);
  if (total(widths) <= width) return columns(lines);
  const wrapped = shrink(widths, lines, width);
  const part = (block: readonly number[]): string => {
    const own = block.map((i) => itemAt(wrapped, i));
    return columns(
      lines.flatMap((line) =>
        wrappedLines(
          block.map((i) => line[i] ?? ""),
          own,
        ),
      ),
    );
  };
  return blocksOf(wrapped, width).map(part).join("\n");
}

/** Columns in which only the header says something are left out, if there are lines at all. */
export function withoutEmptyColumns([header = [], ...lines]: readonly Line[]): readonly Line[] {
  const isTold = header.map((_, i) => lines.length === 0 || lines.some((line) => (line[i] ?? "") !== ""));
  return [header, ...lines].map((line) => line.filter((_, i) => isTold[i] !== false));
}

function widthsOf(lines: readonly Line[]): number[] {
  const count = Math.max(...lines.map((line) => line.length));
  return Array.from({ length: count }, (_, i) => Math.max(...lines.map((line) => widthOf(line[i] ?? ""))));
}

const total = (widths: readonly number[]): number => widths.reduce((sum, w) => sum + w + GAP, -GAP);

/** Repeatedly narrows the widest column whose words can be wrapped. */
function shrink(widths: readonly number[], lines: readonly Line[], width: number): number[] {
  const result = [...widths];
  const floors = result.map((_, i) => Math.max(...lines.map((line) => longestWord(line[i] ?? ""))));
  while (total(result) > width) {
    let widest = -1;
    for (const [i, w] of result.entries()) {
      const floor = Math.max(itemAt(floors, i), Math.min(READABLE, itemAt(widths, i)));
      if (w > floor && (widest < 0 || w > itemAt(result, widest))) widest = i;
    }
    if (widest < 0) break;
    result[widest] = itemAt(result, widest) - 1;
  }
  return result;
}

const longestWord = (cell: string): number => Math.max(0, ...cell.split(" ").map(widthOf));

/** The columns of each part: the first column, and as many others as fit. */
function blocksOf(widths: readonly number[], width: number): readonly (readonly number[])[] {
  if (total(widths) <= width) return [[...widths.keys()]];
  const blocks: number[][] = [];
  let available = 0;
  for (let i = 1; i < widths.length; i++) {
    const need = itemAt(widths, i) + GAP;
    if (blocks.length === 0 || need > available) {
      blocks.push([0]);
      available = width - firstOf(widths);
    }
    blocks.at(-1)?.push(i);
    available -= need;
  }
  return blocks.length === 0 ? [[0]] : blocks;
}

/** One table row as several lines. */
function wrappedLines(line: Line, widths: readonly number[]): readonly Line[] {
  const cells = widths.map((width, i) => wrap(line[i] ?? "", width));
  const height = Math.max(...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, k) => cells.map((cell) => cell[k] ?? ""));
}

function wrap(cell: string, width: number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of cell.split(" ")) {
    if (row !== "" && widthOf(row) + 1 + widthOf(word) > width) {
      rows.push(row);
      row = word;
    } else row = row === "" ? word : `${row} ${word}`;
  }
  return [...rows, row];
}
