/** What `arc translate` takes and gives beside C: projects, CUDA, the IR as text, MLIR. */
import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../rig.ts";

const main = `#include <stdio.h>
#include "scale.h"
int main(void) {
  double a[N];
  for (int i = 0; i < N; i++) a[i] = i;
  scale(a); // all of it
  printf("%g\\n", a[3]);
  return 0;
}
`;
const scale = `#include "scale.h"
void scale(double *a) {
#pragma acc parallel loop copy(a[0:N])
  for (int i = 0; i < N; i++)
    a[i] *= FACTOR;
}
`;
const project = {
  "arc.yaml":
    "arc: 1\nproject: scale\nsources: [src/scale.c]\nhost: [src/main.c]\ninclude: [include]\ndefines: {FACTOR: 2.5}\ntargets: {cpu: {kind: host}}\n",
  "src/scale.c": scale,
  "src/main.c": main,
  "include/scale.h": "#define N 10\nvoid scale(double *a);\n",
};

describe("a project", () => {
  const rig = new Rig(project, "shared");

  it("is translated whole: sources by the project's options, headers copied", async () => {
    const { status, err } = await rig.arc(["translate", "--to", "openmp", "-o", "out"]);
    expect(status, err).toBe(0);
    expect(rig.read("out/src/main.c")).toBe(main);
    expect(rig.read("out/include/scale.h")).toBe(project["include/scale.h"]);
    expect(rig.read("out/src/scale.c")).toContain(
      "#pragma omp target teams distribute parallel for map(tofrom: a[0:N])",
    );
    const at = path.join(rig.folder, "out");
    const sources = ["src/main.c", "src/scale.c"];
    execFileSync("gcc", ["-fopenmp", "-DFACTOR=2.5", "-Iinclude", ...sources, "-o", "program"], { cwd: at });
    expect(execFileSync("./program", { cwd: at, encoding: "utf8" })).toBe("7.5\n");
  });

  it("needs a folder, and a language", async () => {
    expect((await rig.arc(["translate", "--to", "openmp"])).err).toMatch(/-o DIR/);
    expect((await rig.arc(["translate", "--to", "cuda"])).err).toMatch(/no file is named/);
  });
});

describe("other sources", () => {
  const cuda = "__global__ void k(float *a)\n{\n  a[threadIdx.x] = tex1Dfetch(t, 0);\n}\n";
  const wrong = "__global__ void k(float *a)\n{\n  // no such thing\n  a[threadIdx.x] = missing;\n}\n";
  const rig = new Rig(
    {
      "scale.c": `#define N 10\n#define FACTOR 3\n${scale.replace(/#include.*\n/, "")}`,
      "k.cu": cuda,
      "w.cu": wrong,
    },
    "shared",
  );

  it("are the IR, in every direction", async () => {
    const ir = await rig.arc(["translate", "scale.c", "--to", "ir", "-o", "."]);
    expect(ir.status, ir.err).toBe(0);
    for (const [kind, words] of [
      ["openacc", "#pragma acc parallel copy(a[0:10])"],
      ["openmp", "map(tofrom: a[0:10])"],
      ["opencl", "__kernel"],
      ["cuda", "__global__"],
    ] as const) {
      const made = await rig.arc(["translate", "scale.upir", "--to", kind]);
      expect(made.status, made.err).toBe(0);
      expect(made.out).toContain(words);
    }
    const host = await rig.arc(["translate", "scale.upir", "--to", "host", "--host-code"]);
    expect(host.out).toContain("arc_launch(");
  });

  it("are CUDA, whose errors are reported at their location", async () => {
    const refused = await rig.arc(["translate", "k.cu", "--to", "openmp"]);
    expect(refused.status).toBe(1);
    expect(refused.err).toMatch(/^k\.cu:3:20: error.*textures/);
    const unknown = await rig.arc(["translate", "w.cu", "--to", "openmp"]);
    expect(unknown.status).toBe(1);
    expect(unknown.err).toMatch(/^w\.cu:4:1: error.*missing/);
  });

  it("become MLIR that mlir-opt takes, or are refused by name", async () => {
    const { status, out, err } = await rig.arc(["translate", "scale.c", "--to", "mlir"]);
    expect(status, err).toBe(0);
    const checked = spawnSync("mlir-opt-16", ["-o", "/dev/null"], { input: out, encoding: "utf8" });
    expect(checked.stderr).toBe("");
    expect(checked.status).toBe(0);
    rig.write(
      "s.c",
      "struct p { float x; };\nvoid f(struct p *a) {\n#pragma acc parallel loop copy(a[0:4])\n  for (int i = 0; i < 4; i++)\n    a[i].x = 1;\n}\n",
    );
    const refused = await rig.arc(["translate", "s.c", "--to", "mlir"]);
    expect(refused.status).toBe(1);
    expect(refused.out).toBe("");
    expect(refused.err).toMatch(/^s\.c:\d+:\d+: error.*struct/);
  });
});

