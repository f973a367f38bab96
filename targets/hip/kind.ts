/** HIP for AMD GPUs, compiled by hipcc and loaded through libamdhip64. */
import type { TargetKind } from "../shared/kind/kind.ts";

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
  toolchain: ({ arch = "gfx90a" }) => ({
    extension: "hip",
    payloads: [
      {
        kind: "hsaco",
        call: {
          tool: {
            program: "hipcc",
            versionArgs: ["--version"],
            backEnds: [
              "../llvm/bin/clang++",
              "../lib/llvm/bin/clang++",
              "../llvm/bin/lld",
              "../lib/llvm/bin/lld",
            ],
            install: "install ROCm's hipcc (Debian: apt-get install hipcc) and put it on PATH",
          },
          args: (source, output) => [
            "--genco",
            `--offload-arch=${arch}`,
            "-std=c++17",
            "-O3",
            "-w",
            // An error in C++, not in C.
            "-Wno-c++11-narrowing",
            source,
            "-o",
            output,
          ],
        },
      },
    ],
  }),
};
