/** Words that no directive has are named by `arc check`, in directives of regions and of the host's threads alike. */
import { expect, it } from "vitest";
import { lintText } from "./preprocessed.ts";

const loop = "for (int i = 0; i < 10; i++) a[i] = i;";
const said = (directive: string) =>
  lintText(`void f(int *a, int n) {\n#pragma ${directive}\n  ${loop}\n}\n`)
    .filter((f) => f.code === "unknown-word")
    .map((f) => `${f.loc.line}:${f.loc.col} ${f.message}${f.remedy === undefined ? "" : `; ${f.remedy}`}`);

it.each([
  ["acc paralel loop", "2:13 'paralel' is not an OpenACC directive; did you mean 'parallel loop'?"],
  [
    "acc parallel loop colapse(1)",
    "2:27 'colapse' is not a clause of 'parallel loop'; did you mean 'collapse'?",
  ],
  [
    "omp paralel for",
    "2:13 '#pragma omp paralel' is ignored: it is no directive; did you mean '#pragma omp parallel'?",
  ],
  [
    "omp target parallel for shedule(static)",
    "2:33 'shedule' is not a clause of 'target parallel for'; did you mean 'schedule'?",
  ],
  [
    "omp parallel for shedule(static)",
    "2:26 'shedule' is not a clause of 'parallel for'; did you mean 'schedule'?",
  ],
  ["omp simd safelen(4) foo", "2:29 'foo' is not a clause of 'simd'"],
  [
    "omq parallel for",
    "2:9 '#pragma omq' is ignored: it is no directive; did you mean '#pragma omp parallel'?",
  ],
])("%s", (directive, message) => {
  expect(said(directive)).toEqual([message]);
});

it.each([
  "acc parallel loop",
  "omp parallel for schedule(static) ompx_bare",
  "omp simd",
  "GCC ivdep",
  "unroll",
])("%s: nothing is said", (directive) => {
  expect(said(directive)).toEqual([]);
});
