/** Rules that give advice about code that is correct, but slow or without effect. */
import { expect, it } from "vitest";
import { lintText } from "./preprocessed.ts";

const advice = (body: string): readonly string[] =>
  lintText(`void g(double *);\nvoid f(double *a, double *b, int n) {\n  double t;\n${body}\n}\n`)
    .filter((f) => f.advice)
    .map((f) => `${f.loc.line}: ${f.code}`);

const loop = "for (int i = 0; i < n; i++) a[i] = i;";

it.each([
  [`#pragma acc parallel copy(a[0:n])\n${loop}`, ["4: serial-on-device"]],
  [`#pragma acc parallel copy(a[0:n])\n{\n#pragma acc loop\n${loop}\n}`, []],
  [`#pragma acc serial copy(a[0:n])\n${loop}`, []],
  [`#pragma acc kernels copy(a[0:n])\n${loop}`, []],
  [`#pragma omp target map(a[0:n])\n#pragma omp parallel for\n${loop}`, []],
  ["#pragma omp target map(a[0:n])\n{ a[0] = 1; g(a); }", []],
  [`#pragma omp target teams loop map(a[0:n]) if(target: 0)\n${loop}`, ["4: never-offloads"]],
  [`#pragma omp target teams distribute parallel for map(a[0:n]) if(parallel: 0)\n${loop}`, []],
  [`#pragma acc parallel loop copy(a[0:n]) self\n${loop}`, ["4: never-offloads", "4: non-portable"]],
  [`#pragma acc parallel loop copy(a[0:n]) private(t)\n${loop}`, ["4: unused-clause"]],
  [`#pragma omp parallel for private(t) firstprivate(b)\n${loop}`, ["4: unused-clause", "4: unused-clause"]],
  [`#pragma omp parallel for firstprivate(b)\nfor (int i = 0; i < n; i++) { a[i] = i; g(a); }`, []],
  [
    `#pragma acc parallel loop copy(a[0:n], b[0:n])\nfor (int i = 0; i < n; i++) a[i] = b[8 * i];`,
    ["5: uncoalesced-access"],
  ],
  [`#pragma acc parallel loop copy(a[0:n], b[0:n])\nfor (int i = 0; i < n; i++) a[i] = b[2 * i];`, []],
  [
    `#pragma acc parallel loop gang copy(a[0:n], b[0:n])\nfor (int i = 0; i < n; i++)\n#pragma acc loop vector\nfor (int j = 0; j < n; j++) a[j] += b[4 * j];`,
    ["7: uncoalesced-access"],
  ],
  [
    `#pragma acc parallel loop copy(a[0:n], b[0:n])\nfor (int i = 0; i < n; i++)\nfor (int j = 0; j < 9; j++) a[9 * i + j] = b[j];`,
    [],
  ],
  [
    `#pragma omp target teams distribute parallel for map(a[0:n], b[0:n])\nfor (int i = 0; i < n; i++)\nfor (int j = 0; j < 9; j++) a[9 * i + j] = b[j];`,
    ["6: uncoalesced-access"],
  ],
  [
    `#pragma omp target teams distribute parallel for schedule(static, 64) map(a[0:n])\nfor (int i = 0; i < n; i++) a[9 * i] = 1;`,
    [],
  ],
  [`#pragma acc data copy(a[0:n], b[0:n])\n{\n#pragma acc parallel loop present(a[0:n])\n${loop}\n}`, []],
] as const)("%s", (body, wanted) => {
  expect(advice(body)).toEqual(wanted);
});
