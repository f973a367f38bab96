import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { execute, Workshop } from "./harness.ts";
import { openclRegions } from "./regions.ts";

const shop = new Workshop();
afterAll(() => shop.remove());

const images = shop.image("opencl", openclRegions);
const env = { ARC_IMAGES: images, ARC_OPENCL_PLATFORM: "Portable" };

it("waits for a read that fills the bytes of a later write, where the library takes them at once", () => {
  const library = shop.path("libeager.so");
  shop.library("eager_opencl", library, "-Wl,--no-as-needed", "-l:libOpenCL.so.1");
  expect(execute([shop.program("async")], { env: { ...env, ARC_OPENCL_LIBRARY: library } })).toMatchObject({
    code: 0,
    stdout: "right\n",
  });
});

it("runs a binary that was built offline, without its source", () => {
  const source = shop.path("regions.cl");
  writeFileSync(source, openclRegions.payloads[0]?.bytes ?? "");
  const built = execute([shop.tool("opencl_binary"), source, "-cl-std=CL1.2", shop.path("binary")], { env });
  expect(built).toMatchObject({ code: 0, stderr: "" });
  const tag = built.stdout.trim();
  expect(tag).toMatch(/^.+ \/ .+$/);
  const binary = { kind: "binary", bytes: readFileSync(shop.path("binary")), tag } as const;
  const folder = shop.image("binary", { ...openclRegions, payloads: [binary] });
  expect(execute([shop.program("deep")], { env: { ...env, ARC_IMAGES: folder } })).toMatchObject({
    code: 0,
    stdout: "right\n",
  });

  const damaged = { ...binary, bytes: "not a program" };
  const both = shop.image("damaged", { ...openclRegions, payloads: [damaged, ...openclRegions.payloads] });
  const ran = execute([shop.program("deep")], { env: { ...env, ARC_IMAGES: both, ARC_VERBOSE: "1" } });
  expect(ran).toMatchObject({ code: 0, stdout: "right\n" });
  expect(ran.stderr).toContain("its binary is not taken");
});

it("shows the log of a source that does not compile offline", () => {
  const source = shop.path("wrong.cl");
  writeFileSync(source, "__kernel void k(__global int *p) { no_such_thing(p); }");
  const built = execute([shop.tool("opencl_binary"), source, "", shop.path("none")], { env });
  expect(built.code).toBe(1);
  expect(built.stderr).toContain("no_such_thing");
});

it.each([
  ["float", true],
  ["int", false],
] as const)("asks for quotients as in C where there are %s: %s", (type, asks) => {
  const source = shop.path("divides.cl");
  writeFileSync(source, `__kernel void k(__global ${type} *p) { *p = no_such_thing(*p); }`);
  const built = execute([shop.tool("opencl_binary"), source, "-cl-std=CL1.2", shop.path("none")], { env });
  expect(built.stderr.includes("-cl-fp32-correctly-rounded-divide-sqrt")).toBe(asks);
});
