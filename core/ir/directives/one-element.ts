/**
 * Elements that a data clause names as if the subscript were a length: `copy(p[n])` is `p[n:1]`, and the loop inside
 * goes from 0 to n.
 */

import { canonical, printExpr, walkStmt } from "../../lang/index.ts";
import type { Diagnostic, Expr, Stmt } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Directive, VarRef } from "./directive.ts";

export function oneElement({ clauses }: Directive, source: Stmt): readonly Diagnostic[] {
  const named = clauses.flatMap(({ name, vars }) => vars.map((v) => ({ name, v, length: lastSubscript(v) })));
  const suspect = named.filter(({ length }) => length && stripImplicit(length).kind !== "int");
  if (suspect.length === 0) return [];
  const bounds = boundsIn(source);
  return suspect.flatMap(({ name, v, length }): readonly Diagnostic[] => {
    const text = printExpr(stripImplicit(length as Expr));
    const ends = endsOf(length as Expr, bounds);
    if (!ends) return [];
    const whole = `${v.written.slice(0, v.written.lastIndexOf("["))}[0:${text}]`;
    return [
      {
        severity: "warning",
        code: "one-element",
        loc: v.loc,
        message: `'${name}(${v.written})' names a single element, and ${ends}`,
        why: "without a colon the brackets hold a subscript, not a length",
        remedy: `say ${name}(${whole})`,
      },
    ];
  });
}

/** The subscript of `p[n]`, where the element is a number. */
function lastSubscript({ element }: VarRef): Expr | undefined {
  const e = element && stripImplicit(element);
  const isNumber = e && ["int", "float", "complex"].includes(canonical(e.type).kind);
  return isNumber && e.kind === "index" ? e.index : undefined;
}

/** Which loops end at a length: one, or a nest of which each ends at one of its factors. */
function endsOf(length: Expr, bounds: ReadonlySet<string>): string | undefined {
  const e = stripImplicit(length);
  if (bounds.has(printExpr(e))) return `a loop inside ends at '${printExpr(e)}'`;
  const factors = e.kind === "binary" && e.op === "*" ? [e.left, e.right].map(stripImplicit) : [];
  const reached = factors.map((factor) => endsOf(factor, bounds));
  if (reached.length === 0 || reached.includes(undefined)) return undefined;
  return `loops inside end at ${factors.map((factor) => `'${printExpr(factor)}'`).join(" and ")}`;
}

/** What the loops of a statement compare with. */
function boundsIn(source: Stmt): ReadonlySet<string> {
  const found = new Set<string>();
  walkStmt(source, {
    stmt(s) {
      const test = s.kind === "for" && s.test ? stripImplicit(s.test) : undefined;
      if (test?.kind !== "binary") return;
      for (const side of [test.left, test.right]) found.add(printExpr(stripImplicit(side)));
      return;
    },
  });
  return found;
}
