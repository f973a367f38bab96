/** Input of the lowering. */
import type { DeviceFunction } from "../../../core/ir/analysis/routines.ts";
import type { Task } from "../../../core/ir/model/ir.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import type { Init, Symbol } from "../../../core/lang/tree/ast.ts";
import type { KernelParam } from "../device/device.ts";
import type { Room } from "../legalise/launch-arrays.ts";
import type { ExecutionModel } from "./geometry.ts";

export interface LowerInput {
  readonly task: Task;
  /** The functions the region calls, callees first. */
  readonly functions: ReadonlyMap<Symbol, DeviceFunction>;
  /** Variables that those functions bring in from other units. */
  readonly globals?: readonly Argument[];
  readonly model: ExecutionModel;
  /** The program's, by their variables. */
  readonly constants?: ReadonlyMap<Symbol, Init>;
  /** Whether pointers may lead to a variable; absent: to all. */
  readonly addressed?: (sym: Symbol) => boolean;
  /** Arrays whose memory the launch allocates. */
  readonly rooms?: readonly Room[];
  /** What the task's code says for extents of variables that it is given, by dimension. */
  readonly extents?: ReadonlyMap<Symbol, ReadonlyMap<number, Symbol>>;
  /** The task is a part of a region that the launch starts in parts. */
  readonly stage?: StageOf;
}

export interface StageOf {
  /** What the launch says of the iteration. */
  readonly params: readonly KernelParam[];
  readonly groupMemory?: readonly Symbol[];
  /** Groups, where the loops do not say how many. */
  readonly grid?: string;
  /** Trip counts that the host passes, as text. */
  readonly trips: ReadonlySet<string>;
}
