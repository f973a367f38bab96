/** What differs between families of parts, as data: synthesis, place and route, packing and counting. */
import type { LogicDevice } from "../../../core/hw/operators/device.ts";
import type { Power } from "../../shared/kind/energy.ts";
import type { Tool, WasmTool } from "../../shared/kind/kind.ts";
import type { boardSignals, Wrapper } from "../verilog/board/wrapper.ts";

export interface Family {
  /** Name as users know it: `iCE40`. */
  readonly name: string;
  /** Yosys commands from Verilog to the family's cells; modules kept apart may stay separate. */
  synthesis(top: string): readonly string[];
  /** Commands after everything is one flat module. */
  readonly finish?: readonly string[];
  /** The first Yosys version whose netlists are correct. */
  readonly yosys?: Tool["atLeast"];
  /** Files that the commands read, by name. */
  readonly libraries?: Readonly<Record<string, string>>;
  /** Cells of Yosys netlists by name, and the part's resources that each uses, under the names used in reports. */
  readonly cells: readonly CellAmount[];
  /** Absent: there is no open place and route, so netlists are counted. */
  readonly layout?: Layout;
  /** Models of the cells of boards and their netlists, among libarcrt's simulators. */
  readonly models?: string;
  /** Boards have a PLL between oscillator and clock. */
  readonly pll?: true;
}

type CellAmount = readonly [cell: RegExp, resource: string, amount: number];

/** nextpnr and the packer for its result. */
export interface Layout {
  readonly nextpnr: Program;
  /** Options of nextpnr beside those for every family; its output is `file`. */
  options(file: string): readonly string[];
  /** The file that nextpnr writes and the packer reads. */
  readonly file: string;
  readonly pins: Constraints;
  readonly packer: Program;
  pack(file: string, bitstream: string, part: Part): readonly string[];
  readonly bitstream: string;
}

export interface Program {
  readonly tool: Tool;
  /** Absent: there is no npm package; if the tool is not installed, only the netlist is made. */
  readonly wasm?: WasmTool;
}

/** A file that assigns signals to pins. */
interface Constraints {
  readonly file: string;
  lines(signal: string, pin: string): string;
  options(file: string): readonly string[];
}

export type BoardSignal = (typeof boardSignals)[Wrapper][number];

export interface Part {
  readonly family: Family;
  readonly table: LogicDevice;
  /** For the model of its energy; absent where no source gives the figures. */
  readonly power?: Power;
  /** Options of nextpnr. */
  readonly device: readonly string[];
  /** The part's name for the packer, if it needs one. */
  readonly chip?: string;
  /** For families whose signals must all have pins: those of a common board, for both wrappers. */
  readonly pins?: Readonly<Record<BoardSignal, string>>;
}