/** Two sources that share a header with a region, and directives in every spelling that C has. */
describe("several files", () => {
  const region = `static inline void scale(double *a, double f) {
#pragma acc parallel loop copy(a[0:N])
  for (int i = 0; i < N; i++)
    a[i] *= f;
}
`;
  const files = {
    "src/main.c": `#include <stdio.h>
#include "../inc/scale.h"
void more(double *a);
int main(void) {
  double a[N];
  for (int i = 0; i < N; i++) a[i] = i;
  scale(a, 2);
  more(a);
  printf("%g %g\\n", a[3], a[N - 1]);
  return 0;
}
`,
    "src/more.c": `#include "../inc/scale.h"
#define EACH _Pragma("acc parallel loop copy(a[0:N])") for (int i = 0; i < N; i++)
#define ALONE _Pragma("acc parallel loop copy(a[0:N])")
void more(double *a) {
  scale(a, 3);
ALONE
  for (int i = 0; i < N; i++) a[i] += 1;
#ifdef MORE
#pragma acc parallel loop /* on all gangs */ \\
    copy(a[0:N]) /* in
    and out */ // lanes
  for (int i = 0; i < N; i++) a[i] += 100;
#endif
  _Pragma("acc parallel loop copy(a[0:N])")
  for (int i = 0; i < N; i++) a[i] += 3;
}`.replaceAll("\n", "\r\n"),
    "inc/scale.h": `#ifndef SCALE_H\n#define SCALE_H\n#define N 10\n${region}#endif\n`,
  };
  const rig = new Rig(files, "shared");
  const sources = ["src/main.c", "src/more.c"];

  it("need the header that holds a region named with them", async () => {
    const { status, err } = await rig.arc([
      "translate",
      ...sources,
      "--to",
      "openmp",
      "-o",
      "out",
      "--",
      "-DMORE",
    ]);
    expect(status).toBe(1);
    expect(err).toContain("inc/scale.h:5:13: error[directive-in-header]");
    expect(err).toContain("name that file, too, among those to translate");
  });

  it("and their headers become a folder that another compiler takes", async () => {
    const named = [...sources, "inc/scale.h"];
    const { status, err } = await rig.arc([
      "translate",
      ...named,
      "--to",
      "openmp",
      "-o",
      "out",
      "--",
      "-DMORE",
    ]);
    expect(status, err).toBe(0);
    expect(rig.read("out/inc/scale.h")).toBe(
      files["inc/scale.h"].replace(
        "acc parallel loop copy(a[0:N])",
        "omp target teams distribute parallel for map(tofrom: a[0:N])",
      ),
    );
    const more = rig.read("out/src/more.c");
    expect(more.replaceAll("\r\n", "")).not.toContain("\n");
    expect(more.endsWith("}")).toBe(true);
    expect(more).not.toMatch(/^(?!#define).*acc /m);
    const run = (folder: string): string => {
      const flags = [
        "-DMORE",
        "-w",
        "-fopenmp",
        "-foffload=disable",
        ...sources.map((s) => `${folder}/${s}`),
      ];
      execFileSync("gcc", [...flags, "-o", "program"], { cwd: rig.folder });
      return execFileSync("./program", { cwd: rig.folder, encoding: "utf8" });
    };
    expect(run("out")).toBe(run("."));
  });

  it("are refused where a branch that is not taken holds a directive", async () => {
    const { status, err } = await rig.arc(["translate", "src/more.c", "inc/scale.h", "--to", "openmp"]);
    expect(status).toBe(1);
    expect(err).toContain("src/more.c:9:1: error[directive-not-read]");
  });
});
