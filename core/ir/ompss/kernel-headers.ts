/**
 * Headers that a file of kernels includes by name (`#include "grid.h"`) become a part of its text, as it travels alone:
 * compilers of devices look for no files of the program. Files without such lines stay as they are, byte for byte.
 */

const include = /^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)".*$/;
const once = /^[ \t]*#[ \t]*pragma[ \t]+once\b.*$/m;

/** The text with the headers that `find` finds; others are left to the device's compiler. */
export function withHeaders(
  name: string,
  text: string,
  find: (header: string) => string | undefined,
  around: readonly string[] = [name],
  taken = new Set<string>(),
): string {
  if (!text.includes("#")) return text;
  const lines = text.split("\n").map((line, i) => {
    const header = include.exec(line)?.[1];
    const found = header === undefined ? undefined : find(header);
    if (header === undefined || found === undefined) return line;
    // What is guarded against being read twice would be left out anyway.
    if (around.includes(header) || taken.has(header)) return "";
    if (once.test(found)) taken.add(header);
    const inner = withHeaders(header, found.replace(once, ""), find, [...around, header], taken);
    return `#line 1 "${header}"\n${inner.replace(/\n$/, "")}\n#line ${i + 2} "${name}"`;
  });
  return lines.join("\n");
}
