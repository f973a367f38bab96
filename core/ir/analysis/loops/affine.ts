/** Integer expressions as sums of variables with constant coefficients. */

import { canonical, evaluateInteger, sizeOf } from "../../../lang/index.ts";
import type { CType, Expr, Symbol } from "../../../lang/tree/ast.ts";
import { stripImplicit } from "../../../lang/tree/build.ts";

export interface Affine {
  readonly terms: ReadonlyMap<Symbol, bigint>;
  readonly constant: bigint;
}

/** The affine form of an expression, if it has one. Arithmetic is assumed not to wrap. */
export function affine(e: Expr): Affine | undefined {
  return collect(stripImplicit(e));
}

/** Whether the conversion between two integer types keeps every value or changes only the sign. */
export function keepsValue(from: CType, to: CType): boolean {
  const [a, b] = [canonical(from), canonical(to)];
  if ((a.kind !== "int" && a.kind !== "enum") || (b.kind !== "int" && b.kind !== "enum")) return false;
  if (b.kind === "int" && b.name === "bool") return a.kind === "int" && a.name === "bool";
  return (sizeOf(a) ?? 0) <= (sizeOf(b) ?? 0);
}

type Form = { terms: Map<Symbol, bigint>; constant: bigint };

function collect(e: Expr): Form | undefined {
  const value = evaluateInteger(e);
  if (value !== undefined) return { terms: new Map(), constant: value };
  if (e.kind === "ident") return { terms: new Map([[e.sym, 1n]]), constant: 0n };
  if (e.kind === "cast") return keepsValue(e.arg.type, e.to) ? collect(e.arg) : undefined;
  if (e.kind === "unary" && e.op === "-") return scale(collect(e.arg), -1n);
  if (e.kind !== "binary") return undefined;
  const [left, right] = [collect(e.left), collect(e.right)];
  if (!left || !right) return undefined;
  if (e.op === "+") return add(left, right);
  if (e.op === "-") return add(left, scale(right, -1n) as Form);
  if (e.op === "*" && right.terms.size === 0) return scale(left, right.constant);
  if (e.op === "*" && left.terms.size === 0) return scale(right, left.constant);
  return undefined;
}

function scale(form: Form | undefined, by: bigint): Form | undefined {
  return (
    form && {
      terms: new Map([...form.terms].map(([s, c]) => [s, c * by])),
      constant: form.constant * by,
    }
  );
}

function add(a: Form, b: Form): Form {
  const terms = new Map(a.terms);
  for (const [s, c] of b.terms) {
    const sum = (terms.get(s) ?? 0n) + c;
    if (sum === 0n) terms.delete(s);
    else terms.set(s, sum);
  }
  return { terms, constant: a.constant + b.constant };
}
