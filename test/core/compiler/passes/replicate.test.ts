import { describe, expect, it } from "vitest";
import { emit, translate } from "./harness.ts";

const source = (clauses = "", pragmas = "") => `
void work(int n, float *restrict a) {
#pragma acc parallel loop ${clauses} copy(a[0:4096])
${pragmas}
  for (int i = 0; i < 4096; i++) a[i] = a[i] * 2;
}`;

describe("replication of a kernel's data path", () => {
  it("is an attribute beside a work-group size that the lanes divide", () => {
    const { text } = emit(source(), { simd: 8, "compute-units": 3 });
    const [, group, simd, units] =
      /reqd_work_group_size\((\d+), 1, 1\)[\s\S]*num_simd_work_items\((\d+)\)[\s\S]*num_compute_units\((\d+)\)/.exec(
        text,
      ) ?? [];
    expect([simd, units]).toEqual(["8", "3"]);
    expect(Number(group) % 8).toBe(0);
  });

  it.each([
    "#pragma openarc opencl num_simd_work_items(4)\n#pragma openarc opencl num_compute_units(2)",
    "#pragma openarc opencl num_simd_work_items(4) num_compute_units(2)",
    "#pragma openarc opencl num_compute_units((1 + 1)), num_simd_work_items(4)",
  ])("can be asked for in the source: %s", (pragmas) => {
    expect(emit(source("", pragmas)).text).toContain("num_simd_work_items(4)");
    expect(emit(source("", pragmas)).text).toContain("num_compute_units(2)");
    expect(emit(source("", pragmas), { simd: 1, "compute-units": 1 }).text).not.toMatch(
      /num_simd|num_compute/,
    );
  });

  it("is refused in a single work-item and for groups that the lanes do not divide", () => {
    expect(translate(source(), { simd: 4, model: "swi" }).diagnostics[0]).toMatchObject({
      code: "replication-of-single-work-item",
    });
    expect(translate(source(), { "compute-units": 4, model: "swi" }).diagnostics[0]).toMatchObject({
      code: "replication-of-single-work-item",
    });
    const odd = translate(source("vector_length(36)"), { simd: 8 }).diagnostics[0];
    expect(odd).toMatchObject({ code: "simd-group-size" });
    expect(odd?.remedy).toContain("multiple of 8");
  });

  it("warns that a check of the work-item may keep lanes from lock-step", () => {
    expect(
      emit(source(), { simd: 4 })
        .remarks.map((r) => r.message)
        .join(),
    ).toContain("elim: true");
    expect(
      emit(source(), { simd: 4, elim: true })
        .remarks.map((r) => r.message)
        .join(),
    ).not.toContain("elim: true");
  });
});
