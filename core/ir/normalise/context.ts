/** What normalisation knows of the program around a construct. */
import type { Diagnostic, FunctionDef, Symbol } from "../../lang/index.ts";
import type { Linkage } from "../analysis/routines.ts";
import type { DataItem } from "../model/ir.ts";
import type { Program } from "../model/program.ts";

export interface Context {
  readonly program: Program;
  readonly linkage: Linkage;
  readonly diagnostics: Diagnostic[];
  /** The enclosing function, as it was read. */
  readonly def: FunctionDef;
  /** Data items of enclosing data constructs, outermost first. */
  readonly around: readonly ItemAround[];
}

/** An item of a construct around a statement. */
export interface ItemAround extends DataItem {
  /** The construct has a condition: the variable may not be on the device. */
  readonly conditional?: true;
}

/** Data items of the constructs around a statement, innermost last, and of declare directives. */
export type Visible = ReadonlyMap<Symbol, ItemAround>;
