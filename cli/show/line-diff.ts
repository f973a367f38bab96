/** Unified diff of two texts, without a header. */

/** Context lines around a change. */
const CONTEXT = 3;

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

export function lineDiff(before: string, after: string): string {
  const lines = compare(linesOf(before), linesOf(after));
  const shown = new Set<number>();
  for (const [at, { mark }] of lines.entries()) {
    if (mark === " ") continue;
    for (let near = at - CONTEXT; near <= at + CONTEXT; near += 1) shown.add(near);
  }
  let out = "";
  for (const [at, { mark, text }] of lines.entries()) {
    if (!shown.has(at)) continue;
    if (out !== "" && !shown.has(at - 1)) out += "@@\n";
    out += `${mark}${text}\n`;
  }
  return out;
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Longest common subsequence of what remains between the common ends. */
function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (texts: readonly string[]): Line[] => texts.map((text) => ({ mark: " ", text }));
  return [
    ...same(before.slice(0, start)),
    ...compareMiddles(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

function compareMiddles(before: readonly string[], after: readonly string[]): readonly Line[] {
  const width = after.length + 1;
  /** Length of the longest common subsequence of the rests that start at a line of each. */
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] as number;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ mark: " ", text: before[i] as string });
      i += 1;
      j += 1;
    } else if (i < before.length && (j === after.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: "-", text: before[i] as string });
      i += 1;
    } else {
      lines.push({ mark: "+", text: after[j] as string });
      j += 1;
    }
  }
  return lines;
}
