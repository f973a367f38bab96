/** The generated part of docs/check.md. */
import type { Rule } from "./model/finding.ts";

/** An index, and a section for each rule. */
export function manual(rules: readonly Rule[]): string {
  const index = rules.map(({ name, summary }) => `| [${name}](#${name}) | ${summary} |`);
  const head = ["| rule | finds that |", "|---|---|", ...index];
  return `${head.join("\n")}\n\n${rules.map(section).join("\n")}`;
}

function section({ name, summary, page }: Rule): string {
  const { why, bad, good, source } = page;
  const code = (text: string) => `\`\`\`c\n${text}\n\`\`\`\n`;
  return [
    `### ${name}\n`,
    `${summary[0]?.toUpperCase()}${summary.slice(1)}. ${why}\n`,
    code(bad),
    "Instead:\n",
    code(good),
    ...(source === undefined ? [] : [`(${source})\n`]),
  ].join("\n");
}
