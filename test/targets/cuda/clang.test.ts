/**
 * Every kernel that the construct programs and examples make is CUDA C++: clang compiles it to PTX, without the
 * CUDA toolkit, which few machines of continuous integration have.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cudaEmitter } from "../../../targets/cuda/emit.ts";
import { batches, compiler, kernelTexts, textFolder } from "../clang.ts";

const folder = textFolder();
const shim = readFileSync(path.join(import.meta.dirname, "shim.h"), "utf8");
const options = "-x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib".split(" ");

describe.skipIf(compiler === undefined)("clang compiles to PTX", () => {
  const seen = new Set<string>();
  it.each(batches)("$name", { timeout: 240_000 }, ({ some }) => {
    const texts = kernelTexts(some, cudaEmitter, seen);
    expect(texts.length).toBeGreaterThan(0);
    const name = path.join(folder, "kernels.cu");
    writeFileSync(name, [shim, ...texts].join("\n"));
    const args = [...options, "-std=c++17", "-O1", "-w", "-Wno-c++11-narrowing", "-S", name, "-o", "-"];
    const ptx = execFileSync(compiler as string, args, {
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 1 << 28,
    });
    expect(ptx.toString()).toContain(".visible .entry");
  });
});
