/** Critical sections that combine values into arrays become reductions of OpenACC, and others are refused. */
import { describe, expect, it } from "vitest";
import { Rig } from "../../cli/rig.ts";
import { hasOpenCl } from "../../programs/devices.ts";
import { refusals, statement, translated } from "./translating.ts";

const FOR = "target teams distribute parallel for";

const translation = (section: string): string =>
  statement(
    `#pragma omp ${FOR} map(tofrom: a, m, y[0:n], rows[0:n][0:20], t)\nfor (i = 0; i < n; i++) {\n${section}\n}`,
    "openacc",
  );

describe("a critical section becomes a reduction of the loops around it", () => {
  it.each([
    ["#pragma omp critical\na[i % 9] += q;", "+:a[0:100]", "a[i % 9] += q;"],
    ["#pragma omp critical\nt += b[i];", "+:t", "t += b[i];"],
    ["#pragma omp critical(two)\n{ t = t * b[i]; a[i] *= 2; }", "*:t", "{ t = t * b[i]; a[i] *= 2; }"],
    ["#pragma omp critical\nif (b[i] > t) t = b[i];", "max:t"],
    ["#pragma omp critical\na[i % 9] -= q;", "+:a[0:100]", "a[i % 9] -= q;"],
    ["#pragma omp critical\na[i % 9] = q * a[i % 9];", "*:a[0:100]", "a[i % 9] = q * a[i % 9];"],
    [
      "#pragma omp critical(one)\n{ a[i % 9]++; a[1] = a[1] + 2; }",
      "+:a[0:100]",
      "{ a[i % 9]++; a[1] = a[1] + 2; }",
    ],
    [
      "#pragma omp critical\nfor (int e = 0; e < 4; e++) y[e] += b[e];",
      "+:y[0:n]",
      "for (int e = 0; e < 4; e++) y[e] += b[e];",
    ],
    ["#pragma omp critical\nif (b[i] > a[i % 9]) a[i % 9] = b[i];", "max:a[0:100]"],
    ["#pragma omp critical\na[i % 9] = a[i % 9] < b[i] ? a[i % 9] : b[i];", "min:a[0:100]"],
    ["#pragma omp critical\n{ if (y[0] > b[i]) { y[0] = b[i]; } }", "min:y[0:n]"],
    ["#pragma omp critical\nm[i % 10][i % 3] += b[i];", "+:m[0:10]"],
    [
      "#pragma omp critical\nfor (int e = 0; e < 4; e++) for (int g = 0; g < 4; g++) m[e][g] += b[e] * b[g];",
      "+:m[0:10]",
    ],
    ["#pragma omp critical\nif (m[i % 10][1] < b[i]) m[i % 10][1] = b[i];", "max:m[0:10]"],
    ["#pragma omp critical\nif (q > 3) a[i] += 1;", "+:a[0:100]"],
    ["#pragma omp critical\nrows[i][2] += b[i];", "+:rows[0:n][0:20]"],
  ])("%s", (section, clause, left = section.replace("#pragma omp critical\n", "")) => {
    const made = translation(section);
    expect(made).toContain(`reduction(${clause})`);
    expect(made).not.toContain("critical");
    expect(made).toContain(`{\n${left}\n}`);
  });

  it("also where a mapping leaves the level open", () => {
    const code = `#pragma omp ${FOR} map(tofrom: t)\nfor (i = 0; i < n; i++) {\n#pragma omp critical\nt += b[i]; }`;
    expect(statement(code, "openacc", "5.0", "gcc")).toContain("independent reduction(+:t)");
  });

  it("each of them, where loops are shared out one inside the other", () => {
    const made = statement(
      `#pragma omp target teams distribute map(tofrom: a)
for (i = 0; i < n; i++) {
#pragma omp parallel for
for (j = 0; j < n; j++) {
#pragma omp critical
a[j % 9] += q; } }`,
      "openacc",
    );
    expect(made.match(/loop .*reduction\(\+:a\[0:100\]\)/g)).toHaveLength(2);
  });
});

