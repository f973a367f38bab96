/**
 * Reductions of loops whose bodies never mention the variable. Each iteration would combine the neutral element, so the
 * variable keeps its value. Removing them saves later steps from a use that no statement shows:
 *
 *     loop reduction(+:s)          =>          loop
 *       a[i] = i;                                a[i] = i;
 */

import { mapChildren } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { asNode, type Loop } from "../model/ir.ts";

export function withoutIdleReductions(s: Stmt): Stmt {
  const inner = mapChildren(s, withoutIdleReductions);
  const loop = asNode(inner, "loop");
  if (!loop?.reductions.length || inner.kind !== "ext") return inner;
  const { of } = usesOf(loop.body);
  const reductions = loop.reductions.filter(({ sym }) => of.has(sym));
  const ext: Loop = { ...loop, reductions };
  return reductions.length < loop.reductions.length ? { ...inner, ext } : inner;
}
