/** Control must enter a construct at its start and leave it at its end. */

import { walkStmt } from "../../lang/index.ts";
import type { Diagnostic, Loc, Stmt } from "../../lang/tree/ast.ts";
import type { IrNode } from "../model/ir.ts";

/** What a jump inside a statement may leave. */
interface Inside {
  /** `break` binds to a loop or switch inside the construct. */
  readonly breaks: boolean;
  readonly continues: boolean;
}

const regions: ReadonlySet<IrNode["kind"]> = new Set([
  "task",
  "data",
  "host-data",
  "explicit-task",
  "task-group",
  "critical",
]);

export function branchesOutOf(n: IrNode): Diagnostic[] {
  if (n.kind === "loop") return n.parallel.independence === "independent" ? outOf(n.body, "loop", true) : [];
  if (n.kind === "threads") return outOf(n.body, n.site.what, false);
  if (!regions.has(n.kind) || !("body" in n) || !("site" in n)) return [];
  return outOf(n.body, n.site.what, false);
}

function outOf(body: Stmt, what: string, isLoop: boolean): Diagnostic[] {
  const found: Diagnostic[] = [];
  const own = labelsIn(body);
  const refuse = (how: string, loc: Loc) =>
    found.push(
      isLoop
        ? {
            severity: "error",
            code: "branch-out-of-loop",
            loc,
            message: `'${how}' ends a loop whose iterations are shared out`,
            why: "iterations that run at the same time cannot be called off",
            remedy: "run the loop with seq, or guard the rest of the body with a condition",
          }
        : {
            severity: "error",
            code: "branch-out-of-region",
            loc,
            message: `'${how}' leaves the '${what}' region`,
            why: "the end of the region is where its data and its work are accounted for",
            remedy: "let control reach the end of the region",
          },
    );
  const visit = (s: Stmt, inside: Inside): void => {
    const { start } = s.span;
    switch (s.kind) {
      case "return":
        refuse("return", start);
        break;
      case "goto":
        if (s.label === undefined || !own.has(s.label)) refuse("goto", start);
        break;
      case "break":
        if (!inside.breaks) refuse("break", start);
        break;
      case "continue":
        if (!inside.continues) refuse("continue", start);
        break;
      case "compound":
        for (const child of s.body) visit(child, inside);
        break;
      case "if":
        visit(s.then, inside);
        if (s.else) visit(s.else, inside);
        break;
      case "for":
      case "while":
      case "do":
        visit(s.body, { breaks: true, continues: true });
        break;
      case "switch":
        visit(s.body, { ...inside, breaks: true });
        break;
      case "label":
      case "case":
        visit(s.body, inside);
        break;
      case "ext": {
        // A nested loop or region is checked separately.
        const within = s.ext.kind === "loop" ? { breaks: true, continues: true } : inside;
        for (const child of s.ext.shape.parts(s.ext).stmts) visit(child, within);
      }
    }
  };
  visit(body, { breaks: false, continues: isLoop });
  return found;
}

function labelsIn(body: Stmt): ReadonlySet<string> {
  const found = new Set<string>();
  walkStmt(body, {
    stmt: (s) => {
      if (s.kind === "label") found.add(s.name);
    },
    expr: () => false,
  });
  return found;
}

/** Jumps into a region from outside. */
export function branchesInto(body: Stmt): Diagnostic[] {
  const found: Diagnostic[] = [];
  const homes = new Map<string, readonly IrNode[]>();
  const gotos: { readonly label: string; readonly loc: Loc; readonly around: readonly IrNode[] }[] = [];
  const visit = (s: Stmt, around: readonly IrNode[]): void => {
    if (s.kind === "label") homes.set(s.name, around);
    if (s.kind === "goto" && s.label !== undefined) gotos.push({ label: s.label, loc: s.span.start, around });
    if (s.kind === "ext") {
      const n = s.ext as IrNode;
      for (const child of n.shape.parts(n).stmts) visit(child, [...around, n]);
      return;
    }
    for (const child of children(s)) visit(child, around);
  };
  visit(body, []);
  for (const { label, loc, around } of gotos)
    if (homes.get(label)?.some((n) => !around.includes(n)))
      found.push({
        severity: "error",
        code: "branch-into-region",
        loc,
        message: `'goto ${label}' jumps into a region`,
        why: "the start of the region is where its data and its work are set up",
        remedy: "move the label before the region, or the jump into it",
      });
  return found;
}

function children(s: Stmt): readonly Stmt[] {
  switch (s.kind) {
    case "compound":
      return s.body;
    case "if":
      return s.else ? [s.then, s.else] : [s.then];
    case "for":
    case "while":
    case "do":
    case "switch":
    case "label":
    case "case":
      return [s.body];
    default:
      return [];
  }
}
