/** CUDA for NVIDIA GPUs, compiled by nvcc and loaded through the driver. */
import { apartInCuda, keepsApart } from "../shared/kind/contraction.ts";
import type { TargetKind, Tool } from "../shared/kind/kind.ts";

/** The oldest architecture that nvcc 13 supports; its PTX runs on all later ones. */
const oldestArch = "sm_75";

const nvcc: Tool = {
  program: "nvcc",
  versionArgs: ["--version"],
  backEnds: ["cudafe++", "ptxas", "fatbinary", "../nvvm/bin/cicc"],
  install: "install NVIDIA's CUDA toolkit and put nvcc on PATH",
};

/** Code for an architecture, and PTX for later ones. */
const generated = (arch: unknown): string => {
  const number = String(arch).slice("sm_".length);
  return `-gencode=arch=compute_${number},code=[sm_${number},compute_${number}]`;
};

export const cuda: TargetKind = {
  kind: "cuda",
  description: "an NVIDIA GPU",
  options: {
    arch: {
      description: `the GPU's architecture, default ${oldestArch}; later ones run it through PTX`,
      type: "string",
      pattern: "^sm_\\d+[af]?$",
      patternMeaning: "a GPU architecture such as `sm_90`",
    },
    tf32: {
      description: "multiply matrices of floats by matrix units, which round factors to 11 bits",
      type: "boolean",
    },
  },
  foreign(word) {
    const [, number] = /(?:^|\b)(?:cc|sm_)(\d\d+)/.exec(word) ?? [];
    if (number !== undefined) return `cuda:arch=sm_${number}`;
    return /nvptx|nvidia|tesla|cuda|\bgpu\b/.test(word) ? "cuda" : undefined;
  },
  emitter: async ({ arch = oldestArch, tf32 }) =>
    (await import("./emit.ts")).cudaEmitterFor(String(arch), tf32 === true),
  device: () => ({
    backend: "cuda",
    environment: {},
    install: "install NVIDIA's driver on a machine with an NVIDIA GPU",
  }),
  toolchain: ({ arch = oldestArch }, cflags = []) => ({
    extension: "cu",
    payloads: [
      {
        kind: "fatbin",
        call: {
          tool: nvcc,
          args: (source, output, options) => [
            ...["-fatbin", "-O3", "-w", ...(keepsApart(cflags) ? apartInCuda : [])],
            ...[options, generated(arch), source, "-o", output],
          ],
        },
      },
    ],
  }),
  authored: ({ arch = oldestArch }) => ({
    tool: nvcc,
    extension: "cu",
    // Names are not visible in compressed code.
    args: (source, output) => ["-fatbin", "-O3", generated(arch), "-no-compress", source, "-o", output],
    payload: "fatbin",
    symbols: /\.entry ([\w$]+)/g,
    otherwise: "NVRTC",
  }),
};
