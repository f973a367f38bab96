/** Atomic updates of few elements meet in group memory, and only where nothing can tell the difference. */
import { describe, expect, test } from "vitest";
import { count, kernelOf, remarksOf } from "../../translate.ts";

const region = (body: string, params = "const unsigned char *restrict key, unsigned *restrict bins") => `
int small[4], table[2][3], big[100000], sum[8];
void f(int n, ${params}) {
#pragma acc parallel loop present(key[0:n], bins)
  for (int i = 0; i < n; i++) {
    ${body}
  }
}`;
const atomic = (statement: string) => `
#pragma acc atomic
    ${statement}`;
const gathered = (source: string, kind: "cuda" | "host" | "opencl" = "cuda") =>
  kernelOf(source, kind).text.includes("_of_group[");

describe("atomic updates by one operator", () => {
  test("go to a copy in group memory, which starts neutral and is added to the array at the end", () => {
    const { text, manifest } = kernelOf(region(atomic("small[key[i] % 4] += 2;")), "cuda");
    expect(text).toContain("__shared__ int small_of_group[4];");
    expect(text).toMatch(/small_of_group\[arc_t\] = .*0;\n {2}__syncthreads\(\);/);
    expect(text).toContain("arc_atomic_add_int(&(small_of_group[key[i] % 4]), 2);");
    expect(text).toContain("arc_atomic_add_int(&(small[arc_t]), small_of_group[arc_t]);");
    expect(manifest).toContain("cu 8 * min");
  });

  test("keep an item at one iteration where that has a loop inside, whose loads are enough", () => {
    const once = atomic("small[key[i] % 4] += 2;");
    const nested = `int best = 0;\nfor (int k = 0; k < 16; k++) best += key[(i + k) % n] > 3;${atomic("small[best % 4] += 2;")}`;
    expect(kernelOf(region(once), "cuda").text).toContain("arc_i += 4l * arc_stride");
    expect(kernelOf(region(nested), "cuda").text).not.toContain("4l * arc_stride");
  });

  test("are ordinary ones in the copy of a group of one work-item", () => {
    const { text } = kernelOf(region(atomic("small[key[i] % 4] += 2;")), "host");
    expect(text).toContain("small_of_group[key[i] % 4] += 2;");
    expect(count(text, /arc_atomic_add_int\(&/)).toBe(1);
  });

  test("beyond the part of an array of unknown size that fits go to the array itself", () => {
    const { text } = kernelOf(region(atomic("bins[key[i]]++;")), "cuda");
    expect(text).toMatch(/if \(\(unsigned long\)arc_at(_0)? < 2048ul\)/);
    expect(text).toMatch(/arc_atomic_add_uint_int\(&\(bins\[arc_at(_0)?\]\), 1\)/);
  });

  describe("through a pointer to rows of constant size", () => {
    const rows = (section: string, type = "float", row = "[64]") =>
      region(
        atomic(`h[key[i]]${row === "[64]" ? "[i % 64]" : "[i % 4][i % 8]"} += 1;`),
        `const unsigned char *restrict key, ${type} (*restrict h)${row}`,
      ).replace("bins)", `${section})`);

    test.each([
      ["as many rows as the clause says", rows("h[0:64]"), "float h_of_group[4096]"],
      ["with sections of both dimensions", rows("h[0:64][0:64]"), "float h_of_group[4096]"],
      ["whole rows where their number is unknown", rows("h[0:n]"), "float h_of_group[2048]"],
      ["of doubles", rows("h[0:64]", "double"), "double h_of_group[4096]"],
      ["the rows that fit", rows("h[0:100]", "double"), "double h_of_group[4096]"],
      ["rows of rows", rows("h[0:9]", "int", "[4][8]"), "int h_of_group[288]"],
    ])("have a copy: %s", (_, source, copy) => {
      expect(kernelOf(source, "cuda").text).toContain(`__shared__ ${copy};`);
      expect(remarksOf(source, "cuda").join()).toContain("gathered-by-groups");
    });

    test("have none if a row does not fit", () => {
      expect(
        gathered(rows("h[0:9]", "float", "[64][64][4]").replace("[i % 4][i % 8]", "[i % 4][i % 8][0]")),
      ).toBe(false);
    });

    test("fewer groups fill and add up large copies", () => {
      expect(kernelOf(rows("h[0:64]"), "cuda").manifest).toContain("cu 4 * min");
      expect(kernelOf(rows("h[0:4]"), "cuda").manifest).toContain("cu 8 * min");
    });
  });

  test("of several arrays, rows, and a scalar each have their copy", () => {
    const source = region(
      atomic("small[key[i] % 4] |= 1 << i;") + atomic("table[i % 2][i % 3] -= i;") + atomic("total += i;"),
    )
      .replace("void f(", "long total;\nvoid f(")
      .replace("acc parallel loop", "acc parallel loop copy(total)");
    const { text } = kernelOf(source, "opencl");
    for (const copy of ["int small_of_group[4]", "int table_of_group[2][3]", "long total_of_group"])
      expect(text).toContain(`__local ${copy};`);
  });
});

describe("what somebody could notice is updated in place", () => {
  test.each([
    ["operators that do not commute", atomic("small[i % 4] += 1;") + atomic("small[i % 4] *= 2;")],
    ["an array that the region reads", `${atomic("small[i % 4] += 1;")} big[i] = small[0];`],
    [
      "an array whose old values are captured",
      "int old;\n#pragma acc atomic capture\n    old = small[0]++;\n    big[i] = old;",
    ],
    ["an array larger than group memory", atomic("big[i % 100000] += 1;")],
    ["a division", atomic("small[i % 4] /= 2;")],
  ])("%s", (_, body) => expect(gathered(region(body))).toBe(false));

  test("an array that another pointer may alias, if an iteration continues after its update", () => {
    const params = "const int *key, unsigned *bins";
    const update = atomic("bins[i] += 1;");
    expect(gathered(region(`${update} big[i] = key[i];`, params))).toBe(false);
    expect(gathered(region(`big[i] = key[i]; ${update}`, params))).toBe(true);
    expect(gathered(region(`${update} big[i] = key[i];`))).toBe(true);
  });

  test("a floating-point array, unless in sums or where a reduction leaves the order open", () => {
    const product = region("key[i];", "const unsigned char *restrict key, float *restrict bins");
    expect(gathered(product.replace("key[i];", atomic("bins[i % 4] *= 2;")))).toBe(false);
    expect(gathered(product.replace("key[i];", atomic("bins[i % 4] += 2;")))).toBe(true);
  });

  test("an array that a called function updates", () => {
    const source = region(`${atomic("small[i % 4] += 1;")} other();`);
    const routine =
      "#pragma acc routine seq\nvoid other(void) {\n#pragma acc atomic\n  small[0] += 1; }\nvoid f(";
    expect(gathered(source.replace("void f(", routine))).toBe(false);
  });
});

describe("array reductions", () => {
  const reduce = (clause: string, body: string) => `
int sum[8]; double *s; float low[4];
double fmin(double, double);
void f(int n, int m) {
#pragma acc parallel loop reduction(${clause})
  for (int i = 0; i < n; i++) { ${body} }
}`;
  const atomics = (source: string) => count(kernelOf(source, "cuda").text, /arc_atomic_\w+\(&/) > 0;

  test.each([
    ["a compound assignment", "+:sum", "sum[i % 8] += i;"],
    ["a subtraction", "+:sum", "sum[i % 8] -= i;"],
    ["an increment", "+:sum", "sum[i % 8]++;"],
    ["the element on the right", "*:sum", "sum[i % 8] = i * sum[i % 8];"],
    ["a sum around the element", "+:sum", "sum[i % 8] = 1 + sum[i % 8] - i;"],
    ["a call of fmin", "min:s[0:m]", "s[i % m] = fmin(s[i % m], i);"],
    ["a choice", "max:sum", "sum[0] = sum[0] > i ? sum[0] : i;"],
    ["a condition", "min:low", "if (low[i % 4] > i) low[i % 4] = i;"],
    ["a logical operator", "&&:sum", "sum[1] = sum[1] && i;"],
  ])("recognise %s", (_, clause, body) => expect(atomics(reduce(clause, body))).toBe(true));

  test("launch one work-item when elements are used otherwise, and say so", () => {
    const { manifest } = kernelOf(reduce("+:sum", "sum[0] += i; if (sum[0] > 5) sum[1] += 1;"), "cuda");
    expect(manifest).toContain("group 1 ; 1 ; 1\ngrid 1 ; 1 ; 1");
  });
});
