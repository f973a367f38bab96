/** Aligns cells in columns. */
export function columns(lines: readonly (readonly string[])[]): string {
  const count = Math.max(...lines.map((line) => line.length));
  const widths = Array.from({ length: count }, (_, i) =>
    Math.max(...lines.map((line) => (line[i] ?? "").length)),
  );
  const text = lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "));
  return text.map((line) => `${line.trimEnd()}\n`).join("");
}
