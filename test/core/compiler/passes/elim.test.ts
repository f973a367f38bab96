import { describe, expect, it } from "vitest";
import { emit } from "./harness.ts";

const source = (n: string, clauses = "") => `
void work(int n, float *restrict a) {
#pragma acc parallel loop ${clauses} copy(a[0:4096])
  for (int i = 0; i < ${n}; i++) a[i] = a[i] * 2;
}`;
const guards = (text: string) => text.match(/if \(arc_i </g)?.length ?? 0;

describe("boundary-check elimination", () => {
  it("leaves the check out where work-items and iterations are equally many", () => {
    const { text, remarks } = emit(source("4096"), { elim: true });
    expect(guards(text)).toBe(0);
    expect(text).not.toContain("for (");
    expect(remarks.find((r) => r.pass === "elim")).toMatchObject({ applied: true });
    expect(guards(emit(source("4096")).text)).toBe(1);
  });

  it("keeps it where the grid is rounded up", () => {
    const { text, remarks } = emit(source("4095"), { elim: true });
    expect(guards(text)).toBe(1);
    expect(remarks.find((r) => r.pass === "elim")?.message).toContain("not known to be a multiple");
  });

  it("keeps it where the number of iterations is not known", () => {
    expect(guards(emit(source("n"), { elim: true }).text)).toBe(1);
  });

  it("keeps the loop where the user chose the number of gangs", () => {
    expect(emit(source("4096", "num_gangs(7)"), { elim: true }).text).toContain("for (long");
  });

  it("leaves it out where the sizes that the user chose make one work-item for each iteration", () => {
    const { text, remarks } = emit(source("4096", "num_gangs(32) vector_length(128)"), { elim: true });
    expect(text).not.toMatch(/for \(|if \(arc_i </);
    expect(remarks.find((r) => r.pass === "elim")).toMatchObject({ applied: true });
    for (const [n, gangs] of [
      ["4096", 31],
      ["4096", 33],
      ["4095", 32],
      ["n", 32],
    ] as const) {
      const other = emit(source(n, `num_gangs(${gangs}) vector_length(128)`), { elim: true });
      expect(other.text).toContain("for (long");
      expect(other.remarks.find((r) => r.pass === "elim")?.message).toContain(
        "one work-item for each iteration",
      );
    }
  });

  it("has no effect in a single work-item", () => {
    const { remarks } = emit(source("4096"), { model: "swi", elim: true });
    expect(remarks.find((r) => r.pass === "elim")).toMatchObject({ applied: false });
  });

  it("covers a nest by a plane of work-items", () => {
    const nest = (rows: number) => `
void work(float *restrict a) {
#pragma acc parallel loop collapse(2) copy(a[0:4096])
  for (int i = 0; i < ${rows}; i++) for (int j = 0; j < 64; j++) a[i * 64 + j] = i;
}`;
    expect(emit(nest(32), { elim: true }).text).not.toMatch(/\bif \(|\bfor \(/);
    expect(emit(nest(33), { elim: true }).text).toMatch(/if \(arc_i </);
  });
});
