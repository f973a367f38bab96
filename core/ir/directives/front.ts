/** The interface between a directive language and the walk over a unit (read.ts). */
import type { External, FunctionDef, Pragma, Stmt } from "../../lang/tree/ast.ts";
import type { IrNode } from "../model/ir.ts";
import type { Directive, Extent } from "./directive.ts";
import type { Around } from "./read-state.ts";

/** A directive inside a function. */
export interface Construct {
  readonly directive: Directive;
  readonly extent: Extent;
  /** The context in which its statement is read; `source`: the statement as written. */
  inside(around: Around, source: Stmt): Around;
  /** The node for a directive with a statement; `source` is the statement as written. */
  construct(body: Stmt, source: Stmt): IrNode | Stmt | undefined;
  /** The node or statement for a standalone directive. */
  standalone(): IrNode | Stmt | undefined;
}

/** A statement whose calls were replaced by code in front of it. */
export interface WrittenOut {
  readonly steps: readonly (
    | { readonly as: Stmt }
    /** Code that is read like the statements around it and then adapted by `finish`. */
    | { readonly read: Stmt; finish(read: Stmt): Stmt }
  )[];
  /** The rest of the statement. */
  readonly rest?: Stmt;
  /** All of it may be put in a block. */
  readonly own: boolean;
}

export interface Front {
  /** Whether the pragma is a directive of this language. `beside`: the pragmas before the same statement. */
  owns(pragma: Pragma, around: Around, beside: readonly Pragma[]): boolean;
  /** Reads the directive and reports errors; undefined if it is unusable. */
  construct(pragma: Pragma): Construct | undefined;
  /** Reads the directive without reporting anything. */
  glance(pragma: Pragma): Pick<Construct, "directive" | "extent"> | undefined;
  /** The statements that replace one whose directives are plain code, or are selected at run time. */
  restated?(s: Stmt, around: Around): readonly Stmt[] | undefined;
  /** Merges statements of a block that a begin and an end directive enclose. */
  grouped?(list: readonly Stmt[]): readonly Stmt[] | undefined;
  /** Inlines calls in a statement without a directive. */
  writtenOut?(s: Stmt, around: Around): WrittenOut | undefined;
  /** A pragma between functions. */
  atFileScope(pragma: Pragma, externals: readonly External[]): void;
  /** Whether the C compiler must see the pragma as well. */
  isOfHostToo?(pragma: Pragma): boolean;
  /** A pragma that applies to a function definition. */
  ofFunction(pragma: Pragma, def: FunctionDef): void;
  /** A function or declaration at file scope, in order; undefined: the end of the file. */
  declared(external: External | undefined): void;
  /** The context in which a function's body is read. */
  aroundBody(def: FunctionDef): Around;
}
