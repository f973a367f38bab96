/** Logs below the line of their action. */

const NEWLINE = 10;
const RETURN = 13;
const BLANK = 32;

/** Each line is indented, and the text ends with a line's end; empty if the log has nothing but blanks. */
export function indented(log: string): string {
  const text = log.trimEnd();
  if (text === "") return "";
  // As bytes: to replace in a string with millions of lines takes a gigabyte and seconds.
  const from = Buffer.from(`\n${text}`);
  let breaks = 0;
  for (let index = 0; index < from.length; index += 1) if (isBreak(from[index])) breaks += 1;
  const to = Buffer.allocUnsafe(from.length + 2 * breaks + 1);
  let at = 0;
  for (let index = 0; index < from.length; index += 1) {
    to[at++] = from[index] as number;
    if (!isBreak(from[index])) continue;
    to[at++] = BLANK;
    to[at++] = BLANK;
  }
  to[at] = NEWLINE;
  return to.toString("utf8", 1);
}

const isBreak = (byte: number | undefined): boolean => byte === NEWLINE || byte === RETURN;
