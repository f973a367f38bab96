/** Whether such a program reads an element of the device's that nothing has set: it is run, with a mark for each element. */
import type { Inside, Partial } from "./model.ts";

/** Margins are shorter, so that longer arrays show nothing else. */
const n = 9;
const turns = 3;

export function readsUnset({ shape, clause, around, steps, after }: Partial): boolean {
  const width = shape === "line" ? 1 : n;
  const isSet = { a: marks(width, true), b: marks(width, false) };
  // What the host has of `b`: its own values, until an update or the end of the region brings it others.
  const host = marks(width, true);
  let unset = false;
  const each = ({ low, high }: Inside, visit: (i: number, j: number) => void): void => {
    for (let i = low; i < n - high; i++)
      if (width === 1) visit(i, 0);
      else for (let j = low; j < n - high; j++) visit(i, j);
  };
  for (let t = 0; t < (around === "none" ? 1 : turns); t++)
    for (const step of steps)
      switch (step.is) {
        case "stencil":
          each(step.inside, (i, j) => {
            for (const [di, dj] of step.offsets)
              unset ||= !isSet[step.to === "a" ? "b" : "a"][i + di]?.[width === 1 ? 0 : j + dj];
            mark(isSet[step.to], i, j);
          });
          break;
        case "border":
          for (let k = 0; k < n; k++)
            for (const end of [0, n - 1])
              if (width === 1) mark(isSet.b, end, 0);
              else if (step.side === "rows") mark(isSet.b, end, k);
              else mark(isSet.b, k, end);
          break;
        case "update": {
          const rows = step.rows === "all" ? n : step.rows;
          // What an update copies to the device is set there, whatever it is.
          for (let i = 0; i < rows; i++)
            if (step.to === "host") host[i] = [...(isSet.b[i] ?? [])];
            else isSet.b[i]?.fill(true);
          break;
        }
        default:
          each(step.inside, (i, j) => {
            unset ||= !host[i]?.[j];
          });
      }
  if (after)
    each(after, (i, j) => {
      unset ||= !(clause === "from" ? isSet.b : host)[i]?.[j];
    });
  return unset;
}

const marks = (width: number, value: boolean): boolean[][] =>
  Array.from({ length: n }, () => Array<boolean>(width).fill(value));

function mark(all: boolean[][], i: number, j: number): void {
  const row = all[i];
  if (row) row[j] = true;
}
