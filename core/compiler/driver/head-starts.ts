/**
 * For processes that wait for the user: parses a source's included headers before the source is saved again. They make
 * up most of the text, and edits seldom change them.
 */
import { type HeadStart, type Parsed, parse, startParse } from "../../lang/index.ts";

/** How many characters of text are parsed in advance; trees take about thirty times as much memory. */
const MOST = 2_000_000;

/** The last text of each file; undefined: this process does not prepare. */
let texts: Map<string, string> | undefined;
const starts = new Map<string, HeadStart>();

/** From now on texts are recorded for `prepareHeadStarts`. */
export function noteTexts(): void {
  texts ??= new Map();
}

/** The last parsed text: it is usually both checked and translated. */
let last: { readonly file: string; readonly text: string; readonly parsed: Parsed } | undefined;

/** Like `parse`. */
export function parseSoon(text: string, file: string): Parsed {
  if (last?.file !== file || last.text !== text) last = { file, text, parsed: parseAnew(text, file) };
  return last.parsed;
}

/**
 * A parsed source for readers that print nothing of it. Without prototypes that nothing mentions, unless the process
 * prepares sources for others, too; errors are those of the whole text, as they suggest names.
 */
export function parseToRead(text: string, file: string): Parsed {
  if (texts) return parseSoon(text, file);
  const read = parse(text, { file, usedPrototypes: true });
  return read.diagnostics.some(({ severity }) => severity === "error") ? parse(text, { file }) : read;
}

function parseAnew(text: string, file: string): Parsed {
  const start = starts.get(file);
  starts.delete(file);
  texts?.delete(file);
  texts?.set(file, text);
  return start !== undefined && text.startsWith(start.text) ? start.finish(text) : parse(text, { file });
}

/** Prepares the sources read last, one per step; yields whether that was possible. */
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

/** Length up to and including the last line marker for a return from an included file. */
function includedLength(text: string): number {
  const found = text.lastIndexOf('" 2\n');
  const line = text.lastIndexOf("\n", found) + 1;
  return found < 0 || !text.startsWith("# ", line) ? 0 : text.indexOf("\n", found) + 1;
}
