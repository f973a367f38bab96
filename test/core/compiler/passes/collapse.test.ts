import { describe, expect, it } from "vitest";
import { emit, outputs, translate } from "./harness.ts";

const ones = "num_gangs(1) num_workers(1) vector_length(1)";

/** Records the order of iterations in `log`. */
const nest = (depth: number, loops: string, body: string, clauses = ones) => `
#define NEXT log[(*n)++]
void work(int *restrict n, int *restrict log, int lo, int hi, int step) {
#pragma acc parallel loop collapse(${depth}) ${clauses} copy(n[0:1], log[0:4000])
${loops}
      { ${body} }
}`;
const main = (lo: number, hi: number, step = 1) => `
  static int log[4000]; int n = 0;
  WORK(&n, log, ${lo}, ${hi}, ${step});
  printf("%d:", n); for (int k = 0; k < n; k++) printf(" %d", log[k]);
`;

describe("a collapsed nest in a single work-item", () => {
  it("counts with neither division nor remainder", () => {
    const source = nest(2, "for (int i = 0; i < 5; i++) for (int j = 0; j < 7; j++)", "NEXT = i * 100 + j;");
    const { serial, kernel, emitted } = outputs({ source, main: main(0, 0) });
    expect(kernel).toBe(serial);
    expect(emitted.text).not.toMatch(/[/%]/);
  });

  it("divides in an NDRange kernel, where iterations have no order", () => {
    const loops = "for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 5; k++)";
    expect(emit(nest(3, loops, "log[i + j + k] = 1;", "")).text).toMatch(/%/);
  });

  it("has one counter per loop", () => {
    const source = nest(
      3,
      "for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 5; k++)",
      "NEXT = i * 10000 + j * 100 + k;",
    );
    const { serial, kernel } = outputs({ source, main: main(0, 0) });
    expect(kernel).toBe(serial);
  });

  it.each([
    [
      "bounds that do not start at 0",
      "for (int i = lo; i <= hi; i++) for (int j = lo + 2; j < hi; j += step)",
      3,
      11,
      2,
    ],
    ["loops that count down", "for (int i = hi; i > lo; i -= step) for (int j = hi; j >= lo; j--)", -3, 6, 2],
    ["!= as the condition", "for (int i = lo; i != hi; i++) for (int j = 0; j != 4; j++)", 0, 4, 1],
    [
      "an inner loop without iterations",
      "for (int i = 0; i < 4; i++) for (int j = hi; j < lo; j++)",
      0,
      6,
      1,
    ],
    ["an outer loop without iterations", "for (int i = 5; i < lo; i++) for (int j = 0; j < 3; j++)", 2, 3, 1],
    ["two negative trip counts", "for (int i = 0; i < lo; i++) for (int j = 0; j < hi; j++)", -2, -3, 1],
    [
      "small unsigned counters",
      "for (unsigned char i = 0; i < 9; i++) for (unsigned char j = 0; j < hi; j++)",
      0,
      20,
      1,
    ],
  ])("runs as in C with %s", (_name, loops, lo, hi, step) => {
    const { serial, kernel } = outputs({
      source: nest(2, loops, "NEXT = i * 100 + j;"),
      main: main(lo, hi, step),
    });
    expect(kernel).toBe(serial);
  });

  it.each([
    "if (j % 3 == 1) continue; NEXT = i * 100 + j;",
    "if (j % 3 == 1) { NEXT = -1; continue; } else if (i == 2) { NEXT = -2; } NEXT = i * 100 + j;",
    "if (i > 1) { if (j == 2) continue; NEXT = 7; } NEXT = i * 100 + j;",
    "switch (j) { case 1: continue; case 2: NEXT = -2; break; default: NEXT = -3; } NEXT = i * 100 + j;",
    "{ int h = j; if (h == 1) continue; NEXT = h; } int h = 5; NEXT = h; if (j == 3) continue; NEXT = h + 1;",
    "for (int k = 0; k < 4; k++) { if (k == 2) continue; NEXT = k; }",
  ])("counts iterations that `continue` leaves: %s", (body) => {
    const { serial, kernel } = outputs({
      source: nest(2, "for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++)", body),
      main: main(0, 0),
    });
    expect(kernel).toBe(serial);
  });

  it("takes the product of trip counts in 64 bits", () => {
    const { text } = emit(`
void work(int m, int n, double *restrict s) {
#pragma acc parallel loop collapse(2) ${ones} copy(s[0:1])
  for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) s[0] += i ^ j;
}`);
    expect(text).toMatch(/const long|long arc_n_i/);
    expect(text).toContain("(long)m");
  });

  it("is refused if there are statements between the loops", () => {
    const { diagnostics } = translate(
      nest(2, "for (int i = 0; i < 5; i++) { NEXT = 1; for (int j = 0; j < 7; j++)", "NEXT = 2; }"),
    );
    expect(diagnostics[0]).toMatchObject({ code: "imperfect-nest" });
  });
});

describe("the collapse axis", () => {
  const source = `
void work(int *restrict n, int *restrict log, int hi) {
#pragma acc parallel loop ${ones} copy(n[0:1], log[0:4000])
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < hi; j++) log[(*n)++] = i * 100 + j;
}`;

  it("collapses nests that the directives leave nested", () => {
    const run =
      'static int log[4000]; int n = 0; WORK(&n, log, 5); for (int k = 0; k < n; k++) printf(" %d", log[k]);';
    const { serial, kernel, emitted } = outputs({ source, choice: { collapse: true }, main: run });
    expect(kernel).toBe(serial);
    expect(emitted.text.match(/\bfor \(/g)).toHaveLength(1);
    expect(emit(source).text.match(/\bfor \(/g)).toHaveLength(2);
  });

  it("leaves a triangular nest unchanged and says why", () => {
    const { remarks, text } = emit(source.replace("j < hi", "j < i"), { collapse: true });
    expect(text.match(/\bfor \(/g)).toHaveLength(2);
    expect(remarks.find((r) => r.pass === "collapse")?.message).toContain("bounds depend on an outer loop");
  });
});
