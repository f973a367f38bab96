/** Pattern for a JSON Schema. */
export const sizePattern = "^\\d+(\\.\\d+)? ?[KMGT]i?B$";

/** Parses sizes with units to bytes: `20 GB`, `1.5 GiB`, `4096`. Undefined for any other text. */
export function parseSize(text: string): number | undefined {
  const [, number, prefix = "", binary = ""] =
    /^(\d+(?:\.\d+)?) ?(?:([KMGT])(i?))?B?$/.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  return Math.round(
    Number(number) * (binary === "" ? 1000 : 1024) ** (prefix === "" ? 0 : "KMGT".indexOf(prefix) + 1),
  );
}
