/** A region's loops as hardware: nested pipelines, each with the graph of its body. */
import type { Expr, Loc, Symbol } from "../../lang/tree/ast.ts";
import type { LoopHeader, Reduction } from "../model/ir.ts";
import type { Graph, NodeId } from "./graph.ts";

/** A global memory access in the body. */
export interface MemoryAccess {
  readonly array: Symbol;
  /** Fields on the way, to distinguish members of a record. */
  readonly path: string;
  readonly write: boolean;
  /** The element index, in units of `bytes`. */
  readonly index: NodeId;
  readonly bytes: number;
  /** The value loaded or stored. */
  readonly node: NodeId;
  /** The condition of the store, if any. */
  readonly guard?: NodeId;
  /** A delay line loads the element before any iteration writes it, and receives written values directly. */
  readonly ahead?: true;
  /** Source text. */
  readonly text: string;
  readonly loc: Loc;
}

/** The value of node `to` is that of node `from` `distance` iterations later. */
export interface Carried {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly distance: number;
  /** The value of `from` before the loop, if constant. */
  readonly start?: bigint | number;
  readonly name: string;
  readonly loc: Loc;
}

/** Local memory of the kernel: a local array, a delay line, the partial results of a reduction. */
export interface Storage {
  readonly name: string;
  readonly bits: number;
  readonly as: "registers" | "memory" | "delay line";
}

export interface Pipeline {
  /** The loops that an iteration counts; none: the body runs once. */
  readonly headers: readonly LoopHeader[];
  /** The trip count is unknown: `while`, `do`, or a `for` of any form. */
  readonly uncounted?: true;
  /** Iterations that start together: copies of the body beyond those already in the graph. */
  readonly copies: number;
  /** The user or an analysis states that iterations are independent. */
  readonly independent: boolean;
  /** Work-items of an NDRange kernel share the iterations. */
  readonly shared: boolean;
  /** Reductions over the work-items of a group, in an NDRange kernel. */
  readonly reductions: readonly Reduction[];
  readonly loc: Loc;
  readonly graph: Graph;
  readonly accesses: readonly MemoryAccess[];
  readonly carried: readonly Carried[];
  readonly storage: readonly Storage[];
  /** Operators after a loop that combine partial results. */
  readonly combines: readonly { readonly op: string; readonly type: string; readonly count: number }[];
  /** Constant steps of variables per iteration. */
  readonly strides: ReadonlyMap<NodeId, bigint>;
  readonly inner: readonly Pipeline[];
  /** Values of variables that are set only at their declaration. */
  readonly definitions: ReadonlyMap<Symbol, Expr>;
}

/** A pipeline and all nested ones, outermost first. */
export function pipelinesIn(p: Pipeline): readonly Pipeline[] {
  return [p, ...p.inner.flatMap(pipelinesIn)];
}
