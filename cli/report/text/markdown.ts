/** Tables as GitHub and GitLab show them. */

export function markdownTable([header = [], ...lines]: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |\n`;
  return `${row(header)}${row(header.map(() => "---"))}${lines.map(row).join("")}`;
}

/** A bar would end the cell; other marks are what people wrote. */
const escaped = (cell: string): string =>
  cell.replace(/[\\|*_`<>[\]]/g, (mark) => `\\${mark}`).replaceAll("\n", " ");
