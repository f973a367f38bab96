/** The corpus: every marked line is found, and nothing else. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "../../../core/lint/lint.ts";
import { preprocessed } from "./preprocessed.ts";

const folder = path.join(import.meta.dirname, "programs");

/** `line: rule`, where a comment expects it. */
function expected(source: string): readonly string[] {
  return source.split("\n").flatMap((line, k) => {
    const rules = /\/\* expect: ([a-z -]+) \*\//.exec(line)?.[1] ?? "";
    return rules.split(" ").flatMap((rule) => (rule === "" ? [] : [`${k + 1}: ${rule}`]));
  });
}

describe("the corpus", () => {
  it.each(readdirSync(folder))("%s: what is marked, and nothing else", (name) => {
    const file = path.join(folder, name);
    const { findings, errors } = lint(preprocessed(file), file);
    expect(errors).toEqual([]);
    const proved = findings.filter((f) => f.certainty === "proved" && !f.advice && f.loc.file === file);
    expect(proved.map((f) => `${f.loc.line}: ${f.code}`)).toEqual(expected(readFileSync(file, "utf8")));
  });
});
