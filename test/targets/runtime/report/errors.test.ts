/** What a user reads when something goes wrong at run time: place, reason, remedy, exit code. */
import { mkdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { execute, runtime, Workshop } from "../harness.ts";
import type { ImageText } from "../image.ts";

const shop = new Workshop();
afterAll(() => shop.remove());

const program = shop.program("bad");
const region = (name: string, group = "1") => ({
  name,
  args: 1,
  kernels: [{ name, grid: ["t0"], group: [group], params: ["a0"] }],
});

const host = shop.image("host", {
  backend: "host",
  target: "cpu",
  regions: [region("segv"), region("fpe")],
  payloads: [
    {
      kind: "so",
      bytes: shop.kernels(`
#include "arc_host_kernel.h"
void segv(const struct arc_host_grid *g, void *const *args) { (void)args; *(volatile int *)(g->grid[0] * 0) = 1; }
void fpe(const struct arc_host_grid *g, void *const *args) {
  volatile int *p = args[0];
  p[1] = (int)g->grid[0] / p[0];
}`),
    },
  ],
});

const opencl = (source: string, change: Partial<ImageText> = {}): ImageText => ({
  backend: "opencl",
  target: "pocl",
  options: "-cl-std=CL1.2",
  regions: [region("wide", "t0 1000000 *"), region("bad"), region("crash")],
  payloads: [{ kind: "source", bytes: source }],
  ...change,
});
const kernels = ["wide", "bad", "crash"]
  .map(
    (name) =>
      `__kernel void ${name}(__global int *m, long o) { ${name === "crash" ? "*(__global volatile int *)8" : "*m"} = 1; }`,
  )
  .join("\n");
const good = shop.image("opencl", opencl(kernels));
const poclEnv = (images: string) => ({ ARC_IMAGES: images, ARC_OPENCL_PLATFORM: "Portable" });

mkdirSync(shop.path("tools"));
const tool = shop.path("tools/error.so");
shop.library("error_tool", tool, `-I${runtime}/include`);

const run = (how: string, env: Record<string, string>, ...args: string[]) =>
  execute([program, how, ...args], { env });

describe.each([
  ["host", { ARC_IMAGES: host, ARC_HOST_MEMORY: "separate" }],
  ["PoCL", poclEnv(good)],
])("on %s", (_name, env) => {
  it("names absent data as written, the directive, and the data that is present", () => {
    const { code, stderr, stdout } = run("absent", env);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^heat\.c:40: error\[not-present\]: parallel loop: temperature\[0:n\] \(256 bytes at 0x[0-9a-f]+\) is not present on .*; nearest in memory: other\[0:64\] \(256 bytes at 0x[0-9a-f]+, mapped at heat\.c:31\) (above|below)\n {2}help: /,
    );
    expect(stdout).toBe("exit handlers ran\n");
  });

  // Numbers of acc_construct_t and acc_error_t.
  it.each([
    ["absent", /^heat\.c:40 construct 0 error 10 on a device: temperature\[0:n\] .* is not present on /],
    ["overlap", /^heat\.c:40 construct 0 error 11 on a device: other\[32:64\] .* is only partly present on /],
    ["huge", /^heat\.c:40 construct 0 error 9 on a device: .* has no room for temperature/],
    ["queue", /^heat\.c:40 construct 0 error 14 on a device: -7 is no async queue\n/],
    ["default-queue", /^\?:0 construct 15 error 14 on none: -7 is no async queue\n/],
    ["free", /^\?:0 construct 15 error 13 on a device: /],
  ])("tells tools before the program ends: %s", (how, told) => {
    const { code, stdout } = execute([program, how], { env: { ...env, ACC_PROFLIB: tool } });
    expect(code).toBe(1);
    expect(stdout).toMatch(told);
    expect(stdout).toMatch(/\nexit handlers ran\n$/);
  });

  it("refuses to update absent data", () => {
    expect(run("absent-update", env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("heat.c:40: error[not-present]"),
    });
  });

  it("refuses a section that is partly present, and names what it overlaps", () => {
    const { code, stderr } = run("overlap", env);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^heat\.c:40: error\[partly-present\]: parallel loop: other\[32:64\] \(256 bytes at .*\) is only partly present on .*: 128 of its bytes belong to other\[0:64\]/,
    );
  });

  it("refuses a pointer that several sections were mapped through, and names them", () => {
    const { code, stderr } = run("two-sections", env);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^heat\.c:40: error\[ambiguous-pointer\]: parallel loop: temperature \(.*\) leads to nothing on .* itself, and to more than one section: temperature\[8:8\] \(32 bytes at .*\) and temperature\[24:8\] .*\n {2}help: name the section/,
    );
  });

  it("reports how much memory was needed and for what, if the device has too little", () => {
    const { code, stderr } = run("huge", env);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^heat\.c:40: error\[device-memory\]: parallel loop: .* has no room for temperature\[0:n\] \(70368744177664 bytes\): .*\n {2}help: map less/,
    );
  });

  it("refuses invalid async numbers", () => {
    expect(run("queue", env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("-7 is no async queue"),
    });
    expect(run("default-queue", env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("error[async-number]: acc_set_default_async: -7 is no async queue"),
    });
  });

  it("refuses to free what acc_malloc did not give", () => {
    expect(run("free", env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("error[device-pointer]: acc_free:"),
    });
  });

  it("waits for a queue that uses what is removed, and says which", () => {
    const { code, stdout, stderr } = run("removed", env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "done\nexit handlers ran\n" });
    expect(stderr.replace(/^arc: warning\[no-unified.*\n/m, "")).toMatch(
      /^heat\.c:50: warning\[removed-in-use\]: exit data: other\[0:64\] is removed while work of async queue 3 may still use it: .* write wait\(3\) before it, or async\(3\) on it\n$/,
    );
  });

  it.each(["removed-behind", "removed-awaited"])("says nothing where the order is said: %s", (how) => {
    const { code, stderr } = run(how, env);
    expect(code).toBe(0);
    expect(stderr).not.toContain("removed-in-use");
  });

  it("maps nothing for a null pointer", () => {
    expect(run("null", env)).toMatchObject({ code: 0, stdout: "done\nexit handlers ran\n" });
  });
});

