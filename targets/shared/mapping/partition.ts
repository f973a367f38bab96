/** Statements that later lowering distributes, or that all items of a group run together. */
import { asNode } from "../../../core/ir/model/ir.ts";
import { walkStmt } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";

export function hasPartition(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      if (s.kind !== "ext" || asNode(s, "atomic") || asNode(s, "cache")) return;
      const loop = asNode(s, "loop");
      found ||= !loop || (loop.parallel.levels.length > 0 && !loop.parallel.free);
    },
  });
  return found;
}
