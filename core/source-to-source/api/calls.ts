/** Calls of a runtime API in the user's text, with what the tree knows about their arguments. */
import { type Extent, mapChildren, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Loc, Span, Stmt } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Source } from "../model/source.ts";
import { locationOf } from "../text/head.ts";
import { argumentsAt, namesIn } from "../text/scan.ts";

export interface ApiCall {
  readonly name: string;
  readonly start: number;
  /** Where a `!` directly before it stands. */
  readonly negation?: number;
  /** After the closing parenthesis; after the name if it is not a call. */
  readonly end: number;
  /** Arguments as written; undefined if the name is not called. */
  readonly list: readonly string[] | undefined;
  /** The parsed arguments, if the call is in the parsed code and not hidden by a macro. */
  readonly args: readonly Expr[] | undefined;
  readonly loc: Loc;
  /** The end of the statement, if the call is all of it. */
  readonly statementEnd: number | undefined;
  /** That statement is in a block, rather than the body of an `if` or a loop. */
  readonly inBlock: boolean;
}

/** `apart`: extents of directives, whose names are not calls. */
export function callsOf(
  source: Source,
  apart: readonly Extent[],
  concerns: (name: string) => boolean,
): readonly ApiCall[] {
  const { text } = source;
  const parsed = parsedCalls(source);
  const alone = statements(source);
  const prototypes = prototypesOf(source);
  return namesIn(text).flatMap(({ text: name, start, end }) => {
    if (!concerns(name) || isOwn(source, name)) return [];
    // A macro of the name, for where there is no such API: its definition is no call.
    if (
      /#[ \t]*(define|undef|ifdef|ifndef)[ \t]+$/.test(text.slice(text.lastIndexOf("\n", start) + 1, start))
    )
      return [];
    if (apart.some((textSpan) => textSpan.start <= start && end <= textSpan.end)) return [];
    const loc = locationOf(source, start);
    if (prototypes.some((span) => isIn(span, loc))) return [];
    const called = argumentsAt(text, end);
    if (!called && isUndeclared(source, name)) return [];
    const stop = called?.end ?? end;
    const at = `${loc.line}:${loc.col}`;
    const args = parsed.get(at);
    const negation = /!\s*$/.exec(text.slice(0, start))?.index;
    return [
      {
        name,
        start,
        ...(negation !== undefined && { negation }),
        end: stop,
        list: called?.list,
        args: args?.length === called?.list.length ? args : undefined,
        loc,
        statementEnd: called && alone.has(at) ? statementEnd(text, stop) : undefined,
        inBlock: alone.get(at) === true,
      },
    ];
  });
}

/** Whether the name is the user's. A prototype alone declares the function of the API. */
function isOwn({ parsed, file }: Source, name: string): boolean {
  const sym = parsed.unit.scope.lookup(name);
  return sym?.definition !== undefined || (sym?.kind !== "function" && sym?.span.start.file === file);
}

/** No header has the name: a local variable's, a member's or a macro's. */
const isUndeclared = ({ parsed }: Source, name: string): boolean =>
  parsed.unit.scope.lookup(name) === undefined;

/** Prototypes in the source: the names in them are no calls. */
function prototypesOf({ parsed, file }: Source): readonly Span[] {
  return parsed.unit.externals.flatMap((e) =>
    e.kind === "decl" && e.span.start.file === file && e.decls.some(({ sym }) => sym.kind === "function")
      ? [e.span]
      : [],
  );
}

const isIn = ({ start, end }: Span, { line, col }: Loc): boolean =>
  (start.line < line || (start.line === line && start.col <= col)) &&
  (line < end.line || (line === end.line && col <= end.col));

function parsedCalls({ parsed, file }: Source): ReadonlyMap<string, readonly Expr[]> {
  const found = new Map<string, readonly Expr[]>();
  const visitor = {
    expr(e: Expr) {
      const { start } = e.span;
      if (e.kind === "call" && start.file === file)
        found.set(`${start.line}:${start.col}`, e.args.map(stripImplicit));
    },
  };
  for (const external of parsed.unit.externals) {
    if (external.kind === "function") walkStmt(external.body, visitor);
    if (external.kind === "decl")
      for (const { init } of external.decls) if (init?.kind === "expr") walkExpr(init.expr, visitor);
  }
  return found;
}

const statementEnd = (text: string, end: number): number | undefined => {
  const after = /^\s*;/.exec(text.slice(end))?.[0];
  return after === undefined ? undefined : end + after.length;
};

/** Statements that consist of one call, by position, and whether they are in a block. */
function statements({ parsed, file }: Source): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const visit = (s: Stmt, inBlock: boolean): void => {
    const e = s.kind === "expr" && s.expr ? stripImplicit(s.expr) : undefined;
    const { start } = s.span;
    if (e?.kind === "call" && start.file === file) found.set(`${start.line}:${start.col}`, inBlock);
    mapChildren(s, (child) => {
      visit(child, s.kind === "compound");
      return child;
    });
  };
  for (const external of parsed.unit.externals) if (external.kind === "function") visit(external.body, false);
  return found;
}
