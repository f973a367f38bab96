/** What stands in a function where directives are not read: GNU C's nested functions, and statements in expressions. */
import { walkStmt } from "../../lang/index.ts";
import type { Diagnostic, FunctionDef, Pragma, Stmt } from "../../lang/tree/ast.ts";

interface Hidden {
  readonly nested: readonly FunctionDef[];
  /** The pragmas of each statement in an expression. */
  readonly inExpressions: readonly (readonly Pragma[])[];
}

export function hiddenIn(body: Stmt): Hidden {
  const nested: FunctionDef[] = [];
  const inExpressions = new Map<Stmt, readonly Pragma[]>();
  const collect = (s: Stmt): void => {
    if (s.pragmas) inExpressions.set(s, s.pragmas);
  };
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "decl" && s.nested) nested.push(s.nested);
    },
    expr(e) {
      if (e.kind === "stmt-expr") walkStmt(e.body, { stmt: collect });
    },
  });
  return { nested, inExpressions: [...inExpressions.values()] };
}

export const nestedFunction = ({ sym, span }: FunctionDef, around: FunctionDef): Diagnostic => ({
  severity: "error",
  code: "nested-function",
  loc: span.start,
  message: `'${sym.name}' is defined inside '${around.sym.name}', and one of them has directives for a device`,
  remedy: "move it to file scope",
});

export const inExpression = ({ tokens, span }: Pragma): Diagnostic => ({
  severity: "warning",
  code: "directive-in-expression",
  loc: span.start,
  message: `'${tokens
    .slice(0, 2)
    .map(({ text }) => text)
    .join(" ")}' is not read: it stands in an expression, which the C compiler gets as it is`,
  remedy: "write the statements in front of the expression",
});
