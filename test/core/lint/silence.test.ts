/** Correct programs, for which nothing must be reported. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { lint } from "../../../core/lint/lint.ts";
import { preprocessed } from "./preprocessed.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/** They intentionally show separate device memory, or the effect of a false clause. */
const wrongOnPurpose = new Set([
  "scalars.c",
  "present-absent-aborts.c",
  "present-pointer-aborts.c",
  "data-copyin-stays-on-device.c",
  "section-with-start.c",
  "data-present-or-copy-nested.c",
  "data-clauses-merged.c",
  "update-self-section.c",
]);

const cFiles = (folder: string): readonly string[] =>
  existsSync(path.join(root, folder))
    ? readdirSync(path.join(root, folder))
        .filter((name) => name.endsWith(".c") && !wrongOnPurpose.has(name))
        .map((name) => path.join(folder, name))
    : [];
const programs = ["test/programs/acc", "test/programs/omp"].flatMap(cFiles);
const examples = readdirSync(path.join(root, "examples")).flatMap((name) => cFiles(`examples/${name}/src`));

/** For these, something was once reported. */
const again = /reduction-array/;

/** All of them take half a minute: one of sixteen here, all with ARC_TEST_ALL. */
const chosen = process.env.ARC_TEST_ALL
  ? programs
  : programs.filter((name, k) => k % 16 === 0 || again.test(name));

/** What is reported of programs that show what arc does beyond the standards. */
const reported: Readonly<Record<string, readonly string[]>> = {
  // A loop in a gang loop needs the reduction that the construct or the loop around has (OpenACC 3.3, 2.9.11).
  "test/programs/acc/reduction-on-construct-alone.c": ["52: missing-reduction"],
  "test/programs/acc/reduction-said-outside.c": [
    "19: missing-reduction",
    "20: missing-reduction",
    "28: missing-reduction",
    "39: missing-reduction",
  ],
  // No clause maps where this pointer leads, only what lies 30 elements behind it.
  "test/programs/omp/pointers_outside_sections.c": ["40: missing-map"],
};

function proved(file: string): readonly string[] {
  const { findings } = lint(preprocessed(path.join(root, file)), file);
  return findings
    .filter((f) => f.certainty === "proved" && !f.advice)
    .map((f) => `${f.loc.file}:${f.loc.line}: ${f.code}`);
}

it("examples and programs of the tests", () => {
  expect([...examples, ...chosen].filter((file) => !(file in reported)).flatMap(proved)).toEqual([]);
}, 60_000);

it.each(Object.entries(reported))("but for %s", (file, findings) => {
  expect(proved(file)).toEqual(findings.map((finding) => `${path.join(root, file)}:${finding}`));
});
