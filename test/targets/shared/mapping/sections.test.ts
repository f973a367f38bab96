/** Which sections go to group memory; what the code computes is tried in test/programs/combinations/sections.test.ts. */
import { describe, expect, it } from "vitest";
import { diagnosticsFor, kernelOf } from "../../translate.ts";

const inner = "for (int j = 0; j < 64; j++) s += p[b][i] * q[c][j];";

const region = (body: string, more: { lanes?: string; pointer?: string; after?: string } = {}) => `
float g(float);
void f(int n, const float (*${more.pointer ?? "restrict"} p)[64], const float (*${more.pointer ?? "restrict"} q)[64],
       float (*${more.pointer ?? "restrict"} r)[64], const int *restrict at) {
#pragma acc parallel loop gang present(p[0:n], q[0:n], r[0:n], at[0:n])
  for (int b = 0; b < n; b++) {
#pragma acc loop vector
    for (int i = 0; i < ${more.lanes ?? "64"}; i++) {
      float s = 0;
      ${body}
      r[b][i] = s;
    }${more.after ?? ""}
  }
}
`;
const staged = (source: string, kind: "cuda" | "opencl" = "cuda") =>
  diagnosticsFor(source, kind)
    .filter((d) => d.code === "staged-by-groups")
    .map((d) => d.message);

const cells = (more: string) => `for (int c = 0; c < n; c++) { ${more} }`;

describe("a section that all lanes read in an inner loop", () => {
  it.each(["cuda", "opencl"] as const)("is copied into group memory: %s", (kind) => {
    expect(staged(region(cells(inner)), kind)).toEqual([
      "each group copies what all its lanes read of 'q' in the loop over 'j' into its memory",
    ]);
    expect(kernelOf(region(cells(inner)), kind).text).toMatch(/p\[b\]\[i\] \* q_section\[j\]/);
  });

  it("is copied where the launch finds that pointers do not overlap", () => {
    const source = region(cells(inner), { pointer: "" });
    expect(staged(source)).toEqual([
      expect.stringMatching(/unless the launch finds that 'q' and 'r' overlap$/),
    ]);
    expect(kernelOf(source, "cuda").text).toMatch(/arc_q_meets_r == 0/);
  });

  it.each([
    ["lanes leave the loop around apart", cells(`if (s > 3) break; ${inner}`)],
    ["lanes go round apart", `for (int c = 0; c < i; c++) { ${inner} }`],
    ["lanes have places of their own", `int c = i; ${inner}`],
    ["places are computed from sums of lanes", cells(`int d = s > 2; ${inner.replace("[c]", "[c + d]")}`)],
    ["lanes choose", cells(`if (p[b][i] > 0) { ${inner} }`)],
    ["only some lanes set the place", cells(`int d = 0; if (i > 3) d = 1; ${inner.replace("[c]", "[d]")}`)],
    ["loads stand under a condition", cells("for (int j = 0; j < 64; j++) if (j < n) s += q[c][j];")],
    ["the length is not known", cells(inner.replace("j < 64", "j < n"))],
    ["the inner loop is short", cells(inner.replace("j < 64", "j < 16"))],
    [
      "the inner loop may end early",
      cells("for (int j = 0; j < 64; j++) { if (j == n) break; s += q[c][j]; }"),
    ],
    ["the region changes the array", cells(inner.replace("q[c]", "r[c]"))],
    ["the program calls its own functions", cells(`${inner} s += g(s);`)],
    ["each lane reads elsewhere", cells("for (int j = 0; j < 64; j++) s += q[c][(i + j) % 64];")],
  ])("stays in memory where %s", (_, body) => {
    const declared = region(body).replace(
      "float g(float);",
      "#pragma acc routine seq\nstatic float g(float x) { return x; }",
    );
    expect(staged(declared)).toEqual([]);
  });

  it.each(["48", "n", "512"])("stays in memory where lanes have %s iterations", (lanes) => {
    expect(staged(region(cells(inner), { lanes }))).toEqual([]);
  });
});
