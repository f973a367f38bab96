/**
 * Arrays that each gang or lane has for itself: memory behind pointers, and arrays whose size is known when the program runs,
 * which are declared where the code begins that has them.
 *
 *     private(p[0:n])  BODY with p    =>    private(p_own)  BODY with p_own, which is declared as T p_own[n]
 *     private(w)       BODY with w    =>    { T w_own[n];  BODY with w_own }
 */
import { arrayOf, canonical, evaluateInteger, isVariablyModified, substitute } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound, freshSymbol, ident } from "../../lang/tree/build.ts";
import { ownCopies } from "../analysis/own-copies.ts";
import { begun } from "./copied.ts";
import type { VarRef } from "./directive.ts";

/** A section of one dimension of a pointer, whose end is known when the region is compiled. */
export const isOwnArray = (v: VarRef): boolean =>
  v.object.kind === "ident" &&
  canonical(v.object.type).kind === "pointer" &&
  v.section.length === 1 &&
  endOf(v) !== undefined;

export const isVariableArray = ({ sym: { type } }: Pick<VarRef, "sym">): boolean =>
  canonical(type).kind === "array" && isVariablyModified(type);

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
  const privates = vars.filter((v) => !isVariableArray(v)).map(({ sym }) => arrays.get(sym) ?? sym);
  const inner = withVariableArrays(vars, [], body);
  if (arrays.size === 0) return { privates, body: inner };
  const values = new Map([...arrays].map(([sym, array]) => [sym, ident(array)] as const));
  return { privates, body: substitute(inner, values) };
}

/** The code with copies of the arrays of variable size among the variables: `first` begin with the values that there are. */
export function withVariableArrays(vars: readonly VarRef[], first: readonly VarRef[], body: Stmt): Stmt {
  const copied = first.filter(isVariableArray).map((v) => v.sym);
  const all = [...vars.filter(isVariableArray).map((v) => v.sym), ...copied];
  if (all.length === 0) return body;
  const { own, body: inner } = ownCopies(all, body);
  const declarations = [...own].flatMap(([sym, copy]) => begun(copy, copied.includes(sym) ? sym : undefined));
  return compound([...declarations, inner], body.span);
}

function arrayFor(v: VarRef): Symbol {
  const pointer = canonical(v.sym.type);
  if (pointer.kind !== "pointer") throw new Error(`${v.sym.name} is no pointer`);
  return freshSymbol(v.sym.name, arrayOf(pointer.to, endOf(v)));
}
