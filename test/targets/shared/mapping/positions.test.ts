/** Which searches teams share; what they find is tried in test/programs/combinations/positions.test.ts. */
import { describe, expect, it } from "vitest";
import { diagnosticsFor } from "../../translate.ts";

const region = (loop: string, after = "at[i] = k; r[i] = m;", before = "") => `
float a[64][80], r[64], x[80]; int at[64], id[80]; double w[80];
void f(int n) {
#pragma acc parallel loop
  for (int i = 0; i < 64; i++) {
    float m = 0; int k = 0, l = 0; ${before}
    ${loop}
    ${after}
  }
}`;
const shared = (source: string) =>
  diagnosticsFor(source, "cuda")
    .filter(({ code }) => code === "shared-by-teams")
    .map(({ message }) => message)
    .join();

describe("teams look together", () => {
  it.each([
    ["for a value and its place", "if (a[i][j] > m) { m = a[i][j]; k = j; }"],
    ["for the last of equal values", "if (a[i][j] >= m) { m = a[i][j]; k = j; }"],
    ["with the variable on the left", "if (m < a[i][j]) { k = j; m = a[i][j]; }"],
    ["for a place alone", "if (a[i][j] < a[i][k]) k = j;"],
    ["for what belongs to the place", "if (a[i][j] > m) { m = a[i][j]; k = id[j] + 2 * j; }"],
    ["under a condition", "if (x[j] != 0 && a[i][j] > m) { m = a[i][j]; k = j; }"],
    ["under a condition of its own", "if (x[j] != 0) if (a[i][j] > m) { m = a[i][j]; k = j; }"],
    ["for a value that is computed first", "float d = a[i][j] * x[j]; if (d > m) { m = d; k = j; }"],
  ])("%s", (_, body) => {
    expect(shared(region(`for (int j = 0; j < 80; j++) { ${body} }`))).toMatch(/\('(k|m)'(, '(k|m)')?\)/);
  });
});

describe("lanes keep the order of a search", () => {
  it.each([
    ["whose place is read before", "l += k; if (a[i][j] > m) { m = a[i][j]; k = j; }"],
    ["whose value is read elsewhere", "if (a[i][j] > m) { m = a[i][j]; k = j; } l += m > 3;"],
    ["that keeps another value", "if (a[i][j] > m) { m = x[j]; k = j; }"],
    ["that counts what it finds", "if (a[i][j] > m) { m = a[i][j]; k++; }"],
    ["that keeps a variable of the iteration", "int q = id[j]; if (a[i][j] > m) { m = a[i][j]; k = q; }"],
    ["that stores", "if (a[i][j] > m) { m = a[i][j]; a[i][j] = 0; }"],
    ["that narrows what it compares", "if (w[j] > m) { m = w[j]; k = j; }"],
    ["that does something else otherwise", "if (a[i][j] > m) { m = a[i][j]; k = j; } else l++;"],
    ["whose conditions depend on it", "if (a[i][j] > m && k < 9) { m = a[i][j]; k = j; }"],
    ["that changes what places stand for", "l += 2; if (a[i][j] > m) { m = a[i][j]; k = l; }"],
  ])("%s", (_, body) => {
    expect(shared(region(`for (int j = 0; j < 80; j++) { ${body} }`))).toBe("");
  });

  it("that the program wants in order", () => {
    const loop = "for (int j = 0; j < 80; j++) if (a[i][j] > m) { m = a[i][j]; k = j; }";
    expect(shared(region(`\n#pragma acc loop seq\n${loop}`))).toBe("");
    expect(shared(region(loop))).not.toBe("");
  });
});
