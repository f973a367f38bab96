/**
 * Headers that a file of kernels includes by name (`#include "grid.h"`) become a part of its text, as it travels alone:
 * compilers of devices look for no files of the program. Files without such lines stay as they are, byte for byte.
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
  taken = new Set<string>(),
): string {
  if (!text.includes("#")) return text;
  const lines = text.split("\n").map((line, i) => {
    const header = include.exec(line)?.[1];
    const found = header === undefined ? undefined : find(header, path);
    if (header === undefined || found === undefined) return line;
    // What is guarded against being read twice would be left out anyway.
    const where = found.path ?? header;
    if (around.includes(where) || taken.has(where)) return "";
    if (once.test(found.text)) taken.add(where);
    const read = { path: where, text: found.text.replace(once, "") };
    const inner = withHeaders(read, find, [...around, where], taken);
    return `#line 1 "${where}"\n${inner.replace(/\n$/, "")}\n#line ${i + 2} "${path}"`;
  });
  return lines.join("\n");
}
