/** A project whose directives are OpenMP's: found, built and verified without a switch. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasOpenCl } from "../programs/devices.ts";
import { inOpenMp } from "../programs/openmp-form.ts";
import { Rig } from "./rig.ts";

const jacobi = readFileSync(path.resolve(import.meta.dirname, "../../examples/jacobi/src/jacobi.c"), "utf8");

describe("jacobi in OpenMP's words", () => {
  const targets = ["cpu: { kind: host }", ...(hasOpenCl ? ["ocl: { kind: opencl }"] : [])];
  const rig = new Rig(
    {
      "src/jacobi.c": inOpenMp(jacobi),
      "arc.yaml": `arc: 1
project: jacobi
sources: [src/jacobi.c]
targets: { ${targets.join(", ")}, fpga: { kind: intel-fpga, emulate: true, device: stratix-10 } }
runs:
  small: { args: ["19", "31", "7", "plate.txt"], outputs: [plate.txt] }
verify: { run: small, tolerance: { rel: 1e-5 }, ignore: ["^time:"] }
`,
    },
    "shared",
  );

  it("agrees with the serial program on every target", { timeout: 180_000 }, async () => {
    const { status, out, err } = await rig.arc(["verify"]);
    expect(status, out + err).toBe(0);
    for (const target of ["cpu", ...(hasOpenCl ? ["ocl"] : []), "fpga"])
      expect(out + err).toContain(`compare small on ${target}:default`);
  });

  it("has the kernels of OpenACC's form, byte by byte", async () => {
    const both = new Rig({ "acc.c": jacobi, "omp.c": inOpenMp(jacobi) }, "shared");
    // Headings say which directive each kernel is of.
    const kernels = async (file: string) =>
      (await both.arc(["translate", file, "--to", "cuda"])).out.replaceAll(/^\/\* (\w+): .*\n/gm, "$1");
    const acc = await kernels("acc.c");
    expect(acc).toContain("__global__");
    expect(await kernels("omp.c")).toBe(acc);
  });
});

describe("sources with directives for devices", () => {
  const loop = "#pragma omp target teams distribute parallel for\n  for (int i = 0; i < 9; i++) a[i] = i;";
  const main = `int main(void) {\n  int a[9];\n  ${loop}\n  return a[8] - 8;\n}\n`;

  it("are found by arc init, and those for host threads are not", async () => {
    const rig = new Rig({
      "a.c": main,
      "b.c": "#pragma omp parallel\n",
      "c.c": "#pragma omp declare target\n",
    });
    expect(await rig.arc(["init"])).toMatchObject({ status: 0 });
    expect(rig.read("arc.yaml")).toMatch(/^sources: \[a\.c, c\.c\]$/m);
    expect(rig.read("arc.yaml")).toMatch(/^host: \[b\.c\]$/m);
  });

  it("are compiled by arc cc -fopenmp and -omp, which define _OPENMP", async () => {
    const guarded = main.replace(loop, `#ifdef _OPENMP\n${loop}\n#else\n  a[8] = 9;\n#endif`);
    const rig = new Rig(
      { "a.c": `#include <omp.h>\n${guarded.replace("return ", "return omp_get_wtime() < 0 || ")}` },
      "shared",
    );
    for (const option of ["-omp", "-fopenmp"]) {
      expect(await rig.arc(["cc", option, "a.c", "-o", "a"])).toMatchObject({ status: 0, err: "" });
      const ran = await rig.run("./a", [], { env: { ARC_VERBOSE: "1" } });
      expect(ran.err).toContain("opened host");
      expect(ran.status).toBe(0);
    }
  });
});
