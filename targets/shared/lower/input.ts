/** Input of the lowering. */
import type { DeviceFunction } from "../../../core/ir/analysis/routines.ts";
import type { Task } from "../../../core/ir/model/ir.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import type { Expr, Init, Symbol } from "../../../core/lang/tree/ast.ts";
import type { KernelParam } from "../device/device.ts";
import type { Room } from "../legalise/launch-arrays.ts";
import type { ExecutionModel } from "./geometry/execution-model.ts";

export interface LowerInput {
  readonly task: Task;
  /** The functions the region calls, callees first. */
  readonly functions: ReadonlyMap<Symbol, DeviceFunction>;
  /** Variables of other units that those functions use. */
  readonly globals?: readonly Argument[];
  readonly model: ExecutionModel;
  /** Initial values of the program's constants. */
  readonly constants?: ReadonlyMap<Symbol, Init>;
  /** Whether pointers may point to a variable; absent: to all. */
  readonly addressed?: (sym: Symbol) => boolean;
  /** Whether a pointer parameter keeps what the caller gave; absent: all do. */
  readonly isRetained?: (sym: Symbol) => boolean;
  /** Arrays whose memory the launch allocates. */
  readonly rooms?: readonly Room[];
  /** Expressions in the task's code for extents of variables passed to it, by dimension. */
  readonly extents?: ReadonlyMap<Symbol, ReadonlyMap<number, Symbol>>;
  /** The task is one stage of a region that is launched in stages. */
  readonly stage?: StageOf;
}

interface StageOf {
  /** Iteration parameters that the launch passes. */
  readonly params: readonly KernelParam[];
  readonly groupMemory?: readonly Symbol[];
  /** The number of groups, if the loops do not determine it. */
  readonly grid?: string;
  /** Groups that a compute unit's registers should have room for at once. */
  readonly resident?: number;
  /** Trip counts that the host passes, as text. */
  readonly trips: ReadonlySet<string>;
  /** The most that a trip count comes to in any iteration, by its text. */
  readonly most: ReadonlyMap<string, Expr>;
}
