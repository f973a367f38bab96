/** What is known of a device that decides how a loop is written for it. Entries come from data files. */

import { canonical, sizeOf } from "../../lang/index.ts";
import type { CType } from "../../lang/tree/ast.ts";
import type { ReductionOp } from "./ir.ts";

export interface OperatorEntry {
  readonly op: string;
  /** `float`, `double`, `int`. */
  readonly type: string;
  /** Cycles from operands to result at the clock that the vendor's compiler aims for. */
  readonly latency: number;
  /** Where the figure was published; "assumed" where no public source gives one. */
  readonly source: string;
  /** One result per cycle in a plain accumulation, under this condition. */
  readonly accumulates?: string;
  /** Share of a cycle on a path that the next iteration waits for, where several operators fit into one cycle. */
  readonly delay?: number;
  /** What one of them takes on the device. */
  readonly area?: Area;
}

/** A number of a table, and where it was published; "assumed" where no public source gives it. */
export interface Figure {
  readonly value: number;
  readonly source: string;
}

export interface Area {
  readonly aluts: number;
  readonly ffs: number;
  readonly dsps: number;
  /** Blocks of memory. */
  readonly rams?: number;
  readonly source: string;
}

/** What estimates of time and area need to know of a device and its board. */
export interface DesignTable {
  readonly resources: Required<Area>;
  /** Bits of one block of memory. */
  readonly ramBits: Figure;
  /** What the board's own logic takes. */
  readonly shell: Required<Area>;
  /** One place that reads or writes global memory, for the first byte of its width and for each further one. */
  readonly access: Required<Area>;
  readonly accessByte: Required<Area>;
  /** Of a design that takes nearly nothing, in MHz. */
  readonly clock: Figure;
  /** By how much a full device is slower: the clock is divided by 1 + routing * share of the device in use. */
  readonly routing: Figure;
  /** Of the board's memory, in GB/s. */
  readonly bandwidth: Figure;
  /** Share of the bandwidth that several streams of a kernel get. */
  readonly efficiency: Figure;
  /** Bytes that memory moves at least. */
  readonly burst: Figure;
  /** Cycles that pipelines take per cycle that they should. */
  readonly stalls: Figure;
  /** Cycles of a load. */
  readonly load: Figure;
  /** Cycles until a load can see what a store wrote that needed an earlier load. */
  readonly throughMemory: Figure;
  /** Cycles of memory on the chip. */
  readonly ram: Figure;
  /** Seconds that a launch takes beyond its work. */
  readonly launch: Figure;
}

export interface DeviceProfile {
  readonly family: string;
  readonly name: string;
  readonly operators: readonly OperatorEntry[];
  /** Used where the table has no entry for a floating-point operator; in cycles. */
  readonly defaultLatency: number;
  /** Present where designs can be estimated. */
  readonly design?: DesignTable;
}

export function typeName(type: CType): string {
  const c = canonical(type);
  if (c.kind === "float") return sizeOf(c) === 8 ? "double" : sizeOf(c) === 4 ? "float" : c.name;
  return "int";
}

/** The table's entry for an operator of reductions. */
export function operatorOf(device: DeviceProfile, op: ReductionOp, type: CType): OperatorEntry | undefined {
  const name = typeName(type);
  return device.operators.find((o) => o.op === op && o.type === name);
}
