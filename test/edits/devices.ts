/** Targets of the catalogue, and stand-ins for the tools that compile for their devices. */

/** What a tool does for kernels, under its name in the stand-in's log and in the table columns. */
export const jobs = {
  nvcc: { device: "gpu", each: "kernel", does: "compile for a GPU", takes: "seconds" },
  "aoc -rtl": { device: "stratix", each: "image", does: "compile to a report", takes: "minutes" },
  aoc: { device: "stratix", each: "image", does: "synthesise, place and route", takes: "hours" },
  "v++ -c": { device: "alveo", each: "kernel", does: "compile to an object and a report", takes: "minutes" },
  "v++ -l": { device: "alveo", each: "image", does: "link: synthesise, place and route", takes: "hours" },
  yosys: { device: "ice", each: "kernel", does: "synthesise", takes: "minutes" },
  nextpnr: { device: "ice", each: "kernel", does: "place and route", takes: "minutes" },
  verilator: { device: "ice", each: "kernel", does: "compile to a simulation", takes: "seconds" },
} as const satisfies Readonly<Record<string, JobShape>>;

interface JobShape {
  readonly device: string;
  /** An image of an FPGA holds several kernels, so one that changes concerns all of them. */
  readonly each: "kernel" | "image";
  /** For people. */
  readonly does: string;
  /** With the real tool. */
  readonly takes: string;
}

export type Job = keyof typeof jobs;
export const allJobs = Object.keys(jobs) as readonly Job[];

export interface Device {
  /** Of the target in arc.yaml. */
  readonly options: string;
  readonly kind: string;
  /** arc.yaml may say which kernels share an image. */
  readonly sharesImages: boolean;
  /** What a build with all of the target's device files brings up to date, without a program. */
  readonly addresses: readonly string[];
}

const device = (name: string, kind: string, options: string, more: Partial<Device> = {}): Device => ({
  kind,
  options: `kind: ${kind}, ${options}`,
  sharesImages: false,
  addresses: [`${name}:default#images`],
  ...more,
});

export const devices = {
  gpu: device("gpu", "cuda", "arch: sm_90"),
  stratix: device("stratix", "intel-fpga", "device: stratix-10, board: board_a, seed: 1", {
    sharesImages: true,
  }),
  alveo: device("alveo", "vitis", "platform: board_a, frequency: 200", { sharesImages: true }),
  ice: device("ice", "rtl", "part: ice40-hx8k, clock: 20, seed: 1", {
    addresses: ["ice:default#images", "ice:default#configuration"],
  }),
} as const;

export type Name = keyof typeof devices;

/** The versions that the stand-ins report for their tools. */
export type Versions = Readonly<Record<Tool, string>>;

interface StandIn {
  readonly versionArgs: string;
  /**
   * Shell: `called JOB FILE` logs the kernels that FILE names, `made FILE` prints a digest of it, of the arguments and
   * of the version.
   */
  readonly run: string;
}

/** The argument after `-o`. */
const outputOf = `$(echo " $*" | sed 's/.* -o \\([^ ]*\\).*/\\1/')`;
/** The argument that names the kernels' text. */
const sourceOf = `$(echo "$*" | tr ' =' '\\n\\n' | grep '^kernel\\.' | head -1)`;

const standIns = {
  nvcc: { versionArgs: "--version", run: `called nvcc ${sourceOf}; made ${sourceOf} > ${outputOf}` },
  aoc: {
    versionArgs: "-version",
    run: `case $1 in
  -rtl) called "aoc -rtl" ${sourceOf} ;;
  *) called aoc ${sourceOf}; made ${sourceOf} > ${outputOf} ;;
esac`,
  },
  // An object records its kernel, since the linker's call does not name one.
  "v++": {
    versionArgs: "--version",
    run: `case $1 in
  -c) top=$(echo "$*" | sed 's/.*syn\\.top=\\([^ ]*\\).*/\\1/')
    echo "$top" > top; called "v++ -c" top; { cat top; made ${sourceOf}; } > "$top.xo" ;;
  -l) cat *.xo > objects; called "v++ -l" objects; made objects > ${outputOf} ;;
esac`,
  },
  yosys: {
    versionArgs: "-V",
    run: `called yosys kernel.v
echo "{\\"modules\\":{\\"$(kernels kernel.v)\\":{},\\"$(made kernel.v)\\":{}}}" > netlist.json`,
  },
  "nextpnr-ice40": {
    versionArgs: "--version",
    run: `called nextpnr netlist.json; made netlist.json > layout.asc
echo '{"fmax":{"clk":{"achieved":200}},"utilization":{},"critical_paths":[]}' > timing.json`,
  },
  icepack: { versionArgs: "--version", run: 'made "$1" > "$2"' },
  // Objects that all simulations share are made of no kernel.
  verilator: {
    versionArgs: "--version",
    run: `if [ -e kernel.v ]; then called verilator kernel.v; made kernel.v > "$(basename ${outputOf})"
else made /dev/null | tee verilated.o > verilated_threads.o; fi`,
  },
} as const satisfies Readonly<Record<string, StandIn>>;

export type Tool = keyof typeof standIns;
export const tools = Object.keys(standIns) as readonly Tool[];

/** The stand-in as a shell script; `run` makes its version unique to this test run. */
export function script(tool: Tool, version: string, log: string, run: string): string {
  const { versionArgs, run: body }: StandIn = standIns[tool];
  return `[ "$*" = ${versionArgs} ] && { echo "${tool} ${version} (stand-in, ${run})"; exit; }
arguments="$*"
kernels() { grep -ow '[a-z][a-z_]*_[0-9a-f]\\{8\\}' "$1" | sort -u | tr '\\n' ' '; }
called() { echo "$1: $(kernels "$2")" | sed 's/_[0-9a-f]\\{8\\} / /g' >> '${log}'; }
made() { { cat "$1"; echo "$arguments ${version}"; } | sha256sum | cut -c-64; }
${body}`;
}