describe("a program that requests a device type", () => {
  const nvidia = { TYPE: "4" };

  it("gets an error where its images are for another", () => {
    const { code, stderr } = run("null", { ARC_IMAGES: host, ...nvidia });
    expect(code).toBe(1);
    expect(stderr).toMatch(/error\[no-device\]: data: cuda device 0 cannot be used: the CUDA driver/);
  });

  it("runs on the target that ARC_TARGET names all the same", () => {
    expect(run("null", { ARC_IMAGES: host, ARC_TARGET: "cpu", ...nvidia })).toMatchObject({
      code: 0,
      stderr: "",
    });
  });

  it("runs on the host if it requests the host, with kernels only if there are images for the host", () => {
    const env = { ...poclEnv(good), ARC_TARGET: "pocl", TYPE: "2" };
    expect(run("null", env)).toMatchObject({ code: 0, stderr: "" });
    expect(run("wide", env).stderr).toMatch(
      /error\[no-image\]: parallel loop: there is no code for region wide: no image fits host:0/,
    );
  });
});

describe("kernels that crash", () => {
  it.each([
    ["segv", "SIGSEGV"],
    ["fpe", "SIGFPE"],
  ])("are named before the program dies of its signal: %s", (name, signal) => {
    const { signal: died, stderr } = run(name, { ARC_IMAGES: host });
    expect(died).toBe(signal);
    expect(stderr).toMatch(
      new RegExp(
        `^heat\\.c:40: error\\[kernel-crash\\]: parallel loop: the program died while kernel ${name} ran on host:0 \\(${signal}`,
      ),
    );
  });

  it("are named on a device that is the host's processor", () => {
    const { signal, stderr } = run("crash", poclEnv(good));
    expect(signal).toBe("SIGSEGV");
    expect(stderr).toMatch(
      /^heat\.c:40: error\[kernel-crash\]: parallel loop: the program died while kernel crash ran on opencl:0/,
    );
  });

  it("are still named where two threads crash at once, and the driver's own handler answers one signal", () => {
    expect(run("bad", poclEnv(good))).toMatchObject({ code: 0, stdout: "done\nexit handlers ran\n" });
  });
});

describe("OpenCL", () => {
  it("shows the compiler's log for a kernel that does not build", () => {
    const images = shop.image(
      "broken",
      opencl("__kernel void bad(__global int *m, long o) { no_such_thing(); }"),
    );
    const { code, stderr } = run("bad", poclEnv(images));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^[\s\S]*heat\.c:40: error\[load\]: parallel loop: .*program\.arci does not load on opencl:0/,
    );
    expect(stderr).toContain("no_such_thing");
    expect(stderr).toContain("kernel.map.json");
  });

  it("refuses a group that the device does not allow", () => {
    const { code, stderr } = run("wide", poclEnv(good));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /heat\.c:40: error\[group-size\]: parallel loop: kernel wide asks for groups of 64000000 x 1 x 1 work-items, opencl:0 .* allows \d+/,
    );
  });

  it("refuses a binary of another device when there is no source", () => {
    const images = shop.image(
      "binary",
      opencl("", { payloads: [{ kind: "binary", bytes: "x", tag: "Stratix 10 / 20.1" }] }),
    );
    expect(run("bad", poclEnv(images)).stderr).toMatch(
      /it holds a binary for another device or driver, 'Stratix 10 \/ 20\.1'; this is '/,
    );
  });

  it("falls back to the source of an image whose binary does not fit", () => {
    const images = shop.image(
      "both",
      opencl(kernels, {
        payloads: [
          { kind: "binary", bytes: "x", tag: "Stratix 10 / 20.1" },
          { kind: "source", bytes: kernels },
        ],
      }),
    );
    expect(run("bad", poclEnv(images))).toMatchObject({ code: 0, stderr: "" });
  });

  it("names the missing library", () => {
    const { code, stderr } = run("bad", { ...poclEnv(good), ARC_OPENCL_LIBRARY: "libNothing.so.1" });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error\[no-device\]: .*opencl device 0 cannot be used: the OpenCL library cannot be used: libNothing\.so\.1: cannot open/,
    );
  });

  it("names the filter that no device fits", () => {
    const { stderr } = run("bad", { ARC_IMAGES: good, ARC_OPENCL_DEVICE: "H9000" });
    expect(stderr).toContain(
      "no OpenCL device fits ARC_OPENCL_PLATFORM= ARC_OPENCL_DEVICE=H9000 ARC_DEVICE=",
    );
  });
});
