/** A region as hardware: a tree of sequences, loops, choices and pipelines over shared variables. */
import type { Diagnostic, Loc } from "../../lang/tree/ast.ts";
import type { Graph } from "./graph.ts";
import type { CarriedDependence } from "./memory.ts";
import type { Value, Variable } from "./value.ts";

/** Straight-line code, or a loop whose iterations overlap. */
export interface Pipeline {
  readonly kind: "pipeline";
  readonly name: string;
  readonly graph: Graph;
  /** Absent: runs once. */
  readonly loop?: PipelinedLoop;
  /** It loads the first elements that the next loop keeps in registers. */
  readonly fills?: true;
  readonly loc: Loc;
}

export interface PipelinedLoop {
  /** One bit, from the variables before an iteration: whether there is another one. */
  readonly more: Value;
  /** Runs just before the loop. */
  readonly before: Graph;
  readonly counter?: Counter;
  /**
   * Set if an iteration may start only when the stores of the iteration `distance` before have arrived in memory;
   * absent: iterations do not communicate through memory.
   */
  readonly memory?: CarriedDependence;
}

/** A counted loop, with the possible values of its variables during an iteration. */
export interface Counter {
  /** Remaining iterations; only this loop uses the variable. */
  readonly left: Variable;
  readonly index: Variable;
  /** Values of the graph that runs before the loop. */
  readonly trips: Value;
  readonly lower: Value;
  readonly bound: Value;
  /** Whether the index counts up to the bound, or down. */
  readonly up: boolean;
  /** Source iterations per pipeline iteration; the last one may have fewer. */
  readonly copies: number;
  /** Nothing ends the loop early. */
  readonly complete: boolean;
}

export type Control =
  | { readonly kind: "sequence"; readonly body: readonly Control[] }
  | Pipeline
  | {
      readonly kind: "if";
      readonly test: Variable;
      readonly then: Control;
      readonly else?: Control;
    }
  /** While `test` holds, `body` runs; `before`, if present, sets `test` each time. */
  | { readonly kind: "loop"; readonly test: Variable; readonly before?: Pipeline; readonly body: Control };

/** Information about the hardware, for reports. */
export interface HardwareNote {
  readonly message: string;
  readonly loc: Loc;
  /** For the message about an innermost loop that is not a pipeline: where the loop begins. */
  readonly loop?: Loc;
}

/** Bits of an address in kernels that get all their pointers as arguments: the launch says where these lead. */
export const SHORT_ADDRESS = 32;

/** Bits of an address as pointers in memory hold it. */
export const WHOLE_ADDRESS = 64;

export interface HardwareRegion {
  readonly name: string;
  /** Set by the launch, in the order of the kernel's parameters. */
  readonly arguments: readonly Variable[];
  readonly control: Control;
  /** Width of addresses in memory. */
  readonly addressBits: number;
  readonly notes: readonly HardwareNote[];
  /** Operators treat subnormal operands and results as 0. */
  readonly flush?: true;
}

export function pipelinesOf(control: Control): readonly Pipeline[] {
  switch (control.kind) {
    case "pipeline":
      return [control];
    case "sequence":
      return control.body.flatMap(pipelinesOf);
    case "if":
      return [...pipelinesOf(control.then), ...(control.else ? pipelinesOf(control.else) : [])];
    case "loop":
      return [...(control.before ? [control.before] : []), ...pipelinesOf(control.body)];
  }
}

/** The variables on which control depends. */
export function testsOf(control: Control): readonly Variable[] {
  switch (control.kind) {
    case "pipeline":
      return [];
    case "sequence":
      return control.body.flatMap(testsOf);
    case "if":
      return [control.test, ...testsOf(control.then), ...(control.else ? testsOf(control.else) : [])];
    case "loop":
      return [control.test, ...testsOf(control.body)];
  }
}

/** Thrown for code that cannot become hardware at all. */
export class Unsupported extends Error {
  readonly diagnostic: Diagnostic;
  constructor(code: string, loc: Loc, message: string, why: string, remedy: string) {
    super(message);
    this.diagnostic = { severity: "error", code, loc, message, why, remedy };
  }
}

/** Thrown for code that cannot be one straight-line block and needs several steps. */
export class NotStraight extends Error {
  readonly loc: Loc;
  constructor(reason: string, loc: Loc) {
    super(reason);
    this.loc = loc;
  }
}
