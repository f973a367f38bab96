/**
 * The parts of a `kernels` construct that is split: each is a `target` inside of the data region that has the construct's
 * clauses.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import type { VarRef } from "../../ir/directives/directive.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import type { ToOpenMp } from "./context.ts";
import { canonicalName, isDataClause } from "./data.ts";
import { isPlainScalar } from "./implicit-clauses.ts";
import { withoutOwn } from "./inherited.ts";

/**
 * Clauses for what the construct's own clauses name: of a scalar that none of its own names, a `target` would have a copy,
 * and it would look for what an address of the device leads to.
 */
export function namedAround(
  construct: Site,
  stmt: Stmt | undefined,
  reduced: ReadonlySet<Symbol>,
  { sites }: ToOpenMp,
): readonly NewClause[] {
  const isUsed = ({ sym }: VarRef): boolean =>
    stmt !== undefined && !reduced.has(sym) && usesOf(withoutOwn(stmt, sym, sites)).of.has(sym);
  const named = construct.directive.clauses
    .filter((c) => isDataClause(canonicalName(c.name)))
    .flatMap((c) => c.vars.filter(isUsed).map((v) => ({ v, isAddress: c.name === "deviceptr" })));
  const scalars = named.filter(({ v, isAddress }) => !isAddress && isPlainScalar(v.sym));
  const addresses = named.filter(({ isAddress }) => isAddress);
  const list = (some: typeof named): string => [...new Set(some.map(({ v }) => v.sym.name))].join(", ");
  return [
    ...(scalars.length > 0 ? [put(`map(alloc: ${list(scalars)})`)] : []),
    ...(addresses.length > 0 ? [put(`is_device_ptr(${list(addresses)})`)] : []),
  ];
}
