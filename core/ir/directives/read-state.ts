/** State shared by the readers of directives: results so far, and the context of the current directive. */
import type { Diagnostic, Expr, External, Loc, Symbol } from "../../lang/tree/ast.ts";
import { keepsSizes } from "../analysis/kept-sizes.ts";
import type { Declare, Site, Task } from "../model/ir.ts";

/** Context that enclosing OpenMP constructs establish. */
export interface OmpAround {
  /** A function called by regions: its loops run in order, whoever calls it. */
  readonly routine?: true;
  readonly teams?: true;
  /** Inside a `parallel` construct. */
  readonly threads?: true;
  /** Automatic variables that the threads of the `parallel` construct share; undefined if that is not known. */
  readonly sharedByThreads?: ReadonlySet<Symbol> | undefined;
  /** Variables that the `target` construct maps. */
  readonly mapped?: ReadonlySet<Symbol>;
  /** Inside a worksharing loop. */
  readonly shared?: true | undefined;
  /** Inside a loop whose iterations may run in any order and at once, and no `parallel` inside of it. */
  readonly concurrent?: true | undefined;
  /** Variables that threads read of each other by `shuffle`. */
  readonly shuffles?: ReadonlySet<Symbol>;
  /** Those that `teams` names. */
  readonly ofTeams?: ReadonlySet<Symbol>;
  /** Enclosing constructs as context selectors name them, outermost first. */
  readonly constructs?: readonly string[];
}

/** Context that enclosing constructs establish. */
export interface Around {
  readonly construct?: Task["construct"];
  readonly defaultData?: "none" | "present";
  /** Inside a region, or in a function called by OpenMP regions: OpenMP directives apply here. */
  readonly region?: "acc" | "omp";
  readonly omp?: OmpAround;
  /** In a function that only regions call, whose directives are read at each call. */
  readonly ofCallers?: true;
  /** Variables named by enclosing data constructs. */
  readonly mapped?: ReadonlySet<Symbol>;
}

export class Reading {
  readonly diagnostics: Diagnostic[] = [];
  /** Declare directives at file scope. */
  readonly declares: Declare[] = [];
  around: Around = {};
  /** Team variables of the `parallel` constructs read so far, which declare them in front of themselves. */
  readonly ofTeam: Symbol[] = [];
  /** The directive by which the program requires devices to share its memory. */
  sharedRequired: Site | undefined;
  /** The C compiler implements OpenMP's directives for the host's threads. */
  hostThreads = false;
  /** Whether arc runs the file's tasks, OpenMP's own among them. */
  runsTasks: () => boolean = () => false;
  /** OpenMP's default device, if the unit sets it: it may be the host. */
  defaultDevice: Expr | undefined;
  /** The unit's externals. */
  readonly externals: readonly External[];

  constructor(externals: readonly External[]) {
    this.externals = externals;
  }

  /** Whether a variable-length array's size can be evaluated again. */
  readonly keepsSize = (sym: Symbol): boolean => keepsSizes(sym, this.externals);

  report(code: string, loc: Loc, message: string, remedy?: string): void {
    this.diagnostics.push({ severity: "error", code, loc, message, ...(remedy && { remedy }) });
  }
}
