/** OpenCL C 1.2 for the driver's own compiler. */
import type { TargetKind, TargetOptions } from "../shared/kind/kind.ts";

/** Warnings would be about code that arc made, and some drivers only count them. */
const driverOptions = "-cl-std=CL1.2 -w";

const environment = ({ device }: TargetOptions): Readonly<Record<string, string>> =>
  device === undefined ? {} : { ARC_OPENCL_DEVICE: String(device) };

export const opencl: TargetKind = {
  kind: "opencl",
  description: "an OpenCL device",
  options: {
    device: {
      description:
        "part of the name of the device to use, without which a build fails unless --skip-missing is given; default: the first",
      type: "string",
    },
  },
  foreign: (word) => (/spir|intel/.test(word) ? "opencl" : undefined),
  emitter: async () => (await import("./emit.ts")).openclEmitter,
  device: (options) => ({
    backend: "opencl",
    environment: environment(options),
    install:
      "install a driver; for this machine's processor: apt-get install pocl-opencl-icd ocl-icd-libopencl1",
    ...(options.device !== undefined && { named: true }),
  }),
  toolchain: (options) => ({
    extension: "cl",
    driverOptions,
    payloads: [
      { kind: "source" },
      // Saves programs the compilation when they start, and finds errors now.
      {
        kind: "binary",
        call: {
          tool: {
            runtime: "opencl_binary",
            drivers: "opencl",
            environment: environment(options),
            ...(options.device !== undefined && { named: true }),
          },
          args: (source, output) => [source, driverOptions, output],
        },
      },
    ],
  }),
};
