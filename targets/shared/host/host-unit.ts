/** A whole unit as host code, printed from the tree: for constructs that text cannot be edited around. */

import type { IrNode } from "../../../core/ir/model/ir.ts";
import type { Program } from "../../../core/ir/model/program.ts";
import { type PrintOptions, print, printStmt } from "../../../core/lang/index.ts";
import type { Diagnostic, Stmt } from "../../../core/lang/tree/ast.ts";
import { expandedMark } from "./expanded.ts";
import { constructorText, hostPrelude, hostText } from "./host-code.ts";
import type { HostNames } from "./host-names.ts";

/** Statements as C, their directives dropped. */
const serial: PrintOptions = {
  pragma: (p) => (["acc", "upir"].includes(p.tokens[0]?.text ?? "") ? [] : undefined),
};

function serialText(s: Stmt): string {
  return printStmt(s, serial);
}

/** Lines of a host statement that holds IR nodes. */
export function hostLines(
  n: IrNode,
  printBody: (s: Stmt) => string[],
  names: HostNames,
  diagnostics: Diagnostic[],
): string[] {
  const stmt = n.kind === "spmd" ? undefined : n.site.stmt;
  if ((n.kind === "loop" || n.kind === "atomic") && stmt) return serialText(stmt).split("\n");
  const around = hostText(n, () => (stmt ? serialText(stmt) : ""), names, diagnostics);
  const body = around.replaces || !("body" in n) ? [] : printBody(n.body).map((l) => `  ${l}`);
  return [...around.before, ...body, ...around.after];
}

export function printHostUnit(
  program: Program,
  names: HostNames,
): { text: string; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const options: PrintOptions = {
    ...serial,
    plainLocals: true,
    stmt: (s, printBody) =>
      s.kind === "ext" ? hostLines(s.ext as IrNode, printBody, names, diagnostics) : undefined,
  };
  const text = [
    expandedMark,
    ...hostPrelude,
    print(program.unit, options),
    ...constructorText(program, names, diagnostics),
    "",
  ].join("\n");
  return { text, diagnostics };
}
