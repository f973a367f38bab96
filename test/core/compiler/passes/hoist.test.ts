import { describe, expect, it } from "vitest";
import { type Emitted, emit, outputs } from "./harness.ts";

const ones = "num_gangs(1) num_workers(1) vector_length(1)";
const loop = (body: string) => `
float fabsf(float);
void work(const float *restrict a, const float *restrict b, float *restrict y) {
#pragma acc parallel loop ${ones} copyin(a[0:50], b[0:50]) copy(y[0:50])
  for (int i = 0; i < 50; i++) { ${body} }
}`;
const main = `
  float a[50], b[50], y[50];
  for (int k = 0; k < 50; k++) { a[k] = k % 7; b[k] = k % 5 - 2; y[k] = k; }
  WORK(a, b, y);
  for (int k = 0; k < 50; k++) printf("%g ", y[k]);
`;
const products = (text: string) => text.slice(text.indexOf("for (")).match(/[\w\])] \* /g)?.length ?? 0;
const hoistRemarks = (emitted: Emitted) => emitted.remarks.filter((r) => r.pass === "hoist");

function both(body: string): { before: string; after: Emitted } {
  const { serial, kernel, emitted } = outputs({ source: loop(body), choice: { hoist: true }, main });
  expect(kernel).toBe(serial);
  return { before: emit(loop(body)).text, after: emitted };
}

describe("branch-variant code motion", () => {
  it("computes what both branches compute once", () => {
    const { before, after } = both("if (i % 3) y[i] += a[i] * b[i]; else y[i] += a[49 - i] * b[0];");
    expect(products(before)).toBe(2);
    expect(products(after.text)).toBe(1);
    expect(hoistRemarks(after)[0]?.message).toContain("2 branches share a pattern: 2 operators instead of 4");
  });

  it("takes a chain of nine cases as one conditional", () => {
    const cases = ["i == 0", "i == 6", "i == 42", "i == 48", "i < 7", "i > 41", "i % 7 == 0", "i % 7 == 6"];
    const at = (n: string, s: string) => `d = 2 * (${n} * 3 - ${s} * b[i]) + a[i];`;
    const body = `float d; ${cases.map((c, k) => `if (${c}) { ${at(`a[${k}]`, `a[i > ${k} ? i - ${k} : 0]`)} } else`).join(" ")} { ${at("a[i - 1]", "a[i + 1]")} } y[i] = d;`;
    const { before, after } = both(body);
    expect(products(before)).toBe(27);
    expect(products(after.text)).toBe(3);
    expect(hoistRemarks(after)[0]?.message).toContain("9 branches");
  });

  it("leaves branches with different operators alone", () => {
    const { before, after } = both("if (i % 3) y[i] = a[i] * b[i]; else y[i] = a[i] / (b[i] + 9);");
    expect(products(after.text)).toBe(products(before));
    expect(hoistRemarks(after)[0]).toMatchObject({ applied: false });
  });

  it("leaves a conditional alone whose condition depends on what would move", () => {
    const { after } = both("float v = y[i]; if (v > 9) v = a[i] * b[i]; else v = a[0] * b[1]; y[i] = v;");
    expect(hoistRemarks(after)[0]).toMatchObject({
      applied: false,
      message: "the condition depends on what would move",
    });
  });

  it("moves dependent statements together", () => {
    const { after } = both(
      "float p, q; if (i % 3) { p = a[i] * 2; q = p * b[i]; } else { p = a[0] * 3; q = p * b[1]; } y[i] = p + q;",
    );
    expect(products(after.text)).toBe(2);
  });

  it("keeps a statement in its branch when an operand needs its result", () => {
    both(
      "float p, q; if (i % 3) { p = a[i] * 2; q = (p + 1) * b[i]; } else { p = a[0] * 3; q = (p - a[i]) * b[1]; } y[i] = p + q;",
    );
  });

  it("keeps a statement in its branch when an operand reads what one before it changes, by whatever name", () => {
    const places = ["v", "*p", "t.x", "t.y", "w[0]", "w[1]", "q[1]", "*r"];
    const objects =
      "struct { float x, y; } t; float w[2], v = 5, u; t.x = 1; t.y = 2; w[0] = 3; w[1] = 4; float *p = &v, *q = w, *r = &t.y;";
    const blocks = places.flatMap((to) =>
      places.map((from, k) => {
        const branch = (at: string, sign: string) =>
          `{ ${to} = a[${at}] * 2; u = (${from} ${sign} 1) * b[${at}]; }`;
        return `{ ${objects} if (i % 3) ${branch("i", "+")} else ${branch("0", "-")} y[i] += u * ${k + 1}; }`;
      }),
    );
    both(blocks.join("\n"));
  });

  it("splits a conditional around a pattern in front of what differs", () => {
    const { after } = both(
      "float p; if (i % 3) { p = a[i] * b[i]; y[i] = p; } else { p = a[0] * b[1]; y[49 - i] += p / 3; }",
    );
    expect(products(after.text)).toBe(1);
    expect(hoistRemarks(after)[0]?.message).toContain("split");
  });

  it("does nothing without a last else", () => {
    const { before, after } = both(
      "if (i % 3 == 0) y[i] += a[i] * b[i]; else if (i % 3 == 1) y[i] += a[0] * b[1];",
    );
    expect(products(after.text)).toBe(products(before));
    expect(hoistRemarks(after)[0]?.message).toContain("a branch is missing");
  });

  it("leaves loads where they were guarded", () => {
    // The address sanitizer watches: a[i - 9] and a[i + 9] exist only under their conditions.
    both("if (i >= 9) y[i] = a[i - 9] * b[i]; else y[i] = a[i + 9] * b[i];");
  });

  it("distinguishes variables of the same name in two branches", () => {
    both("if (i % 2) { float k = a[i]; y[i] = k * 3 + k; } else { float k = b[i]; y[i] = k * 3 + k; }");
  });
});
