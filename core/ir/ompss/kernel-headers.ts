/**
 * Headers that a kernel file includes by name (`#include "grid.h"`) become part of its text, since device compilers do
 * not search the program's files. Files without such lines stay unchanged, byte for byte.
 */

const include = /^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)".*$/;
const once = /^[ \t]*#[ \t]*pragma[ \t]+once\b.*$/m;

interface Found {
  readonly path?: string;
  readonly text: string;
}

/** The text with the headers that `find` finds; others are left to the device's compiler. */
export function withHeaders(
  { path = "", text }: Found,
  find: (header: string, from: string) => Found | undefined,
  around: readonly string[] = [path],
  inserted = new Set<string>(),
): string {
  if (!text.includes("#")) return text;
  const lines = text.split("\n").map((line, i) => {
    const header = include.exec(line)?.[1];
    const found = header === undefined ? undefined : find(header, path);
    if (header === undefined || found === undefined) return line;
    // A header with an include guard is inserted only once.
    const where = found.path ?? header;
    if (around.includes(where) || inserted.has(where)) return "";
    if (once.test(found.text)) inserted.add(where);
    const read = { path: where, text: found.text.replace(once, "") };
    const inner = withHeaders(read, find, [...around, where], inserted);
    return `#line 1 "${where}"\n${inner.replace(/\n$/, "")}\n#line ${i + 2} "${path}"`;
  });
  return lines.join("\n");
}
