/** Correct programs in the manner of public benchmark suites of GPUs, in OpenACC and, translated, in OpenMP. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { frontEnd } from "../../../core/compiler/driver/front-end.ts";
import { lint } from "../../../core/lint/lint.ts";
import { translateSource } from "../../../core/source-to-source/translate.ts";
import { preprocessed } from "./preprocessed.ts";

const folder = path.join(import.meta.dirname, "suites");
const scratch = mkdtempSync(path.join(tmpdir(), "suites-"));
afterAll(() => rmSync(scratch, { recursive: true }));

function proved(file: string, text: string): readonly string[] {
  const { findings, errors } = lint(preprocessed(file, text), "-");
  expect(errors).toEqual([]);
  return findings.filter((f) => f.certainty === "proved" && !f.advice).map((f) => `${f.loc.line}: ${f.code}`);
}

function inOpenMp(file: string, text: string): string {
  const unit = { file, text: preprocessed(file) };
  const { parsed, program } = frontEnd(unit, { kind: "whole", others: [] });
  const wishes = { to: "openmp", openmp: "5.0", map: "default" } as const;
  const made = translateSource({ file, text, parsed, program }, wishes);
  expect(made.diagnostics).toEqual([]);
  return made.text;
}

function printed(name: string, text: string, ...flags: readonly string[]): string {
  const source = path.join(scratch, `${name}.c`);
  writeFileSync(source, text);
  const program = path.join(scratch, name);
  execFileSync("gcc", ["-w", "-O1", ...flags, source, "-o", program, "-lm"]);
  return execFileSync(program, { encoding: "utf8", env: { ...process.env, OMP_NUM_THREADS: "3" } });
}

/** One of five here, all with ARC_TEST_ALL. */
const programs = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".c"))
  .sort()
  .filter((_, k) => process.env.ARC_TEST_ALL || k % 5 === 2);

describe("nothing is reported for", () => {
  it.each(programs)("%s", (name) => {
    const file = path.join(folder, name);
    const text = readFileSync(file, "utf8");
    const openmp = inOpenMp(file, text);
    expect({ openacc: proved(file, text), openmp: proved(file, openmp) }).toEqual({
      openacc: [],
      openmp: [],
    });
    expect(printed("parallel", openmp, "-fopenmp", "-foffload=disable")).toBe(printed("serial", text));
  });
});
