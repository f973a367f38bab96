/**
 * Every kernel that the construct programs and examples make is HIP C++: clang compiles it for an AMD GPU, and checks it
 * as host code, with HIP's own headers where they are (Debian: libamdhip64-dev), else with what stands for them.
 */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hipEmitter } from "../../../targets/hip/emit.ts";
import { batches, compiler, kernelTexts, textFolder } from "../clang.ts";

const folder = textFolder();
const headers = [process.env.ROCM_PATH ?? "/opt/rocm", "/usr"].find((root) =>
  existsSync(path.join(root, "include/hip/hip_runtime.h")),
);
const include = headers ? path.join(headers, "include") : path.join(import.meta.dirname, "shim");
const common = [
  ..."-x hip --offload-arch=gfx90a -nogpulib -std=c++17 -w -Wno-c++11-narrowing".split(" "),
  ...(headers ? [] : ["-nogpuinc"]),
  `-I${include}`,
];

describe.skipIf(compiler === undefined)("clang compiles for an AMD GPU", () => {
  const seen = new Set<string>();
  it.each(batches)("$name", { timeout: 240_000 }, ({ some }) => {
    const texts = kernelTexts(some, hipEmitter, seen);
    expect(texts.length).toBeGreaterThan(0);
    const name = path.join(folder, "kernels.hip");
    writeFileSync(name, ["#include <hip/hip_runtime.h>", ...texts].join("\n"));
    const clang = (...args: string[]) =>
      execFileSync(compiler as string, [...common, ...args, name], {
        stdio: ["ignore", "pipe", "pipe"],
        maxBuffer: 1 << 28,
      }).toString();
    expect(clang("--cuda-device-only", "-O1", "-S", "-emit-llvm", "-o", "-")).toContain("amdgpu_kernel");
    clang("--cuda-host-only", "-fsyntax-only");
  });
});
