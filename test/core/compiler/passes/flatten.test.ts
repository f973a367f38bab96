import { describe, expect, it } from "vitest";
import { emit, outputs } from "./harness.ts";

const ones = "num_gangs(1) num_workers(1) vector_length(1)";
const main = (n: number) =>
  `for (int k = 0; k < ${n}; k++) (&a[0][0])[k] = k; WORK(); for (int k = 0; k < ${n}; k++) printf("%d ", (&a[0][0])[k]);`;

describe("flattening", () => {
  it("makes one subscript of several", () => {
    const source = `
static int a[5][7];
void work(void) {
#pragma acc parallel loop ${ones} copy(a)
  for (int i = 1; i < 5; i++) for (int j = 0; j < 7; j++) a[i][j] += a[0][j] * a[i][0];
}`;
    const { serial, kernel, emitted } = outputs({ source, main: main(35) });
    expect(kernel).toBe(serial);
    expect(emitted.text).toContain("a[i * 7 + j]");
  });

  it("leaves arrays whose rows are passed on, and those that functions know by name", () => {
    const source = `
static int a[5][7];
static int first(const int *row) { return row[0]; }
static int corner(int i) { return a[i][6]; }
void work(void) {
#pragma acc parallel loop ${ones} copy(a)
  for (int i = 1; i < 5; i++) for (int j = 1; j < 6; j++) a[i][j] += CALL;
}`;
    for (const call of ["first(a[i])", "corner(i)"]) {
      const { serial, kernel, emitted } = outputs({ source: source.replace("CALL", call), main: main(35) });
      expect(kernel).toBe(serial);
      expect(emitted.remarks.some((r) => r.pass === "flatten")).toBe(false);
    }
  });

  it("computes in 64 bits what does not fit in an int", () => {
    const { text } = emit(`
static char big[70000][40000];
void work(void) {
#pragma acc parallel loop ${ones} copy(big)
  for (int i = 0; i < 70000; i++) big[i][3] = 1;
}`);
    expect(text).toMatch(/\(long\)i \* 40000/);
  });
});
