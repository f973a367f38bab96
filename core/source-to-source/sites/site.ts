/** A directive of one language at its position in the user's file. */
import type { Directive, Extent } from "../../ir/directives/directive.ts";
import type { Extent as Place } from "../../lang/index.ts";
import type { External, FunctionDef, Stmt } from "../../lang/tree/ast.ts";
import type { Written } from "../text/written.ts";

export interface Site {
  readonly directive: Directive;
  readonly written: Written;
  readonly extent: Extent;
  /** The whole pragma, without the line break. */
  readonly textSpan: Place;
  /** `_Pragma`, or a macro that expands to it: it has no line to itself. */
  readonly operator: boolean;
  /** It is not in the text: it is put in front of what it is for. */
  readonly added?: true;
  /** White space before it on its line. */
  readonly indent: string;
  /** The statement that it applies to, and its position, which is undefined if a macro hides an end of it. */
  readonly stmt?: Stmt;
  readonly stmtSpan?: Place;
  /** Enclosing directives, outermost first. */
  readonly around: readonly Site[];
  /** A statement may be inserted before it: it is the first directive of its statement, which is in a block. */
  readonly free: boolean;
  readonly function?: FunctionDef;
  /** Between functions: the external that follows. */
  readonly next?: External;
  readonly nextSpan?: Place;
}

/** Loops of plain C around a site, and those of its directives, are looked up in its function. */
export const isCompute = ({ directive: { name } }: Site): boolean =>
  /^(parallel|kernels|serial)\b/.test(name);
