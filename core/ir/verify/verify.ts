/**
 * What every reader must guarantee: nesting, levels, control flow, clauses and loop headers. Errors here are mistakes
 * of the user; invariants for passes are in verify/region.ts.
 */

import { mapChildren } from "../../lang/index.ts";
import type { Diagnostic, Stmt } from "../../lang/tree/ast.ts";
import type { IrNode } from "../model/ir.ts";
import type { Program, Routine } from "../model/program.ts";
import { code } from "./code.ts";
import { branchesInto, branchesOutOf } from "./control.ts";
import { repeated, scopes } from "./declares.ts";
import { sizesOfAddresses } from "./device-addresses.ts";
import { lockstep } from "./lockstep.ts";
import { loops } from "./loops.ts";
import { callsInside, nesting } from "./nesting.ts";
import { variables } from "./variables.ts";

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
      ...lockstep(n, around),
      ...sizesOfAddresses(n),
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
