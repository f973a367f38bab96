/** ARC_CHECK=transfers: what is said about right and wrong data movement. */
import { afterAll, expect, it } from "vitest";
import { execute, Workshop } from "../harness.ts";
import { hostKernels, hostRegions, openclRegions } from "../regions.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());

const program = shop.program("report/coherence");
const images = shop.image("host", hostRegions(shop.kernels(hostKernels)));
const run = (what: string, env: Record<string, string> = {}) => {
  const ran = execute([program, what], {
    env: { ARC_IMAGES: images, ARC_HOST_MEMORY: "separate", ARC_CHECK: "transfers", ...env },
  });
  expect(ran.code).toBe(0);
  return ran.stderr.split("\n").slice(0, -1);
};
const findings = (what: string) =>
  run(what).map((text) => text.replace(/^.*?(\w+\.[ch]):\d+: warning/, "$1: warning"));

it.each(["one data region", "right"])(
  "reports nothing about a program with correct transfers: %s",
  (what) => {
    expect(run(what)).toEqual([]);
  },
);

it("finds a transfer of what the device holds already", () => {
  expect(findings("update of what is there")).toEqual([
    "coherence.c: warning[redundant-transfer]: update: update device of a[0:n]: the device holds these 400 bytes already",
  ]);
});

it("finds a kernel that runs on data which the host has changed", () => {
  expect(findings("stale kernel")).toEqual([
    expect.stringMatching(
      /^check\.h: warning\[missing-transfer\]: parallel loop: a\[0:n\]: the host changed 1 bytes \(the first is byte 28\) after their last transfer/,
    ),
  ]);
});

it("finds a transfer that overwrites what the host changed", () => {
  expect(findings("stale device")).toEqual([
    expect.stringMatching(
      /^coherence\.c: warning\[incorrect-transfer\]: update: update self of a\[0:n\]: overwrites 1 bytes \(the first is byte 28\) that the host changed since /,
    ),
  ]);
});

it("finds a transfer that overwrites what kernels changed", () => {
  expect(findings("stale host")).toEqual([
    expect.stringMatching(
      /^coherence\.c: warning\[incorrect-transfer\]: update: update device of a\[0:n\]: overwrites 100 bytes \(the first is byte 0\) that kernels changed/,
    ),
  ]);
});

it("finds results that copyin does not copy back, and copies of unset data", () => {
  expect(findings("lost result")).toEqual([
    expect.stringMatching(/warning\[dropped-result\]: data: a\[0:n\]: kernels changed 100 bytes/),
  ]);
  expect(findings("copyout of nothing")).toEqual([
    expect.stringMatching(
      /warning\[incorrect-transfer\]: data: copyout of a\[0:n\]: nothing has set the device's copy/,
    ),
  ]);
});

// Six constructs: five copyins of each array, and three copyouts of each that its kernel did not change.
it("finds the transfers that a data region around the constructs would spare, and counts them", () => {
  expect(run("each kernel copies all")).toEqual([
    "listing.c:5: warning[redundant-transfer]: parallel loop: copy of b[0:n]: the host holds these 400 bytes already",
    "listing.c:5: warning[redundant-transfer]: parallel loop: copy of a[0:n]: the device held these 400 bytes already, until listing.c:5; enclose both in one data region",
    "listing.c:5: warning[redundant-transfer]: parallel loop: b[0:n]: 8 times in all, 3200 bytes",
    "listing.c:5: warning[redundant-transfer]: parallel loop: a[0:n]: 8 times in all, 3200 bytes",
  ]);
});

it("reports that memory is shared and there is nothing to check", () => {
  expect(run("right", { ARC_HOST_MEMORY: "shared" })).toEqual([
    expect.stringContaining("warning[check]: enter data: host:0 shares the host's memory"),
  ]);
});

it("finds the same on PoCL", () => {
  const env = {
    ARC_IMAGES: shop.image("opencl", openclRegions),
    ARC_OPENCL_PLATFORM: "Portable",
    ASAN_OPTIONS: "detect_leaks=0",
  };
  expect(run("stale device", env)).toHaveLength(1);
  expect(run("right", env)).toEqual([]);
});
