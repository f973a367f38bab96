import { describe, expect, it } from "vitest";
import { emit, outputs, translate } from "./harness.ts";

const ones = "num_gangs(1) num_workers(1) vector_length(1)";
const region = (directive: string, between = "") => `
void work(int n, float *restrict a) {
#pragma acc ${directive}
${between}  for (int i = 0; i < n; i++)
    a[i] = a[i] * 2 + i;
}`;
const main =
  'float a[37]; for (int k = 0; k < 37; k++) a[k] = k; WORK(37, a); for (int k = 0; k < 37; k++) printf("%g ", a[k]);';
const withoutName = (text: string) => text.replace(/work_[0-9a-f]+/g, "work");

describe("a region with one gang, one worker and one lane", () => {
  it("becomes one work-item with a pipelined loop and the serial result", () => {
    const { serial, kernel, emitted } = outputs({ source: region(`parallel loop ${ones}`), main });
    expect(kernel).toBe(serial);
    expect(emitted.text).toContain("__attribute__((max_global_work_dim(0)))");
    expect(emitted.text).not.toMatch(/get_global_id|get_group_id|reqd_work_group_size/);
    expect(emitted.manifest).toContain("group 1 ; 1 ; 1\ngrid 1 ; 1 ; 1\n");
  });

  it.each([
    ["serial loop", ""],
    ["parallel num_gangs(1) num_workers(1) vector_length(1)", "#pragma acc loop\n"],
    ["serial", "#pragma acc loop\n"],
    ["kernels loop gang(1) worker(1) vector(1)", ""],
  ])("is the same kernel when written as %s", (directive, between) => {
    const text = emit(region(directive, between)).text;
    expect(withoutName(text)).toBe(withoutName(emit(region(`parallel loop ${ones}`)).text));
  });

  it("stays an NDRange kernel with a note when only two of the three are 1", () => {
    const { text, remarks } = emit(region("parallel loop num_gangs(1) num_workers(1)"));
    expect(text).toContain("reqd_work_group_size");
    expect(remarks.map((r) => r.message).join("\n")).toContain("num_gangs and num_workers are 1");
  });

  it("can coexist with an NDRange region in one source", () => {
    const { regions } = translate(`
void work(int n, float *restrict a, float *restrict b) {
#pragma acc parallel loop ${ones}
  for (int i = 0; i < n; i++) a[i] = b[i];
#pragma acc parallel loop
  for (int i = 0; i < n; i++) b[i] = a[i];
}`);
    expect(regions.map((r) => /max_global_work_dim|reqd_work_group_size/.exec(r.text)?.[0])).toEqual([
      "max_global_work_dim",
      "reqd_work_group_size",
    ]);
  });
});

describe("the model axis", () => {
  it("makes any region a single work-item", () => {
    const source = region("parallel loop gang vector");
    expect(emit(source, { model: "swi" }).text).toContain("max_global_work_dim(0)");
    expect(emit(source, { model: "nd" }).text).toContain("reqd_work_group_size");
  });
});

describe("a window in an NDRange region", () => {
  const windowed = (clauses: string) => `
void work(float *restrict in, float *restrict out) {
#pragma acc parallel loop ${clauses}
#pragma openarc transform window(in, out)
  for (int i = 1; i < 9; i++) out[i] = in[i - 1] + in[i + 1];
}`;

  it("is an error that names the missing clauses", () => {
    const { diagnostics } = translate(windowed("num_gangs(64)"));
    expect(diagnostics[0]).toMatchObject({ code: "window-needs-single-work-item" });
    expect(diagnostics[0]?.remedy).toContain("num_gangs(1) num_workers(1) vector_length(1)");
    expect(translate(windowed(""), { model: "nd" }).diagnostics[0]?.code).toBe(
      "window-needs-single-work-item",
    );
  });

  it("makes arc choose a single work-item where the sizes are left open", () => {
    expect(emit(windowed("")).remarks[0]?.message).toContain("a window needs it");
  });
});
