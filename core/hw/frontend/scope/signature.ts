/** A kernel as input of the hardware front end: C in single work-item form, with what is known about its pointers. */

import type { Apart } from "../../../ir/model/ir.ts";
import type { Loc, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import type { Shape } from "../../dfg/value.ts";

export interface KernelSignature {
  readonly name: string;
  readonly loc: Loc;
  readonly parameters: readonly Symbol[];
  readonly body: readonly Stmt[];
  /** Functions that it may call. */
  readonly functions: ReadonlyMap<Symbol, InlineFunction>;
  /** Whether the memory of two parameters is disjoint. */
  apart(a: Symbol, b: Symbol): boolean;
  /** The value of a symbol with a fixed value, such as the number of the only work-item. */
  constantOf(sym: Symbol): bigint | undefined;
  /** What is proved about memory that a loop's iterations share, by parameters. */
  provedOf(loop: Stmt): readonly Apart[];
  /** Subnormal numbers are treated as 0. */
  readonly flush?: true;
  /** The shape used for computing where the source says float. */
  readonly real?: Shape;
}

export interface InlineFunction {
  readonly parameters: readonly Symbol[];
  readonly body: Stmt;
}
