/** Regions that become one kernel, or that a channel joins, in programs that `arc` builds and runs. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../../../cli/rig.ts";
import { readTrace } from "../../../targets/runtime/harness.ts";

const explained = (project: Rig) =>
  project.arc(["translate", "a.c", "--to", "intel-fpga", "--variant", "fuse", "--explain"]);

describe("regions that follow each other", () => {
  const program = (between: string, data: string) => `
#include <stdio.h>
#define N 50
static float a[N], b[N], c[N], d[N];
static void work(int n, float by) {
#pragma acc data ${data}
  {
#pragma acc serial loop
    for (int i = 0; i < n; i++) b[i] = a[i] * by;
    ${between}
#pragma acc serial loop
    for (int i = 0; i < n; i++) c[i] = b[i] + d[i];
#pragma acc serial loop
    for (int i = 1; i < n; i++) d[i] = c[i - 1] + c[i] * by;
  }
}
int main(void) {
  for (int i = 0; i < N; i++) { a[i] = i; d[i] = 1; }
  work(N, 2);
  work(N - 7, 3);
  for (int i = 0; i < N; i++) printf("%g %g %g\\n", b[i], c[i], d[i]);
}`;
  const around = "copyin(a) copy(b, c, d)";
  const rig = (source: string) =>
    new Rig(
      {
        "arc.yaml": `arc: 1
project: chain
sources: [a.c]
targets: { intel: { kind: intel-fpga, emulate: true }, amd: { kind: vitis, emulate: true } }
variants: { fuse: [true, false] }
runs: { all: {} }
verify: { run: all }
`,
        "a.c": source,
      },
      "shared",
    );

  it("become one kernel that starts with the last launch, and give the serial result", async () => {
    const project = rig(program("", around));
    const { status, err } = await project.arc(["verify", "--all"]);
    expect(status, err).toBe(0);
    for (const target of ["intel", "amd"]) {
      const launches = async (variant: string) => {
        const trace = path.join(project.root, `${target}.json`);
        const ran = await project.arc(["run", `${target}:${variant}`], { env: { ARC_TRACE: trace } });
        expect(ran.status, ran.err).toBe(0);
        return readTrace(trace).filter((e) => e.cat === "launch").length;
      };
      expect(await launches("fuse")).toBe(2);
      expect(await launches("default")).toBe(6);
    }
    const story = await explained(project);
    expect(story.err).toMatch(/fuse: one kernel with the regions of lines 11, 13/);
    expect(story.err).toMatch(/fuse: one loop with that of line/);
  }, 120_000);

  it.each([
    [
      "something happens between",
      program("a[0] = 1;", around),
      /something else happens between them[\s\S]*one kernel with the region of line 13\b/,
    ],
    ["data leaves the device", program("", "copyin(a) copy(c, d)"), /'b' leaves the device/],
  ])(
    "stay kernels of their own where %s",
    async (_name, source, why) => {
      const project = rig(source);
      const story = await explained(project);
      expect(story.status, story.err).toBe(0);
      expect(story.err).toMatch(why);
      const { status, err } = await project.arc(["verify", "intel:fuse"]);
      expect(status, err).toBe(0);
    },
    120_000,
  );
});

describe("an array that only a channel carries", () => {
  it("has no memory on the device and is not copied; as a buffer it has", async () => {
    const rig = new Rig(
      {
        "arc.yaml": `arc: 1
project: piped
sources: [a.c]
targets: { amd: { kind: vitis, emulate: true }, fpga: { kind: intel-fpga, emulate: true }, ocl: { kind: opencl } }
variants: { model: [swi] }
`,
        "a.c": `#include <stdio.h>
static float a[40], t[40], b[40];
void work(void) {
#pragma acc data copyin(a) copyout(b) pipe(t)
  {
#pragma acc parallel loop num_gangs(1) num_workers(1) vector_length(1) pipeout(t)
    for (int i = 0; i < 40; i++) t[i] = a[i] * 2;
#pragma acc parallel loop num_gangs(1) num_workers(1) vector_length(1) pipein(t)
    for (int i = 0; i < 40; i++) b[i] = t[i] + 1;
  }
}
int main(void) {
  for (int i = 0; i < 40; i++) a[i] = i;
  work();
  printf("%g %g\\n", b[0], b[39]);
}`,
      },
      "shared",
    );
    const moved = async (target: string) => {
      const trace = path.join(rig.root, `${target}.json`);
      // Separate memory, as on a board.
      const env = { ARC_TRACE: trace, ARC_HOST_MEMORY: "separate" };
      const { status, out, err } = await rig.arc(["run", target], { env });
      expect(status, err).toBe(0);
      expect(out).toContain("1 79\n");
      const events = readTrace(trace).filter((e) => e.cat === "allocation" || e.cat === "transfer");
      return new Set(events.map((e) => e.args.variable));
    };
    expect(await moved("amd")).not.toContain("t");
    expect(await moved("fpga")).not.toContain("t");
    expect(await moved("ocl")).toContain("t");
  }, 120_000);
});
