/** AMD FPGAs through Vitis HLS; `emulate: true` runs the same kernels on the processor. */
import { processor, type TargetKind, type TargetOptions } from "../shared/kind/kind.ts";
import { compileCall, linkCall, type VitisOptions } from "./toolchain.ts";
import { lastOpencl, newest, vitisVersion } from "./versions.ts";

const defaultDevice = "ultrascale-plus";

export const vitis: TargetKind = {
  kind: "vitis",
  description: "an AMD FPGA, through Vitis HLS",
  fpga: true,
  sharesImages: true,
  options: {
    device: {
      description: `family of the FPGA, whose table of operators decides pipelines; default ${defaultDevice}`,
      enum: ["ultrascale-plus"],
    },
    platform: { description: "a Vitis platform, by name or by its .xpfm file", type: "string" },
    version: {
      description: `version of Vitis, default ${newest}: it decides commands and folders`,
      type: "string",
      pattern: "^20\\d\\d\\.\\d$",
      patternMeaning: "a version such as `2022.1`",
    },
    build: {
      description: "`hw` for the device (the default), or `hw_emu` for a simulation of the hardware",
      enum: ["hw", "hw_emu"],
    },
    frequency: { description: "clock of the kernels in MHz", type: "integer", minimum: 1 },
    form: {
      description: `language of the kernels: \`c++\` (the default), or \`opencl\`, which Vitis up to ${lastOpencl} compiles`,
      enum: ["c++", "opencl"],
    },
    emulate: { description: "run the emitted kernels on the processor", type: "boolean" },
  },
  conflict({ form, version = newest }) {
    if (form !== "opencl" || vitisVersion(String(version)).opencl) return undefined;
    return {
      option: "form",
      message: `Vitis ${version} compiles no OpenCL kernels`,
      why: `${lastOpencl} was the last version that did`,
      remedy: `say \`version: "${lastOpencl}"\` or an older one, or \`form: c++\``,
    };
  },
  async emitter({ emulate, form, version = newest }) {
    const { opencl } = vitisVersion(String(version));
    if (form === "opencl" && opencl)
      return (await import("./opencl.ts")).openclEmitter(opencl.mostPartitioned);
    return emulate === true
      ? (await import("./emulate.ts")).emulatedEmitter
      : (await import("./emit.ts")).vitisEmitter;
  },
  counted: { kind: "rtl", options: { part: "xc7z020", clock: 100 } },
  async profile({ device = defaultDevice }) {
    const { findDevice } = await import("../devices/devices.ts");
    const found = findDevice(String(device));
    if (found === undefined) throw new Error(`no table for ${device}`);
    return found;
  },
  device: ({ emulate, form }) =>
    emulate === true && form !== "opencl" ? processor : { backend: "opencl", environment: {} },
  estimated: true,
  readReport: async (files) => (await import("./report.ts")).readReport(files),
  toolchain(options) {
    const extension = options.form === "opencl" ? "cl" : "cpp";
    if (options.emulate === true && options.form === "opencl")
      return { extension, payloads: [{ kind: "source" }] };
    if (options.emulate === true)
      return {
        extension,
        payloads: [
          {
            kind: "so",
            call: {
              tool: {
                program: "c++",
                versionArgs: ["--version"],
                install: "apt-get install g++",
              },
              args: (source, output) => [
                "-std=gnu++17",
                "-O2",
                "-fPIC",
                "-shared",
                "-pthread",
                "-w",
                source,
                "-o",
                output,
                "-lm",
              ],
              takesCflags: true,
              takesRuntimeHeaders: true,
              takesEmulationHeaders: true,
            },
          },
        ],
      };
    const own = vitisOptions(options);
    return {
      extension,
      whole: true,
      ...(own.platform === "" && { lacks: "name the `platform` of the target, or say `emulate: true`" }),
      report: compileCall(own),
      payloads: [{ kind: "binary", call: linkCall(own) }],
    };
  },
};

function vitisOptions({ platform, version, build, frequency }: TargetOptions): VitisOptions {
  return {
    platform: typeof platform === "string" ? platform : "",
    version: typeof version === "string" ? version : newest,
    build: build === "hw_emu" ? "hw_emu" : "hw",
    ...(typeof frequency === "number" && { frequency }),
  };
}
