/**
 * Arrays that are private to each gang or lane: memory behind pointers, and arrays of variable size. They are declared
 * where the private code begins.
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

/** A one-dimensional section of a pointer with a constant end. */
export const isOwnArray = (v: VarRef): boolean =>
  v.object.kind === "ident" &&
  canonical(v.object.type).kind === "pointer" &&
  v.section.length === 1 &&
  endOf(v) !== undefined;

export const isVariableArray = ({ sym: { type } }: Pick<VarRef, "sym">): boolean =>
  canonical(type).kind === "array" && isVariablyModified(type);

/** The number of elements counted from 0, so that subscripts stay unchanged. */
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

/**
 * The code with copies of the variable-length arrays among the variables. Those in `first` are initialised from the
 * originals.
 */
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
