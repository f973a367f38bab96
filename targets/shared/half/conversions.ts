/**
 * Numbers of 16 bits (`_Float16`) in languages that only store them: their objects are unsigned integers, and these
 * functions convert. The dialects define them where a kernel's text calls them.
 */
import { canonical, DOUBLE, FLOAT, floatType } from "../../../core/lang/index.ts";
import type { CType, Expr, Symbol } from "../../../core/lang/tree/ast.ts";
import { call, cast, ident } from "../../../core/lang/tree/build.ts";
import { makeSymbol } from "../../../core/lang/tree/scope.ts";

export const HALF = floatType("float16");

export const isHalf = (type: CType): boolean => {
  const c = canonical(type);
  return c.kind === "float" && c.name === "float16";
};

/** The float of a stored half; the half that a float is rounded to; the one that a double is rounded to, once. */
export const halfNames = { value: "arc_half_value", of: "arc_half", ofDouble: "arc_half_of_double" } as const;

const converter = (name: string, from: CType, to: CType): Symbol =>
  makeSymbol(
    name,
    "function",
    { kind: "function", ret: to, params: [{ type: from }], variadic: false },
    "file",
  );

const value = converter(halfNames.value, HALF, FLOAT);
const ofFloat = converter(halfNames.of, FLOAT, HALF);
const ofDouble = converter(halfNames.ofDouble, DOUBLE, HALF);

/** The number in an object. */
export const halfValue = (stored: Expr): Expr => call(ident(value), [stored], stored.span);

/**
 * What an object holds of a number. Integers go by float without rounding twice: those that a float does not hold are
 * infinite as halves.
 */
export const storedHalf = (number: Expr): Expr =>
  needsDouble(number.type)
    ? call(ident(ofDouble), [cast(DOUBLE, number)], number.span)
    : call(ident(ofFloat), [cast(FLOAT, number)], number.span);

/** Whether numbers of the type have more digits than float. */
export function needsDouble(type: CType): boolean {
  const c = canonical(type);
  return c.kind === "float" && !["float", "float32", "float16"].includes(c.name);
}
