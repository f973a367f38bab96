/** What takes a directive's place: directives of the other language, and statements around what they are for. */
import type { Diagnostic, Loc, Span } from "../../lang/tree/ast.ts";
import type { Written, WrittenClause } from "../text/written.ts";

export interface NewClause {
  /** White space before it, as its author had it. */
  readonly gap: string;
  readonly text: string;
  /** What it takes the place of: clauses stay in their author's order. */
  readonly from?: WrittenClause;
}

export interface NewDirective {
  /** With its argument: `taskwait`, `routine(f)`. */
  readonly name: string;
  readonly clauses: readonly NewClause[];
}

export interface Rewrite {
  /** One below the other; none: the directive goes. */
  readonly directives: readonly NewDirective[];
  /** Statements before the construct; of a standalone directive, what stands in its place. */
  readonly before?: readonly string[];
  /** Lines behind the construct's statement. */
  readonly after?: readonly string[];
  readonly because?: readonly string[];
  /** Directives for statements inside that had none. */
  readonly inside?: readonly Inserted[];
}

export interface Inserted {
  readonly stmt: { readonly span: Span };
  /** They stand behind it. */
  readonly behind?: true;
  readonly directives: readonly NewDirective[];
}

/** What the other language cannot say. Caught where the site is translated. */
export class CannotSay extends Error {
  readonly diagnostic: Diagnostic;
  constructor(loc: Loc, message: string, remedy: string, why?: string) {
    super(message);
    this.diagnostic = {
      severity: "error",
      code: "not-translatable",
      loc,
      message,
      remedy,
      ...(why && { why }),
    };
  }
}

export const directive = (name: string, clauses: readonly NewClause[] = []): NewDirective => ({
  name,
  clauses,
});

/** A clause that takes the place of another, or one that its author did not write. */
export const put = (text: string, from?: WrittenClause): NewClause => ({
  gap: from?.gap ?? " ",
  text,
  ...(from && { from }),
});

/** Clauses in the order in which their author wrote what they stand for, the others behind them. */
export function asWritten(
  clauses: readonly NewClause[],
  { clauses: written }: Written,
): readonly NewClause[] {
  const place = ({ from }: NewClause): number => {
    const at = from ? written.indexOf(from) : -1;
    return at < 0 ? written.length : at;
  };
  return [...clauses].sort((a, b) => place(a) - place(b));
}
