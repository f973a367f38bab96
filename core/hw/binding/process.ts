/**
 * The processes of a pipeline. Loads are decoupled from the computation (access/execute decoupling): address processes
 * run ahead and send requests to memory, the data wait in FIFOs, and the last process computes, stores and updates the
 * kernel's variables. Each process is a pipeline of its own that never stalls inside: an iteration enters when
 * everything that it will need is available. Each process has its own copies of the variables that it updates.
 */

import type { HardwareRegion, Pipeline } from "../dfg/region.ts";
import type { RamWrite, Send, Store, Value, Variable } from "../dfg/value.ts";
import type { Widths } from "../dfg/widths.ts";
import type { IntegerOperator } from "../operators/integer.ts";
import type { OperatorKind } from "../operators/lowering.ts";
import type { OperatorGraph } from "../operators/operator.ts";
import type { OperatorTiming } from "../operators/timing.ts";

export interface Process {
  /** Index of an address process; the last level computes. */
  readonly level: number;
  readonly computes: boolean;
  /** Values that it evaluates, operands first; constants and loads are not among them. */
  readonly values: readonly Value[];
  /** Loads and channels whose values it takes from a FIFO in cycle 0. */
  readonly inputs: readonly Value[];
  /** Loads whose addresses it sends. */
  readonly requests: readonly Value[];
  readonly stores: readonly StorePort[];
  /** Writes to local arrays. */
  readonly writes: readonly RamWrite[];
  /** The copy of its array that each fetch reads. */
  readonly copies: ReadonlyMap<Value, number>;
  readonly sends: readonly Send[];
  /** Variables that it updates: the kernel's own in the computing process, else copies. */
  readonly updates: ReadonlyMap<Variable, readonly UpdateCase[]>;
  /** The circuits of floating-point values, and of those that share a circuit. */
  readonly operators: ReadonlyMap<Value, OperatorUse>;
  /** The cycle in which each value takes its operands, and the one in which its result is available. */
  readonly start: ReadonlyMap<Value, number>;
  readonly ready: ReadonlyMap<Value, number>;
  /** The cycle of an update, a request, a store, a write or a send. */
  readonly when: ReadonlyMap<Event, number>;
  /**
   * Slack: by how many cycles each event, with everything that depends on it, could be later without changing interval
   * and depth.
   */
  readonly slack: ReadonlyMap<Event, number>;
  /** Delay lines: for each value the next newer place of the same line. */
  readonly delayed: ReadonlyMap<Value, Value>;
  /** The last cycle in which anything happens. */
  readonly depth: number;
  /**
   * Operations of the loop take turns on shared circuits, so iterations enter at multiples of the interval. Absent: at
   * any distance.
   */
  readonly aligned?: true;
}

/** An event in some cycle that has no value. */
export type Event = Variable | Value | Store | RamWrite | Send;

/** A value's circuit. */
export interface OperatorUse {
  readonly operator: OperatorPipeline | IntegerOperator;
  /**
   * Values with equal numbers share one circuit: in pipelines of which only one runs at a time, or in turns, starting
   * in different cycles of the interval. Absent: the circuit is not shared.
   */
  readonly unit?: number;
}

/** An operator as a pipeline: its graph in stages that fit the clock. */
export interface OperatorPipeline extends OperatorGraph {
  readonly name: string;
  readonly op: OperatorKind;
  readonly widths: Widths;
  /** Cycles from operands to result. */
  readonly latency: number;
  readonly timing: OperatorTiming;
  readonly pipeline: Pipeline;
  readonly process: Process;
  /** Set for a multiplier of the part between two registers, without stages: which of its inputs are signed. */
  readonly multiplier?: readonly boolean[];
}

/**
 * The new value of a variable: that of the first case that applies; if none does, it keeps its value. The old value
 * therefore need not travel through the pipeline.
 */
export interface UpdateCase {
  /** One bit; absent: always. */
  readonly guard?: Value;
  /** The value of the guard for which the case applies. */
  readonly holds: boolean;
  readonly value: Value;
}

/** Stores that must arrive in order, through one port. */
export interface StorePort {
  readonly stores: readonly Store[];
}

export interface ScheduledPipeline {
  readonly pipeline: Pipeline;
  readonly ii: number;
  /** What the interval would be if only this bound existed. */
  readonly bounds: { readonly recurrence: number; readonly resource: number };
  /** What causes the larger bound; absent: an iteration may start in every cycle. */
  readonly limit?: Limit;
  readonly processes: readonly Process[];
}

/** Operations that wait for each other from one iteration to the next, or for the same port or circuit. */
export interface Limit {
  readonly kind: "recurrence" | "port" | "operators";
  readonly through: readonly Event[];
  /** Number of circuits on which the operators take turns. */
  readonly units?: number;
}

export interface HardwarePlan {
  readonly region: HardwareRegion;
  readonly widths: Widths;
  readonly pipelines: readonly ScheduledPipeline[];
  /** In nanoseconds. */
  readonly period: number;
}
