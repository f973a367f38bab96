/**
 * `form: spirv`: kernels as SPIR-V, compiled while the program is built. No driver here takes it, so one is made up that does:
 * it goes back to bitcode, which PoCL compiles (runtime/stand-ins/il_opencl.c).
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasOpenCl } from "../../programs/devices.ts";
import { Rig } from "../rig.ts";

const has = (file: string) => existsSync(`/usr/bin/${file}`);
const hasTools = has("clang-15") && has("llvm-spirv-15") && has("spirv-val");

const program = `#include <math.h>
#include <stdio.h>
enum { n = 1000 };
static double root(double x) { return sqrt(x) + 1; }
int main(void) {
  static double a[n];
  static int count[7];
  double sum = 0;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < n; i++) a[i] = root((double)i * i);
#pragma acc parallel loop reduction(+:sum) copyin(a)
  for (int i = 0; i < n; i++) sum += a[i];
#pragma acc parallel loop copy(count)
  for (int i = 0; i < n; i++) {
#pragma acc atomic
    count[i % 7]++;
  }
  printf("%g %d %d\\n", sum, count[0], count[6]);
}
`;
const printed = "500500 143 142\n";
const yaml =
  "arc: 1\nproject: p\nsources: [main.c]\nlibs: [m]\nruns: { all: {} }\ntargets: { cl: { kind: opencl, form: spirv } }\n";

describe.skipIf(!hasOpenCl || !hasTools)("form: spirv", () => {
  const rig = new Rig({ "main.c": program, "arc.yaml": yaml }, "shared");
  const env = { ARC_OPENCL_PLATFORM: "Portable", ARC_VERBOSE: "1" };
  const run = (more: Record<string, string> = {}) =>
    rig.arc(["run", "cl", "all"], { env: { ...env, ...more } });

  it("compiles the source if the driver does not accept SPIR-V, and says so", async () => {
    const { status, out, err } = await run();
    expect({ status, out }).toEqual({ status: 0, out: printed });
    expect(err).toContain("the driver takes no SPIR-V (CL_DEVICE_IL_VERSION is '')");
    expect(err).toContain("its source runs instead of its SPIR-V");
    expect(err).toMatch(/ran .* compile main_\w+ for cl:default \(main.c:9\) with llvm-spirv-15/);
  });

  it("makes it once: a second build calls no tool", async () => {
    expect((await rig.arc(["build", "cl"])).err).not.toContain("spirv");
  });

  it("runs the SPIR-V where the driver takes it", async () => {
    const library = path.join(rig.root, "libil.so");
    const log = path.join(rig.root, "il.log");
    const source = path.resolve(import.meta.dirname, "../../targets/runtime/stand-ins/il_opencl.c");
    execFileSync("gcc", [
      "-shared",
      "-fPIC",
      "-w",
      source,
      "-o",
      library,
      "-Wl,--no-as-needed",
      "-l:libOpenCL.so.1",
      "-ldl",
    ]);
    const { status, out, err } = await run({ ARC_OPENCL_LIBRARY: library, IL_LOG: log, IL_KEEP: rig.root });
    expect({ status, out }).toEqual({ status: 0, out: printed });
    expect(err).toContain("its SPIR-V is taken (SPIR-V_1.0 SPIR-V_1.2)");
    const modules = readFileSync(log, "utf8").trim().split("\n");
    expect(modules).toHaveLength(3);
    for (const file of modules) execFileSync("spirv-val", ["--target-env", "opencl1.2", file]);
  });

  it("names the source's place where the front end refuses it, and tools that are not here", async () => {
    const other = new Rig({ "main.c": program, "arc.yaml": yaml }, "shared");
    for (const tool of ["clang-15", "llvm-spirv-15"]) other.tool(tool, "#!/bin/sh\nexit 9\n");
    const { status, err } = await other.arc(["build", "cl"]);
    expect(status).not.toBe(0);
    expect(err).toContain("clang-15");
    writeFileSync(path.join(other.folder, "arc.yaml"), yaml.replace("spirv", "spirw"));
    expect((await other.arc(["build", "cl"])).err).toContain("did you mean `spirv`?");
  });
});
