/** `arc translate --to openmp|openacc`, and what it leaves that builds without arc. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasOpenCl } from "../../programs/devices.ts";
import { Rig } from "../rig.ts";

const program = `#include <openacc.h>
#include <stdio.h>
#include "size.h"
#ifdef _OPENACC
int main(void) {
  double sum = 0;
  static double a[SIZE];
  for (int i = 0; i < SIZE; i++) a[i] = i;
#pragma acc parallel loop reduction(+ : sum) copyin(a) // all of a
  for (int i = 0; i < SIZE; i++)
    sum += a[i];
  printf("%g %d\\n", sum, acc_get_device_num(acc_device_default) >= 0);
  return 0;
}
#endif
`;
const files = { "sum.c": program, "size.h": "#define SIZE 1000\n" };

describe("a source in the other language", () => {
  const rig = new Rig(files, "shared");

  it("has its loops shared out for what --map names", async () => {
    const { status, err } = await rig.arc([
      ...["translate", "sum.c", "--to", "openmp", "--map", "gpu", "--explain"],
    ]);
    expect(status, err).toBe(0);
    expect(err).toContain("--map decides which loops are shared out");
    const { status: refused, err: why } = await rig.arc([
      "translate",
      "sum.c",
      "--to",
      "openmp",
      "--map",
      "cp",
    ]);
    expect(refused).toBe(2);
    expect(why).toContain("--map takes default, cpu, gpu, gcc, clang, nvc, cce");
  });

  it("is for the host's threads by --map cpu, unless a source beside it handles the device's memory", async () => {
    const loop = "#pragma acc parallel loop copyout(a[0:9])\n  for (int i = 0; i < 9; i++) a[i] = i;\n";
    const here = new Rig(
      {
        "plain.c": `void plain(int *a) {\n${loop}}\n`,
        "raw.c": "#include <openacc.h>\nvoid *raw(void) { return acc_malloc(9); }\n",
      },
      "shared",
    );
    const made = async (...files: string[]) => {
      const { status, out, err } = await here.arc([
        "translate",
        ...files,
        "--to",
        "openmp",
        ...["--map", "cpu"],
      ]);
      expect(status, err).toBe(0);
      return out;
    };
    expect(await made("plain.c")).toContain("\n#pragma omp parallel for simd\n");
    expect(await made("plain.c", "raw.c")).toContain(
      "\n#pragma omp target teams distribute parallel for simd ",
    );
  });

  it("has directives of a comment again, unless the comment no longer fits", async () => {
    const source =
      "#define N 9\nvoid f(int *a) {\n#pragma acc kernels copy(a[0:N])\n  for (int i = 1; i < N; i++) a[i] += a[i - 1];\n}\n";
    const here = new Rig({ "a.c": source }, "shared");
    const there = await here.arc(["translate", "a.c", "--to", "openmp"]);
    expect(there.out).toContain("/* acc: kernels copy(a[0:N]) */");
    const back = async (text: string) => {
      const other = new Rig({ "a.c": text }, "shared");
      return other.arc(["translate", "a.c", "--to", "openacc"]);
    };
    expect(await back(there.out)).toMatchObject({ status: 0, out: source, err: "" });
    const { out, err } = await back(there.out.replace("a[0:N])", "a[0:5])"));
    expect(err).toContain("a.c:3:1: warning[outdated-comment]");
    expect(out).toContain("#pragma acc serial copy(a[0:5])\n");
  });

  it("keeps all but directives, calls, their header and the test for the language", async () => {
    const { status, out, err } = await rig.arc(["translate", "sum.c", "--to", "openmp"]);
    expect(status, err).toBe(0);
    expect(out).toBe(
      program
        .replace("<openacc.h>", "<omp.h>")
        .replace("_OPENACC", "_OPENMP")
        .replace("acc parallel loop", "omp target teams distribute parallel for")
        .replace("copyin(a)", "map(to: a)")
        .replace("acc_get_device_num(acc_device_default)", "omp_get_default_device()"),
    );
  });

  it("is written into a folder, and each decision is reported", async () => {
    const args = ["translate", "sum.c", "--to", "openmp", "-o", "out", "--explain"];
    const { status, err } = await rig.arc(args);
    expect(status, err).toBe(0);
    expect(rig.read("out/sum.c")).toContain("#pragma omp target");
    expect(err).toContain("sum.c:9:13: #pragma acc parallel loop reduction(+ : sum) copyin(a) // all of a\n");
    expect(err).toContain(
      "  #pragma omp target teams distribute parallel for reduction(+ : sum) map(to: a)\n",
    );
  });

  it("is JSON with its decisions", async () => {
    const { out } = await rig.arc(["translate", "sum.c", "--to", "openmp", "--json"]);
    const { to, files: made } = JSON.parse(out);
    expect(to).toBe("openmp");
    expect(made[0].text).toContain("#pragma omp target");
    expect(made[0].decisions.map((d: { was: string }) => d.was)).toContain(
      "acc_get_device_num(acc_device_default)",
    );
  });

  it("is not written where the other language cannot say it", async () => {
    const bad = new Rig(
      { "bad.c": "int a[9];\nvoid f(void) {\n#pragma acc enter data create(zero: a)\n}\n" },
      "shared",
    );
    const { status, out, err } = await bad.arc(["translate", "bad.c", "--to", "openmp"]);
    expect(status).toBe(1);
    expect(out).toBe("");
    expect(err).toContain("bad.c:3:24: error[not-translatable]");
  });
});

