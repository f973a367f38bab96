/** Queries about control flow for lowering. */
import { asNode } from "../../../core/ir/model/ir.ts";
import { findStatement, mapChildren, walkStmt } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";

/** Control flow around an item loop that differs between work-items. */
export class NotUniform extends Error {}

/** The statements of a block, or the statement itself. */
export function flat(s: Stmt): readonly Stmt[] {
  return s.kind === "compound" && !s.pragmas?.length ? s.body : [s];
}

export const hasBarrier = (s: Stmt): boolean =>
  holdsExtension(s, ["barrier", "group-reduce", "team-reduce", "team-scan"]);

/** Items exchange data through memory, so a pointer's `restrict` may only be used within an item. */
export const hasCooperation = (s: Stmt): boolean => holdsExtension(s, ["barrier"]);

function holdsExtension(s: Stmt, kinds: readonly string[]): boolean {
  return findStatement(s, (inner) => inner.kind === "ext" && kinds.includes(inner.ext.kind)) !== undefined;
}

export function containsAtomic(s: Stmt): boolean {
  let found = false;
  walkStmt(s, {
    stmt(child) {
      found ||= asNode(child, "atomic") !== undefined;
    },
  });
  return found;
}

export function hasLoop(s: Stmt): boolean {
  let found = false;
  walkStmt(s, {
    stmt(child) {
      found ||= ["for", "while", "do"].includes(child.kind) || asNode(child, "loop") !== undefined;
    },
  });
  return found;
}

/** Whether control may leave the statement other than at its end. */
export function escapes(s: Stmt, inLoop = false, inSwitch = false): boolean {
  switch (s.kind) {
    case "break":
      return !inLoop && !inSwitch;
    case "continue":
      return !inLoop;
    case "return":
    case "goto":
    case "label":
      return true;
    case "compound":
      return s.body.some((c) => escapes(c, inLoop, inSwitch));
    case "if":
      return escapes(s.then, inLoop, inSwitch) || (s.else !== undefined && escapes(s.else, inLoop, inSwitch));
    case "for":
    case "while":
    case "do":
      return escapes(s.body, true, inSwitch);
    case "switch":
      return escapes(s.body, inLoop, true);
    case "case":
      return escapes(s.body, inLoop, inSwitch);
    case "ext":
      return s.ext.shape.parts(s.ext).stmts.some((c) => escapes(c, true, inSwitch));
    default:
      return false;
  }
}

/** Whether a loop body contains a `continue` of that loop. */
export function usesContinue(s: Stmt): boolean {
  if (s.kind === "continue") return true;
  if (s.kind === "for" || s.kind === "while" || s.kind === "do" || asNode(s, "loop")) return false;
  let found = false;
  mapChildren(s, (child) => {
    found ||= usesContinue(child);
    return child;
  });
  return found;
}
