/** Constant variables whose values appear in the source. */

import { canonical, evaluate, walkStmt } from "../../lang/index.ts";
import type { CType, Designator, Expr, Init, Symbol } from "../../lang/tree/ast.ts";
import { cast, floatLit, intLit } from "../../lang/tree/build.ts";
import type { Program } from "../model/program.ts";
import { isConstant } from "./routines.ts";

/** Initialisers, made of literals only, of a unit's constant numbers and arrays of numbers. */
export function constantsOf({ unit }: Program): ReadonlyMap<Symbol, Init> {
  const found = new Map<Symbol, Init>();
  const see = (sym: Symbol, init: Init | undefined): void => {
    if (!init || sym.kind !== "var" || !isConstant(sym.type) || !holdsNumbers(sym.type)) return;
    const isText = init.kind === "expr" && init.expr.kind === "string";
    const literal = isText ? init : inLiterals(init);
    if (literal) found.set(sym, literal);
  };
  for (const external of unit.externals) {
    if (external.kind === "decl") for (const { sym, init } of external.decls) see(sym, init);
    if (external.kind !== "function") continue;
    walkStmt(external.body, {
      stmt(s) {
        if (s.kind === "decl") for (const { sym, init } of s.decls) see(sym, init);
      },
      expr: () => false,
    });
  }
  return found;
}

function holdsNumbers(type: CType): boolean {
  const seen = canonical(type);
  if (seen.quals?.volatile) return false;
  if (seen.kind === "array") return typeof seen.size === "number" && holdsNumbers(seen.of);
  return seen.kind === "int" || seen.kind === "enum" || (seen.kind === "float" && seen.name !== "ldouble");
}

function inLiterals(init: Init): Init | undefined {
  if (init.kind === "expr") {
    const expr = literalOf(init.expr);
    return expr && { kind: "expr", expr };
  }
  const items = init.items.map(({ designators, init: of }) => {
    const places = designators.map((d): Designator | undefined => {
      const index = d.kind === "index" ? literalOf(d.index) : undefined;
      return index && { kind: "index", index };
    });
    const value = inLiterals(of);
    return value && !places.includes(undefined)
      ? { designators: places as readonly Designator[], init: value }
      : undefined;
  });
  if (items.includes(undefined)) return undefined;
  return { ...init, items: items.flatMap((item) => item ?? []) };
}

function literalOf(e: Expr): Expr | undefined {
  // Constants of `_Float16` have the digits of a float until they are stored.
  const value = evaluate(canonical(e.type).kind === "float" ? cast(e.type, e) : e);
  const { kind } = canonical(e.type);
  if (typeof value === "bigint") return kind === "int" || kind === "enum" ? intLit(value, e.type) : undefined;
  return value !== undefined && Number.isFinite(value) && kind === "float"
    ? floatLit(value, e.type)
    : undefined;
}
