/** Which loops teams of lanes share; what they compute is tried in test/programs/combinations/teams.test.ts. */
import { describe, expect, it } from "vitest";
import { kernelOf, remarksOf } from "../../translate.ts";

const head = `
float a[64][80], x[80], y[80];
double v[5120], w[64];
int row[65], col[5120];
float sum;
`;
const region = (directive: string, body: string, inner = "") =>
  `${head}void f(void) {\n#pragma ${directive}\n  for (int i = 0; i < 64; i++) {\n${body.replace("INNER", inner)}\n  }\n}\n`;
const product = "float s = 0;\nINNER\nfor (int k = 0; k < 80; k++) s += a[i][k] * x[k];\ny[i] = s;";

const lanes = (source: string): string => {
  const { text } = kernelOf(source, "opencl");
  if (!/arc_lanes_? \*= 2/.test(text)) return "none";
  return text.includes("arc_item % arc_lanes") ? "inner" : "outer";
};

describe("lanes share what an iteration reduces", () => {
  it.each([
    ["acc parallel loop", ""],
    ["acc kernels", ""],
    ["acc parallel loop", "#pragma acc loop reduction(+:s)"],
    ["omp target teams distribute parallel for", ""],
    ["omp target teams loop", ""],
    ["omp target parallel loop", ""],
  ])("along the rows of a matrix: %s %s", (directive, inner) => {
    expect(lanes(region(directive, product, inner))).toBe("inner");
  });

  it("along the rows of a sparse matrix, as many as its rows are long", () => {
    const source = region(
      "acc parallel loop",
      "double s = 0;\nfor (int k = row[i]; k < row[i + 1]; k++) s += v[k] * w[col[k]];\nw[i] = s;",
    );
    expect(lanes(source)).toBe("inner");
    expect(kernelOf(source, "opencl").text).toMatch(/arc_trips = .*row\[.*arc_rows - 1l.*\+ 1\] - .*row\[/);
  });

  it("along pieces of equal length, several loads at once, but not along rows of any length", () => {
    const pieces = (end: string) =>
      region(
        "acc parallel loop",
        `float s = 0;\nfor (int k = i * 16; k < ${end}; k++) s += x[k];\ny[i] = s;`,
      );
    const [alike, any] = [pieces("(i + 1) * 16"), pieces("i * 17 + 1")].map((p) => kernelOf(p, "cuda").text);
    expect(alike).toMatch(/float4[\s\S]*#pragma unroll 4/);
    expect(any).toContain("#pragma unroll 1");
    expect(any).not.toContain("float4");
  });

  it("of 16 bytes at once where its rows lie at multiples of 16, which each row checks", () => {
    const { text } = kernelOf(region("acc parallel loop", product), "opencl");
    expect(text).toMatch(/&a\[i\]\[.*\| .*&x\[.*% 16ul == 0ul/);
    expect(text).toContain("*(__global const float4 *)&a[i]");
    const apart = region("acc parallel loop", product.replace("a[i][k] * x[k]", "a[i][2 * k % 80]"));
    const guarded = region("acc parallel loop", product.replace("s +=", "if (x[k] > 0) s +="));
    const chosen = region("acc parallel loop", product.replace("a[i][k]", "(k > 3 ? a[i][k] : 0)"));
    for (const other of [apart, guarded, chosen])
      expect(kernelOf(other, "cuda").text).not.toContain("float4");
    // By NVIDIA's OpenCL they took a third longer.
    const ofAnyLength = region("acc parallel loop", product.replace("k < 80", "k < n")).replace(
      "f(void)",
      "f(int n)",
    );
    expect(kernelOf(ofAnyLength, "cuda").text).toContain("float4");
    expect(kernelOf(ofAnyLength, "opencl").text).not.toContain("float4");
  });

  it("of which those that store do so 16 bytes at a time by CUDA", () => {
    const shares = (body: string) =>
      region("acc parallel loop", `${product}\nfor (int k = 0; k < 80; k++) ${body}`);
    const { text } = kernelOf(shares("a[i][k] -= s;"), "cuda");
    expect(text.match(/\*\(float4 \*\)&a\[/g)?.length).toBeGreaterThan(1);
    expect(text).toMatch(/arc_part_0_0 -= s/);
    const inner = "{ float t = 0; for (int l = 0; l < 4; l++) t += a[i][k] * l; a[i][k] = t; }";
    for (const other of [shares("if (k > 3) a[i][k] -= s;"), shares(inner)])
      expect(kernelOf(other, "cuda").text).not.toContain("*(float4 *)&a[");
    expect(kernelOf(shares("a[i][k] -= s;"), "opencl").text).not.toContain("float4");
  });

  it("and the independent loop after it", () => {
    const source = region(
      "acc parallel loop",
      `${product}\nfloat half = s / 2;\nfor (int k = 0; k < 80; k++) a[i][k] -= half;`,
    );
    expect(lanes(source)).toBe("inner");
    const { text } = kernelOf(source, "opencl");
    expect(
      text.match(/= arc_member; arc_k\w* < arc_n\w*; arc_k\w* \+= (4l? \* )?arc_lanes_?\)/g),
    ).toHaveLength(2);
    expect(text).toMatch(/if \(arc_member == 0l\) \{\s*y\[/);
  });

  it("whose iterations load before they store, as compilers cannot know that stores change no later load", () => {
    const loop = (stored: string) =>
      region("acc parallel loop", `${product}\nfor (int k = 0; k < 80; k++) ${stored}`);
    const [store, load] = ["a[i][k_0] = arc_value_0", "arc_value_3 = a[i][k_3] - s"];
    const { text } = kernelOf(loop("a[i][k] -= s;"), "opencl");
    expect(text.indexOf(load)).toBeGreaterThan(0);
    expect(text.indexOf(store)).toBeGreaterThan(text.indexOf(load));
    expect(kernelOf(loop("a[i][k] = s;"), "opencl").text).not.toContain("arc_value");
  });

  it("with neighbours in other iterations where these lie side by side, and only if the device is idle otherwise", () => {
    const source = region(
      "acc parallel loop",
      product.replace("a[i][k]", "a[k % 64][i]").replace("k % 64", "k"),
    );
    expect(lanes(source)).toBe("outer");
    expect(kernelOf(source, "opencl").text).toMatch(/if \(arc_lanes_? == 1l\)/);
  });

  it("with groups of 1024, two of them on a multiprocessor, for columns of numbers of 32 bits", () => {
    const column = (text: string) =>
      kernelOf(
        region("acc parallel loop", text.replaceAll("a[i][k]", "a[k][i]").replaceAll("80", "64")),
        "cuda",
      ).text;
    expect(column(product)).toMatch(/__launch_bounds__\(1024\)[\s\S]*for \(int arc_k_? = arc_member;/);
    const wide = product.replace("float s", "double s");
    expect(column(wide)).toContain("__launch_bounds__(256)");
    expect(column(`${product}\nfor (int k = 0; k < 80; k++) a[i][k] = s;`)).toContain(
      "__launch_bounds__(256)",
    );
  });
});

it("levels named by the user are kept, with a remark about a faster mapping", () => {
  const remarks = (source: string) => remarksOf(source, "opencl");
  const kept = [expect.stringMatching(/ levels-kept$/)];
  expect(remarks(region("acc parallel loop gang vector", product))).toEqual(kept);
  const rows = region(
    "acc parallel loop gang vector_length(32)",
    product,
    "#pragma acc loop vector reduction(+:s)",
  );
  expect(remarks(rows)).toEqual(kept);
  expect(remarks(region("acc parallel loop gang vector", "y[i] = 2 * x[i];"))).toEqual([]);
});

describe("lanes share an iteration", () => {
  it.each([
    [
      "whose inner loop also writes memory",
      region("acc parallel loop", product.replace("s += a", "x[k] = 1, s += a")),
    ],
    ...(
      [
        [
          "with a loop behind that needs what one lane stores",
          "for (int k = 0; k < 80; k++) a[i][k] -= y[i];",
        ],
        [
          "with a loop behind that spoils what one lane reads",
          "y[i] = x[0];\nfor (int k = 0; k < 80; k++) x[k] = s;",
        ],
        ["with code behind all loops", "for (int k = 0; k < 80; k++) a[i][k] = s;\ny[i] = a[i][0];"],
      ] as const
    ).map(([name, behind]) => [name, region("acc parallel loop", `${product}\n${behind}`)]),
  ])("%s", (_, source) => {
    expect(lanes(source)).toBe("inner");
  });
});

describe("iterations stay with one lane", () => {
  it.each([
    ["the user says so", region("acc parallel loop", product, "#pragma acc loop seq")],
    ["the user chose levels", region("acc parallel loop gang vector", product)],
    ["the user chose sizes", region("acc parallel loop vector_length(64)", product)],
    ["the inner loop is short", region("acc parallel loop", product.replace("k < 80", "k < 3"))],
    [
      "the inner loop may end early",
      region("acc parallel loop", product.replace("s += a", "if (s > 9) break; else s += a")),
    ],
    [
      "it is no reduction",
      region("acc parallel loop", product.replace("s += a[i][k]", "s = s / 2 + a[i][k]")),
    ],
    ...(
      [
        ["a loop behind it is in order", "for (int k = 1; k < 80; k++) a[i][k] = a[i][k - 1] + s;"],
        ["a loop behind it counts", "for (int k = 0; k < 80; k++) s += a[i][k] > s;\ny[i] = s;"],
      ] as const
    ).map(([name, behind]) => [name, region("acc parallel loop", `${product}\n${behind}`)]),
    ["the loop reduces itself", region("acc parallel loop reduction(+:sum)", `${product}\nsum += s;`)],
  ])("where %s", (_, source) => {
    expect(lanes(source)).toBe("none");
  });
});
