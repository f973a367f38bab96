/**
 * Arrays that are private to each gang or lane: memory behind pointers, and arrays of variable size. They are declared
 * where the private code begins.
 *
 *     private(p[0:n])  BODY with p    =>    private(p_own)  BODY with p_own, which is declared as T p_own[n]
 *     private(w)       BODY with w    =>    { T w_own[n];  BODY with w_own }
 *
 * Those of `firstprivate` begin with the host's values, which the launch has a copy of.
 */
import { arrayOf, canonical, evaluateInteger, isVariablyModified, substitute } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { binary, compound, freshSymbol, ident, intLit } from "../../lang/tree/build.ts";
import { ownCopies } from "../analysis/own-copies.ts";
import { unusedName } from "../analysis/unused-name.ts";
import { begun, copyPart } from "./copied.ts";
import type { VarRef } from "./directive.ts";

/** A one-dimensional section of a pointer. */
export const isOwnArray = (v: VarRef): boolean =>
  v.object.kind === "ident" &&
  canonical(v.object.type).kind === "pointer" &&
  v.section.length === 1 &&
  v.section[0]?.length !== undefined;

export const isVariableArray = ({ sym: { type } }: Pick<VarRef, "sym">): boolean =>
  canonical(type).kind === "array" && isVariablyModified(type);

/** Whether the code has an array of its own for the variable, which it declares itself. */
export const isDeclaredInside = (v: VarRef): boolean => isVariableArray(v) || isOwnArray(v);

/** The number of elements counted from 0, so that subscripts stay unchanged: a constant, or computed where the code begins. */
function endOf({ section: [dim] }: VarRef): number | Expr | undefined {
  if (!dim?.length) return undefined;
  const end = dim.start ? binary("+", dim.start, dim.length) : dim.length;
  const value = evaluateInteger(end);
  return value === undefined ? end : Number(value);
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
  const replaced = substitute(inner, values);
  const declared = [...arrays.values()].filter((sym) => isVariableArray({ sym }));
  return {
    privates: privates.filter((sym) => !declared.includes(sym)),
    body: declared.length
      ? compound([...declared.flatMap((sym) => begun(sym)), replaced], body.span)
      : replaced,
  };
}

/**
 * The code with copies of the variable-length arrays among the variables. Those in `first`, and sections of pointers
 * there, are initialised from the originals.
 */
export function withVariableArrays(vars: readonly VarRef[], first: readonly VarRef[], body: Stmt): Stmt {
  const copied = first.filter(isVariableArray).map((v) => v.sym);
  const all = [...vars.filter(isVariableArray).map((v) => v.sym), ...copied];
  const inner = withSections(first.filter(isOwnArray), body);
  if (all.length === 0) return inner;
  const { own, body: replaced } = ownCopies(all, inner);
  const declarations = [...own].flatMap(([sym, copy]) => begun(copy, copied.includes(sym) ? sym : undefined));
  return compound([...declarations, replaced], body.span);
}

function withSections(sections: readonly VarRef[], body: Stmt): Stmt {
  if (sections.length === 0) return body;
  const arrays = sections.map((v) => ({ v, array: arrayFor(v, unusedName(`${v.sym.name}_own`, body)) }));
  const replaced = substitute(body, new Map(arrays.map(({ v, array }) => [v.sym, ident(array)] as const)));
  const declarations = arrays.flatMap(({ v, array }) => {
    const end = endOf(v) as number | Expr;
    const first = v.section[0]?.start ?? intLit(0);
    return [...begun(array), copyPart(array, v.sym, first, typeof end === "number" ? intLit(end) : end)];
  });
  return compound([...declarations, replaced], body.span);
}

function arrayFor(v: VarRef, name?: string): Symbol {
  const pointer = canonical(v.sym.type);
  if (pointer.kind !== "pointer") throw new Error(`${v.sym.name} is no pointer`);
  const end = endOf(v);
  const type = arrayOf(pointer.to, end);
  return freshSymbol(name ?? (typeof end === "number" ? v.sym.name : `${v.sym.name}_own`), type);
}
