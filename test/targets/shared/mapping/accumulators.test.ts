/** Elements that a loop updates, kept in registers: where nothing else can be them, or the launch finds that out. */
import { afterAll, describe, expect, it } from "vitest";
import { differences } from "../../fuzz/compare.ts";
import { Workshop } from "../../runtime/harness.ts";
import { kernelOf } from "../../translate.ts";

const shop = new Workshop("gcc", ["-w"]);
afterAll(() => shop.remove());

const region = (parameters: string, body: string) =>
  `float a[90][90], b[90][90], c[90][90]; int rows[90];
void f(int n, ${parameters}) {
#pragma acc parallel loop collapse(2) present(c)
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 90; j++) {
      ${body}
    }
}
`;
const sum = "for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];";
const text = (source: string) => kernelOf(source, "cuda").text;

describe("an element that a loop updates", () => {
  it("is a variable while the loop runs, among arrays", () => {
    expect(text(region("float x", `c[i][j] *= x;\n${sum}`))).toMatch(/c_kept\w* \+= a\[/);
  });

  it("is neither read nor written where the loop has no iterations", () => {
    expect(text(region("float x", sum))).toMatch(/c_kept\w* = 0 < n \? c\[.*if \(0 < n\)\s+c\[/s);
  });

  it("is one where pointers are restrict, or the launch finds them apart", () => {
    const pointers = (more: string) =>
      region(
        `float (*${more}c)[90], float (*${more}a)[90]`,
        "for (int k = 0; k < n; k++) c[i][j] += a[i][k];",
      );
    const free = kernelOf(pointers("restrict "), "cuda");
    expect(free.text).toContain("c_kept");
    expect(free.manifest).not.toMatch(/^param o/m);
    const guarded = kernelOf(pointers(""), "cuda");
    expect(guarded.text).toMatch(/if \(arc_c_meets_a == 0l\)/);
    expect(guarded.manifest).toMatch(/^param o \d \d$/m);
  });

  it.each([
    ["another element of the array is used", sum.replace("a[i][k]", "c[i][k]")],
    ["the loop moves on in it", sum.replace("c[i][j]", "c[i][k]")],
    ["its place is loaded", sum.replace("c[i][j]", "c[rows[i]][j]")],
    ["it may be left alone", sum.replace("c[i][j]", "if (a[i][k] > 0) c[i][j]")],
    [
      "each iteration has its own",
      "float o[1];\n#pragma acc loop seq private(o)\nfor (int k = 0; k < n; k++) { o[0] = k; c[i][j] = c[i][k] + o[0]; }",
    ],
    ["it is counted atomically", sum.replace("c[i][j] +=", "\n#pragma acc atomic\nc[i][j] +=")],
  ])("stays in memory where %s", (_, body) => {
    expect(text(region("float x", body))).not.toContain("_kept");
  });
});

it("is right whether or not pointers meet", { timeout: 120_000 }, () => {
  const program = (name: string, call: string) => `void sum_${name}(int n, int m, double *p, double *q) {
#pragma acc parallel loop present(p[0:1], q[0:1])
  for (int i = 0; i < m; i++)
    for (int k = 0; k < n; k++) p[i] += q[k];
}
static void ${name}(void) {
  static double v[100], w[100];
  for (int k = 0; k < 100; k++) v[k] = k % 7, w[k] = k % 5;
#pragma acc data copy(v, w)
  { ${call} }
  printf("${name} %g %g %g %g\\n", v[0], v[1], v[2], v[3]);
}
`;
  // In the last one the sum is part of what is summed.
  const calls = ["(40, 3, v, w)", "(40, 3, v, v + 20)", "(0, 3, v, w)", "(1, 3, v + 1, v)", "(40, 1, v, v)"];
  const functions = calls.map((call, k) => program(`f${k}`, `sum_f${k}${call};`));
  const found = differences(functions, ["oclgrind"], shop.archive());
  expect(found.map((d) => d.what)).toEqual([]);
});
