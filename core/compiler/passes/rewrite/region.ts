/** Parts of a region that passes inspect and replace. */
import { asNode, extStmt, type Loop, type Spmd, type Task } from "../../../ir/model/ir.ts";
import { spmdOf } from "../../../ir/model/region.ts";
import { mapChildren } from "../../../lang/index.ts";
import type { Stmt } from "../../../lang/tree/ast.ts";

export function withSpmd(task: Task, change: (spmd: Spmd) => Spmd): Task {
  return { ...task, body: extStmt(change(spmdOf(task)), task.body.span) };
}

export function withBody(task: Task, body: Stmt): Task {
  return withSpmd(task, (spmd) => ({ ...spmd, body }));
}

/** Whether the region runs as one work-item whose loops are pipelined. */
export function isSingle(task: Task): boolean {
  return spmdOf(task).serial === true;
}

/** Replaces loops, innermost first. */
export function mapLoops(s: Stmt, change: (loop: Loop, at: Stmt) => Stmt): Stmt {
  const inner = mapChildren(s, (child) => mapLoops(child, change));
  const loop = asNode(inner, "loop");
  return loop ? change(loop, inner) : inner;
}

/** Replaces outermost loops; `change` handles what is inside. */
export function mapOuterLoops(s: Stmt, change: (loop: Loop, at: Stmt) => Stmt): Stmt {
  const loop = asNode(s, "loop");
  return loop ? change(loop, s) : mapChildren(s, (child) => mapOuterLoops(child, change));
}

export function loopsIn(s: Stmt): readonly Loop[] {
  const found: Loop[] = [];
  mapLoops(s, (loop, at) => {
    found.push(loop);
    return at;
  });
  return found;
}

export function loopStmt(loop: Loop, at: Stmt): Stmt {
  return extStmt(loop, at.span);
}
