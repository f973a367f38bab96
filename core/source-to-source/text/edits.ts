/** Edits of a text as data: each replaces a stretch of it, and all other bytes stay. */

/** Offsets in the text, `end` one past the last character; an insertion if both are equal. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Insertions at one position keep the given order. Throws if two edits replace the same characters. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
  let result = "";
  let at = 0;
  for (const { start, end, text: put } of ordered) {
    if (start < at) throw new Error(`two edits overlap at offset ${start}`);
    result += text.slice(at, start) + put;
    at = end;
  }
  return result + text.slice(at);
}
