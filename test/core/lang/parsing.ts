/** Short ways to parse in tests. */
import { expect } from "vitest";
import {
  type Diagnostic,
  type Expr,
  type FunctionDef,
  type ParseOptions,
  type Pragma,
  parse,
  type Stmt,
  type TranslationUnit,
  walkStmt,
} from "../../../core/lang/index.ts";

/** Parses text that must be without fault. */
export function parsed(text: string, options: Partial<ParseOptions> = {}): TranslationUnit {
  const { unit, diagnostics } = parse(text, { file: "test.c", ...options });
  expect(diagnostics.map(describeDiagnostic)).toEqual([]);
  return unit;
}

export function describeDiagnostic({ loc, severity, code, message }: Diagnostic): string {
  return `${loc.file}:${loc.line}:${loc.col}: ${severity}[${code}]: ${message}`;
}

/** `line:col code` of each diagnostic. */
export function faults(text: string): string[] {
  return parse(text, { file: "test.c" }).diagnostics.map(({ loc, code }) => `${loc.line}:${loc.col} ${code}`);
}

export function functionNamed(unit: TranslationUnit, name: string): FunctionDef {
  const found = unit.externals.find((external) => external.kind === "function" && external.sym.name === name);
  if (found?.kind !== "function") throw new Error(`no function ${name}`);
  return found;
}

/** The statements of the last function. */
export function body(text: string): readonly Stmt[] {
  const { externals } = parsed(text);
  const last = externals[externals.length - 1];
  if (last?.kind !== "function") throw new Error("the text does not end with a function");
  return last.body.body;
}

/** The expression of the last expression statement or return in `text`. */
export function lastExpr(text: string): Expr {
  let found: Expr | undefined;
  for (const stmt of body(text)) {
    walkStmt(stmt, {
      stmt: (inner) => {
        if (inner.kind === "expr") found = inner.expr ?? found;
        if (inner.kind === "return") found = inner.value ?? found;
      },
      expr: () => false,
    });
  }
  if (!found) throw new Error("no expression");
  return found;
}

/** Every pragma in order: those between functions and those attached to statements. */
export function pragmas(unit: TranslationUnit): Pragma[] {
  const found: Pragma[] = [];
  for (const external of unit.externals) {
    if (external.kind === "pragma") found.push(external);
    if (external.kind !== "function") continue;
    walkStmt(external.body, { stmt: (stmt) => void found.push(...(stmt.pragmas ?? [])) });
  }
  return found;
}
