/** Checks of a single clause's arguments that OpenACC and OpenMP share. */

import { canonical, evaluateInteger, isInteger, isScalar, printExpr } from "../../lang/index.ts";
import type { CType, Diagnostic, Expr, Loc, Symbol } from "../../lang/tree/ast.ts";
import type { Clause, VarRef } from "./directive.ts";
import { isVariableArray } from "./own-arrays.ts";

export function error(code: string, loc: Loc, message: string, remedy: string, why?: string): Diagnostic {
  return { severity: "error", code, loc, message, remedy, ...(why && { why }) };
}

/** For clauses that name whole variables only. */
export function wholeOnly({ name, vars }: Clause): readonly Diagnostic[] {
  return vars
    .filter((v) => v.section.length > 0 || v.object.kind !== "ident")
    .map((v) =>
      error(
        "not-a-whole-variable",
        v.loc,
        `'${v.written}' is a part of a variable, and '${name}' takes whole ones`,
        `write ${name === "use_device" ? printExpr(v.object) : v.sym.name}`,
      ),
    );
}

/** For clauses that give variables the addresses of their device copies: only arrays and pointers have one. */
export function addressable({ name, vars }: Clause): readonly Diagnostic[] {
  return vars
    .filter((v) => !["array", "pointer"].includes(canonical(v.object.type).kind))
    .map((v) =>
      error(
        "address-of-scalar",
        v.loc,
        `'${v.written}' is neither an array nor a pointer, and '${name}' takes only these`,
        `declare it as an array of one element, ${v.sym.name}[1]`,
        "C has no name for a single object that lies on the device",
      ),
    );
}

/**
 * For clauses that give each thread or gang a variable of the same type, whose size is evaluated again. `keeps`:
 * whether the size is unchanged; `section`: of the standard.
 */
export function sized(
  { name, vars }: Pick<Clause, "name" | "vars">,
  section: string,
  keeps: (sym: Symbol) => boolean,
): readonly Diagnostic[] {
  return vars
    .filter((v) => isVariableArray(v) && !keeps(v.sym))
    .map((v) =>
      error(
        "private-array-size",
        v.loc,
        `each thread would have a copy of '${v.written}', and what its size was computed from may have changed since`,
        "compute the size into a variable of its own, which keeps it",
        `'${name}' makes a variable of the same type (${section})`,
      ),
    );
}

type Arguments = Pick<Clause, "name" | "exprs">;

const expressions = (exprs: Clause["exprs"]) => exprs.filter((e): e is Expr => e !== "*");

export function condition({ name, exprs }: Arguments): readonly Diagnostic[] {
  return expressions(exprs)
    .filter((e) => !isScalar(e.type))
    .map((e) => error("clause-type", e.span.start, `'${name}' needs a condition`, "write a comparison"));
}

/** `counting`: the values must be positive where known. `code`: of the diagnostic if one is not. */
export function integers(
  { name, exprs }: Arguments,
  counting: boolean,
  code = "clause-value",
): readonly Diagnostic[] {
  return expressions(exprs).flatMap((e) => {
    if (!isInteger(e.type))
      return [
        error("clause-type", e.span.start, `'${name}' needs an integer`, "write an integer expression"),
      ];
    const value = counting ? evaluateInteger(e) : undefined;
    if (value === undefined || value > 0n) return [];
    return [error(code, e.span.start, `'${name}' needs a positive number, not ${value}`, "write 1 or more")];
  });
}

/** A constant section must lie within its array. */
export function section(v: VarRef): readonly Diagnostic[] {
  let type: CType | undefined = canonical(v.object.type);
  let shown = "";
  for (const { start, length, stride } of v.section) {
    const extent: number | undefined =
      type?.kind === "array" && typeof type.size === "number" ? type.size : undefined;
    const from = start ? evaluateInteger(start) : 0n;
    const elements = length && evaluateInteger(length);
    const by = stride ? evaluateInteger(stride) : 1n;
    // Number of elements from the first to the last one.
    const count =
      elements && elements > 0n && by !== undefined && by > 0n ? (elements - 1n) * by + 1n : elements;
    const beyond =
      extent !== undefined && from !== undefined && (from < 0n || from + (count ?? 0n) > BigInt(extent));
    if (beyond || (count !== undefined && count < 0n)) {
      const whole = extent === undefined ? "[start:length] with a length of 0 or more" : `[0:${extent}]`;
      const message = `the section '${v.written}' does not lie inside the array`;
      return [error("section-out-of-bounds", v.loc, message, `at most ${v.sym.name}${shown}${whole} exists`)];
    }
    shown += "[0]";
    type =
      type?.kind === "array" ? canonical(type.of) : type?.kind === "pointer" ? canonical(type.to) : undefined;
  }
  return [];
}
