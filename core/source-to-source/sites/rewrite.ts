/** The replacement of a directive: directives of the other language, and statements around the construct. */
import type { Diagnostic, Loc, Span } from "../../lang/tree/ast.ts";
import type { Written, WrittenClause } from "../text/written.ts";

export interface NewClause {
  /** White space before it, as in the source. */
  readonly gap: string;
  readonly text: string;
  /** The clause that it replaces: clauses stay in their author's order. */
  readonly from?: WrittenClause;
}

export interface NewDirective {
  /** With its argument: `taskwait`, `routine(f)`. */
  readonly name: string;
  readonly clauses: readonly NewClause[];
}

export interface Rewrite {
  /** One below the other; empty: the directive is removed. */
  readonly directives: readonly NewDirective[];
  /** Statements before the construct; for a standalone directive, its replacement. */
  readonly before?: readonly string[];
  /** Lines directly below the directives. */
  readonly behind?: readonly string[];
  /** Lines after the construct's statement. */
  readonly after?: readonly string[];
  /** Advice that the other language has no word for: it stays as a comment below the directives. */
  readonly advice?: string;
  /** The words of the other language say less: a comment keeps the directive as it was. */
  readonly kept?: true;
  readonly because?: readonly string[];
  /** Directives for inner statements that had none. */
  readonly inside?: readonly Inserted[];
}

export interface Inserted {
  readonly stmt: { readonly span: Span };
  /** The last of several statements, which get braces. */
  readonly through?: { readonly span: Span };
  /** Inserted after the statement. */
  readonly behind?: true;
  /** The directives and the statement get braces. */
  readonly inBraces?: true;
  readonly directives: readonly NewDirective[];
}

/** The other language cannot express a construct. Caught where the site is translated. */
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

/** A clause that replaces another, or a new one. */
export const put = (text: string, from?: WrittenClause): NewClause => ({
  gap: from?.gap ?? " ",
  text,
  ...(from && { from }),
});

/** Clauses in the order of the clauses that they replace, followed by new ones. */
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
