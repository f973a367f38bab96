/** A project whose directives are OpenMP's: found, built and verified without a switch. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasOpenCl } from "../../programs/devices.ts";
import { inOpenMp } from "../../programs/openmp-form.ts";
import { Rig } from "../rig.ts";

const jacobi = readFileSync(
  path.resolve(import.meta.dirname, "../../../examples/jacobi/src/jacobi.c"),
  "utf8",
);

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

  it("may have directives for devices in headers, which the C compiler would reject", async () => {
    const header = `typedef struct { int n; int *d; } Buffer;
#pragma omp requires dynamic_allocators
#pragma omp declare mapper(Buffer b) map(b, b.d[0:b.n])
#pragma omp begin declare target
static inline int twice(int x) { return 2 * x; }
#pragma omp end declare target
#pragma omp begin assumes no_openmp
#pragma omp end assumes
`;
    const other = `#include "all.h"
int total(Buffer *b) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < b->n; i++) sum += twice(b->d[i]);
  return sum;
}
`;
    const program = `#include <stdlib.h>
#include "all.h"
int total(Buffer *);
int main(void) {
  Buffer b = {9, calloc(9, sizeof(int))};
#pragma omp target map(tofrom : b)
  for (int i = 0; i < b.n; i++) b.d[i] = twice(i);
  return total(&b) != 4 * 36;
}
`;
    const rig = new Rig({ "all.h": header, "other.c": other, "main.c": program }, "shared");
    const built = await rig.arc(["cc", "-fopenmp", "main.c", "other.c", "-o", "a"]);
    expect(built).toMatchObject({ status: 0, err: "" });
    expect(await rig.run("./a", [])).toMatchObject({ status: 0 });
  });
});
