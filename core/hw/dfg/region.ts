/** A region as hardware: a tree of sequences, loops, choices and pipelines over shared variables. */
import type { Diagnostic, Loc } from "../../lang/tree/ast.ts";
import type { Graph, Value, Variable } from "./graph.ts";
import type { CarriedDependence } from "./memory.ts";

/** Straight code, or a loop whose iterations overlap. */
export interface Pipeline {
  readonly kind: "pipeline";
  readonly name: string;
  readonly graph: Graph;
  /** Absent: runs once. */
  readonly loop?: PipelinedLoop;
  readonly loc: Loc;
}

export interface PipelinedLoop {
  /** One bit, from the variables before an iteration: there is one more. */
  readonly more: Value;
  /** What runs just before the loop. */
  readonly before: Graph;
  readonly counter?: Counter;
  /**
   * An iteration may start only when the stores of the one that is `distance` before it have arrived in
   * memory; absent: iterations exchange nothing through memory.
   */
  readonly memory?: CarriedDependence;
}

/** A loop that counts: what its variables can be during an iteration. */
export interface Counter {
  /** Iterations that are still to come; only this loop uses it. */
  readonly left: Variable;
  readonly index: Variable;
  /** Values of the graph that runs before the loop. */
  readonly trips: Value;
  readonly lower: Value;
  readonly bound: Value;
  /** The index stays below the bound, or above. */
  readonly up: boolean;
  /** Iterations of the source that one of the pipeline does; the last one maybe fewer. */
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
  /** While `test` holds, `body` runs; where there is a `before` it sets `test` each time. */
  | { readonly kind: "loop"; readonly test: Variable; readonly before?: Pipeline; readonly body: Control };

/** Something worth knowing about the hardware, for reports. */
export interface HardwareNote {
  readonly message: string;
  readonly loc: Loc;
  /** Where an innermost loop begins that is no pipeline, for the message's reason. */
  readonly loop?: Loc;
}

export interface HardwareRegion {
  readonly name: string;
  /** Given by the launch, in the order of the kernel's parameters. */
  readonly arguments: readonly Variable[];
  readonly control: Control;
  readonly notes: readonly HardwareNote[];
  /** Operators take subnormal numbers for 0, and give 0 for them. */
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

/** The variables by which control chooses its way. */
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

/** What cannot be hardware at all. */
export class Unsupported extends Error {
  readonly diagnostic: Diagnostic;
  constructor(code: string, loc: Loc, message: string, why: string, remedy: string) {
    super(message);
    this.diagnostic = { severity: "error", code, loc, message, why, remedy };
  }
}

/** What cannot be one block of straight code, and must be several steps instead. */
export class NotStraight extends Error {
  readonly loc: Loc;
  constructor(reason: string, loc: Loc) {
    super(reason);
    this.loc = loc;
  }
}
