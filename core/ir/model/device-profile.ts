/** Properties of a device that decide how a loop is written for it. Entries come from data files. */

import { canonical, sizeOf } from "../../lang/index.ts";
import type { CType } from "../../lang/tree/ast.ts";
import type { ReductionOp } from "./ir.ts";

export interface OperatorEntry {
  readonly op: string;
  /** `float`, `double`, `int`. */
  readonly type: string;
  /** Cycles from operands to result at the clock that the vendor's compiler targets. */
  readonly latency: number;
  /** Where the figure was published; "assumed" where no public source gives one. */
  readonly source: string;
  /** Condition under which a plain accumulation yields one result per cycle. */
  readonly accumulates?: string;
  /** Fraction of a cycle on a path that the next iteration waits for, if several operators fit into one cycle. */
  readonly delay?: number;
  /** Area of one operator on the device. */
  readonly area?: Area;
}

/** A table entry, and where it was published; "assumed" if no public source gives it. */
export interface Figure {
  readonly value: number;
  readonly source: string;
}

export interface Area {
  readonly aluts: number;
  readonly ffs: number;
  readonly dsps: number;
  /** Memory blocks. */
  readonly rams?: number;
  readonly source: string;
}

/** What time and area estimates need to know of a device and its board. */
export interface DesignTable {
  readonly resources: Required<Area>;
  /** Bits per memory block. */
  readonly ramBits: Figure;
  /** Area of the board's own logic. */
  readonly shell: Required<Area>;
  /** Area of one access to global memory: for the first byte of its width, and for each further one. */
  readonly access: Required<Area>;
  readonly accessByte: Required<Area>;
  /** Clock of a nearly empty design, in MHz. */
  readonly clock: Figure;
  /** Slowdown of a full device: the clock is divided by 1 + routing * share of the device in use. */
  readonly routing: Figure;
  /** Bandwidth of the board's memory, in GB/s. */
  readonly bandwidth: Figure;
  /** Share of the bandwidth that several streams of a kernel achieve. */
  readonly efficiency: Figure;
  /** Smallest transfer of the memory, in bytes. */
  readonly burst: Figure;
  /** Actual pipeline cycles per ideal cycle. */
  readonly stalls: Figure;
  /** Latency of a load, in cycles. */
  readonly load: Figure;
  /** Cycles until a load sees a store whose value depended on an earlier load. */
  readonly throughMemory: Figure;
  /** Latency of on-chip memory, in cycles. */
  readonly ram: Figure;
  /** Overhead of a launch, in seconds. */
  readonly launch: Figure;
}

export interface DeviceProfile {
  readonly family: string;
  readonly name: string;
  readonly operators: readonly OperatorEntry[];
  /** Used where the table has no entry for a floating-point operator; in cycles. */
  readonly defaultLatency: number;
  /** Present if designs can be estimated. */
  readonly design?: DesignTable;
}

export function typeName(type: CType): string {
  const c = canonical(type);
  if (c.kind === "float") return sizeOf(c) === 8 ? "double" : sizeOf(c) === 4 ? "float" : c.name;
  return "int";
}

/** The table entry for a reduction operator. */
export function operatorOf(device: DeviceProfile, op: ReductionOp, type: CType): OperatorEntry | undefined {
  const name = typeName(type);
  return device.operators.find((o) => o.op === op && o.type === name);
}
