/** Initialisers of arrays in braces: what each element gets. */
import type { CType, Declarator, Init, Loc } from "../lang/ast.ts";
import { canonical, evaluateInteger } from "../lang/index.ts";
import { unsupportedStatement } from "./refusals.ts";

export interface Elements {
  /** By their place in memory: expressions, and braces of records. */
  readonly elements: ReadonlyMap<number, Init>;
  readonly extents: readonly number[];
  readonly element: CType;
}

export function elementsOf({ sym, init, span }: Declarator): Elements {
  const elements = new Map<number, Init>();
  const { extents, element } = extentsOf(sym.type);
  fill(elements, extents, init as Init, 0, span.start);
  return { elements, extents, element };
}

/** Braces may be left out around the elements of an inner array. */
function fill(
  found: Map<number, Init>,
  [, ...inner]: readonly number[],
  init: Init,
  from: number,
  loc: Loc,
): void {
  if (init.kind !== "list") throw unsupportedStatement("initialiser of this form", loc);
  const size = inner.reduce((a, b) => a * b, 1);
  let at = from;
  for (const item of init.items) {
    const [first, ...more] = item.designators;
    const place = first?.kind === "index" && !first.to ? evaluateInteger(first.index) : undefined;
    if (more.length > 0 || (first && place === undefined))
      throw unsupportedStatement("initialiser of this form", loc);
    if (place !== undefined) at = from + Number(place) * size;
    if (item.init.kind === "expr" || inner.length === 0) found.set(at++, item.init);
    else {
      at = from + Math.ceil((at - from) / size) * size;
      fill(found, inner, item.init, at, loc);
      at += size;
    }
  }
}

export function extentsOf(type: CType): { readonly extents: readonly number[]; readonly element: CType } {
  const extents: number[] = [];
  let element = canonical(type);
  while (element.kind === "array") {
    extents.push(Number(element.size));
    element = canonical(element.of);
  }
  return { extents, element };
}
