/** Parsed directives of any language: a name and typed clauses, each with its location. */
import type { CType, Expr, Loc, Pragma, Span, Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { Iteration, ReductionOp, SectionDim, Site } from "../model/ir.ts";

/** One entry of a variable list. */
export interface VarRef {
  readonly sym: Symbol;
  /** The object named, without its section. */
  readonly object: Expr;
  readonly section: readonly SectionDim[];
  /** It stands for one item for each of their values. */
  readonly each?: readonly ListIterator[];
  /** The element that a reference without a section names, which `section` has as one of length 1. */
  readonly element?: Expr;
  readonly written: string;
  readonly loc: Loc;
}

/** A user-defined reduction, as operations on given values. */
export interface DeclaredReduction {
  readonly type: CType;
  /** Combines `value` into `out`. */
  combine(out: Expr, value: Expr): Expr;
  /** Initialises a thread's copy. */
  initialise(copy: Expr, original: Expr): Expr;
}

/** `iterator(k = first : end : step)`: a variable local to the clause. */
export interface ListIterator extends Iteration {
  readonly loc: Loc;
}

export interface Clause {
  readonly name: string;
  readonly loc: Loc;
  readonly vars: readonly VarRef[];
  readonly modifiers: readonly string[];
  /** Arguments in order; "*" where the grammar allows one. */
  readonly exprs: readonly (Expr | "*")[];
  /** Identifiers: device types, default(none), bind names. */
  readonly names: readonly string[];
  readonly op?: ReductionOp;
  /** User-defined reductions: one per variable. */
  readonly declared?: readonly DeclaredReduction[];
  /** mapper(name) */
  readonly mapper?: string;
  readonly iterators?: readonly ListIterator[];
  /** Added by a mapper: its map types are restricted to those of the construct. */
  readonly byMapper?: true;
  /** wait(devnum: ...) */
  readonly device?: Expr;
  /** gang(static: ...) */
  readonly static?: Expr | "*";
  /** Set on clauses after a device_type clause: the types they are for. */
  readonly deviceTypes?: readonly string[];
}

export interface Directive {
  readonly name: string;
  readonly clauses: readonly Clause[];
  /** The list directly after the name, as a clause with the directive's name. */
  readonly argument?: Clause;
  readonly loc: Loc;
  readonly span: Span;
  readonly pragma: Pragma;
}

/** What follows a directive. */
export type Extent =
  | "block" // the next statement
  | "loop" // the next statement, which must be a for loop
  | "atomic" // the next statement, of one of the atomic forms
  | "standalone" // nothing
  | "declarative"; // nothing, or the next function

/** The first expression of a clause. */
export function exprOf(found: Clause | undefined): Expr | undefined {
  const expr = found?.exprs[0];
  return expr === "*" ? undefined : expr;
}

export function clause(d: Directive, name: string): Clause | undefined {
  return d.clauses.find((c) => c.name === name);
}

export function site(d: Directive, stmt?: Stmt): Site {
  return { loc: d.loc, what: d.name, pragma: d.pragma, ...(stmt && { stmt }) };
}
