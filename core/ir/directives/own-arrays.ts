/**
 * Memory behind pointers that each gang or lane has for itself:
 *
 *     private(p[0:n])  BODY with p    =>    private(p_own)  BODY with p_own, which is declared as T p_own[n]
 */
import { arrayOf, canonical, evaluateInteger, substitute } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { freshSymbol, ident } from "../../lang/tree/build.ts";
import type { VarRef } from "./directive.ts";

/** A section of one dimension of a pointer, whose end is known when the region is compiled. */
export const isOwnArray = (v: VarRef): boolean =>
  v.object.kind === "ident" &&
  canonical(v.object.type).kind === "pointer" &&
  v.section.length === 1 &&
  endOf(v) !== undefined;

/** The elements from 0 on, so that subscripts stay as they are. */
function endOf({ section: [dim] }: VarRef): number | undefined {
  const start = dim?.start ? evaluateInteger(dim.start) : 0n;
  const length = dim?.length && evaluateInteger(dim.length);
  return start === undefined || length === undefined ? undefined : Number(start + length);
}

export function ownArrays(
  vars: readonly VarRef[],
  body: Stmt,
): { readonly privates: readonly Symbol[]; readonly body: Stmt } {
  const arrays = new Map(vars.filter(isOwnArray).map((v) => [v.sym, arrayFor(v)] as const));
  const privates = vars.map(({ sym }) => arrays.get(sym) ?? sym);
  if (arrays.size === 0) return { privates, body };
  const values = new Map([...arrays].map(([sym, array]) => [sym, ident(array)] as const));
  return { privates, body: substitute(body, values) };
}

function arrayFor(v: VarRef): Symbol {
  const pointer = canonical(v.sym.type);
  if (pointer.kind !== "pointer") throw new Error(`${v.sym.name} is no pointer`);
  return freshSymbol(v.sym.name, arrayOf(pointer.to, endOf(v)));
}
