/** A whole unit as host code, printed from the tree, for constructs that cannot be replaced in the text. */

import { isArcsAlone } from "../../../core/ir/model/host-threads.ts";
import type { Program } from "../../../core/ir/model/program.ts";
import { hostDirective } from "../../../core/ir/omp/selectors/host-words.ts";
import { type PrintOptions, print, printDecl, printStmt } from "../../../core/lang/index.ts";
import type { Diagnostic, External, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { expandedMark } from "./expanded.ts";
import { constructorText, type HostNode, hostText, preludeOf } from "./host-code.ts";
import type { HostNames } from "./host-names.ts";
import { watchedReads } from "./host-reads.ts";
import { comparedLaunch, type LaunchText } from "./reference-run.ts";
import type { OutlinedProgram } from "./task-outline.ts";
import { creatorText, outlinedText } from "./task-text.ts";

/** Statements as C without directives. */
const serial: PrintOptions = {
  pragma: (p) => {
    if (["acc", "upir"].includes(p.tokens[0]?.text ?? "") || isArcsAlone(p)) return [];
    const selected = hostDirective(p);
    return selected === undefined ? undefined : selected === "" ? [] : [selected];
  },
};

function serialText(s: Stmt): string {
  return printStmt(s, serial);
}

/** Lines of a host statement that holds IR nodes. */
export function hostLines(
  n: HostNode,
  printBody: (s: Stmt) => string[],
  names: HostNames,
  diagnostics: Diagnostic[],
  launch?: LaunchText,
): string[] {
  const stmt = n.kind === "spmd" ? undefined : n.site.stmt;
  if ((n.kind === "loop" || n.kind === "atomic") && stmt) return serialText(stmt).split("\n");
  const around = hostText(n, () => (stmt ? serialText(stmt) : ""), names, diagnostics, launch);
  const body = around.replaces || !("body" in n) ? [] : printBody(n.body).map((l) => `  ${l}`);
  return [...around.before, ...body, ...around.after];
}

/** Lines before a function with tasks: the tasks' functions, and those that create tasks in place of calls. */
export function linesBefore(
  { before }: OutlinedProgram,
  of: Symbol,
  names: HostNames,
  diagnostics: Diagnostic[],
): readonly string[] {
  const found = before.get(of);
  if (!found) return [];
  const definition = found.tasks.length > 0 && of.definition;
  const statement = (s: Stmt) =>
    printStmt(s, {
      ...serial,
      plainLocals: true,
      stmt: (inner, print) =>
        inner.kind === "ext" ? hostLines(inner.ext as HostNode, print, names, diagnostics) : undefined,
    }).split("\n");
  return [
    // A function's task may call it.
    ...(definition ? [`${of.storage === "static" ? "static " : ""}${printDecl(of.type, of.name)};`] : []),
    ...found.creators.flatMap((c) => creatorText(c, names, diagnostics)),
    ...found.tasks.flatMap((t) => outlinedText(t, names, statement)),
  ];
}

/** Host code calls through pointers, which devices cannot, and has static variables in blocks. */
const asHostHas = (e: External, { pointed, statics }: Program): External =>
  (e.kind === "function" && (pointed?.onHost.get(e.sym) ?? statics?.onHost.get(e.sym))) || e;

/** How host code is generated so that `ARC_CHECK` can observe it. */
export interface Watched {
  /** Relative tolerance of results. */
  readonly tolerance?: number;
}

export function printHostUnit(
  outlined: OutlinedProgram,
  names: HostNames,
  watched?: Watched,
): { text: string; diagnostics: readonly Diagnostic[] } {
  const { program } = outlined;
  const diagnostics: Diagnostic[] = [];
  const launch = watched && comparedLaunch(watched.tolerance);
  const options: PrintOptions = {
    ...serial,
    plainLocals: true,
    ...(watched && { expr: watchedReads(program) }),
    stmt: (s, printBody) =>
      s.kind === "ext" ? hostLines(s.ext as HostNode, printBody, names, diagnostics, launch) : undefined,
  };
  const text = [
    expandedMark,
    ...preludeOf(outlined),
    ...program.unit.externals.flatMap((e) => [
      ...(e.kind === "function" ? linesBefore(outlined, e.sym, names, diagnostics) : []),
      ...(e.kind === "pragma" && program.taskFunctions
        ? []
        : [print({ ...program.unit, externals: [asHostHas(e, program)] }, options)]),
    ]),
    ...constructorText(program, names, diagnostics),
    "",
  ].join("\n");
  return { text, diagnostics };
}
