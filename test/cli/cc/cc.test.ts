import { chmodSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { arcProgram, type Outcome, Rig } from "../rig.ts";

const main = `#include <stdio.h>
int scale(int n, double *a);
int main(void) {
  double a[100];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 100; i++) a[i] = FACTOR * i;
  scale(100, a);
  printf("%g\\n", a[99]);
  return 0;
}
`;
const scale = `int scale(int n, double *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] += 1;
  return 0;
}
`;
const files = { "main.c": main, "sub/scale.c": scale };
const silent: Partial<Outcome> = { status: 0, out: "", err: "" };

const cc = (rig: Rig, ...args: readonly string[]): Promise<Outcome> => rig.arc(["cc", "-acc", ...args]);
/** Runs a program of the project; ARC_VERBOSE makes libarcrt name the device. */
const run = (rig: Rig, program = "./a.out"): Promise<Outcome> =>
  rig.run(program, [], { env: { ARC_VERBOSE: "1" } });

describe("arc cc -acc", () => {
  it("compiles and links sources in one call, as silently as a compiler", async () => {
    const rig = new Rig(files, "shared");
    expect(await cc(rig, "-O2", "-Wall", "-DFACTOR=2", "main.c", "sub/scale.c")).toMatchObject(silent);
    const { status, out, err } = await run(rig);
    expect({ status, out }).toEqual({ status: 0, out: "199\n" });
    expect(err).toContain("host:0");
  });

  it("leaves no files besides the program", async () => {
    const rig = new Rig(files, "shared");
    await cc(rig, "-DFACTOR=2", "main.c", "sub/scale.c", "-o", "prog");
    expect(rig.list()).toEqual(["main.c", "prog", "sub/scale.c"]);
  });

  it("links objects and static libraries, with device code from the members that were linked", async () => {
    const rig = new Rig({ ...files, "broken.c": scale.replace("scale", "unused") }, "shared");
    for (const file of ["main.c", "sub/scale.c", "broken.c"]) {
      expect(await cc(rig, "-DFACTOR=2", "-c", file)).toMatchObject(silent);
    }
    await rig.run("ar", ["rcs", "libscale.a", "scale.o", "broken.o"]);
    expect(await cc(rig, "-o", "prog", "main.o", "-L.", "-lscale")).toMatchObject(silent);
    expect(await run(rig, "./prog")).toMatchObject({ status: 0, out: "199\n" });
  });

  it("links regions of objects and static libraries also in calls that ask for no directives", async () => {
    const threads = scale.replace(
      "return 0;",
      "int t = 0;\n#pragma omp parallel for reduction(+ : t)\n  for (int i = 0; i < n; i++) t += i;\n  a[n - 1] += t;\n  return 0;",
    );
    const rig = new Rig({ ...files, "sub/scale.c": threads }, "shared");
    const plain = (...args: readonly string[]) => rig.arc(["cc", ...args]);
    expect(await plain("-fopenmp", "-c", "sub/scale.c")).toMatchObject(silent);
    // What CMake's OpenMP::OpenMP_C gives: the option to the compiler, the library to the linker.
    expect(await plain("-DFACTOR=2", "main.c", "scale.o", "-lgomp", "-o", "prog")).toMatchObject(silent);
    const result = { status: 0, out: "5149\n", err: expect.stringContaining("host:0") };
    expect(await run(rig, "./prog")).toMatchObject(result);
    await rig.run("ar", ["rcs", "libscale.a", "scale.o"]);
    expect(await plain("-DFACTOR=2", "-c", "main.c")).toMatchObject(silent);
    expect(await plain("main.o", "-L", ".", "-lscale", "-lgomp", "-o", "other")).toMatchObject(silent);
    expect(await run(rig, "./other")).toMatchObject(result);
  });

  const calls = `#include <stdio.h>
#pragma acc routine seq
int twice(int x);
int main(void) {
  int a[7];
#pragma acc parallel loop
  for (int i = 0; i < 7; i++) a[i] = twice(i);
  printf("%d\\n", a[6]);
  return 0;
}
`;

  it("takes a header with regions by -include, once", async () => {
    const header = `#include <stdlib.h>\n#include <stdio.h>\nstruct once { int a; };\nstatic ${scale}`;
    const rig = new Rig(
      {
        "up.h": header,
        "up.c": 'int main(void) { double a[9] = {0}; scale(9, a); printf("%g\\n", a[8]); }\n',
      },
      "shared",
    );
    const { status, err } = await cc(rig, "-include", "up.h", "-DUNUSED=1", "up.c");
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(await run(rig)).toMatchObject({ status: 0, out: "1\n" });
  });

  it("finds routines of other files when it links, with the static functions that these call", async () => {
    const twice = `static int add(int a, int b) { return a + b; }
#pragma acc routine seq
int twice(int x) { return add(x, x); }
`;
    const rig = new Rig({ "calls.c": calls, "twice.c": twice }, "shared");
    for (const file of ["calls.c", "twice.c"]) expect(await cc(rig, "-c", file)).toMatchObject(silent);
    expect(await cc(rig, "calls.o", "twice.o")).toMatchObject(silent);
    expect(await run(rig)).toMatchObject({ status: 0, out: "12\n" });
  });

  it("links routines that share structs of a header with their callers", async () => {
    const header =
      "typedef struct { float a, b; } pair;\ntypedef float real;\nstruct box { pair p; struct box *next; };\n";
    const routine = "#pragma acc routine seq\nreal mix(pair p, struct box b)";
    const rig = new Rig(
      {
        "h.h": `${header}${routine};\n`,
        "mix.c": `#include "h.h"\n${routine} { real x = p.a + b.p.b; return 2 * x; }\n`,
        "main.c": `#include <stdio.h>
#include "h.h"
int main(void) {
  pair p[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  struct box b = {{1, 0.5f}, 0};
  real y[4];
#pragma acc parallel loop copyin(p, b) copyout(y)
  for (int i = 0; i < 4; i++) y[i] = mix(p[i], b);
  printf("%g %g %g %g\\n", y[0], y[1], y[2], y[3]);
  return 0;
}
`,
      },
      "shared",
    );
    expect(await cc(rig, "main.c", "mix.c")).toMatchObject(silent);
    expect(await rig.run("./a.out", [])).toMatchObject({ status: 0, out: "3 7 11 15\n", err: "" });
  });

  it("distinguishes static functions of the same name, and includes a routine once however often it is called", async () => {
    const header = `static inline int square(int x) { return x * x; }
#pragma acc routine seq
int twice(int x);
#pragma acc routine seq
int more(int x);
`;
    const rig = new Rig(
      {
        "calls.c": calls
          .replace(/#pragma acc routine[^;]*;/, `${header}static int step(int x) { return x + 1; }`)
          .replace("twice(i)", "twice(i) + more(i) + step(i) + square(i)"),
        "twice.c": `${header}static int step(int x) { return x - 1; }
int twice(int x) { return 2 * x; }
int more(int x) { return twice(x) + step(x) + square(x); }
`,
      },
      "shared",
    );
    expect(await cc(rig, "calls.c", "twice.c")).toMatchObject(silent);
    expect(await run(rig)).toMatchObject({ status: 0, out: `${12 + (12 + 5 + 36) + 7 + 36}\n` });
  });

  it("leaves link-time optimisation to files without directives", async () => {
    const rig = new Rig(files, "shared");
    await rig.run("cc", ["-flto", "-O2", "-c", "sub/scale.c"]);
    expect(await cc(rig, "-flto", "-O2", "-DFACTOR=2", "main.c", "scale.o")).toMatchObject(silent);
    expect(await run(rig)).toMatchObject({ status: 0, out: "199\n" });
  });

  it("reports at link time which call has no routine; one of another file may use variables of its file", async () => {
    const rig = new Rig({ "calls.c": calls, "host.c": "int twice(int x) { return 2 * x; }\n" }, "shared");
    rig.write(
      "global.c",
      "int factor = 2;\n#pragma acc routine seq\nint twice(int x) { return factor * x; }\n",
    );
    expect(await cc(rig, "-c", "calls.c", "global.c")).toMatchObject(silent);
    await rig.run("cc", ["-c", "host.c"]);
    const missing = await cc(rig, "calls.o", "host.o");
    expect(missing.status).toBe(1);
    expect(missing.err).toMatch(/calls\.c:7:38: error\[no-device-code\][\s\S]*try: add the source/);
    expect(await cc(rig, "calls.o", "global.o")).toMatchObject(silent);
    expect(await run(rig)).toMatchObject({ status: 0 });
  });

  it("builds programs for the requested targets", async () => {
    const rig = new Rig(files, "shared");
    const args = ["-DFACTOR=2", "main.c", "sub/scale.c"];
    expect(await cc(rig, "-target", "opencl", ...args)).toMatchObject(silent);
    expect((await run(rig)).err).toContain("opencl:0");
    expect(await cc(rig, "-target", "opencl,host", ...args)).toMatchObject(silent);
    const chosen = await rig.run("./a.out", [], { env: { ARC_VERBOSE: "1", ARC_TARGET: "host" } });
    expect(chosen).toMatchObject({ status: 0, out: "199\n", err: expect.stringContaining("host:0") });
  });

  it("warns once, although compiling and linking both translate", async () => {
    const shift =
      "int a[9];\nvoid f(void) {\n#pragma acc parallel loop\n  for (int i = 0; i < 8; i++) a[i + 1] = a[i];\n}\n";
    const rig = new Rig({ "main.c": `${shift}int main(void) { f(); }\n` }, "shared");
    const { status, err } = await cc(rig, "main.c");
    expect(status).toBe(0);
    expect(err.match(/warning\[iterations-meet\]/g)).toHaveLength(1);
  });

  it("accepts target options as arc.yaml does, and reports errors in them", async () => {
    const rig = new Rig(
      {
        "main.c": `#include <stdio.h>
int main(void) {
  int a[8];
#pragma acc parallel loop num_gangs(1) copyout(a)
  for (int i = 0; i < 8; i++) a[i] = 2 * i;
  printf("%d\\n", a[7]);
}
`,
      },
      "shared",
    );
    expect(await cc(rig, "-target", "vitis:version=2021.2:emulate=true", "main.c")).toMatchObject(silent);
    expect(await run(rig)).toMatchObject({ status: 0, out: "14\n" });
    for (const [words, message] of [
      ["vitis:emulation=true", /no key `emulation`\n {2}try: did you mean `emulate`/],
      ["vitis:frequency=fast", /`targets\.vitis\.frequency` must be a whole number/],
      ["vitis:emulate", /emulate has no value\n {2}try: write vitis:OPTION=VALUE/],
      ["vitis,vitis:emulate=true", /asks for vitis and for vitis:emulate=true/],
      ["vits:emulate=true", /there is no target kind vits\n {2}try: did you mean vitis/],
    ] as const) {
      const { status, err } = await cc(rig, "-target", words, "main.c");
      expect({ words, status }).toEqual({ words, status: 2 });
      expect(err).toMatch(message);
    }
  });

  it("reads options from response files, with quotes", async () => {
    const rig = new Rig({ ...files, args: `main.c 'sub/scale.c' "-DFACTOR=2" -o pro\\g` }, "shared");
    expect(await cc(rig, "@args")).toMatchObject(silent);
    expect(await run(rig, "./prog")).toMatchObject({ status: 0, out: "199\n" });
  });

  it("writes dependencies for make, named after the object", async () => {
    const rig = new Rig({ "a.c": '#include "a.h"\n', "a.h": "int x;\n" });
    expect(await cc(rig, "-c", "a.c", "-MMD", "-o", "obj.o")).toMatchObject(silent);
    expect(rig.read("obj.d")).toBe("obj.o: a.c a.h\n");
  });

  it("writes dependencies of linked programs where gcc does", async () => {
    const rig = new Rig({ "m.c": '#include "a.h"\nint main(void) { return x; }\n', "a.h": "int x;\n" });
    expect(await cc(rig, "m.c", "-MMD", "-o", "bin.exe")).toMatchObject(silent);
    expect(rig.read("bin.d")).toBe("bin.exe: m.c a.h\n");
    expect(await cc(rig, "m.c", "-MMD")).toMatchObject(silent);
    expect(rig.read("a-m.d")).toBe("m.o: m.c a.h\n");
  });

  it("reads standard input and writes assembly to standard output, as configure scripts ask", async () => {
    const rig = new Rig({ "v.h": "int v = _OPENACC;\n" });
    const assembly = ["cc", "-acc", "-x", "c", "-S", "-", "-o", "-"];
    const { status, out } = await rig.arc(assembly, { stdin: '#include "v.h"\n' });
    expect({ status, made: out.includes("202211") }).toEqual({ status: 0, made: true });
    expect(rig.list()).toEqual(["v.h"]);
  });

  it("refuses a source that is not there", async () => {
    const { status, err } = await cc(new Rig(), "-c", "none.c");
    expect({ status, err }).toEqual({
      status: 2,
      err: "arc: there is no none.c\n  try: name C files that exist\n",
    });
    const rig = new Rig();
    symlinkSync("loop.c", path.join(rig.folder, "loop.c"));
    expect((await cc(rig, "-c", "loop.c")).err).toMatch(
      /^arc: `loop\.c` is a circle of links: loop\.c -> loop\.c\n {2}try: make one of the links point to a file/,
    );
  });

  it("preprocesses and generates assembly on request", async () => {
    const rig = new Rig({ "a.c": "int v = _OPENACC;\n" });
    expect((await cc(rig, "-E", "-P", "a.c")).out).toBe("int v = 202211;\n");
    expect(await cc(rig, "-S", "a.c")).toMatchObject(silent);
    expect(rig.read("a.s")).toContain("202211");
  });

  it("takes makefiles as they are, run in parallel", async () => {
    const makefile = "prog: main.o scale.o\n\t$(CC) -o $@ $^\n%.o: %.c\n\t$(CC) -DFACTOR=2 -c -o $@ $<\n";
    const rig = new Rig({ "main.c": main, "scale.c": scale, Makefile: makefile }, "shared");
    // Through the environment too, where arc's own search for a compiler would find itself.
    const made = await rig.run("make", ["-j2"], { env: { CC: `'${arcProgram}' cc -acc`, MAKEFLAGS: "-e" } });
    expect(made).toMatchObject({ status: 0, err: "" });
    expect(await run(rig, "./prog")).toMatchObject({ status: 0, out: "199\n" });
  });

  it("does not start itself where CC is a script that starts it, as CMake sets it", async () => {
    const script = `#!/bin/sh\nexec '${arcProgram}' cc -acc -target host "$@"\n`;
    const rig = new Rig({ "a.c": "int main(void) { return 7; }\n", wrapper: script });
    chmodSync(path.join(rig.folder, "wrapper"), 0o755);
    const env = { CC: path.join(rig.folder, "wrapper") };
    expect(await rig.run("./wrapper", ["a.c", "-o", "a"], { env })).toMatchObject(silent);
    expect(await run(rig, "./a")).toMatchObject({ status: 7 });
    expect((await rig.run("./wrapper", ["--version"], { env })).status).toBe(0);
  });

  it("shows the C compiler's warnings where the user's own text has them", async () => {
    const rig = new Rig({ "a.c": "int f(void) {\n  int x = 1.5;\n  return x;\n}\n" });
    const { status, err } = await cc(rig, "-Wconversion", "-Wfloat-conversion", "-c", "a.c");
    expect(status).toBe(0);
    expect(err).toMatch(/^a\.c:2:11: warning\[c-compiler\]: .*\n {2}2 \| {3}int x = 1\.5;\n/);
  });

  it("adds none of its own: what a region sets first is not handed to it", async () => {
    const moved = `void f(int n, int (*a)[8]) {
  int *row, t;
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) {
    row = a[i];
    t = row[1];
    row[0] = t + 1;
  }
#pragma acc kernels loop independent copy(a[0:n])
  for (int i = 0; i < n; i++) {
    row = a[i];
    row[0] += 1;
  }
}
`;
    const rig = new Rig({ "a.c": moved });
    expect(await cc(rig, "-O2", "-Wall", "-Wextra", "-c", "a.c")).toMatchObject(silent);
  });

  it("refuses wrong directives with location and remedy, for every file, and writes nothing", async () => {
    const bad = "void f(int n) {\n#pragma acc paralel\n  for (;;);\n}\n";
    const rig = new Rig({ "a.c": bad, "b.c": bad }, "shared");
    const { status, err } = await cc(rig, "-c", "a.c", "b.c");
    expect(status).toBe(1);
    expect(err).toMatch(/a\.c:2:13: error\[unknown-directive\][\s\S]*try: did you mean 'parallel'/);
    expect(err).toMatch(/b\.c:2:13: error/);
    expect(rig.list()).toEqual(["a.c", "b.c"]);
  });

  it("passes the linker's complaint and status on", async () => {
    const rig = new Rig({ "main.c": main }, "shared");
    const { status, err } = await cc(rig, "-DFACTOR=2", "main.c");
    expect(status).toBe(1);
    expect(err).toContain("undefined reference to `scale'");
    expect(err).not.toContain("/arc-");
    expect(rig.has("a.out")).toBe(false);
  });

  it("refuses a target that there is not, and names the nearest", async () => {
    const { status, err } = await cc(new Rig(files, "shared"), "-target", "opncl", "main.c");
    expect(status).toBe(2);
    expect(err).toMatch(/did you mean opencl\?/);
  });

  it("explains how to get a compiler if there is none", async () => {
    const rig = new Rig(files, "shared");
    const outcome = await rig.arc(["cc", "-acc", "main.c"], { env: { ARC_CC: "no-such-cc" } });
    expect(outcome.status).toBe(2);
    expect(outcome.err).toMatch(/no C compiler `no-such-cc`[\s\S]*apt-get install gcc/);
  });
});

describe("arc cc without -acc", () => {
  it("is the C compiler", async () => {
    const rig = new Rig({ "a.c": '#include <stdio.h>\nint main(void) { puts("plain"); return 3; }\n' });
    expect(await rig.arc(["cc", "a.c", "-o", "plain"])).toMatchObject(silent);
    expect(await run(rig, "./plain")).toMatchObject({ status: 3, out: "plain\n" });
    expect((await rig.arc(["cc", "--version"])).out).toMatch(/cc|gcc|clang/);
  });

  it("exits as the C compiler does", async () => {
    const rig = new Rig({ "a.c": "int main(void) { return y; }\n" });
    const { status, err } = await rig.arc(["cc", "-c", "a.c"]);
    expect(status).toBe(1);
    expect(err).toContain("undeclared");
  });
});
