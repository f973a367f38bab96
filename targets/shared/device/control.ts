/** Queries about control flow for lowering. */
import { asNode } from "../../../core/ir/model/ir.ts";
import { findStatement, mapChildren, walkStmt } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";

/** Control flow around an item loop that differs between work-items. */
export class NotUniform extends Error {
  constructor() {
    super("work-items of a group do not take the same way to code that they run together");
  }
}

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

/** Whether control may leave the statement other than at its end. */
export const escapes = (s: Stmt): boolean => leaves(s, { inLoop: false, inSwitch: false });

/** Whether control may leave a loop from its body other than by `break` and `continue`. */
export const escapesLoop = (body: Stmt): boolean => leaves(body, { inLoop: true, inSwitch: false });

interface Inside {
  readonly inLoop: boolean;
  readonly inSwitch: boolean;
}

function leaves(s: Stmt, inside: Inside): boolean {
  const { inLoop, inSwitch } = inside;
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
      return s.body.some((c) => leaves(c, inside));
    case "if":
      return leaves(s.then, inside) || (s.else !== undefined && leaves(s.else, inside));
    case "for":
    case "while":
    case "do":
      return leaves(s.body, { inLoop: true, inSwitch });
    case "switch":
      return leaves(s.body, { inLoop, inSwitch: true });
    case "case":
      return leaves(s.body, inside);
    case "ext":
      return s.ext.shape.parts(s.ext).stmts.some((c) => leaves(c, { inLoop: true, inSwitch }));
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
