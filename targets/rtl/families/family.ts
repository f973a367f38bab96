/** What differs between families of parts: how they are synthesised, placed, packed and counted, as data. */
import type { LogicDevice } from "../../../core/hw/operators/device.ts";
import type { Tool, WasmTool } from "../../shared/kind/kind.ts";
import type { boardSignals, Wrapper } from "../verilog/board/wrapper.ts";

export interface Family {
  /** As users know it: `iCE40`. */
  readonly name: string;
  /** Yosys' commands from Verilog to the family's cells; modules that are kept apart may stay so. */
  synthesis(top: string): readonly string[];
  /** Its commands once all is one flat module. */
  readonly finish?: readonly string[];
  /** The first Yosys whose netlists are right. */
  readonly yosys?: Tool["atLeast"];
  /** Files that the commands read, by name. */
  readonly libraries?: Readonly<Record<string, string>>;
  /** Cells of Yosys' netlists by their names, and what each takes of a part, by the words of reports. */
  readonly cells: readonly CellAmount[];
  /** Absent: there is no open place and route for it, and netlists are counted. */
  readonly layout?: Layout;
  /** Among libarcrt's simulators: models of the cells that boards and their netlists are made of. */
  readonly models?: string;
  /** Boards have a PLL between their oscillator and their clock. */
  readonly pll?: true;
}

export type CellAmount = readonly [cell: RegExp, resource: string, amount: number];

/** nextpnr and the packer of its result. */
export interface Layout {
  readonly nextpnr: Program;
  /** What nextpnr is told beside what it is told for every family; its output is `file`. */
  options(file: string): readonly string[];
  /** What nextpnr writes and the packer reads. */
  readonly file: string;
  readonly pins: Constraints;
  readonly packer: Program;
  pack(file: string, bitstream: string, part: Part): readonly string[];
  readonly bitstream: string;
}

export interface Program {
  readonly tool: Tool;
  /** Absent: no package of npm has it, and where it is not installed the netlist is all there is. */
  readonly wasm?: WasmTool;
}

/** A file that says which pins signals are at. */
export interface Constraints {
  readonly file: string;
  lines(signal: string, pin: string): string;
  options(file: string): readonly string[];
}

export type BoardSignal = (typeof boardSignals)[Wrapper][number];

export interface Part {
  readonly family: Family;
  readonly table: LogicDevice;
  /** nextpnr's options. */
  readonly device: readonly string[];
  /** What the packer calls it, where it is told. */
  readonly chip?: string;
  /** For families whose signals must all have pins: those of a usual board, for either wrapper. */
  readonly pins?: Readonly<Record<BoardSignal, string>>;
}
