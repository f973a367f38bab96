/**
 * `shuffle` against serial loops of the same meaning: every way, type, kind of distance, mask and operator, on the processor and
 * on OpenCL, and the text for CUDA and HIP with lanes that take turns.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { mlirTexts } from "../../../../rules/plan/mlir.ts";
import { arcProgram } from "../../../cli/rig.ts";
import { hasOpenCl } from "../../../programs/devices.ts";
import { start } from "../../../programs/process.ts";
import { count, diagnosticsOf, kernelOf, kernelsOf } from "../../translate.ts";
import { everything, program, type Size, ways } from "./shuffle-program.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-shuffle-"));
afterAll(() => rmSync(folder, { recursive: true }));
const simulator = "/usr/lib/oclgrind/liboclgrind-rt.so";
const runtime = path.resolve(import.meta.dirname, "../../../../targets/runtime/include");

describe("every shuffle is that of the serial program", { timeout: 120_000 }, () => {
  async function onDevice(kind: string, size: Size): Promise<string> {
    const { device, host } = program(size);
    const name = path.join(folder, `${kind}-${size.threads}`);
    writeFileSync(`${name}.c`, ["#include <stdio.h>", device, host((of) => `of_${of}();`)].join("\n"));
    const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
    const args = ["cc", "-omp", "-O0", "-target", kind, `${name}.c`, "-o", name];
    const built = await start(arcProgram, args, { env, seconds: 100 });
    expect(built.status, built.err).toBe(0);
    return (await start(name, [], { env: { ARC_TARGET: kind } })).out;
  }

  it.each([80, 7])("on the processor, by %i threads", async (threads) => {
    expect(await onDevice("host", { ...everything, threads })).toMatch(/^0 of \d+ wrong\n$/);
  });

  const small: Size = { threads: 72, types: ["unsigned short", "double"], lanes: ["17", "t / 3 - 6"] };

  it.skipIf(!hasOpenCl)("on OpenCL, through group memory, and no two threads race", async () => {
    expect(await onDevice("opencl", small)).toMatch(/^0 of \d+ wrong\n$/);
    const env = { ARC_TARGET: "opencl", ARC_OPENCL_LIBRARY: simulator, OCLGRIND_DATA_RACES: "1" };
    if (!existsSync(simulator)) return;
    const { out, err } = await start(path.join(folder, `opencl-${small.threads}`), [], { env });
    expect(out).toMatch(/^0 of \d+ wrong\n$/);
    expect(err).not.toContain("race");
  });

  it.skipIf(!existsSync("/usr/bin/mlir-opt-16"))("in MLIR that mlir-opt takes, with barriers", () => {
    const { device } = program(small);
    const [made] = mlirTexts([{ file: "a.c", text: device }]);
    expect(made?.diagnostics).toEqual([]);
    const shuffles = small.types.length * ways.length * small.lanes.length;
    expect(count(made?.text ?? "", "gpu.barrier")).toBeGreaterThanOrEqual(2 * shuffles);
    const taken = spawnSync("mlir-opt-16", ["-o", "/dev/null"], { input: made?.text, encoding: "utf8" });
    expect(taken.stderr).toBe("");
  });

  it.each(["cuda", "hip"] as const)("in the text for %s, by its instructions", (kind) => {
    for (const threads of [80, 64]) {
      const { device, host, names } = program({ ...everything, threads });
      const kernels = kernelsOf(device, kind);
      const texts = kernels.map(({ text }) => text.replace(/^#include .*\n/gm, ""));
      const call = (of: string): string => {
        const kernel = kernels.find(({ region }) => region.startsWith(`of_${of}_`));
        const [, parameters = ""] = /__global__ .* of_\w+\((.*)\) \{/.exec(kernel?.text ?? "") ?? [];
        const given = parameters.split(", ").map((p) => /\b(in|out)_\w+/.exec(p)?.[0] ?? "0");
        return `arc_launch(${threads}, [] { ${kernel?.region}(${given.join(", ")}); });`;
      };
      const data = device.split("\n").filter((line) => line.startsWith("static "));
      const main = path.join(folder, `${kind}.cc`);
      const lanes = `#include "${path.join(import.meta.dirname, "lanes.h")}"`;
      writeFileSync(main, [lanes, ...texts, ...data, host(call)].join("\n"));
      const made = path.join(folder, kind);
      const defined = kind === "hip" ? ["-DARC_HIP"] : [];
      execFileSync("g++", ["-O1", "-w", `-I${runtime}`, ...defined, main, "-o", made]);
      expect(names.length).toBe(kernels.length);
      expect(execFileSync(made).toString()).toMatch(/^0 of \d+ wrong\n$/);
    }
  });
});

const block = (lines: string, clauses = "shuffle(v)", before = ""): string => `int omp_get_thread_num(void);
int omp_get_num_threads(void);
void f(int n, int *x, int *flags) {
  int v = n, w = 0;
#pragma omp target map(tofrom: x[0:64], flags[0:64])
#pragma omp parallel num_threads(64) ${clauses}
  {
    int t = omp_get_thread_num();
    ${before}
${lines}
    x[t] = v;
  }
}`;
const shuffle = "#pragma omp shuffle down(0xffffffff, 1, v +=, v)";

describe("instructions", () => {
  it.each(ways)("%s is one of CUDA and of HIP, without group memory", (way) => {
    const name = way === "sync" ? "" : `_${way}`;
    const source = block(`#pragma omp shuffle ${way}(-1, 3, v, v)`);
    const cuda = kernelOf(source, "cuda").text;
    expect(cuda).toContain(`arc_other_ = __shfl${name}_sync(4294967295u, arc_value_, 3);`);
    expect(cuda).not.toContain("__shared__");
    expect(cuda).not.toContain("__syncthreads");
    expect(kernelOf(source, "hip").text).toContain(`arc_other_ = __shfl${name}(arc_value_, 3, 32);`);
  });

  it("are none where no lane is so far away", () => {
    expect(kernelOf(block("#pragma omp shuffle down(-1, 32, v, v)"), "cuda").text).not.toContain("__shfl");
  });

  it("are barriers on devices without them, two for each, outside of branches", () => {
    const { text } = kernelOf(block("#pragma omp shuffle up(1u << t % 32, 1, v, v)"), "opencl");
    expect(count(text, "barrier(")).toBe(2);
    expect(text).toMatch(/if \(arc_mask >> arc_lane & 1u\)\n\s+v_own = arc_other/);
  });
});

it.each(["rtl", "vitis"])("%s, whose teams are one thread, refuses it by name", async (kind) => {
  const file = path.join(folder, `${kind}.c`);
  writeFileSync(file, block(shuffle));
  const { status, err, out } = await start(arcProgram, ["translate", "--to", kind, file]);
  expect(status).not.toBe(0);
  expect(`${out}${err}`).toContain(`${kind}.c:10:13: error[shuffle-alone]: 'shuffle down' needs threads`);
});

describe("what all threads come to", () => {
  it.each([
    ["a loop with the same turns for all", "for (int k = 16; k > 0; k /= 2) {", "}"],
    ["a branch that all take", "if (n > 3) {", "}"],
    ["a loop over a count of all", "for (int k = 0; k < omp_get_num_threads(); k++) {", "}"],
    ["a switch of all", "switch (n) { case 1:", "}"],
    ["a variable that is the same for all", "int m = 2 * n; while (m-- > 0) {", "}"],
  ])("%s", (_, open, close) => {
    expect(diagnosticsOf(block([open, shuffle, "  ;", close].join("\n")), "opencl")).toEqual([]);
  });

  it.each([
    ["a branch on the thread's number", "if (t < 3) {", "}"],
    ["a branch on what it computed of it", "int m = 0; m += t; if (m) {", "}"],
    ["a branch on what a branch set", "int m = 0; if (t) m = 1; if (m) {", "}"],
    ["a branch on memory", "if (flags[t]) {", "}"],
    ["a loop whose turns differ", "for (int k = t; k < 9; k++) {", "}"],
    ["a loop that some leave", "for (int k = 0; k < 9; k++) { if (k == t) break;", "}"],
    ["a loop whose iterations some skip", "for (int k = 0; k < 9; k++) { if (k == t) continue;", "}"],
    ["a branch on what another thread gave", "if (v) {", "}"],
    [
      "a variable that a later turn makes differ",
      "int m = 0; for (int k = 0; k < 9; k++) { if (m) {",
      "} m = t; }",
    ],
    ["a switch by thread", "switch (t) { case 1:", "}"],
    ["a lock", "#pragma omp critical\n{", "}"],
  ])("is not %s", (_, open, close) => {
    const source = block([open, shuffle, "  ;", close].join("\n"), "shuffle(v)", "v = t;");
    const codes = diagnosticsOf(source, "cuda").map((place) => place.split(" ")[1]);
    expect(codes).toEqual(["shuffle-in-branch"]);
  });
});