describe("a program that builds without arc", () => {
  const rig = new Rig(files, "shared");
  const kind = hasOpenCl ? "opencl" : "host";

  it("is built by make and runs", { timeout: 120_000 }, async () => {
    const { status, err } = await rig.arc([
      "translate",
      "sum.c",
      "--to",
      kind,
      "--standalone",
      "-o",
      "alone",
    ]);
    expect(status, err).toBe(0);
    const folder = path.join(rig.folder, "alone");
    execFileSync("make", ["-s", "-j2", "CFLAGS=-O0", "RUNTIME_FLAGS=-O0"], { cwd: folder });
    const out = execFileSync("./sum", {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, ARC_TARGET: kind },
    });
    expect(out).toBe("499500 1\n");
  });

  it.skipIf(spawnSync("nvcc", ["--version"]).status !== 0)(
    "has images of CUDA by nvcc",
    { timeout: 120_000 },
    async () => {
      const { status, err } = await rig.arc(
        "translate sum.c --to cuda --standalone -o alone-cuda".split(" "),
      );
      expect(status, err).toBe(0);
      const folder = path.join(rig.folder, "alone-cuda");
      const [region = ""] =
        /images\/\w+\.arci/.exec(readFileSync(path.join(folder, "Makefile"), "utf8")) ?? [];
      execFileSync("make", ["-s", region], { cwd: folder });
      const image = readFileSync(path.join(folder, region), "latin1");
      expect(image).toMatch(/\npayload fatbin \d+\nend\n/);
      expect(readFileSync(path.join(folder, "CMakeLists.txt"), "utf8")).toContain("COMMAND nvcc -fatbin");
    },
  );

  it("is a whole project with its options, or the files of it that are named", async () => {
    const project = new Rig(
      {
        "arc.yaml":
          "arc: 1\nproject: demo\nsources: [main.c, src/work.c]\ncflags: [-O2, -DN=8, '-DTEXT=\"a $b#\"', -Iinc]\ntargets: { cpu: { kind: host } }\n",
        "main.c": '#include "work.h"\nint main(void) { int a[N]; work(a); return a[N - 1]; }\n',
        "src/work.c":
          '#include "work.h"\n#ifndef N\n#define N 3\n#endif\n_Static_assert(sizeof TEXT == 6, "a $b#");\nvoid work(int *a) {\n#pragma acc parallel loop copyout(a[0:N])\nfor (int i = 0; i < N; i++) a[i] = i;\n}\n',
        "inc/work.h": "void work(int *a);\n",
      },
      "shared",
    );
    for (const named of [[], ["main.c", "src/work.c"]]) {
      const folder = `alone${named.length}`;
      const words = ["translate", ...named, "--to", "host", "--standalone", "-o", folder];
      const { status, err } = await project.arc(words);
      expect(status, err).toBe(0);
      const text = (file: string) => readFileSync(path.join(project.folder, folder, file), "utf8");
      expect(text("Makefile")).toMatch(/^CPPFLAGS = -DN=8 /m);
      const made = path.join(project.folder, folder);
      execFileSync("make", ["-s", "build/src/work.o"], { cwd: made });
      expect(text("CMakeLists.txt")).toContain(String.raw`-w -DN=8 "-DTEXT=\"a \$b#\"" -D_OPENACC`);
      expect(text("src/work.h")).toBe("void work(int *a);\n");
      expect(text("src/work.c")).toContain("arc_launch");
    }
  });

  it("leaves the host's threads and tasks to the C compiler under -fopenmp", async () => {
    const tasks = new Rig(
      {
        "tasks.c": [
          "#include <omp.h>",
          "int main(void) {",
          "  int a[9] = {0};",
          "  omp_event_handle_t e;",
          "#pragma omp task detach(e) depend(iterator(int k = 0:2), out: a[k])",
          "  omp_fulfill_event(e);",
          "#pragma omp taskloop collapse(2)",
          "  for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) a[3 * i + j]++;",
          "#pragma omp target map(a)",
          "  for (int i = 0; i < 9; i++) a[i]++;",
          "  return a[8] - 2;",
          "}",
        ].join("\n"),
      },
      "shared",
    );
    const arc = (words: string) => tasks.arc(`translate tasks.c ${words} -- -fopenmp`.split(" "));
    for (const kind of ["cuda", "opencl"]) {
      const { status, out, err } = await arc(`--to ${kind}`);
      expect(status, err).toBe(0);
      expect(out).toContain("main_");
    }
    const { status, err } = await arc("--to host --standalone -o alone");
    expect(status, err).toBe(0);
    const folder = path.join(tasks.folder, "alone");
    execFileSync("make", ["-s", "build/src/tasks.o"], { cwd: folder });
    const makefile = readFileSync(path.join(folder, "Makefile"), "utf8");
    expect(makefile).toMatch(/^LDLIBS = -fopenmp /m);
    expect(existsSync(path.join(folder, "runtime/serial"))).toBe(false);
  });

  it("needs a folder", async () => {
    const { status, err } = await rig.arc(["translate", "sum.c", "--standalone"]);
    expect(status).toBe(2);
    expect(err).toContain("-o DIR");
  });
});
