/** What belongs to other languages and other compilers: compiled where nothing is lost, else refused by name. */
import { describe, expect, it } from "vitest";
import { parseCompilerCall } from "../../../cli/cc/arguments.ts";
import { refuseForeignOptions } from "../../../cli/cc/foreign-options.ts";
import { Rig } from "../rig.ts";

const loop =
  "void f(int *a) {\n#pragma acc parallel loop copy(a[0:9])\nfor (int i = 0; i < 9; i++) a[i] = i;\n}\n";

describe("a source that is not C", { timeout: 60_000 }, () => {
  it.each([
    ["a.cpp", loop, "a.cpp:2: `#pragma acc parallel loop copy(a[0:9])`"],
    ["a.cc", loop.replace("acc parallel loop copy(a[0:9])", "omp target"), "a.cc:2: `#pragma omp target`"],
    ["a.cxx", '#include "loop.h"\n', "a.cxx: `#pragma acc parallel loop copy(a[0:9])`"],
    ["a.C", '_Pragma("acc routine")\nint f();\n', 'a.C:1: `_Pragma("acc routine")`'],
    ["a.f90", "subroutine f(a)\n  integer a(9)\n  !$acc parallel loop\n", "a.f90:3: `!$acc parallel loop`"],
    ["a.F", "C\n!$OMP TARGET\n", "a.F:2: `!$OMP TARGET`"],
    ["a.i", loop, "a.i:2: `#pragma acc parallel loop copy(a[0:9])`"],
  ])("is refused where it has directives for devices: %s", async (file, text, where) => {
    const rig = new Rig({ [file]: text, "loop.h": loop }, "shared");
    for (const args of [
      ["-c", file],
      [file, "-o", "a"],
    ]) {
      const { status, err } = await rig.arc(["cc", "-acc", ...args]);
      expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(where) as string });
      expect(err).toContain("move the construct into a function of a .c file");
    }
    expect(rig.list()).not.toContain("a");
  });

  it("is compiled as it is where it has none, beside C with directives", async () => {
    const rig = new Rig(
      {
        "main.cpp": `#include <cstdio>
extern "C" void f(int *a);
int main() { int a[9], n = 0; f(a);
#pragma omp parallel num_threads(3) reduction(+:n)
  n++;
  std::printf("%d %d\\n", a[8], n); }
`,
        "f.c": loop,
      },
      "shared",
    );
    const built = await rig.arc(["cc", "-acc", "-fopenmp", "main.cpp", "f.c", "-o", "all", "-lstdc++"]);
    expect(built).toMatchObject({ status: 0, err: "" });
    expect((await rig.run("./all", [])).out).toBe("8 3\n");
    expect(await rig.arc(["cc", "-acc", "-fopenmp", "-c", "main.cpp"])).toMatchObject({ status: 0, err: "" });
    expect((await rig.run("nm", ["main.o"])).out).toContain("GOMP_parallel");
  });

  it("CC=g++ compiles C as C all the same", { timeout: 120_000 }, async () => {
    const main = `${loop}int main(void) { int class[9], *new = class; f(new); return class[8] - 8; }\n`;
    const rig = new Rig({ "a.c": main });
    const built = await rig.arc(["cc", "-acc", "a.c", "-o", "a"], { env: { CC: "g++" } });
    expect(built).toMatchObject({ status: 0, err: "" });
    expect((await rig.run("./a", [])).status).toBe(0);
  });
});