describe("a critical section that is no reduction is refused", () => {
  const said = "'critical' has no counterpart in OpenACC, and this one is no reduction";
  it.each([
    ["#pragma omp critical\nt = t + 1;", "each team has a 't' of its own"],
    ["#pragma omp critical\n{ t += a[i]; a[0] = t; }", "it does more than combine values into variables"],
    ["#pragma omp critical\na[i] = q;", "it does more than combine values into variables"],
    ["#pragma omp critical\na[i] += a[i + 1];", "it does more than combine values into variables"],
    ["#pragma omp critical\na[i] += k++;", "it does more than combine values into variables"],
    ["#pragma omp critical\nif (a[0] > 3) a[i] += 1;", "it does more than combine values into variables"],
    [
      "#pragma omp critical\nif (b[i] > a[0]) { a[0] = b[i]; a[1] = i; }",
      "it does more than combine values into variables",
    ],
    [
      "#pragma omp critical\nif (b[i] > a[0]) a[0] = b[i] + 1;",
      "it does more than combine values into variables",
    ],
    ["#pragma omp critical\na[i] /= 2;", "no reduction combines by '/'"],
    ["#pragma omp critical\n{ a[i] += 2; a[1] *= 3; }", "'a' is combined by two operators"],
    [
      "b[i] = a[i];\n#pragma omp critical\na[i] += 2;",
      "the region uses 'a' outside of critical sections, too",
    ],
    ["#pragma omp critical\nx[i] += 2;", "how many elements 'x' has is not known"],
    [
      "#pragma omp critical\na[i] += 2;\n#pragma omp critical\na[i] *= 2;",
      "another section combines 'a' by another operator",
    ],
  ])("%s", (section, why) => {
    const code = `#pragma omp ${FOR} map(tofrom: a, m, y[0:n], rows[0:n][0:20])\nfor (i = 0; i < n; i++) {\n${section}\n}`;
    const found = refusals(code, "openacc").filter((one) => one.includes("critical"));
    expect(found[0]).toContain(`${said}: ${why}`);
    expect(found[0]).toMatch(/^[3-6]:13 /);
  });
});

interface Case {
  readonly outer: string;
  readonly op: string;
  readonly update: string;
}

const OUTERS = [
  `#pragma omp ${FOR} MAP\nfor (int i = 0; i < 96; i++) { int v = i % 5 + 1; SECTION }`,
  "#pragma omp target teams distribute MAP\nfor (int o = 0; o < 12; o++) {\n#pragma omp parallel for\nfor (int k = 0; k < 8; k++) { int i = o * 8 + k; int v = i % 5 + 1; SECTION } }",
  `#pragma omp ${FOR} collapse(2) MAP\nfor (int o = 0; o < 12; o++) for (int k = 0; k < 8; k++) { int i = o * 8 + k; int v = i % 5 + 1; SECTION }`,
];
const UPDATES = ["r[i % 7] OP= v;", "for (int e = 0; e < 7; e++) r[e] OP= v + e;"];
const EXTREMES: Readonly<Record<string, string>> = {
  max: "if (v * 97u % 31 > r[i % 7]) r[i % 7] = v * 97u % 31;",
  min: "for (int e = 0; e < 7; e++) r[e] = r[e] < v + e ? r[e] : v + e;",
};
const OPS = ["+", "-", "*", "&", "|", "^", ...Object.keys(EXTREMES)];
/** Each operator, and each pair of a loop and an update. */
const all = OPS.map(
  (op, k): Case => ({
    outer: OUTERS[k % OUTERS.length] as string,
    update: EXTREMES[op] ?? (UPDATES[Math.floor(k / OUTERS.length)] as string),
    op,
  }),
);

/** Unsigned: products wrap around, whatever their order is. */
const program = [
  "extern int printf(const char *, ...);",
  ...all.map(({ outer, op, update }, c) => {
    const section = `\n#pragma omp critical\n{ ${update.replace("OP", op)} }\n`;
    return `static void f${c}(unsigned *r) {\n${outer.replace("MAP", "map(tofrom: r[0:7])").replace("SECTION", section)}\n}`;
  }),
  "int main(void) {",
  ...all.map(
    (_, c) =>
      `{ unsigned r[7] = {3, 1, 255, 7, 9, 1023, 64}; f${c}(r); for (int e = 0; e < 7; e++) printf("%u ", r[e]); printf("\\n"); }`,
  ),
  "return 0; }",
  "",
].join("\n");

it("what it combines is the same: every operator, in loops of one level and of two", async () => {
  const { text, diagnostics } = translated(program, "openacc");
  expect(diagnostics).toEqual([]);
  expect(text).not.toContain("critical");
  const rig = new Rig({ "omp.c": program, "acc.c": text }, "shared");
  // PoCL takes a minute for these kernels.
  const isSlow = process.env.ARC_SLOW_TESTS !== undefined;
  const kinds = ["host", ...(hasOpenCl && isSlow ? ["opencl"] : [])];
  const targets = kinds.flatMap((kind) => ["-target", kind]);
  const made = [
    await rig.run("gcc", ["-w", "omp.c", "-o", "serial"]),
    await rig.arc(["cc", "-acc", ...targets, "acc.c", "-o", "acc"]),
  ];
  expect(made).toEqual(made.map(() => ({ status: 0, out: "", err: "" })));
  const serial = await rig.run("./serial", []);
  for (const ARC_TARGET of kinds) expect(await rig.run("./acc", [], { env: { ARC_TARGET } })).toEqual(serial);
}, 180_000);
