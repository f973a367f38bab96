/** Which loops that hand on scans are shared out; what they compute is tried in test/programs/combinations/scans.test.ts. */
import { describe, expect, it } from "vitest";
import { diagnosticsFor, kernelOf, remarksOf } from "../../translate.ts";

const region = (directive: string, loop: string, type = "int") => `
void f(int n, const ${type} *restrict a, ${type} *restrict b, ${type} *c) {
#pragma acc ${directive} copyin(a[0:n]) copy(b[0:n], c[0:n])
  {
    ${type} s = 0, t = 0;
    ${loop}
  }
}
`;
const every = "for (int i = 0; i < n; i++)";
const sums = `${every} { s += a[i]; b[i] = s; }`;
const told = (source: string) => diagnosticsFor(source, "cuda").filter((d) => d.code.startsWith("scan-"));
const why = (source: string) =>
  told(source).map((d) => `${d.code}: ${d.message.split(": ").slice(1).join(": ")}`);

describe("a loop that hands on scans", () => {
  it.each(["kernels", "serial", "parallel"])("of %s is three kernels", (directive) => {
    const { text, manifest } = kernelOf(region(directive, sums), "cuda");
    expect(manifest.match(/^kernel/gm)).toHaveLength(3);
    expect(manifest).toMatch(/^scratch 4 cu 8 \* \*$/m);
    // Once for lanes with all four iterations, once for others.
    expect(text.match(/b_\d = s/g)).toHaveLength(4 + 4);
    expect(remarksOf(region(directive, sums), "cuda")).toEqual(["6:35 scan-by-blocks"]);
  });

  it("loads the values once more, and not again for the sums", () => {
    const { text } = kernelOf(region("serial", sums), "cuda");
    expect(text.match(/\ba\[i\]/g)).toHaveLength(1);
    expect(text.match(/\+= a_\d;/g)).toHaveLength(4 + 4);
  });

  it("accesses 16 bytes at a time, and loads for the next tile before it scans one", () => {
    const { text } = kernelOf(region("serial", sums), "cuda");
    expect(text.match(/__launch_bounds__\(256, 8\)/g)).toHaveLength(2);
    expect(text.match(/\*\(const int4 \*\)&a\[/g)).toHaveLength(1 + 1);
    expect(text).toMatch(/a_0 = a_0_next;[\s\S]*\*\(const int4 \*\)&a\[[\s\S]*__shfl_up_sync/);
    expect(text.match(/\*\(int4 \*\)&b\[/g)).toHaveLength(1);
    expect(kernelOf(region("serial", sums, "long"), "cuda").text.match(/\*\(long2 \*\)&b\[/g)).toHaveLength(
      2,
    );
  });

  it.each([
    ["some iterations store", "{ s += a[i]; if (i % 2) b[i] = s; }", "int"],
    ["elements are stored apart", "{ s += a[i]; b[2 * i] = s; }", "int"],
    ["numbers are short", "{ s += a[i]; b[i] = s; }", "short"],
  ])("has neighbouring lanes store neighbours where %s", (_, body, type) => {
    const { text } = kernelOf(region("serial", `${every} ${body}`, type), "cuda");
    expect(text).toMatch(/b\[.*i\] = s/);
    expect(text).not.toMatch(/&b\[/);
  });

  it("hands on its last value", () => {
    const { manifest } = kernelOf(region("serial", `${sums} c[0] = s;`), "cuda");
    expect(manifest.match(/^kernel/gm)).toHaveLength(4);
  });

  it.each([
    ["loop seq", `\n#pragma acc loop seq\n${sums}`, "the program says that its iterations run in order"],
    ["few iterations", sums.replace("n;", "200;"), "it has fewer than 256 iterations"],
    ["an end in between", sums.replace("{", "{ if (a[i] < 0) break;"), "the loop may be left early"],
    ["iterations that end", sums.replace("{", "{ if (a[i] < 0) continue;"), "iterations may end early"],
    ["a sequential loop around", `for (int k = 0; k < n; k++) ${sums}`, "the loop around it runs in order"],
    ["sums of sums", `${every} { s += a[i]; t += s; b[i] = t; }`, "what is combined depends on 's' itself"],
    [
      "another value handed on",
      `${every} { s += a[i] - t; t = a[i] / 2; b[i] = s; }`,
      "'t', which iterations hand on, is no sum, product, minimum, maximum or mask of values",
    ],
    ["a bound in memory", sums.replace("n;", "c[0];"), "its bounds are read from 'c'"],
    [
      "what was stored",
      `${every} { b[i] = s; s += b[i] + a[i]; }`,
      "'b' is read behind what the iteration stores",
    ],
    [
      "an earlier element",
      `${every} { s += a[i]; b[i] = s + b[i / 2]; }`,
      "'b[i / 2]' reads what another iteration writes as 'b[i]'",
    ],
  ])("stays in order with %s", (_, loop, reason) => {
    expect(why(region("serial", loop))).toEqual([`scan-in-order: ${reason}`]);
  });

  it("stays in order where pointers may overlap", () => {
    expect(why(region("kernels", sums).replaceAll(" *restrict", " *"))).toEqual([
      "scan-in-order: 'a[i]' and 'b[i]' may be the same memory",
    ]);
  });

  it("stays in order where floating-point numbers would be rounded otherwise", () => {
    expect(why(region("serial", sums, "double"))).toEqual([
      "scan-in-order: 's' would be rounded in another order",
    ]);
  });

  it("stays in order where the program names gangs or their sizes", () => {
    expect(why(region("parallel num_gangs(2)", sums))).toEqual([
      "scan-in-order: the program names the number of gangs",
    ]);
    expect(why(region("parallel vector_length(64)", sums))).toEqual([
      "scan-in-order: the program names the sizes of gangs",
    ]);
  });

  it("that only reduces is no scan", () => {
    expect(told(region("serial", `${every} s += a[i]; b[0] = s;`))).toEqual([]);
  });

  it("allows another order with inscan", () => {
    const source = `
void f(int n, const float *restrict a, float *restrict b, float s) {
#pragma omp target teams distribute parallel for reduction(inscan, +: s) map(to: a[0:n]) map(tofrom: b[0:n], s)
  for (int i = 0; i < n; i++) {
    s += a[i];
#pragma omp scan inclusive(s)
    b[i] = s;
  }
}
`;
    expect(remarksOf(source, "cuda")).toEqual(["5:5 scan-by-blocks"]);
  });
});

describe("rows that hand on scans", () => {
  const rows = (inner: string, directive = "parallel loop") => `
int a[64][500], b[64][500];
void f(void) {
#pragma acc ${directive}
  for (int r = 0; r < 64; r++) {
    int s = r;
    ${inner}
  }
}
`;
  it.each([
    ["a variable", "for (int i = 0; i < 500; i++) { s += a[r][i]; b[r][i] = s; }", "s"],
    ["an element", "for (int i = 1; i < 500; i++) b[r][i] = b[r][i - 1] + a[r][i];", "b[r][i]"],
    [
      "a variable declared with the counter",
      "for (int i = 0, k = 1; i < 500; i++) { k ^= a[r][i]; b[r][i] = k; }",
      "k",
    ],
  ])("in %s are shared by teams", (_, inner, name) => {
    const [only, ...more] = told(rows(inner));
    expect(only?.code).toBe("scan-by-lanes");
    expect(only?.message).toContain(`'${name}'`);
    expect(more).toEqual([]);
  });

  it("go to lanes where the levels are named, or the columns lie apart", () => {
    const inner = "for (int i = 0; i < 500; i++) { s += a[r][i]; b[r][i] = s; }";
    expect(why(rows(inner, "parallel loop gang vector"))).toEqual([
      "scan-in-order: each lane has iterations of the loop around it",
    ]);
    const across = "for (int i = 0; i < 64; i++) { s += a[i][r]; b[i][r] = s; }";
    expect(why(rows(across))).toEqual(["scan-in-order: each lane has iterations of the loop around it"]);
  });
});
