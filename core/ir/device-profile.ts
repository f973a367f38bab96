/** What is known of a device that decides how a loop is written for it. Entries come from data files. */
import type { CType } from "../lang/ast.ts";
import { canonical, sizeOf } from "../lang/index.ts";
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
}

export interface DeviceProfile {
  readonly family: string;
  readonly name: string;
  readonly operators: readonly OperatorEntry[];
  /** Used where the table has no entry for a floating-point operator; in cycles. */
  readonly defaultLatency: number;
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
