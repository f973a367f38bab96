/** The same loop in OpenACC's words and in OpenMP's is one region: one name, one kernel, one key. */
import { describe, expect, test } from "vitest";
import { tasksOf } from "../../../../core/ir/normalise/normalise.ts";
import { regionText } from "../../../../core/ir/text/print.ts";
import { inFunction, normalised } from "../reading.ts";

const LOOP = "for (i = 0; i < n; i++) a[i] = b[i] + t;";
const NEST = "for (i = 0; i < 10; i++) for (j = 0; j < 10; j++) m[i][j] = i * j;";
const SUM = "for (i = 0; i < n; i++) s += i;";

/** The compiled code of each region, and the arguments that the host passes. */
function regions(statements: string): string[] {
  return tasksOf(normalised(inFunction(statements))).map(
    ({ task }) =>
      `${task.region} ${regionText(task, [])} ${task.items.map((i) => `${i.written} ${i.mapping.is} ${i.mapping.vis}`)}`,
  );
}

const inner = (outer: string, between: string) =>
  `\n#pragma ${outer}\nfor (i = 0; i < 10; i++) {\n#pragma ${between}\nfor (j = 0; j < 10; j++) m[i][j] = 1; }`;

describe("a region is the same as", () => {
  test.each([
    ["acc parallel loop", "omp target teams distribute parallel for", LOOP],
    ["acc parallel loop", "omp target teams distribute parallel for simd", LOOP],
    ["acc parallel loop", "omp target teams loop", LOOP],
    ["acc parallel loop", "omp target parallel for", LOOP],
    ["acc parallel loop", "omp target parallel loop", LOOP],
    ["acc parallel loop", "omp target teams distribute", LOOP],
    ["acc parallel loop", "omp target teams distribute simd", LOOP],
    ["acc parallel loop", "omp target\n#pragma omp teams distribute parallel for", LOOP],
    ["acc parallel loop", "omp target\n#pragma omp teams\n#pragma omp distribute parallel for", LOOP],
    ["acc parallel loop", "omp target\n#pragma omp parallel\n#pragma omp for", LOOP],
    ["acc parallel loop", "omp target\n#pragma omp loop", LOOP],
    ["acc parallel loop copyin(b) copyout(a)", "omp target teams loop map(to: b) map(from: a)", LOOP],
    ["acc parallel loop copy(a) create(b)", "omp target teams loop map(a) map(alloc: b)", LOOP],
    ["acc parallel loop copy(a[:n])", "omp target teams loop map(tofrom: a[:n])", LOOP],
    ["acc parallel loop present(a)", "omp target teams loop map(present, tofrom: a)", LOOP],
    ["acc parallel loop copyin(alwaysin: b)", "omp target teams loop map(always, to: b)", LOOP],
    ["acc parallel loop firstprivate(t)", "omp target teams loop firstprivate(t)", LOOP],
    [
      "acc parallel loop deviceptr(x)",
      "omp target teams loop is_device_ptr(x)",
      "for (i = 0; i < n; i++) x[i] = 1;",
    ],
    ["acc parallel loop collapse(2)", "omp target teams distribute parallel for collapse(2)", NEST],
    ["acc parallel loop num_gangs(8)", "omp target teams distribute parallel for num_teams(8)", LOOP],
    ["acc parallel loop vector_length(n)", "omp target teams distribute parallel for thread_limit(n)", LOOP],
    ["acc parallel loop vector_length(32)", "omp target teams distribute parallel for num_threads(32)", LOOP],
    ["acc parallel loop if(n > 9)", "omp target teams distribute parallel for if(target: n > 9)", LOOP],
    ["acc parallel loop reduction(+: s)", "omp target teams distribute parallel for reduction(+: s)", SUM],
    [
      "acc parallel loop reduction(max: s) copy(s)",
      "omp target parallel for reduction(max: s) map(s)",
      "for (i = 0; i < n; i++) s = i > s ? i : s;",
    ],
    [
      "acc parallel loop private(t)",
      "omp target teams distribute parallel for private(t)",
      "for (i = 0; i < n; i++) { t = i; a[i] = t; }",
    ],
    [
      "acc parallel loop reduction(+: a[0:100])",
      "omp target teams loop reduction(+: a[0:100])",
      "for (i = 0; i < n; i++) a[i % 9] += 1;",
    ],
    ["acc serial", "omp target", LOOP],
    ["acc serial copy(s)", "omp target map(tofrom: s)", "{ s = n; }"],
  ])("%s: %s", (acc, omp, loop) => {
    const [one] = regions(`\n#pragma ${acc}\n${loop}`);
    expect(regions(`\n#pragma ${omp}\n${loop}`)).toEqual([one]);
  });

  test.each([
    ["acc parallel loop gang", "acc loop vector", "omp target teams distribute", "omp parallel for"],
    ["acc parallel loop gang", "acc loop vector", "omp target teams distribute", "omp parallel for simd"],
    [
      "acc parallel loop gang",
      "acc loop seq",
      "omp target teams distribute parallel for",
      "omp parallel for",
    ],
    [
      "acc parallel loop gang worker",
      "acc loop vector",
      "omp target teams distribute parallel for",
      "omp simd",
    ],
    [
      "acc parallel loop gang",
      "acc loop vector(64)",
      "omp target teams distribute",
      "omp parallel for num_threads(64)",
    ],
    ["acc parallel loop", "acc loop", "omp target teams loop", "omp loop"],
  ])("%s around %s: %s around %s", (outerAcc, innerAcc, outerOmp, innerOmp) => {
    expect(regions(inner(outerOmp, innerOmp))).toEqual(regions(inner(outerAcc, innerAcc)));
  });

  test("data regions, and what regions inside find present", () => {
    const around = (data: string, loop: string) =>
      regions(`\n#pragma ${data}\n{\n#pragma ${loop}\n${LOOP} }`);
    expect(around("omp target data map(to: a, b)", "omp target teams loop")).toEqual(
      around("acc data copyin(a, b)", "acc parallel loop"),
    );
  });
});
