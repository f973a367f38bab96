/**
 * `error` (OpenMP 5.2, section 8.5): a message at compile time, or, with `at(execution)`, a warning of each thread that
 * reaches it in a region.
 */
import { CHAR_POINTER, ExprParser, INT, makeSymbol } from "../../../lang/index.ts";
import type { Diagnostic, Pragma, PragmaToken, Scope, Stmt } from "../../../lang/tree/ast.ts";
import { exprStmt } from "../../../lang/tree/build.ts";
import { clause, type Directive } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";

/** `error` that speaks when the program is compiled. */
export const isCompileError = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" &&
  tokens[1]?.text === "error" &&
  !tokens.some(({ text }, i) => text === "at" && tokens[i + 2]?.text === "execution");

/** What a region executes, if anything. */
export function errorDirective(reading: Reading, d: Directive): Stmt | undefined {
  if (clause(d, "at")?.names[0] === "execution") {
    const warning = runtimeWarning(d);
    if (!("severity" in warning)) return warning;
    reading.diagnostics.push(warning);
    return undefined;
  }
  const severity = clause(d, "severity")?.names[0] === "warning" ? "warning" : "error";
  const message = messageOf(d) ?? "the program says that this must not be compiled";
  reading.diagnostics.push({ severity, code: "error-directive", loc: d.loc, message });
  return undefined;
}

const messageOf = (d: Directive): string | undefined =>
  d.pragma.tokens.find((t) => t.text.startsWith('"'))?.text.slice(1, -1);

function runtimeWarning(d: Directive): Stmt | Diagnostic {
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
  const text = `${file}:${line}: warning: ${messageOf(d) ?? ""}`.replaceAll("%", "%%");
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
