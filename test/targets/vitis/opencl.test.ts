/** OpenCL C for Vitis up to 2022.2. That it computes the right values, oclgrind.test.ts and programs.test.ts show. */
import { describe, expect, it } from "vitest";
import { vocabulary } from "../../../rules/vocabulary.ts";
import { parseProject } from "../../../schema/load.ts";
import { openclEmitter } from "../../../targets/vitis/opencl.ts";
import { emit, stratixV, translate } from "../../core/compiler/passes/harness.ts";
import { fivePoint, ones, stencil } from "../../core/compiler/passes/stencils.ts";

const amd = openclEmitter(1024);
const text = (source: string, choice = {}) => emit(source, choice, stratixV, amd).text;
const rows = (columns: number) =>
  stencil({ loops: "for (int x = COLS; x < SIZE - COLS; x++)", body: fivePoint, unroll: 2 }).replace(
    "COLS 9",
    `COLS ${columns}`,
  );

describe("OpenCL C for Vitis", () => {
  it("is refused for versions that have no OpenCL kernels, at its place in arc.yaml, with what to write", () => {
    const load = (options: string) =>
      parseProject(
        `arc: 1\nproject: p\nhost: [a.c]\ntargets:\n  t: { kind: vitis, ${options} }\n`,
        "/arc.yaml",
        vocabulary,
      ).diagnostics.filter((d) => d.code === "options-conflict");
    for (const options of [
      "form: opencl",
      'form: opencl, version: "2023.1"',
      "form: opencl, emulate: true",
    ]) {
      const [diagnostic] = load(options);
      expect(diagnostic).toMatchObject({ severity: "error", loc: { line: 5, col: 27 } });
      expect(diagnostic?.remedy).toBe('say `version: "2022.2"` or an older one, or `form: c++`');
    }
    for (const options of ['form: opencl, version: "2022.2"', "form: c++", 'form: opencl, version: "2020.1"'])
      expect(load(options)).toEqual([]);
  });

  it("uses attributes for the requests on a single work-item", () => {
    const kernel = text(rows(9));
    expect(kernel).toContain("__attribute__((reqd_work_group_size(1, 1, 1)))\n__kernel void");
    expect(kernel).toContain("__attribute__((xcl_array_partition(complete, 0)));");
    expect(kernel).toMatch(/__attribute__\(\(xcl_pipeline_loop\(1\)\)\)\n *for \(long arc_p/);
    expect(kernel).toMatch(/__attribute__\(\(opencl_unroll_hint\)\)\n *for \(int arc_k/);
    expect(kernel).toContain("restrict in_memory");
    expect(kernel).not.toContain("#pragma");
  });

  it("has groups of work-items if the model requires them, and copies of a body", () => {
    const sum = (directive: string) => `
void work(const float *restrict x, float *restrict y) {
#pragma acc parallel loop ${directive} copyin(x[0:64]) copy(y[0:64])
  for (int i = 0; i < 64; i++) y[i] += x[i];
}`;
    expect(text(sum(""), { model: "nd" })).toMatch(/reqd_work_group_size\(\d\d, 1, 1\)/);
    expect(text(sum(ones), { unroll: 4 })).toContain("__attribute__((opencl_unroll_hint(4)))");
  });

  it("partitions windows up to the compiler's limit, and warns of a longer one", () => {
    const [size, limit] = [(columns: number) => 2 * columns + 2, 1024];
    for (const columns of [511, 512]) {
      const { regions, diagnostics } = translate(rows(columns), {}, stratixV, amd);
      const partitioned = new RegExp(`arc_in_window\\[${size(columns)}\\] __attribute__`);
      if (size(columns) <= limit) {
        expect(regions[0]?.text).toMatch(partitioned);
        expect(diagnostics).toEqual([]);
      } else {
        expect(regions[0]?.text).not.toMatch(partitioned);
        expect(diagnostics[0]).toMatchObject({ code: "window-not-partitioned", severity: "warning" });
        expect(diagnostics[0]?.message).toContain(`${size(columns)} elements`);
      }
    }
  });
});
