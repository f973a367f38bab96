/** gcc's builtins behind the <math.h> macros that compare and classify numbers, as comparisons. */

import { build, canonical, DOUBLE, unqualified } from "../../../core/lang/index.ts";
import type { BinaryOp, Expr, FloatKind } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import { once } from "./single-evaluation.ts";

const comparisons: Readonly<Record<string, BinaryOp>> = {
  isgreater: ">",
  isgreaterequal: ">=",
  isless: "<",
  islessequal: "<=",
};

/** The smallest normal number and the largest one. */
const limits: Partial<Record<FloatKind, readonly [number, number]>> = {
  float16: [2 ** -14, 65504],
  float: [2 ** -126, (2 - 2 ** -23) * 2 ** 127],
  double: [2 ** -1022, Number.MAX_VALUE],
};

const { binary, cond, intLit } = build;
const either = (a: Expr, b: Expr): Expr => binary("||", a, b);
const both = (a: Expr, b: Expr): Expr => binary("&&", a, b);
const isNan = (x: Expr): Expr => binary("!=", x, x);

/** A call of `name`, given without `__builtin_`; undefined for other builtins. */
export function classified(name: string, e: Expr & { readonly kind: "call" }): Expr | undefined {
  const [x, y] = e.args.map(number);
  const op = comparisons[name];
  if (!x) return undefined;
  if (op && y) return binary(op, x, y, e.span);
  if (name === "islessgreater" && y)
    return once(x, (a) => once(y, (b) => either(binary("<", a, b), binary(">", a, b))));
  if (name === "isunordered" && y) return once(x, (a) => once(y, (b) => either(isNan(a), isNan(b))));
  if (name === "isnormal") return once(x, isNormal);
  if (name !== "fpclassify") return undefined;
  const [nan, infinite, normal, subnormal, zero, value] = e.args;
  if (!nan || !infinite || !normal || !subnormal || !zero || !value) return undefined;
  return once(number(value), (a) => {
    const small = cond(beyond(a, 1), infinite, subnormal);
    const finite = cond(binary("==", a, intLit(0)), zero, cond(isNormal(a), normal, small));
    return cond(isNan(a), nan, finite);
  });
}

/** The argument before its promotion for an untyped parameter. */
const number = (e: Expr): Expr => stripImplicit(e);

const isNormal = (x: Expr): Expr => both(beyond(x, 0, "="), build.unary("!", beyond(x, 1)));

/** Whether `x` is farther from zero than a limit of its type. */
function beyond(x: Expr, which: 0 | 1, equal: "=" | "" = ""): Expr {
  const c = canonical(x.type);
  const limit = (c.kind === "float" && limits[c.name]?.[which]) || Number.MIN_VALUE;
  const type = c.kind === "float" ? unqualified(x.type) : DOUBLE;
  const at = (value: number): Expr => build.floatLit(value, type);
  return either(binary(`>${equal}`, x, at(limit)), binary(`<${equal}`, x, at(-limit)));
}
