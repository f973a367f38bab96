/** Jumps over declarations, which C++ only allows for variables without initialisers. */

import { mapStmt, walkStmt } from "../../../core/lang/index.ts";
import type { Compound, Declarator, Stmt } from "../../../core/lang/tree/ast.ts";
import { compound } from "../../../core/lang/tree/build.ts";
import { assignedInitialiser, writable } from "./object-copies.ts";

/** The statement with variables declared before labels, and assigned where their declarations were. */
export function initialisedLater(s: Stmt): Stmt {
  return mapStmt(s, { stmt: (child) => (child.kind === "compound" ? inBlock(child) : child) });
}

function inBlock(block: Compound): Stmt {
  const last = block.body.findLastIndex(takesJumps);
  if (last < 0) return block;
  const body = block.body.flatMap((s, k) => (k < last ? later(s) : [s]));
  return { ...block, body };
}

/** Whether a jump from before it may lead into it. */
function takesJumps(s: Stmt): boolean {
  let found = false;
  walkStmt(s, {
    stmt(child) {
      found ||= child.kind === "label" || child.kind === "case";
      return child.kind !== "switch";
    },
  });
  return found;
}

function later(s: Stmt): Stmt[] {
  if (s.kind === "label" || s.kind === "case") {
    const [first = s.body, ...rest] = later(s.body);
    return [{ ...s, body: first }, ...rest];
  }
  if (s.kind !== "decl" || !s.decls.some((d) => d.init)) return [s];
  const bare = s.decls.map((d): Declarator => {
    const { init: _, ...rest } = d;
    return { ...rest, declared: { ...d.declared, type: writable(d.sym.type), storage: "none" } };
  });
  return [{ ...s, decls: bare }, ...s.decls.flatMap(initialised)];
}

function initialised({ sym, init }: Declarator): Stmt[] {
  const statements = init ? assignedInitialiser(sym, init) : [];
  return statements.length > 1 ? [compound(statements)] : statements;
}
