/** The cause of a race, which decides the message. */

import { firstOf } from "../../checked/access.ts";
import { definedFirst } from "../../ir/analysis/liveness.ts";
import { reductionUse } from "../../ir/analysis/reductions.ts";
import type { ReductionOp } from "../../ir/model/ir.ts";
import { canonical, isScalar, walkStmt } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { Exec, SharedOut } from "../memory/access.ts";
import type { Edit } from "../model/finding.ts";
import type { Directive } from "../read/directive.ts";
import type { Race } from "./find.ts";

export type Cause =
  | { readonly is: "reduction"; readonly op: ReductionOp; readonly by: SharedOut }
  | { readonly is: "private"; readonly by: SharedOut }
  | { readonly is: "carried"; readonly by: SharedOut }
  | { readonly is: "lanes"; readonly by: SharedOut }
  | { readonly is: "tasks" }
  | { readonly is: "threads" };

export function causeOf(race: Race): Cause {
  const { level, write, other, sym } = race;
  if (!level) return { is: "tasks" };
  const by = sharedBy(level.exec);
  const inLoop = by && write.context.levels.find((l) => l.id === level.id)?.exec === level.exec;
  const both = [write, other].every(
    (a) => sharedBy(a.context.levels.find((l) => l.id === level.id)?.exec) === by,
  );
  if (!by || !inLoop || !both) return { is: "threads" };
  const direct = write.location.steps.length === 0;
  if (!direct || !isScalar(sym.type)) return { is: level.exec.is === "lanes" ? "lanes" : "carried", by };
  const body = bodyOf(by.stmt, by);
  const { op } = reductionUse(body, sym);
  const named = write.expr.kind === "ident" && write.expr.sym === sym && mentions(body, sym);
  if (op && named && canonical(sym.type).kind !== "pointer") return { is: "reduction", op, by };
  if (named && definedFirst(body, sym)) return { is: "private", by };
  return { is: level.exec.is === "lanes" ? "lanes" : "carried", by };
}

function mentions(body: Stmt, sym: Symbol): boolean {
  let found = false;
  walkStmt(body, {
    expr(e) {
      if (e.kind === "ident" && e.sym === sym) found = true;
    },
  });
  return found;
}

const sharedBy = (exec: Exec | undefined): SharedOut | undefined =>
  exec?.is === "loop" || exec?.is === "lanes" ? exec.by : undefined;

/** The code of one iteration. */
function bodyOf(stmt: Stmt, { directive }: SharedOut): Stmt {
  let depth = directive.clauses.some((c) => c.name === "collapse" || c.name === "tile") ? 2 : 1;
  let inner: Stmt = stmt;
  for (;;) {
    if (inner.kind === "compound" && inner.body.length === 1) inner = firstOf(inner.body);
    else if (inner.kind === "for" && depth-- > 0) inner = inner.body;
    else return inner;
  }
}

/** Adds a clause at the end of a directive; undefined if the directive comes from a macro. */
export function clauseAdded({ pragma }: Directive, text: string): readonly Edit[] | undefined {
  const { start, end } = pragma.span;
  if (pragma.operator || start.file !== end.file || end.line < start.line) return undefined;
  return [{ loc: end, end, text: ` ${text}` }];
}
