/** Initialisers of arrays: the value of each element. */

import { evaluateInteger } from "../../../lang/index.ts";
import type { CType, Declarator, Init, Loc } from "../../../lang/tree/ast.ts";
import { extentsOf, innermost, product } from "./extents.ts";
import { unsupportedStatement } from "./refusals.ts";

interface Elements {
  /** By position in memory: expressions, and record initialisers in braces. */
  readonly elements: ReadonlyMap<number, Init>;
  readonly extents: readonly number[];
  readonly element: CType;
}

export function elementsOf({ sym, init, span }: Declarator): Elements {
  const elements = new Map<number, Init>();
  const extents = extentsOf(sym.type) ?? [];
  if (init) fill(elements, extents, init, 0, span.start);
  return { elements, extents, element: innermost(sym.type) };
}

function fill(
  inits: Map<number, Init>,
  [own, ...inner]: readonly number[],
  init: Init,
  from: number,
  loc: Loc,
): void {
  if (own === undefined) {
    inits.set(from, init);
    return;
  }
  if (init.kind !== "list") throw unsupportedStatement("initialiser of this form", loc);
  for (const { designators, init: part } of init.items) {
    const [first] = designators;
    const place = first?.kind === "index" ? evaluateInteger(first.index) : undefined;
    if (place === undefined) throw unsupportedStatement("initialiser of this form", loc);
    fill(inits, inner, part, from + Number(place) * product(inner), loc);
  }
}
