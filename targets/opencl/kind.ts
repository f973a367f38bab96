/** OpenCL C 1.2 for the driver's compiler, or SPIR-V compiled here. */
import { APART, keepsApart } from "../shared/kind/contraction.ts";
import type { Payload, TargetKind, TargetOptions, Tool } from "../shared/kind/kind.ts";

/** Warnings would concern generated code, and some drivers report only their number. */
const optionsOf = (cflags: readonly string[]): string =>
  ["-cl-std=CL1.2 -w", ...(keepsApart(cflags) ? [`-D${APART}`] : [])].join(" ");

/** All drivers that accept SPIR-V accept this version: OpenCL 2.1 requires 1.0, and 1.2 followed soon after. */
const spirvVersion = "1.2";

const clang: Tool = { program: "clang-15", versionArgs: ["--version"], install: "apt-get install clang-15" };
const translator: Tool = {
  program: "llvm-spirv-15",
  versionArgs: ["--version"],
  install: "apt-get install llvm-spirv-15",
};

/** Every version reports the same errors. */
const anyClang: Tool = { ...clang, aliases: ["clang"] };

/** LLVM bitcode, passed between the two tools. */
const bitcode = "kernel.bc";

/**
 * SPIR-V from LLVM's front end and the Khronos translator, which must have the same version. The text is included for
 * drivers that do not accept SPIR-V.
 */
const spirv = (cflags: readonly string[]): readonly Payload[] => [
  {
    kind: "spirv",
    call: {
      tool: translator,
      before: {
        name: "bitcode",
        does: "compile",
        tool: clang,
        inputs: [],
        args: (source) => [
          "--target=spir64-unknown-unknown",
          ...optionsOf(cflags).split(" "),
          "-Xclang",
          "-finclude-default-header",
          // The translator rejects or mistranslates some results of the optimiser (freeze, vector.reduce, blocks out of
          // order). Drivers optimise the module themselves.
          "-O0",
          "-Xclang",
          "-disable-O0-optnone",
          "-emit-llvm",
          "-c",
          source,
          "-o",
          bitcode,
        ],
        outputs: [bitcode],
        reports: [],
      },
      args: (_, output) => [`--spirv-max-version=${spirvVersion}`, bitcode, "-o", output],
    },
  },
  { kind: "source" },
];

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
    form: {
      description: `source (the default), or spirv: kernels are compiled to SPIR-V ${spirvVersion} when the program is built, by clang-15 and llvm-spirv-15; drivers that take no SPIR-V get the source`,
      enum: ["source", "spirv"],
    },
  },
  moreTools: [
    { tool: clang, purpose: "form: spirv" },
    { tool: translator, purpose: "form: spirv" },
  ],
  foreign: (word) => (/spir|intel/.test(word) ? "opencl" : undefined),
  emitter: async () => (await import("./emit.ts")).openclEmitter,
  device: (options) => ({
    backend: "opencl",
    environment: environment(options),
    install:
      "install a driver; for this machine's processor: apt-get install pocl-opencl-icd ocl-icd-libopencl1",
    ...(options.device !== undefined && { named: true }),
  }),
  authored: () => ({
    tool: anyClang,
    extension: "cl",
    // Extensions that a kernel needs depend on its device: only errors that every device would report are found here.
    args: (source, output) => [
      "--target=spir64-unknown-unknown",
      "-Xclang",
      "-finclude-default-header",
      "-O0",
      "-emit-llvm",
      "-S",
      source,
      "-o",
      output,
    ],
    symbols: /^define .*\bspir_kernel \S+ @"?([\w$]+)/gm,
  }),
  toolchain: (options, cflags = []) => ({
    extension: "cl",
    driverOptions: optionsOf(cflags),
    payloads:
      options.form === "spirv"
        ? spirv(cflags)
        : [
            { kind: "source" },
            // Saves the compilation at program start, and reports errors now.
            {
              kind: "binary",
              call: {
                tool: {
                  runtime: "opencl_binary",
                  drivers: "opencl",
                  environment: environment(options),
                  ...(options.device !== undefined && { named: true }),
                },
                args: (source, output) => [source, optionsOf(cflags), output],
              },
            },
          ],
  }),
};
