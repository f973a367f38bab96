/**
 * For a process that waits for the user: what a source includes is read before the source is saved again. Most of a
 * text is what was included, and an edit seldom changes that.
 */
import { type HeadStart, type Parsed, parse, startParse } from "../../lang/index.ts";

/** Characters of text that are read ahead; trees take some thirty times as much. */
const MOST = 2_000_000;

/** Texts as they were read last, by file; undefined: nobody will wait for the next. */
let texts: Map<string, string> | undefined;
const starts = new Map<string, HeadStart>();

/** From now on texts are noted for `prepareHeadStarts`. */
export function noteTexts(): void {
  texts ??= new Map();
}

/** The last text that was read: a check and a translation of it come one after the other. */
let last: { readonly file: string; readonly text: string; readonly parsed: Parsed } | undefined;

/** As `parse`. */
export function parseSoon(text: string, file: string): Parsed {
  if (last?.file !== file || last.text !== text) last = { file, text, parsed: parseAnew(text, file) };
  return last.parsed;
}

function parseAnew(text: string, file: string): Parsed {
  const start = starts.get(file);
  starts.delete(file);
  texts?.delete(file);
  texts?.set(file, text);
  return start !== undefined && text.startsWith(start.text) ? start.finish(text) : parse(text, { file });
}

/** Reads ahead of what was read last, one source at a time; tells of each whether that could be. */
export function* prepareHeadStarts(): Generator<boolean> {
  let length = 0;
  for (const [file, text] of [...(texts ?? [])].reverse()) {
    const head = text.slice(0, includedLength(text));
    length += head.length;
    if (length > MOST) starts.delete(file);
    else if (starts.get(file)?.text !== head) {
      const start = startParse(head, { file });
      if (start === undefined) texts?.delete(file);
      else starts.set(file, start);
      yield start !== undefined;
    }
  }
}

/** Up to and with the last line marker that tells of a return from an included file. */
function includedLength(text: string): number {
  const found = text.lastIndexOf('" 2\n');
  const line = text.lastIndexOf("\n", found) + 1;
  return found < 0 || !text.startsWith("# ", line) ? 0 : text.indexOf("\n", found) + 1;
}
