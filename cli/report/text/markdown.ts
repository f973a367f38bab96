/** Tables in GitHub's and GitLab's Markdown. */

export function markdownTable([header = [], ...lines]: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |\n`;
  return `${row(header)}${row(header.map(() => "---"))}${lines.map(row).join("")}`;
}

/** Escapes `|`, which would end the cell, and other markup characters. */
const escaped = (cell: string): string =>
  cell.replace(/[\\|*_`<>[\]]/g, (mark) => `\\${mark}`).replaceAll("\n", " ");
