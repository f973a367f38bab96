/** Intel FPGAs through their OpenCL compiler; `emulate: true` runs the same kernels on the processor. */
import type { Payload, TargetKind, TargetOptions } from "../shared/kind/kind.ts";
import { type AocOptions, aoc, compileArgs, reportArgs, reportFolder } from "./toolchain.ts";

const defaultDevice = "arria-10";

export const intelFpga: TargetKind = {
  kind: "intel-fpga",
  description: "an Intel FPGA, through the Intel FPGA SDK for OpenCL",
  fpga: true,
  sharesImages: true,
  options: {
    device: {
      description: `family of the FPGA, whose table of operators decides pipelines; default ${defaultDevice}`,
      enum: ["stratix-v", "arria-10", "stratix-10"],
    },
    board: {
      description: "a board of the installed board support package, as `aoc -list-boards` names it",
      type: "string",
    },
    sdk: {
      description: "version of the SDK, such as `19.4`: it decides spellings",
      type: "string",
      pattern: "^\\d+\\.\\d$",
      patternMeaning: "a version such as `19.4`",
    },
    emulate: {
      description: "run the emitted kernels on the processor, through its OpenCL driver",
      type: "boolean",
    },
    reassociate: { description: "let the vendor's compiler reorder floating-point sums", type: "boolean" },
    seed: { description: "seed of place and route", type: "integer", minimum: 0 },
  },
  emitter: async ({ emulate }) =>
    emulate === true
      ? (await import("./emulate.ts")).emulatedEmitter
      : (await import("./emit.ts")).wholeEmitter,
  async profile({ device = defaultDevice }) {
    const { findDevice } = await import("../devices/devices.ts");
    const found = findDevice(String(device));
    if (found === undefined) throw new Error(`no table for ${device}`);
    return found;
  },
  device: () => ({ backend: "opencl", environment: {} }),
  estimated: true,
  counted: { kind: "rtl", options: { part: "cyclonev-5csema5", clock: 100 } },
  readReport: async (files) => (await import("./report.ts")).readReport(files),
  toolchain: (options) => ({
    extension: "cl",
    ...(options.emulate !== true && {
      whole: true,
      report: {
        tool: aoc,
        each: "image",
        args: (source: string) => reportArgs(aocOptions(options), source),
        folders: () => [`kernel/${reportFolder}`],
      } as const,
    }),
    payloads:
      options.emulate === true
        ? [{ kind: "source", connected: false }, emulatedChannels]
        : [
            {
              kind: "binary",
              call: {
                tool: aoc,
                extension: "aocx",
                args: (source, output) => compileArgs(aocOptions(options), source, output),
                synthesises: true,
              },
            },
          ],
  }),
};

const emulatedChannels: Payload = {
  kind: "so",
  connected: true,
  call: {
    tool: { program: "cc", versionArgs: ["--version"], install: "apt-get install gcc libc6-dev" },
    args: (source, output) => [
      ...["-x", "c", "-std=gnu11", "-O2", "-fPIC", "-shared", "-pthread", "-w"],
      ...[source, "-o", output, "-lm"],
    ],
    takesCflags: true,
    takesRuntimeHeaders: true,
    takesEmulationHeaders: true,
  },
};

function aocOptions({ board, sdk, reassociate, seed }: TargetOptions): AocOptions {
  return {
    ...(typeof board === "string" && { board }),
    ...(typeof sdk === "string" && { sdk }),
    ...(reassociate === true && { reassociate }),
    ...(typeof seed === "number" && { seed }),
  };
}
