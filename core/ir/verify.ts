/**
 * What every reader must give: nesting, levels, control flow, clauses and loop heads of the IR. Errors name
 * the user's mistake; what passes must keep is in verify/region.ts.
 */
import type { Diagnostic, Stmt } from "../lang/ast.ts";
import { mapChildren } from "../lang/index.ts";
import type { IrNode } from "./ir.ts";
import type { Program, Routine } from "./program.ts";
import { code } from "./verify/code.ts";
import { branchesInto, branchesOutOf } from "./verify/control.ts";
import { repeated, scopes } from "./verify/declares.ts";
import { loops } from "./verify/loops.ts";
import { callsInside, nesting } from "./verify/nesting.ts";
import { variables } from "./verify/variables.ts";

export function verify(program: Program): readonly Diagnostic[] {
  return [
    ...repeated(program.declares),
    ...program.unit.externals.flatMap((e) =>
      e.kind === "function"
        ? [...nodes(e.body, [], program, program.routines.get(e.sym)), ...branchesInto(e.body), ...scopes(e)]
        : [],
    ),
  ];
}

function nodes(
  s: Stmt,
  around: readonly IrNode[],
  program: Program,
  routine: Routine | undefined,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const n = s.kind === "ext" ? (s.ext as IrNode) : undefined;
  if (n)
    found.push(
      ...nesting(n, around, routine),
      ...callsInside(n, around, program.routines),
      ...branchesOutOf(n),
      ...variables(n),
      ...code(n),
      ...loops(n),
    );
  const inside = n ? [...around, n] : around;
  mapChildren(s, (child) => {
    found.push(...nodes(child, inside, program, routine));
    return child;
  });
  return found;
}
