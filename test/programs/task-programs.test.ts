/**
 * Programs whose tasks are kernels on two devices, against the same programs with plain C in place of the kernels
 * (`-DSERIAL`), compiled by gcc alone.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { translateHost } from "../../core/compiler/driver/translate.ts";
import { withKernelFiles } from "../../core/ir/ompss/kernel-files.ts";
import { runtime, Workshop } from "../targets/runtime/harness.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-task-programs-"));
const shop = new Workshop();
afterAll(() => {
  rmSync(folder, { recursive: true });
  shop.remove();
});

const sources = path.join(import.meta.dirname, "task-programs");
const own = ["-std=gnu11", "-O1", "-w", "-ffp-contract=off", `-I${runtime}/include`];
const libraries = ["-ldl", "-lpthread", "-lm"];

async function compiled(out: string, ...args: readonly string[]): Promise<string> {
  const { err } = await start("gcc", [...own, ...args, ...libraries, "-o", out]);
  expect(err).toBe("");
  return out;
}

const serial = (file: string, out: string) =>
  compiled(out, "-DSERIAL", file, path.join(runtime, "serial/openacc_serial.c"));

async function translated(name: string, out: string, edit = (text: string) => text): Promise<string> {
  const original = edit(readFileSync(path.join(sources, `${name}.c`), "utf8"));
  const file = `${out}-source.c`;
  writeFileSync(file, original);
  const options = ["-E", "-dD", "-D_OPENMP=201811", `-I${runtime}/include`];
  const preprocessed = await start("gcc", [...options, file]);
  const text = withKernelFiles(preprocessed.out, (kernels) => ({
    path: kernels,
    text: readFileSync(path.join(sources, kernels), "utf8"),
  }));
  const host = translateHost({ file, text }, original);
  expect(host.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  writeFileSync(`${out}.c`, host.text);
  return compiled(out, `${out}.c`, shop.archive());
}

/** Lines that are neither empty nor a comment nor a kernel's, in C or in its own language. */
function hostLines(text: string): number {
  const host = text
    .replace(/^#ifdef SERIAL\n[\s\S]*?^#endif\n/gm, "")
    .replace(/^static const char \*source =\n(?: {4}".*\n)*/gm, "")
    .replace(/\/\*[\s\S]*?\*\//g, "");
  return host.split("\n").filter((line) => line.trim() !== "").length;
}

describe("beside the same programs through OpenCL's API", () => {
  it.each([
    { name: "listing5", lines: [13, 48], words: [3, 21] },
    { name: "matmul", lines: [27, 85], words: [3, 22] },
    { name: "nbody", lines: [23, 86], words: [3, 24] },
  ])("$name", { timeout: 120_000 }, async ({ name, lines, words }) => {
    const task = readFileSync(path.join(sources, `${name}.c`), "utf8");
    const file = path.join(sources, "by-hand", `${name}.c`);
    const hand = readFileSync(file, "utf8");
    const flags = ["-DCL_TARGET_OPENCL_VERSION=120", file, "-l:libOpenCL.so.1"];
    const program = await compiled(path.join(folder, `${name}-by-hand`), ...flags);
    const expected = await start(
      await serial(path.join(sources, `${name}.c`), path.join(folder, `${name}-plain`)),
      [],
    );
    const env = { POCL_DEVICES: "pthread pthread", OCL_ICD_VENDORS: "/etc/OpenCL/vendors/pocl.icd" };
    const { status, out, err } = await start("/bin/sh", ["-c", `cd '${sources}' && exec '${program}'`], {
      env,
    });
    expect(`${status} ${out}${err}`).toBe(`0 ${expected.out}`);
    expect([hostLines(task), hostLines(hand)]).toEqual(lines);
    const calls = hand.match(/\bcl[A-Z]\w+(?=\()/g) ?? [];
    expect([task.match(/^ *#pragma/gm)?.length, calls.length]).toEqual(words);
  });
});

describe("programs of tasks on devices", () => {
  it.each([
    ["listing5", 1, "2047\n"],
    ["matmul", 2, undefined],
    ["nbody", 2, undefined],
    ["krist", 1, undefined],
    ["julia", 1, undefined],
    ["stencil", 2, undefined],
  ])("%s", { timeout: 120_000 }, async (name, devices, printed) => {
    const file = path.join(sources, `${name}.c`);
    const expected = await start(await serial(file, path.join(folder, `${name}-serial`)), []);
    expect(expected.status).toBe(0);
    if (printed !== undefined) expect(expected.out).toBe(printed);
    const program = await translated(name, path.join(folder, name));
    const env = {
      ARC_OPENCL_PLATFORM: "Portable",
      POCL_DEVICES: "pthread pthread",
      ARC_NUM_THREADS: "4",
      ARC_VERBOSE: "2",
    };
    const { status, out, err } = await start(program, [], { env });
    expect(`${status} ${out}`).toBe(`0 ${expected.out}`);
    expect(new Set(err.match(/opencl:\d/g)).size).toBeGreaterThanOrEqual(devices);
    // Everything that the program says to devices: a kernel's two directives, host tasks, and the wait.
    expect((readFileSync(file, "utf8").match(/^#pragma/gm) ?? []).length).toBeLessThanOrEqual(5);
  });
});

const pocl = (devices: number) => ({
  ARC_OPENCL_PLATFORM: "Portable",
  POCL_DEVICES: Array(devices).fill("basic").join(" "),
});

it("products of tiles are the same on any number of devices, by every policy", {
  timeout: 120_000,
}, async () => {
  const program = await translated("matmul", path.join(folder, "tiles"));
  const policies = ["locality", "breadth-first", "priority", "critical-path", "versioning"];
  for (const devices of [1, 2, 4, 8])
    for (const policy of devices === 4 ? policies : policies.slice(0, 1)) {
      const env = { ...pocl(devices), ARC_TASK_POLICY: policy };
      const { status, out } = await start(program, [], { env });
      expect(`${status} ${out}`, `${devices} ${policy}`).toBe("0 436601\n291553\n436865\n");
    }
});

it("1000 steps of bodies are bit by bit the same on two devices as on one", {
  timeout: 120_000,
}, async () => {
  const bits = async (devices: number) => {
    const program = await translated("nbody", path.join(folder, `bodies-${devices}`), (text) =>
      text
        .replace("STEPS = 20, DEVICES = 2", `STEPS = 1000, DEVICES = ${devices}`)
        .replace(
          'printf("%.2f %.2f\\n", x, y);',
          'for (unsigned i = 0; i < sizeof bodies[0]; i++) printf("%02x", ((unsigned char *)bodies[0])[i]);',
        ),
    );
    const { status, out } = await start(program, [], { env: pocl(devices) });
    expect(status).toBe(0);
    expect(out).toMatch(/^[0-9a-f]{5120}$/);
    return out;
  };
  expect(await bits(2)).toBe(await bits(1));
});
