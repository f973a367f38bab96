/**
 * Calls of AMD's compiler for FPGAs as data. Compiling a kernel is the report stage: it ends with the schedule
 * of HLS and leaves an object, and linking is what takes hours. Sources:
 *   UG1393 2022.1 "v++ Command": -c, -l, -t, -k, --platform, --kernel_frequency, --temp_dir; "Output Directories of
 *     the v++ Command": `TEMP/reports/KERNEL/hls_reports`, `TEMP/KERNEL/KERNEL/KERNEL/solution/syn/report`
 *   UG1702 2024.2 "v++ Mode HLS": --mode hls, --work_dir; HLS options of the configuration file may stand on the command
 *     line behind `--hls.`; "Package Options": package.output.file, package.output.format
 *   UG1399 2023.2 "Output Files and Folders": `WORK_DIR/hls/syn/report`
 *   UG1393 2021.2 "--connectivity Options": instances are called NAME_1, stream_connect
 */
import type { ReportCall, Tool, ToolCall } from "../shared/kind/kind.ts";
import { vitisVersion } from "./versions.ts";

export interface VitisOptions {
  /** The platform's name, or the path of its .xpfm file. */
  readonly platform: string;
  readonly version: string;
  /** The device, or a simulation of the hardware. */
  readonly build: "hw" | "hw_emu";
  /** In MHz; by default the platform's. */
  readonly frequency?: number;
}

const vpp: Tool = {
  program: "v++",
  versionArgs: ["--version"],
  install: "install AMD Vitis (2019.2 or newer), source its settings64.sh, and put v++ on PATH",
};

const work = "work";

function common({ platform, build, frequency }: VitisOptions): string[] {
  return [
    "-t",
    build,
    "--platform",
    platform,
    ...(frequency === undefined ? [] : [`--kernel_frequency=${frequency}`]),
  ];
}

/** Takes minutes per kernel: its schedule and its object. */
export function compileCall(options: VitisOptions): ReportCall {
  const object = (kernel: string) => `${kernel}.xo`;
  if (vitisVersion(options.version).layout === "classic")
    return {
      tool: vpp,
      each: "kernel",
      args: (source, kernel) => [
        "-c",
        ...common(options),
        "--temp_dir",
        work,
        "-k",
        kernel,
        source,
        "-o",
        object(kernel),
      ],
      folders: (kernel) => [
        `${work}/${kernel}/${kernel}/${kernel}/solution/syn/report`,
        `${work}/reports/${kernel}/hls_reports`,
      ],
      object,
    };
  return {
    tool: vpp,
    each: "kernel",
    args: (source, kernel) => [
      "-c",
      "--mode",
      "hls",
      "--platform",
      options.platform,
      "--work_dir",
      work,
      "--hls.flow_target=vitis",
      `--hls.syn.file=${source}`,
      `--hls.syn.top=${kernel}`,
      "--hls.package.output.format=xo",
      `--hls.package.output.file=${object(kernel)}`,
      ...(options.frequency === undefined ? [] : [`--hls.clock=${options.frequency}MHz`]),
    ],
    folders: () => [`${work}/hls/syn/report`],
    object,
  };
}

/** Takes hours: place and route of all kernels with the platform. */
export function linkCall(options: VitisOptions): ToolCall {
  return {
    tool: vpp,
    extension: "xclbin",
    args: (_, output, objects) => ["-l", ...common(options), objects, "-o", output],
    synthesises: true,
  };
}
