/** HIP for AMD GPUs, compiled by hipcc and loaded through libamdhip64. */
import { apartOption, keepsApart } from "../shared/kind/contraction.ts";
import type { TargetKind, Tool } from "../shared/kind/kind.ts";

const hipcc: Tool = {
  program: "hipcc",
  versionArgs: ["--version"],
  backEnds: ["../llvm/bin/clang++", "../lib/llvm/bin/clang++", "../llvm/bin/lld", "../lib/llvm/bin/lld"],
  install: "install ROCm's hipcc (Debian: apt-get install hipcc) and put it on PATH",
};

const oldestArch = "gfx90a";

export const hip: TargetKind = {
  kind: "hip",
  description: "an AMD GPU",
  options: {
    arch: {
      description: "the GPU's architecture, default gfx90a; code runs on no other one",
      type: "string",
      pattern: "^gfx[0-9a-f]{3,4}$",
      patternMeaning: "a GPU architecture such as `gfx942`",
    },
  },
  foreign(word) {
    const [architecture] = /\bgfx[0-9a-f]{3,4}\b/.exec(word) ?? [];
    if (architecture !== undefined) return `hip:arch=${architecture}`;
    return /amdgcn|amdgpu|gfx|radeon/.test(word) ? "hip" : undefined;
  },
  emitter: async () => (await import("./emit.ts")).hipEmitter,
  device: () => ({
    backend: "hip",
    environment: {},
    install: "install AMD's driver and ROCm's runtime (libamdhip64) on a machine with an AMD GPU",
  }),
  toolchain: ({ arch = oldestArch }, cflags = []) => ({
    extension: "hip",
    payloads: [
      {
        kind: "hsaco",
        call: {
          tool: hipcc,
          args: (source, output, options) => [
            "--genco",
            `--offload-arch=${arch}`,
            "-std=c++17",
            "-O3",
            "-w",
            // An error in C++, but not in C.
            "-Wno-c++11-narrowing",
            ...(keepsApart(cflags) ? [apartOption] : []),
            options,
            source,
            "-o",
            output,
          ],
        },
      },
    ],
  }),
  authored: ({ arch = oldestArch }) => ({
    tool: hipcc,
    extension: "hip",
    args: (source, output) => [
      "--genco",
      `--offload-arch=${arch}`,
      "-std=c++17",
      "-O3",
      source,
      "-o",
      output,
    ],
    payload: "hsaco",
    // Each kernel has a descriptor.
    symbols: /\0([\w$]+)\.kd(?=\0)/g,
    otherwise: "HIPRTC",
  }),
};
