/** Titles of actions in the columns that there are. */
import { type Cells, cellsOf, joined } from "../call/width.ts";

/**
 * Shortens titles to the available width. The part replaced by `…` is in the middle, or as near to the middle as
 * possible while keeping what distinguishes the title from each of the others.
 */
export function shortTitles(titles: readonly string[], rooms: readonly number[]): readonly string[] {
  return titles.map((title, at) => {
    const width = Math.max(0, rooms[at] ?? 0);
    const cells = cellsOf(title);
    if (cells.length <= width) return title;
    if (width <= 1) return "…".slice(0, width);
    const left = cells.length - width + 1;
    const others = titles.filter((other) => other !== title);
    const start = startOfGap(cells, left, others.map(cellsOf));
    return `${joined(cells, 0, start)}…${joined(cells, start + left, cells.length)}`;
  });
}

/**
 * Where the best gap of this length starts: the nearest to the middle among those that keep most of the differences.
 */
function startOfGap(title: Cells, length: number, others: readonly Cells[]): number {
  const middle = Math.floor((title.length - length) / 2);
  const marks = others.flatMap((other) => differingWords(title, other));
  let best = middle;
  let most = -1;
  for (let distance = 0; most < marks.length && distance <= middle + 1; distance++) {
    for (const start of [middle - distance, middle + distance]) {
      if (start < 0 || start + length > title.length) continue;
      const shown = marks.filter(([first, last]) => last < start || first >= start + length).length;
      if (shown <= most) continue;
      best = start;
      most = shown;
    }
  }
  return best;
}

type Range = readonly [first: number, last: number];

/** Two ranges: from the start of a word to the first differing character, and from the last one to its word's end. */
function differingWords(title: Cells, other: Cells): readonly [Range, Range] {
  const most = Math.min(title.length, other.length);
  let first = 0;
  while (first < most && title[first] === other[first]) first++;
  let same = 0;
  while (same < most - first && title.at(-1 - same) === other.at(-1 - same)) same++;
  const last = title.length - 1 - same;
  const before = /[a-z0-9]*$/i.exec(joined(title, 0, first))?.[0].length ?? 0;
  const after = /^[a-z0-9]*/i.exec(joined(title, last + 1, title.length))?.[0].length ?? 0;
  return [
    [first - before, first],
    [last, last + after],
  ];
}
