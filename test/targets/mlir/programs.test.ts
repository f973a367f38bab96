/**
 * Regions of test/programs as MLIR: mlir-opt of Debian parses and verifies them, or they are refused by name. In every run some;
 * with ARC_SLOW_TESTS all, whose count docs/translate.md has.
 */
import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { mlirTexts } from "../../../rules/plan/mlir.ts";
import { programsIn } from "../../programs/catalogue.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const all = process.env.ARC_SLOW_TESTS !== undefined;

function preprocessed(file: string, define: string): string {
  const headers = path.join(root, "targets/runtime/include");
  const args = ["-E", "-dD", "-iquote", path.dirname(file), define, "-isystem", headers, file];
  return execFileSync("gcc", args, { encoding: "utf8", maxBuffer: 2 ** 28 });
}

/** Why mlir-opt does not take a text; empty where it does. */
function complaint(text: string): string {
  const { status, stderr } = spawnSync("mlir-opt-16", ["-o", "/dev/null"], { input: text, encoding: "utf8" });
  return status === 0 ? "" : stderr;
}

interface Told {
  readonly modules: number;
  readonly refused: readonly string[];
}

function translate(file: string, define: string): Told {
  const [made] = mlirTexts([{ file, text: preprocessed(file, define) }]);
  const errors = (made?.diagnostics ?? []).filter(({ severity }) => severity === "error");
  for (const error of errors) expect(error.loc.line, error.message).toBeGreaterThan(0);
  const text = made?.text ?? "";
  expect(complaint(text), `${file}\n${text}`).toBe("");
  return { modules: text.match(/^module /gm)?.length ?? 0, refused: errors.map(({ message }) => message) };
}

describe.each([
  ["acc", "-D_OPENACC=202211"],
  ["omp", "-D_OPENMP=201811"],
])("test/programs/%s", (language, define) => {
  const programs = programsIn(path.join(root, "test/programs", language)).filter(
    ({ sources }) => sources.length === 1,
  );
  const chosen = all ? programs : programs.filter((_, k) => k % 29 === 0);

  it("is MLIR that mlir-opt takes, or refused by name", { timeout: 600_000 }, () => {
    const results = chosen.map((program) => ({
      name: program.name,
      ...translate(program.sources[0] as string, define),
    }));
    const reasons = new Map<string, number>();
    for (const reason of results.flatMap(({ refused }) => refused)) {
      const what = reason.replace(/ has no form.*/s, "").replace(/'[^']*'/g, "'…'");
      reasons.set(what, (reasons.get(what) ?? 0) + 1);
    }
    const modules = results.reduce((sum, { modules: own }) => sum + own, 0);
    const whole = results.filter(({ refused }) => refused.length === 0).length;
    const summary = `${language}: ${results.length} programs, ${whole} without a refusal, ${modules} regions`;
    if (all)
      console.log(
        summary,
        [...reasons].sort((a, b) => b[1] - a[1]),
      );
    expect(modules, summary).toBeGreaterThan(0);
  });
});
