/**
 * Every kernel that construct programs (a fourth of them, with ARC_SLOW_TESTS all) and examples make is OpenCL C, CUDA C++ and HIP C++ for another compiler than
 * the drivers': clang knows every function that they call, compiles to PTX and for an AMD GPU, and checks HIP as host code.
 * It needs no CUDA toolkit, which few machines of continuous integration have, and HIP's own headers where they are
 * (Debian: libamdhip64-dev), else what stands for them.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";
import { translateKernels } from "../../core/compiler/driver/translate.ts";
import { cudaEmitter } from "../../targets/cuda/emit.ts";
import { hipEmitter } from "../../targets/hip/emit.ts";
import { openclEmitter } from "../../targets/opencl/emit.ts";
import { sampled } from "../sampled.ts";

const root = path.resolve(import.meta.dirname, "../..");

function clangHere(): string | undefined {
  for (const name of ["clang", "clang-19", "clang-16", "clang-15", "clang-14"])
    try {
      execFileSync(name, ["--version"], { stdio: "ignore" });
      return name;
    } catch {}
  return undefined;
}

const compiler = clangHere();
const folder = mkdtempSync(path.join(tmpdir(), "arc-clang-"));
afterAll(() => rmSync(folder, { recursive: true }));

function clang(...args: string[]): string {
  const made = execFileSync(compiler as string, args, {
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  });
  return made.toString();
}

const files = (directory: string): string[] =>
  readdirSync(path.join(root, directory))
    .filter((file) => file.endsWith(".c"))
    .map((file) => path.join(directory, file));

const sources = [
  // Neighbours by name are about one construct.
  ...sampled(files("test/programs/acc"), 4),
  ...files("test/programs/omp"),
  ...readdirSync(path.join(root, "examples")).flatMap((name) => files(`examples/${name}/src`)),
];
const size = 40;

const batches = Array.from({ length: Math.ceil(sources.length / size) }, (_, k) => {
  const some = sources.slice(k * size, (k + 1) * size);
  const [first = "", last = ""] = [some[0], some.at(-1)].map((file) => path.basename(file ?? ""));
  return { name: `the kernels of ${first} to ${last}`, some };
});

// ---------------------------------------------------------------- the kernels

const emitters = { opencl: openclEmitter, cuda: cudaEmitter, hip: hipEmitter };
type Language = keyof typeof emitters;
type Kernels = Readonly<Record<Language, TranslatedKernel[]>>;

/** The same code in the same function is the same region. */
const seen = new Set<string>();

/** Each source is read once, and printed in every language. */
function kernelsOf(some: readonly string[]): Kernels {
  const kernels: Kernels = { opencl: [], cuda: [], hip: [] };
  const defined = ["-D_OPENACC=202211", "-D_OPENMP=201811", "-Itargets/runtime/include"];
  for (const file of some) {
    const text = execFileSync("gcc", ["-E", "-dD", ...defined, file], { cwd: root, maxBuffer: 1 << 28 });
    const read = { file, text: text.toString() };
    for (const language of Object.keys(emitters) as Language[])
      for (const kernel of translateKernels(read, emitters[language]).kernels) {
        const region = `${language} ${kernel.region}`;
        if (!seen.has(region)) kernels[language].push(kernel);
        seen.add(region);
      }
  }
  return kernels;
}

/** All in one file, each in a separate namespace. */
function together(name: string, begin: string, kernels: readonly TranslatedKernel[]): string {
  const texts = kernels.map(
    ({ region, text }) => `namespace of_${region} {\n${text.replace(/^#include .*\n/gm, "")}}\n`,
  );
  const file = path.join(folder, name);
  writeFileSync(file, [begin, ...texts].join("\n"));
  return file;
}

// ---------------------------------------------------------------- the compilers

const extended = ["-Xclang", "-cl-ext=+cl_khr_int64_base_atomics"];

function checkOpenCl(kernels: readonly TranslatedKernel[]): void {
  const named = (region: string) => path.join(folder, `${region}.cl`);
  for (const { region, text } of kernels) writeFileSync(named(region), text);
  const ofNvidia = kernels.filter(({ text }) => text.includes("__NV_CL_C_VERSION"));
  const check = ["-xcl", "-cl-std=CL1.2", "-fsyntax-only", "-w", "-Werror=implicit-function-declaration"];
  clang(...check, ...kernels.map(({ region }) => named(region)));
  if (ofNvidia.length === 0) return;
  // NVIDIA's compiler takes PTX as well. Registers of its operands have the right sizes.
  const forNvidia = ["--target=nvptx64-unknown-nvcl", "-D__NV_CL_C_VERSION=120", ...extended];
  clang(...check, ...forNvidia, ...ofNvidia.map(({ region }) => named(region)));
}

const common = ["-std=c++17", "-w", "-Wno-c++11-narrowing"];
const shim = `#include "${path.join(import.meta.dirname, "cuda/shim.h")}"`;
const cuda = "-x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O1 -S -o -".split(" ");

const toPtx = (kernels: readonly TranslatedKernel[]): string =>
  clang(...cuda, ...common, together("kernels.cu", shim, kernels));

const headers = [process.env.ROCM_PATH ?? "/opt/rocm", "/usr"].find((home) =>
  existsSync(path.join(home, "include/hip/hip_runtime.h")),
);
const hip = [
  ..."-x hip --offload-arch=gfx90a -nogpulib".split(" "),
  ...(headers ? [] : ["-nogpuinc"]),
  `-I${headers ? path.join(headers, "include") : path.join(import.meta.dirname, "hip/shim")}`,
];

function forAmd(kernels: readonly TranslatedKernel[]): string {
  const file = together("kernels.hip", "#include <hip/hip_runtime.h>", kernels);
  clang(...hip, ...common, "--cuda-host-only", "-fsyntax-only", file);
  return clang(...hip, ...common, "--cuda-device-only", "-O1", "-S", "-emit-llvm", "-o", "-", file);
}

describe.skipIf(compiler === undefined)("clang compiles", () => {
  it.each(batches)("$name", { timeout: 240_000 }, ({ some }) => {
    const kernels = kernelsOf(some);
    expect(kernels.opencl.length).toBeGreaterThan(0);
    checkOpenCl(kernels.opencl);
    expect(toPtx(kernels.cuda)).toContain(".visible .entry");
    expect(forAmd(kernels.hip)).toContain("amdgpu_kernel");
  });
});
