/** ACC_PROFLIB: a tool that is loaded when the program starts, and told of all that its devices do. */
import { mkdirSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { hostImage, hostKernel } from "../axpy.ts";
import { execute, runtime, Workshop } from "../harness.ts";

const shop = new Workshop("gcc", []);
afterAll(() => shop.remove());

mkdirSync(shop.path("tools"));
const tool = shop.path("tools/tool.so");
shop.library("tool", tool, `-I${runtime}/include`);
const axpy = shop.program("axpy");
const env = {
  ARC_IMAGES: shop.image("host", hostImage(shop.kernels(hostKernel, "-fopenmp"))),
  ARC_HOST_MEMORY: "separate",
};

it("receives events for devices, launches and transfers", () => {
  const watched = execute([axpy, "1000"], { env: { ...env, ACC_PROFLIB: tool } });
  expect(watched.code, watched.stderr).toBe(0);
  expect(watched.stdout).toMatch(
    /\ndevices 1 1\nlaunches [1-9]\d*\nbytes up [1-9]\d*000 down [1-9]\d*000\n$/,
  );
});

it("that cannot be loaded is named", () => {
  const { code, stderr } = execute([axpy, "1000"], { env: { ...env, ACC_PROFLIB: "/nowhere/tool.so" } });
  expect(code).toBe(0);
  expect(stderr).toContain("ACC_PROFLIB names /nowhere/tool.so, which cannot be loaded");
});
