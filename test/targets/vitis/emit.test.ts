/** HLS C++ compiled natively with the sanitizers, against the serial program. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DeviceProfile } from "../../../core/ir/model/device-profile.ts";
import type { Assignment } from "../../../schema/document/axis.ts";
import { findDevice } from "../../../targets/devices/devices.ts";
import { intelFpgaEmitter } from "../../../targets/intel-fpga/emit.ts";
import { vitisEmitter } from "../../../targets/vitis/emit.ts";
import { emulatedEmitter } from "../../../targets/vitis/emulate.ts";
import { seedsOf } from "../../cases.ts";
import { emit, type Ready, runAllHls, translate } from "../../core/compiler/passes/harness.ts";
import {
  type Generated,
  stencil as randomStencil,
  reduction,
} from "../../core/compiler/passes/random/random-loops.ts";
import { fivePoint, main, ones, stencil, stencils } from "../../core/compiler/passes/stencils.ts";

const ultrascale = findDevice("ultrascale-plus") as DeviceProfile;
const hls = (source: string, choice = {}) => emit(source, choice, ultrascale, vitisEmitter);

/** Several cases of `work` in one program. */
function check(cases: readonly { name: string; source: string; main: string; choice?: Assignment }[]): void {
  const ready = cases.map((c, k): Ready => {
    const source = c.source.replace("void work(", `void work${k}(`);
    const { regions } = translate(source, c.choice, ultrascale, emulatedEmitter);
    return { source, main: c.main, emitted: regions[0] as Ready["emitted"] };
  });
  runAllHls(ready).forEach(({ serial, kernel }, k) => {
    expect(serial.length).toBeGreaterThan(1);
    expect(kernel, `${cases[k]?.name}\n${ready[k]?.emitted.text}`).toBe(serial);
  });
}

describe("HLS C++", () => {
  it("gives the serial result for every stencil, whatever the iterations per step", () => {
    check(
      stencils.flatMap(([name, s]) =>
        [1, 3].map((unroll) => ({
          name: `${name} by ${unroll}`,
          source: stencil({ ...s, unroll }),
          main: main(),
        })),
      ),
    );
  }, 120_000);

  it.each([
    ["random stencils", randomStencil],
    ["random reductions", reduction],
  ] as const)(
    "gives the serial result for %s",
    (_name, arbitrary) => {
      const seeds = seedsOf(40);
      const found = seeds.flatMap((seed, k) => {
        const [g] = fc.sample(arbitrary(k), { seed, numRuns: 1 });
        const { source, main: run, choice } = g as Generated;
        const [emitted] = translate(source, choice, ultrascale, emulatedEmitter).regions;
        return emitted ? [{ source, main: run, emitted }] : [];
      });
      expect(found.length).toBeGreaterThan(0.6 * seeds.length);
      runAllHls(found).forEach(({ serial, kernel }, k) => {
        expect(kernel, `${found[k]?.source}\n${found[k]?.emitted.text}`).toBe(serial);
      });
    },
    120_000,
  );

  it("keeps a window in registers and the rows between in memories, and states the distance of their accesses", () => {
    const { text } = hls(stencil({ loops: "for (int x = COLS; x < SIZE - COLS; x++)", body: fivePoint }));
    // Places 0, 8..10 and 18 of a line of 19: two memories of seven.
    expect(text).toContain("float arc_in_window_0[1];");
    expect(text).toContain("float arc_in_window_1[3];");
    expect(text).toContain("float arc_in_window_rows_1[7];");
    expect(text).toContain(
      "#pragma HLS DEPENDENCE variable=arc_in_window_rows_0 type=inter direction=RAW distance=7 dependent=true",
    );
    expect(text).toMatch(/BIND_STORAGE variable=arc_in_window_rows_0 type=ram_2p impl=lutram/);
    expect(text).not.toMatch(/arc_in_window\[/);
  });

  it("takes block memory for long rows", () => {
    const long = stencil({ loops: "for (int x = COLS; x < SIZE - COLS; x++)", body: fivePoint, size: 9000 });
    const { text } = hls(long.replace("#define COLS 9", "#define COLS 1000"));
    expect(text).toMatch(/float arc_in_window_rows_0\[998\];\n.*impl=bram/);
  });

  it("writes loops over a neighbourhood out, so that every place is known", () => {
    const body = "float s = 0; for (int r = 1; r <= 3; r++) s += in[x - r * COLS] - in[x + r]; out[x] = s;";
    const { text } = hls(stencil({ loops: "for (int x = 27; x < SIZE - 3; x++)", body }));
    expect(text).not.toMatch(/int r\b/);
    expect(text).not.toMatch(/arc_in_window\[/);
  });

  it("warns of a window whose places are too many to be written out, and keeps it right", () => {
    const source = stencil({
      loops: "for (int x = 80; x < SIZE; x++)",
      body: "float s = 0; for (int r = 0; r < 70; r++) s += in[x - r]; out[x] = s;",
    });
    const { diagnostics } = translate(source, {}, ultrascale, vitisEmitter);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "window-of-one-memory" }]);
    check([{ name: "a long neighbourhood", source, main: main() }]);
  });

  it("pipelines innermost loops, unrolls on request, and gives each buffer a port", () => {
    const { text } = hls(`
void work(const float *restrict a, float *restrict b, int n) {
#pragma acc parallel loop ${ones} copyin(a[0:64]) copyout(b[0:64])
  for (int i = 0; i < 8; i++)
#pragma unroll 4
    for (int j = 0; j < n; j++) b[i * 8 + j] = a[i * 8 + j] * 2;
}`);
    expect(text.match(/PIPELINE II=1/g)).toHaveLength(1);
    expect(text).toMatch(/j\+\+\) \{\n\s+#pragma HLS PIPELINE II=1\n\s+#pragma HLS UNROLL factor=4/);
    expect(text).toContain("#pragma HLS INTERFACE m_axi port=a_memory offset=slave bundle=a");
    expect(text).toContain("#pragma HLS INTERFACE s_axilite port=n");
    expect(text).toContain('extern "C" void work');
  });

  it.each([
    ["HLS C++", vitisEmitter],
    ["OpenCL for FPGAs", intelFpgaEmitter],
  ])("warns of calls through pointers that nothing checks: %s", (_, emitter) => {
    const source = `
static int add(int a) { return a + 1; }
static void set(int *a) { *a = 7; }
int (*chosen)(int) = add;
void (*changed)(int *) = set;
void work(int *a) {
#pragma acc parallel loop copy(a[0:64])
  for (int i = 0; i < 64; i++) {
    a[i] = chosen(i) + chosen(2);
    changed(&a[i]);
  }
}`;
    const { diagnostics } = translate(source, {}, ultrascale, emitter);
    expect(diagnostics).toMatchObject([
      { severity: "warning", code: "unchecked-call", loc: { line: 9, col: 12 } },
      { severity: "warning", code: "unchecked-call", loc: { line: 10, col: 5 } },
    ]);
    expect(diagnostics[0]?.message).toContain("than 'add', the");
    expect(diagnostics[1]?.message).toContain("than 'set', the");
  });

  it("has no work-items: a region without a model runs in order, and model nd is reported as ignored", () => {
    const source =
      "void work(float *a) {\n#pragma acc parallel loop copy(a[0:64])\nfor (int i = 0; i < 64; i++) a[i] += 1; }";
    const { remarks, text } = hls(source, { model: "nd" });
    expect(remarks.map((r) => r.message)).toContain("model nd: this target's kernels have no work-items");
    expect(text).toContain("for (int i = 0; i < 64; i++) {");
  });
});
