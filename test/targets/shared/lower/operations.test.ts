/** What a kernel's manifest says of its floating-point operations; that profiles count them, test/targets/runtime/report/profile.test.ts shows. */
import { expect, it } from "vitest";
import { kernelOf } from "../../translate.ts";

const operationsOf = (source: string) => /^operations (.*)$/m.exec(kernelOf(source, "cuda").manifest)?.[1];
const region = (loops: string, head = "float *a, float *b, double *d, int n, int m, const int *rows") =>
  `void f(${head}) {\n#pragma acc parallel loop present(a[0:n], b[0:n], d[0:n], rows[0:n])\n${loops}\n}`;

it.each([
  ["numbers of 32 bits", "for (int i = 0; i < n; i++) a[i] = 2 * b[i] + 1;", "a3 0 max 2 * ; 0"],
  ["numbers of 64 bits", "for (int i = 0; i < n; i++) d[i] = 2 * d[i];", "0 ; a1 0 max"],
  [
    "a loop inside",
    "for (int i = 0; i < n; i++) { float s = 0; for (int k = 0; k < 8; k++) s += a[k] * b[k]; a[i] = s; }",
    "a3 0 max 16 * ; 0",
  ],
])("%s", (_, loops, expected) => {
  const words = operationsOf(region(loops));
  // Where the argument stands is not this test's business.
  expect(words?.replace(/a\d+/g, "aN")).toBe(expected.replace(/a\d+/g, "aN"));
});

it("a loop that another one bounds counts at its mean length", () => {
  const text = region("for (int i = 0; i < 101; i++) for (int k = 0; k < i; k++) a[i] += b[k];");
  expect(operationsOf(text)).toBe(`${101 * 50} ; 0`);
});

it.each([
  ["no floating-point arithmetic", "for (int i = 0; i < n; i++) a[i] = b[i];"],
  [
    "loops as long as data says",
    "for (int i = 0; i < n; i++) for (int k = rows[i]; k < rows[i + 1]; k++) a[i] += b[k];",
  ],
  ["loops of no known length", "for (int i = 0; i < n; i++) while (a[i] > 1) a[i] = a[i] * 0.5f;"],
])("nothing is said of %s", (_, loops) => {
  expect(operationsOf(region(loops))).toBeUndefined();
});
