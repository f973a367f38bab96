/**
 * From Verilog to a part's configuration: Yosys, then nextpnr and a packer for families with open place and route. For
 * others the netlist's cells are counted. Missed timing is not a failure: the report gives the clock that the design
 * reaches.
 */
import type { FabricStage, OptionalTool, Tool } from "../shared/kind/kind.ts";
import type { BoardSignal, Layout, Part, Program } from "./families/family.ts";
import { families } from "./parts.ts";
import { boardName, boardSignals, type Wrapper } from "./verilog/board/wrapper.ts";

export const yosys: Tool = {
  program: "yosys",
  versionArgs: ["-V"],
  install: "apt-get install yosys, or npm install @yowasp/yosys",
};
export const yosysPackage = { package: "@yowasp/yosys", run: "runYosys" };

/** The netlist as Verilog, for simulators with models of the part's cells. */
export const gates = "gates.v";

interface FlowOptions {
  /** In MHz. */
  readonly clock: number;
  readonly seed: number;
  readonly wrapper: Wrapper;
  /**
   * Pins of the board's signals, `clk=J3 rx=B10`; others are where the part has them, or where place and route puts
   * them.
   */
  readonly pins?: string;
}

export function stagesOf(part: Part, options: FlowOptions): readonly FabricStage[] {
  const { synthesis, finish = [], libraries, yosys: atLeast, layout } = part.family;
  // Boards can be simulated at gate level.
  const withGates = options.wrapper === "uart";
  const script = (source: string) =>
    [
      `read_verilog ${source}`,
      ...synthesis(boardName),
      // Only the hierarchy kept the kernel apart from its wrapper; place and route take one module.
      "attrmap -remove keep_hierarchy",
      "flatten",
      ...finish,
      "write_json netlist.json",
      // Split vectors into bits, so that chains within a vector do not look like loops.
      ...(withGates ? ["splitnets", `write_verilog -noattr ${gates}`] : []),
    ].join("; ");
  const netlist: FabricStage = {
    name: "netlist",
    does: "synthesise",
    tool: atLeast === undefined ? yosys : { ...yosys, atLeast },
    wasm: yosysPackage,
    inputs: [],
    ...(libraries && { texts: libraries }),
    args: (source) => ["-p", script(source)],
    outputs: ["netlist.json", ...(withGates ? [gates] : [])],
    reports: ["netlist.json"],
  };
  return layout === undefined ? [netlist] : [netlist, ...placed(part, layout, options)];
}

function placed(
  part: Part,
  { nextpnr, file, options, pins, packer, pack, bitstream }: Layout,
  { clock, seed, wrapper, pins: pinOption }: FlowOptions,
): readonly FabricStage[] {
  const places = placesOf(part, wrapper, pinOption);
  const lines = places.map(([signal, pin]) => pins.lines(signal, pin));
  return [
    {
      name: "layout",
      does: "place and route",
      ...calledBy(nextpnr),
      inputs: ["netlist.json"],
      ...(lines.length > 0 && { texts: { [pins.file]: lines.join("") } }),
      args: () => [
        ...part.device,
        "--json",
        "netlist.json",
        "--report",
        "timing.json",
        "--freq",
        String(clock),
        "--seed",
        String(seed),
        "--timing-allow-fail",
        ...(lines.length > 0 ? pins.options(pins.file) : []),
        ...options(file),
      ],
      outputs: [file, "timing.json"],
      refuses: true,
      reports: ["timing.json"],
    },
    {
      name: "bitstream",
      does: "pack",
      ...calledBy(packer),
      inputs: [file],
      args: () => pack(file, bitstream, part),
      outputs: [bitstream],
      reports: [],
      product: bitstream,
    },
  ];
}

/** A tool without an npm package is optional: without it only the netlist is made. */
const calledBy = ({ tool, wasm }: Program): Pick<FabricStage, "tool" | "wasm" | "optional"> =>
  wasm === undefined ? { tool, optional: true } : { tool, wasm };

/** Signals with their pins. */
function placesOf(
  part: Part,
  wrapper: Wrapper,
  pins: string | undefined,
): readonly (readonly [signal: string, pin: string])[] {
  const pinOf = new Map((pins?.split(" ") ?? []).map((pair) => pair.split("=") as [string, string]));
  return boardSignals[wrapper].flatMap((signal: BoardSignal) => {
    const pin = pinOf.get(signal) ?? part.pins?.[signal];
    return pin === undefined ? [] : [[signal, pin] as const];
  });
}

/** All tools that stages call except Yosys, which every part needs. */
export const placingTools = (): readonly OptionalTool[] =>
  families.flatMap(({ name, layout }) => {
    const purpose = `bitstreams of ${name} parts (kind rtl)`;
    return (layout === undefined ? [] : [layout.nextpnr, layout.packer]).map(
      ({ tool, wasm }): OptionalTool => ({ tool, purpose, ...(wasm && { package: wasm.package }) }),
    );
  });
