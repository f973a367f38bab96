/** Aligns cells in columns. */
import { padded, widthOf } from "../call/width.ts";

export function columns(lines: readonly (readonly string[])[]): string {
  const count = Math.max(...lines.map((line) => line.length));
  const widths = Array.from({ length: count }, (_, i) =>
    Math.max(...lines.map((line) => widthOf(line[i] ?? ""))),
  );
  const text = lines.map((line) => line.map((cell, i) => padded(cell, widths[i] ?? 0)).join("  "));
  return text.map((line) => `${line.trimEnd()}\n`).join("");
}
