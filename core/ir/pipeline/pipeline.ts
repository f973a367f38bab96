/** What hardware a region's loops become: pipelines, one in another, each with the graph of its body. */
import type { Expr, Loc, Symbol } from "../../lang/tree/ast.ts";
import type { LoopHeader, Reduction } from "../model/ir.ts";
import type { Graph, NodeId } from "./graph.ts";

/** A place in the body that reads or writes global memory. */
export interface MemoryAccess {
  readonly array: Symbol;
  /** Fields on the way, so that members of a record are told apart. */
  readonly path: string;
  readonly write: boolean;
  /** Which element, counted in elements of `bytes`. */
  readonly index: NodeId;
  readonly bytes: number;
  /** What is read, or the value that is stored. */
  readonly node: NodeId;
  /** The condition of the store, if it has one. */
  readonly guard?: NodeId;
  /** A delay line takes the element before any iteration writes it, and gets what is written by itself. */
  readonly ahead?: true;
  /** As in the source. */
  readonly text: string;
  readonly loc: Loc;
}

/** What node `to` makes is what node `from` has `distance` iterations later. */
export interface Carried {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly distance: number;
  /** What `from` is before the loop, where this is constant. */
  readonly start?: bigint | number;
  readonly name: string;
  readonly loc: Loc;
}

/** Memory of the kernel itself: a local array, a delay line, the partial results of a reduction. */
export interface Storage {
  readonly name: string;
  readonly bits: number;
  readonly as: "registers" | "memory" | "delay line";
}

export interface Pipeline {
  /** The loops that one iteration counts; none: it runs once. */
  readonly headers: readonly LoopHeader[];
  /** A loop whose iterations cannot be counted: `while`, `do`, or a `for` of any form. */
  readonly uncounted?: true;
  /** Iterations that start together: copies of the body beside those that the graph has already. */
  readonly copies: number;
  /** The user or an analysis says that iterations do not depend on each other. */
  readonly independent: boolean;
  /** Work-items share the iterations of an NDRange kernel's loop. */
  readonly shared: boolean;
  /** Over the work-items of a group, in an NDRange kernel. */
  readonly reductions: readonly Reduction[];
  readonly loc: Loc;
  readonly graph: Graph;
  readonly accesses: readonly MemoryAccess[];
  readonly carried: readonly Carried[];
  readonly storage: readonly Storage[];
  /** Operators behind a loop that put partial results together. */
  readonly combines: readonly { readonly op: string; readonly type: string; readonly count: number }[];
  /** Steps of variables per iteration, where they are constant. */
  readonly strides: ReadonlyMap<NodeId, bigint>;
  readonly inner: readonly Pipeline[];
  /** Values of variables that are set once where they are declared. */
  readonly definitions: ReadonlyMap<Symbol, Expr>;
}

/** A pipeline and all that are in it, outermost first. */
export function pipelinesIn(p: Pipeline): readonly Pipeline[] {
  return [p, ...p.inner.flatMap(pipelinesIn)];
}
