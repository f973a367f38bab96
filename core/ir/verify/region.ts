/**
 * Invariants of a normalised region before and after every pass. A violation is a bug of the pass, not an error of the
 * user: readers and normalisation have refused those.
 */

import { mapChildren } from "../../lang/index.ts";
import type { Diagnostic, Loc, Stmt } from "../../lang/tree/ast.ts";
import type { IrNode, Task } from "../model/ir.ts";
import { asNode, extStmt } from "../model/ir.ts";
import { argumentsOf, stepCount } from "../model/region.ts";
import { branchesInto, branchesOutOf } from "./control.ts";
import { idioms } from "./idioms.ts";
import { loops } from "./loops.ts";
import { nesting } from "./nesting.ts";
import { regionScopes } from "./scopes.ts";
import { variables } from "./variables.ts";

/** Errors only. `before`: the region that the pass started from. */
export function verifyRegion(task: Task, before: Task | undefined): readonly Diagnostic[] {
  const shape = wrongShape(task);
  if (shape) return [shape];
  const body = extStmt(task, task.body.span);
  const found = [
    ...nodes(body, []),
    ...branchesInto(body),
    ...regionScopes(task),
    ...idioms(task),
    ...(before ? sameLaunch(task, before) : []),
  ];
  return found.filter((d) => d.severity === "error");
}

function nodes(s: Stmt, around: readonly IrNode[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const n = s.kind === "ext" && "site" in s.ext ? (s.ext as IrNode) : undefined;
  if (n) found.push(...nesting(n, around, undefined), ...branchesOutOf(n), ...variables(n), ...loops(n));
  const inside = n ? [...around, n] : around;
  mapChildren(s, (child) => {
    found.push(...nodes(child, inside));
    return child;
  });
  return found;
}

function broken(code: string, loc: Loc, message: string): Diagnostic {
  return { severity: "error", code, loc, message };
}

/** task > spmd > statements, and no other spmd. */
function wrongShape(task: Task): Diagnostic | undefined {
  const { loc } = task.site;
  const spmd = asNode(task.body, "spmd");
  if (!spmd) return broken("region-shape", loc, "the region's body is no spmd node");
  if (!task.region) return broken("region-name", loc, "the region has no name");
  if (spmd.hints?.steps && !stepCount(spmd))
    return broken(
      "step-count",
      loc,
      "the region makes steps of time, and its body does not begin with their number",
    );
  let inner: Stmt | undefined;
  const look = (s: Stmt): Stmt => {
    if (asNode(s, "spmd")) inner ??= s;
    return mapChildren(s, look);
  };
  look(spmd.body);
  return inner && broken("region-shape", inner.span.start, "an spmd node stands inside another");
}

/** Host code was generated from the original region: it launches by that name, with those arguments. */
function sameLaunch(task: Task, before: Task): Diagnostic[] {
  const { loc } = task.site;
  const found: Diagnostic[] = [];
  if (task.region !== before.region)
    found.push(
      broken("region-name", loc, `the region is called '${task.region}', and was '${before.region}'`),
    );
  const list = (t: Task) =>
    argumentsOf(t)
      .map((a) => `${a.how} ${a.name}`)
      .join(", ");
  if (list(task) !== list(before))
    found.push(
      broken("region-arguments", loc, `the region takes (${list(task)}), and took (${list(before)})`),
    );
  return found;
}
