/** Names in ASCII: compilers of kernels refuse other letters, which C allows in identifiers. */

/** A letter as written, or by its number as the front end and C write it (`\U000000f6`, `\u00f6`). */
const other = /\\(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4}))|[^\x20-\x7e]/u;
const others = new RegExp(`${other.source}|_u`, "gu");

/** `größe` is `arc_gr_u00f6_u00dfe`: no two names become one, as programs have none with this beginning. */
export function asciiName(name: string): string {
  if (!other.test(name)) return name;
  const ascii = name.replace(others, (letter: string, long?: string, short?: string) => {
    if (letter === "_u") return "_u_";
    const code = long ?? short;
    const number = code === undefined ? (letter.codePointAt(0) ?? 0) : Number.parseInt(code, 16);
    return `_u${number.toString(16).padStart(4, "0")}`;
  });
  return `arc_${ascii}`;
}
