/** What `tile` and `unroll` of OpenMP make of loops, in the text of kernels. */
import { describe, expect, test } from "vitest";
import { count, kernelOf } from "../../translate.ts";

const kinds = ["host", "opencl", "cuda"] as const;

const region = (directives: string, code: string) => `
void f(int n, int *a) {
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * 10])
${directives}
  ${code}
}`;

const NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < 10; j++) a[i * 10 + j] = i;";

describe.each(kinds)("loops of %s", (kind) => {
  const textOf = (directives: string, code: string) => kernelOf(region(directives, code), kind).text;
  const pragma = kind === "host" ? "#pragma GCC unroll" : "#pragma unroll";

  test("are shared out by tiles, and those inside stay in their tile", () => {
    const text = textOf("#pragma omp tile sizes(4, 3)", NEST);
    expect(text).toContain("((long)n + 3l) / 4l");
    expect(text).toContain("i < (i_tile + 4l < (long)n ? i_tile + 4l : (long)n)");
    expect(text).toContain("j < (j_tile + 3l < (long)10 ? j_tile + 3l : (long)10)");
  });

  test("are shared out by parts, which are unrolled", () => {
    const text = textOf("#pragma omp unroll partial(4)", NEST);
    expect(text).toContain("((long)n + 3l) / 4l");
    expect(text).toMatch(new RegExp(`${pragma} 4\\n *for \\(int i = `));
  });

  test("in an iteration are unrolled as often as is said, or all of them", () => {
    const inner = (directive: string) =>
      textOf(
        "",
        `for (int i = 0; i < n; i++) {\n#pragma omp ${directive}\nfor (int k = 9; k > 0; k -= 2) a[i] += k;\n}`,
      );
    expect(inner("unroll partial(2)")).toMatch(new RegExp(`${pragma} 2\\n *for \\(int k = 9; `));
    expect(inner("unroll full")).toMatch(new RegExp(`${pragma} 5\\n *for \\(int k = 9; `));
    expect(count(inner("unroll"), "unroll")).toBe(0);
  });

  test.each([
    ["tile sizes(4)", "int i; for (i = 0; i < n; i++) a[i] = i;"],
    ["tile sizes(4)", "for (int i = 0; i != n; i++) a[i] = i;"],
    ["tile sizes(4)", "for (int i = 0; i < n; i += n) a[i] = i;"],
    ["tile sizes(4, 4)", "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) a[j] = i;"],
    ["tile sizes(4)", "for (int i = -3; i < (unsigned)n; i++) a[i + 3] = i;"],
  ])("stay as they are where tiles could be others: %s %s", (directive, code) => {
    const alone = `void f(int n, int *a) {\n#pragma omp target map(tofrom: a[0:n])\n{ ${code.replace(/for/, `\n#pragma omp ${directive}\nfor`)} }\n}`;
    expect(kernelOf(alone, kind).text).not.toContain("_tile");
  });
});
