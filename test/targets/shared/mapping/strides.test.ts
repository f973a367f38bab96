/** Whether lanes take one iteration at a time, by how far apart neighbouring iterations load. */
import { describe, expect, it } from "vitest";
import { kernelOf } from "../../translate.ts";

/** Of a loop with this body over `k`, as CUDA has it. */
const takesFour = (body: string): boolean => {
  const { text } = kernelOf(
    `void f(int n, const float *restrict a, const float *restrict b, float *restrict c, const int *restrict at) {
#pragma acc parallel loop present(a[0:n], b[0:n], c[0:n], at[0:n])
  for (int k = 0; k < n; k++) { ${body} }
}`,
    "cuda",
  );
  return /\bk_3\b/.test(text);
};

describe("lanes take four iterations at once", () => {
  it("where neighbouring iterations load neighbouring elements", () => {
    expect(takesFour("c[k] = a[k] * b[k];")).toBe(true);
    expect(takesFour("c[k] = a[k] + a[k + 1] + b[n - k];")).toBe(true);
  });

  it("where it is unknown what they load", () => {
    expect(takesFour("c[k] = a[at[k]];")).toBe(true);
  });

  it("but not where each loads several elements, apart from those of its neighbours", () => {
    expect(takesFour("c[2 * k] = a[2 * k] * b[2 * k] - a[2 * k + 1] * b[2 * k + 1];")).toBe(false);
    expect(takesFour("float s = 0; for (int m = 0; m < 4; m++) s += a[4 * k + m]; c[k] = s;")).toBe(false);
  });
});
