/** A directive of one language where it stands in the user's file. */
import type { Directive, Extent } from "../../ir/directives/directive.ts";
import type { Extent as Place } from "../../lang/index.ts";
import type { External, FunctionDef, Stmt } from "../../lang/tree/ast.ts";
import type { Written } from "../text/written.ts";

export interface Site {
  readonly directive: Directive;
  readonly written: Written;
  readonly extent: Extent;
  /** The whole pragma, without the line break. */
  readonly place: Place;
  /** `_Pragma` or a macro that stands for it: no line of its own. */
  readonly operator: boolean;
  /** White space before it on its line. */
  readonly indent: string;
  /** The statement that it applies to, and where that stands; the place is missing where a macro hides an end of it. */
  readonly stmt?: Stmt;
  readonly stmtPlace?: Place;
  /** Directives whose statement this one stands in, outermost first. */
  readonly around: readonly Site[];
  /** A statement may be put before it: it is the first one of its statement, which stands in a block. */
  readonly free: boolean;
  readonly function?: FunctionDef;
  /** Between functions: what follows it. */
  readonly next?: External;
  readonly nextPlace?: Place;
}

/** Loops of plain C around a site, and those of its directives, are found in its function. */
export const isCompute = ({ directive: { name } }: Site): boolean =>
  /^(parallel|kernels|serial)\b/.test(name);
