/** `error at(execution)` in a region (OpenMP 5.2, section 8.5): each thread that reaches it prints a warning. */
import { CHAR_POINTER, ExprParser, INT, makeSymbol } from "../../../lang/index.ts";
import type { Diagnostic, Pragma, PragmaToken, Scope, Stmt } from "../../../lang/tree/ast.ts";
import { exprStmt } from "../../../lang/tree/build.ts";
import { clause, type Directive } from "../../directives/directive.ts";

/** `error` that speaks when the program is compiled. */
export const isCompileError = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" &&
  tokens[1]?.text === "error" &&
  !tokens.some(({ text }, i) => text === "at" && tokens[i + 2]?.text === "execution");

export function runtimeWarning(d: Directive): Stmt | Diagnostic {
  const refused = (why: string, remedy: string): Diagnostic => ({
    severity: "error",
    code: "unsupported-directive",
    loc: d.loc,
    message: "this 'error at(execution)' is not honoured in code for a device",
    why,
    remedy,
  });
  if (clause(d, "severity")?.names[0] !== "warning")
    return refused(
      "OpenMP 5.2, section 8.5: without severity(warning) it ends the program, and no device ends the host's",
      "write what was wrong to a variable that is mapped, and look at it behind the region; or add severity(warning)",
    );
  const { file, line } = d.loc;
  const token = (kind: PragmaToken["kind"], text: string): PragmaToken => ({ kind, text, loc: d.loc });
  const message = d.pragma.tokens.find((t) => t.text.startsWith('"'))?.text.slice(1, -1) ?? "";
  const text = `${file}:${line}: warning: ${message}`.replaceAll("%", "%%");
  const tokens = [
    token("ident", "printf"),
    token("punct", "("),
    token("string", `"${text}\\n"`),
    token("punct", ")"),
  ];
  const { scope, span } = d.pragma;
  const call = new ExprParser(tokens, withPrintf(scope), span.end).parseAssignment();
  return "severity" in call ? call : exprStmt(call);
}

/** The program need not declare what a device prints with. */
const withPrintf = (scope: Scope): Scope => ({
  lookup: (name) => scope.lookup(name) ?? (name === "printf" ? printf : undefined),
  lookupTag: (tag) => scope.lookupTag(tag),
});

const printf = makeSymbol(
  "printf",
  "function",
  { kind: "function", ret: INT, params: [{ type: CHAR_POINTER }], variadic: true },
  "file",
);
