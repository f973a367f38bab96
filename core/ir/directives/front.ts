/** A language of directives, as the walk over a unit (read.ts) sees it. */
import type { External, FunctionDef, Pragma, Stmt } from "../../lang/tree/ast.ts";
import type { IrNode } from "../model/ir.ts";
import type { Directive, Extent } from "./directive.ts";
import type { Around } from "./read-state.ts";

/** A directive inside a function. */
export interface Construct {
  readonly directive: Directive;
  readonly extent: Extent;
  /** What its statement is read in. */
  inside(around: Around): Around;
  /** The node of a directive with a statement; `source` is the statement as written. */
  construct(body: Stmt, source: Stmt): IrNode | Stmt | undefined;
  /** The node of a directive without one, or what it makes the program do. */
  standalone(): IrNode | Stmt | undefined;
}

/** A statement whose calls stand in front of it as code. */
export interface WrittenOut {
  readonly steps: readonly (
    | { readonly as: Stmt }
    /** To be read like the statements around, and then made ready for its place. */
    | { readonly read: Stmt; finish(read: Stmt): Stmt }
  )[];
  /** What is left of the statement. */
  readonly rest?: Stmt;
  /** All of it may stand in a block of its own. */
  readonly own: boolean;
}

export interface Front {
  /** Whether a pragma is a directive of this language, among those that stand before the same statement. */
  owns(pragma: Pragma, around: Around, beside: readonly Pragma[]): boolean;
  /** Reports what is wrong with it; undefined where nothing can be made of it. */
  construct(pragma: Pragma): Construct | undefined;
  /** What stands there, with nothing reported yet. */
  glance(pragma: Pragma): Pick<Construct, "directive" | "extent"> | undefined;
  /** The statements in place of one with directives that are plain code, or choose among others when the program runs. */
  restated?(s: Stmt, around: Around): readonly Stmt[] | undefined;
  /** Statements of a block, of which directives before and behind them make one. */
  grouped?(list: readonly Stmt[]): readonly Stmt[] | undefined;
  /** A statement without a directive that has code of others in it. */
  writtenOut?(s: Stmt, around: Around): WrittenOut | undefined;
  /** A pragma between functions. */
  atFileScope(pragma: Pragma, externals: readonly External[]): void;
  /** Whether the C compiler is to read such a pragma as well. */
  isOfHostToo?(pragma: Pragma): boolean;
  /** A pragma of a function's definition. */
  ofFunction(pragma: Pragma, def: FunctionDef): void;
  /** A function or declaration at file scope, in order; undefined: the end of the file. */
  declared(external: External | undefined): void;
  /** What the body of a function is read in. */
  aroundBody(def: FunctionDef): Around;
}
