/** Conditions of `? :` in OpenCL C (1.2, 6.3.i), which are no floating-point numbers: `x ? a : b` is `x != 0 ? a : b`. */
import { build, canonical, mapStmt } from "../../../core/lang/index.ts";
import type { Expr } from "../../../core/lang/tree/ast.ts";
import { type LoweredRegion, mapBodies } from "../device/device.ts";
import { once } from "../legalise/single-evaluation.ts";

export const withIntegerConditions = (region: LoweredRegion): LoweredRegion =>
  mapBodies(region, (s) => mapStmt(s, { expr: (e) => (e.kind === "cond" ? compared(e) : e) }));

function compared(e: Expr & { readonly kind: "cond" }): Expr {
  if (canonical(e.test.type).kind !== "float") return e;
  const isTrue = (test: Expr): Expr => build.binary("!=", test, build.intLit(0), test.span);
  if (e.then) return { ...e, test: isTrue(e.test) };
  return once(e.test, (value) => build.cond(isTrue(value), value, e.else, e.span));
}
