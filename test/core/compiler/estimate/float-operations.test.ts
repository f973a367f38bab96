/** Operations that rooflines are drawn with. */
import { expect, it } from "vitest";
import { floatOperations } from "../../../../core/compiler/estimate/float-operations.ts";

const counted = (text: string, ...args: string[]) =>
  floatOperations([{ file: "a.c", text }], [{ name: "small", args }]);

it("a product of matrices does two operations for each of its n^3 terms, however often it is launched", () => {
  const text = `int atoi(const char *);
void mul(int n, float *a, float *b, float *c) {
#pragma acc parallel loop collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
int main(int argc, char **argv) {
  static float a[4096], b[4096], c[4096];
  int n = atoi(argv[1]);
  for (int t = 0; t < 3; t++) mul(n, a, b, c);
  return 0;
}`;
  expect(counted(text, "8")).toMatchObject([
    { run: "small", launches: 3, operations: 3 * 2 * 8 ** 3, assumed: [] },
  ]);
  expect(counted(text, "16")).toMatchObject([{ operations: 3 * 2 * 16 ** 3 }]);
});

it("does not count moves and integers, and reports unknown sizes", () => {
  const copy = `int main(void) { static float x[100], y[100]; static int k[100];
#pragma acc parallel loop
  for (int i = 0; i < 100; i++) { y[i] = x[i]; k[i] = 3 * i + 1; }
  return 0; }`;
  expect(counted(copy)).toMatchObject([{ operations: 0, assumed: [] }]);
  const unknown = `int next(void); int main(void) { static float x[100]; int n = next();
#pragma acc parallel loop
  for (int i = 0; i < n; i++) x[i] = 2 * x[i];
  return 0; }`;
  expect(counted(unknown)[0]?.assumed.length).toBeGreaterThan(0);
});
