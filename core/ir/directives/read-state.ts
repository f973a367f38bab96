/** What the readers of directives share: what they found, and where the directive at hand stands. */
import type { Diagnostic, Expr, External, Loc, Symbol } from "../../lang/tree/ast.ts";
import { keepsSizes } from "../analysis/kept-sizes.ts";
import type { Declare, Site, Task } from "../model/ir.ts";

/** What OpenMP constructs around a statement decide for it. */
export interface OmpAround {
  /** A function that regions call: its loops run in order, whoever calls it. */
  readonly routine?: true;
  readonly teams?: true;
  /** Inside a `parallel` construct. */
  readonly threads?: true;
  /** Inside a loop whose iterations threads share. */
  readonly shared?: true | undefined;
  /** As context selectors name them, outermost first. */
  readonly constructs?: readonly string[];
}

/** What the constructs around a statement decide for it. */
export interface Around {
  readonly construct?: Task["construct"];
  readonly defaultData?: "none" | "present";
  /** Inside a region, or in a function that regions of OpenMP call: whose directives count here. */
  readonly region?: "acc" | "omp";
  readonly omp?: OmpAround;
  /** In a function whose directives are read where regions call it, and which nobody else calls. */
  readonly ofCallers?: true;
  /** Variables that data constructs around name. */
  readonly mapped?: ReadonlySet<Symbol>;
}

export class Reading {
  readonly diagnostics: Diagnostic[] = [];
  /** Declare directives at file scope. */
  readonly declares: Declare[] = [];
  around: Around = {};
  /** Variables of the teams whose `parallel` construct is read: it declares them in front of itself. */
  readonly ofTeam: Symbol[] = [];
  /** The program requires that devices share its memory: where it says so. */
  sharedRequired: Site | undefined;
  /** The C compiler honours OpenMP's directives for the host's threads. */
  hostThreads = false;
  /** OpenMP's number of the default device, where the unit sets it: that may be the host's. */
  defaultDevice: Expr | undefined;
  /** Of the unit. */
  readonly externals: readonly External[];

  constructor(externals: readonly External[]) {
    this.externals = externals;
  }

  /** The size of a variable array can be computed again. */
  readonly keepsSize = (sym: Symbol): boolean => keepsSizes(sym, this.externals);

  report(code: string, loc: Loc, message: string, remedy?: string): void {
    this.diagnostics.push({ severity: "error", code, loc, message, ...(remedy && { remedy }) });
  }
}
