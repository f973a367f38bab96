import { afterAll, describe, expect, it } from "vitest";
import { execute, readTrace, Workshop } from "../harness.ts";
import type { ImageText } from "../image.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());
const program = shop.program("launch/together");

const kernel = (name: string, params: readonly string[]) => ({ name, grid: ["1"], group: ["1"], params });
const regions: ImageText["regions"] = [
  { name: "give", args: 2, together: "wait 0", kernels: [kernel("give", ["a0", "a1"])] },
  { name: "take", args: 1, together: "last 0", kernels: [kernel("take", ["a0"])] },
];

/** Each waits for the other inside: only if both run at the same time does either end. */
const native = shop.kernels(`
#include "arc_host_kernel.h"
#include <stdatomic.h>
static atomic_int here, there;
void give(const struct arc_host_grid *g, void *const *args) {
  atomic_fetch_add(&here, 1);
  while (atomic_load(&there) < atomic_load(&here)) ;
  *(int *)args[0] += *(const int *)args[1];
}
void take(const struct arc_host_grid *g, void *const *args) {
  int round = atomic_fetch_add(&there, 1) + 1;
  while (atomic_load(&here) < round) ;
  *(int *)args[0] += 10;
}`);
const source = `
__kernel void give(__global char *m, const long o, const int v) { *(__global int *)(m + o) += v; }
__kernel void take(__global char *m, const long o) { *(__global int *)(m + o) += 10; }`;

const image = (backend: "host" | "opencl", of: "native" | "source"): ImageText => ({
  backend,
  target: "t",
  regions,
  payloads: [of === "native" ? { kind: "so", bytes: native } : { kind: "source", bytes: source }],
});
const run = (name: string, text: ImageText, ...args: string[]) =>
  execute([program, ...args], {
    env: {
      ARC_IMAGES: shop.image(name, text),
      ARC_OPENCL_PLATFORM: "Portable",
      ASAN_OPTIONS: "detect_leaks=0",
    },
  });

describe("regions that channels join", () => {
  it("run at the same time on the host, with the arguments of their own launches", () => {
    expect(run("host", image("host", "native"), "3")).toMatchObject({ code: 0, stdout: "6 30\n" });
  });

  it("run at the same time where kernels are emulated beside an OpenCL device", () => {
    expect(run("emulated", image("opencl", "native"), "3")).toMatchObject({ code: 0, stdout: "6 30\n" });
  });

  it("run on queues of their own, after what was queued before them and before what comes later", () => {
    expect(run("opencl", image("opencl", "source"), "5")).toMatchObject({ code: 0, stdout: "15 50\n" });
  });

  it("appear in the trace, each with its location", () => {
    const file = shop.path("trace.json");
    const { code } = execute([program, "1"], {
      env: { ARC_IMAGES: shop.image("traced", image("host", "native")), ARC_TRACE: file },
    });
    expect(code).toBe(0);
    const launches = readTrace(file).filter((e) => e.cat === "launch");
    expect(launches.map((e) => e.name).sort()).toEqual(["give", "take"]);
  });

  it.each(["host", "opencl"] as const)(
    "start once where one kernel does the work of all, on %s",
    (backend) => {
      const both = (params: readonly string[]) => [kernel("both", params)];
      const fused: ImageText = {
        backend,
        target: "t",
        regions: [
          { name: "give\nfused wait 0", args: 2, kernels: both(["a0", "a1"]) },
          { name: "take\nfused last 0", args: 1, kernels: both(["a0"]) },
        ],
        payloads: [
          backend === "host"
            ? {
                kind: "so",
                bytes: shop.kernels(`
#include "arc_host_kernel.h"
void both(const struct arc_host_grid *g, void *const *args) {
  *(int *)args[0] += *(const int *)args[1];
  *(int *)args[2] += 10;
}`),
              }
            : {
                kind: "source",
                bytes: `__kernel void both(__global char *x, const long xo, const int v, __global char *y, const long yo) {
  *(__global int *)(x + xo) += v;
  *(__global int *)(y + yo) += 10;
}`,
              },
        ],
      };
      expect(run(`fused-${backend}`, fused, "3")).toMatchObject({ code: 0, stdout: "6 30\n" });
      expect(run(`fused-${backend}`, fused, "1", "alone").stderr).toContain("is one of 2 that run together");
    },
  );

  it("end with an error where one of them is missing", () => {
    const { code, stderr } = run("alone", image("host", "native"), "1", "alone");
    expect(code).toBe(1);
    expect(stderr).toContain("region take is one of 2 that run together, and 1 of them were launched");
  });

  it.each([
    ["together maybe", "'wait' or 'last' and the number"],
    ["together last 0\nscratch 4", "one kernel and no scratch"],
  ])("are refused in images that say %j", (lines, message) => {
    const bad: ImageText = {
      ...image("host", "native"),
      regions: [{ name: `take\n${lines}`, args: 1, kernels: [kernel("take", ["a0"])] }],
    };
    const { code, stderr } = run(`bad-${lines.length}`, bad, "1", "alone");
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
