/** docs/check.md agrees with the table of rules, and its programs break or satisfy the rules they illustrate. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { manual } from "../../../core/lint/page.ts";
import { rules } from "../../../core/lint/rules/registry.ts";
import { lintText } from "./preprocessed.ts";

const page = path.resolve(import.meta.dirname, "../../../docs/check.md");
const mark = "## Rules\n\n";

it("docs/check.md has the table of rules and a section for each (UPDATE=1 writes it)", () => {
  const text = readFileSync(page, "utf8");
  const head = text.slice(0, text.indexOf(mark) + mark.length);
  const wanted = head + manual(rules);
  if (process.env.UPDATE) writeFileSync(page, wanted);
  else expect(text).toBe(wanted);
});

it.each(rules.map((rule) => [rule.name, rule] as const))(
  "%s: its programs",
  (name, { page: { bad, good } }) => {
    expect(
      lintText(bad)
        .filter((f) => f.certainty === "proved")
        .map((f) => f.code),
    ).toContain(name);
    expect(lintText(good).filter((f) => f.certainty === "proved")).toEqual([]);
  },
);

it("names of rules are unique and in kebab-case", () => {
  const names = rules.map((rule) => rule.name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
});