describe("options of other compilers", () => {
  const refused = (line: string): unknown => {
    const { words, directives } = parseCompilerCall(line.split(" "));
    try {
      refuseForeignOptions(
        words.flatMap(({ kind, text }) => (kind === "option" ? text : [])),
        directives,
      );
    } catch (error) {
      return (error as { remedy?: string }).remedy;
    }
    return undefined;
  };

  it.each([
    ["-fopenmp -fopenmp-targets=nvptx64-nvidia-cuda x.c", "write -omp -target cuda instead"],
    ["-fopenmp --offload-arch=sm_90 x.c", "write -omp -target cuda:arch=sm_90 instead"],
    ["-fopenmp -foffload=nvptx-none,amdgcn-amdhsa x.c", "write -target cuda -target hip instead"],
    ["-fopenmp --offload-arch=gfx90a x.c", "write -omp -target hip:arch=gfx90a instead"],
    ["-fopenmp -fopenmp-targets=amdgcn-amd-amdhsa x.c", "write -omp -target hip instead"],
    ["-fopenmp -fopenmp-targets=spir64 x.c", "write -omp -target opencl instead"],
    ["-acc -ta=tesla:cc80 x.c", "write -acc -target cuda:arch=sm_80 instead"],
    ["-acc -ta=multicore x.c", "write -acc -target host instead"],
    ["-ta=tesla,multicore x.c", "write -acc -target cuda -target host instead"],
    ["-acc=gpu x.c", "write -acc -target cuda instead"],
    ["-mp=gpu x.c", "write -fopenmp -target cuda instead"],
    ["-mp x.c", "write -fopenmp instead"],
    ["-acc -gpu=cc70 x.c", "write -target cuda:arch=sm_70 instead"],
    ["-acc -gpu=managed x.c", "write -target KIND instead"],
    ["-qopenmp x.c", "write -fopenmp instead"],
  ])("are refused with arc's own: %s", (line, remedy) => {
    expect(refused(line)).toBe(remedy);
  });

  it.each(["-acc -foffload=disable x.c", "-foffload=nvptx-none x.c", "-acc -march=native -gdwarf x.c"])(
    "and gcc's are not where they ask for nothing: %s",
    (line) => {
      expect(refused(line)).toBeUndefined();
    },
  );
});

describe("options whose results would be lost", { timeout: 60_000 }, () => {
  it.each([
    "--coverage",
    "-ftest-coverage",
    "-fprofile-generate=counts",
    "-fprofile-use",
    "-fprofile-instr-generate",
    "-gsplit-dwarf",
  ])("are refused where arc compiles: %s", async (option) => {
    const rig = new Rig({ "a.c": loop }, "shared");
    const { status, err } = await rig.arc(["cc", "-acc", option, "-c", "a.c"]);
    expect({ status, err }).toEqual({
      status: 2,
      err: expect.stringContaining(`arc cannot compile with ${option}: `) as string,
    });
    expect(rig.list()).toEqual(["a.c"]);
  });

  it.each(["-save-temps", "-fstack-usage", "-fdump-tree-optimized"])(
    "are named where the object is the same: %s",
    async (option) => {
      const rig = new Rig({ "a.c": loop }, "shared");
      const { status, err } = await rig.arc(["cc", "-acc", option, "-c", "a.c"]);
      expect({ status, err }).toEqual({
        status: 0,
        err: expect.stringContaining(`arc: warning: ${option} does nothing here: `) as string,
      });
      expect(rig.list()).toEqual(["a.c", "a.o"]);
    },
  );

  it("are the C compiler's where arc has nothing to do", async () => {
    const rig = new Rig({ "a.c": "int main(void) { return 0; }\n" }, "shared");
    expect(await rig.arc(["cc", "--coverage", "-c", "a.c"])).toMatchObject({ status: 0, err: "" });
    expect(rig.list()).toEqual(["a.c", "a.gcno", "a.o"]);
  });

  it("a static link is refused where there are kernels to load, and done where there are none", async () => {
    const main = "int main(void) { return 0; }\n";
    const rig = new Rig({ "a.c": `${loop}${main}`, "b.c": main }, "shared");
    for (const option of ["-static", "-static-pie"]) {
      const { status, err } = await rig.arc(["cc", "-acc", option, "a.c", "-o", "a"]);
      expect({ status, err }).toEqual({
        status: 2,
        err: expect.stringContaining(`a program with regions cannot be linked with ${option}: `) as string,
      });
    }
    expect(rig.has("a")).toBe(false);
    expect((await rig.arc(["cc", "-acc", "-static", "b.c", "-o", "b"])).status).toBe(0);
    expect((await rig.run("./b", [])).status).toBe(0);
  });
});
