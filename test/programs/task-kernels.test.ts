/** Tasks whose bodies are OpenCL kernels of the author's own, on PoCL. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { translateHost } from "../../core/compiler/driver/translate.ts";
import { withKernelFiles } from "../../core/ir/ompss/kernel-files.ts";
import { runtime, Workshop } from "../targets/runtime/harness.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-task-kernels-"));
const shop = new Workshop();
afterAll(() => {
  rmSync(folder, { recursive: true });
  shop.remove();
});

const sources = path.join(import.meta.dirname, "task-kernels");
const pocl = { ARC_OPENCL_PLATFORM: "Portable" };

/** An executable of a program whose files of kernels are changed by `edit`. */
async function built(name: string, edit: (kernels: string) => string = (text) => text): Promise<string> {
  const file = path.join(sources, "kernels.c");
  const preprocessed = await start("gcc", ["-E", "-dD", "-D_OPENMP=201811", file]);
  const text = withKernelFiles(preprocessed.out, (kernels) =>
    edit(readFileSync(path.join(sources, kernels), "utf8")),
  );
  const host = translateHost({ file, text }, readFileSync(file, "utf8"));
  expect(host.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const base = path.join(folder, name);
  writeFileSync(`${base}.c`, host.text);
  const options = ["-std=gnu11", "-O1", "-Wall", "-Werror", "-Wno-unknown-pragmas", `-I${runtime}/include`];
  const libraries = [shop.archive(), "-ldl", "-lpthread", "-lm"];
  const { err } = await start("gcc", [...options, `${base}.c`, ...libraries, "-o", base]);
  expect(err).toBe("");
  return base;
}

describe("kernels of the author's own", () => {
  it("run as tasks, and their data stays where it is used", { timeout: 60_000 }, async () => {
    const program = await built("kernels");
    const { status, out, err } = await start(program, [], { env: { ...pocl, ARC_VERBOSE: "2" } });
    expect(status).toBe(0);
    // PoCL copies what is written, so that the host's bytes are the old ones until the wait that flushes.
    expect(out).toBe("1\n2047\n12160 3.14368e+06 1 2235 1828\n");
    const moved = [...err.matchAll(/task: (\d+) bytes (to|from)/g)].map((m) => `${m[1]} ${m[2]}`);
    // Four launches in a row copy their data once, and what is only written is not copied to the device at all.
    expect(moved.filter((m) => m === "4096 to")).toHaveLength(6);
    expect(moved.filter((m) => m === "4096 from")).toHaveLength(3);
    expect(moved).toContain("64 from");
    expect(moved).not.toContain("64 to");
    for (const threads of ["1", "4"])
      expect((await start(program, [], { env: { ...pocl, ARC_NUM_THREADS: threads } })).out).toBe(out);
  });

  it("that do not compile are told with the driver's words", { timeout: 60_000 }, async () => {
    const program = await built("broken", (text) => text.replace("a * x[i]", "a * xx[i]"));
    const { status, err } = await start(program, [], { env: pocl });
    expect(status).toBe(1);
    expect(err).toContain("error[kernel]: task: kernel 'saxpy' of kernels.cl on opencl:0");
    expect(err).toContain("xx");
  });

  it("need a device", { timeout: 60_000 }, async () => {
    const { status, err } = await start(path.join(folder, "kernels"), [], {
      env: { ...pocl, ARC_OPENCL_LIBRARY: "none.so" },
    });
    expect(status).toBe(1);
    expect(err).toContain("error[no-device]: task: kernel 'saxpy' needs a device of kind opencl");
  });
});
