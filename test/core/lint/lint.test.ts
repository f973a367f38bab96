/** The corpus: every marked line is found, and nothing else. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "../../../core/lang/index.ts";
import { lint, lintParsed } from "../../../core/lint/lint.ts";
import type { Finding } from "../../../core/lint/model/finding.ts";
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
    const text = preprocessed(file);
    const { findings, errors } = lint(text, file);
    expect(errors).toEqual([]);
    const isSure = (f: Finding): boolean => f.certainty === "proved" && !f.advice;
    // What nobody asked for is not looked for, which changes nothing else.
    const { findings: sure } = lintParsed(parse(text, { file }), { advice: false, doubts: false });
    expect(sure.filter(isSure)).toEqual(findings.filter(isSure));
    const proved = findings.filter((f) => f.certainty === "proved" && !f.advice && f.loc.file === file);
    expect(proved.map((f) => `${f.loc.line}: ${f.code}`)).toEqual(expected(readFileSync(file, "utf8")));
  });
});
