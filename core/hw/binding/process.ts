/**
 * The processes of a pipeline. Loads are decoupled from the computation: address processes run ahead and ask
 * memory, the data wait in FIFOs, and the last process computes, stores and updates the kernel's variables.
 * Each process is a pipeline of its own that never stalls inside: an iteration enters it when all it will need
 * is there. It has its own copies of the variables that it steps.
 */

import type { RamWrite, Send, Store, Value, Variable } from "../dfg/graph.ts";
import type { HardwareRegion, Pipeline } from "../dfg/region.ts";
import type { Widths } from "../dfg/widths.ts";
import type { IntegerOperator } from "../operators/integer.ts";
import type { OperatorKind } from "../operators/lowering.ts";
import type { OperatorGraph } from "../operators/operator.ts";
import type { OperatorTiming } from "../operators/timing.ts";

export interface Process {
  /** Counts address processes by their level; the last one computes. */
  readonly level: number;
  readonly computes: boolean;
  /** What it evaluates, operands first: no constants, no loads. */
  readonly values: readonly Value[];
  /** Loads whose data, and channels whose values it takes from a FIFO in cycle 0. */
  readonly inputs: readonly Value[];
  /** Loads whose addresses it sends. */
  readonly requests: readonly Value[];
  readonly stores: readonly StorePort[];
  /** Of local arrays. */
  readonly writes: readonly RamWrite[];
  /** The copy of its array that a fetch reads. */
  readonly copies: ReadonlyMap<Value, number>;
  readonly sends: readonly Send[];
  /** Variables that it steps: those of the kernel where it computes, else copies. */
  readonly updates: ReadonlyMap<Variable, readonly UpdateCase[]>;
  /** The circuits of floating-point values, and those that values take turns on. */
  readonly operators: ReadonlyMap<Value, OperatorUse>;
  /** Cycle in which each value takes its operands, and in which it is there. */
  readonly start: ReadonlyMap<Value, number>;
  readonly ready: ReadonlyMap<Value, number>;
  /** Cycle in which an update, a request, a store, a write or a send happens. */
  readonly when: ReadonlyMap<Event, number>;
  /** Cycles by which each of them could come later, and all that waits for it, within the same interval and depth. */
  readonly slack: ReadonlyMap<Event, number>;
  /** What the delay lines take in: the next newer place of the same line. */
  readonly delayed: ReadonlyMap<Value, Value>;
  /** The last cycle in which anything happens. */
  readonly depth: number;
  /**
   * Operations take turns with others of the same loop: iterations enter whole intervals after one that is under way.
   * Absent: as far apart as they like.
   */
  readonly aligned?: true;
}

/** What happens in some cycle and has no value. */
export type Event = Variable | Value | Store | RamWrite | Send;

/** A value's circuit. */
export interface OperatorUse {
  readonly operator: OperatorPipeline | IntegerOperator;
  /**
   * Values with equal numbers use one circuit: in pipelines of which only one runs at a time, or by turns, starting in
   * different cycles of the interval. Absent: one of its own.
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
  /** It is a multiplier of the part between two registers, and its stages none: which of its inputs have a sign. */
  readonly multiplier?: readonly boolean[];
}

/**
 * What a variable becomes: the first case that applies decides, without any it keeps what it has. So what it has
 * need not travel through the pipeline.
 */
export interface UpdateCase {
  /** One bit; absent: always. */
  readonly guard?: Value;
  /** The case applies where the guard has this value. */
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
  /** What the interval would be without anything but this. */
  readonly bounds: { readonly recurrence: number; readonly resource: number };
  /** Where the larger bound comes from; absent: an iteration may start in every cycle. */
  readonly limit?: Limit;
  readonly processes: readonly Process[];
}

/** Operations that wait for each other from one iteration to the next, or for the same port. */
export interface Limit {
  readonly kind: "recurrence" | "port" | "operators";
  readonly through: readonly Event[];
  /** Circuits on which operators take turns. */
  readonly units?: number;
}

export interface HardwarePlan {
  readonly region: HardwareRegion;
  readonly widths: Widths;
  readonly pipelines: readonly ScheduledPipeline[];
  /** Nanoseconds. */
  readonly period: number;
}
