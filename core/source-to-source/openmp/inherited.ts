/**
 * Loops that have no directive in OpenMP, as they run in order or are collapsed into another: the construct around them
 * that has one carries their clauses.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { liveAfter } from "../../ir/analysis/liveness.ts";
import { isGlobal } from "../../ir/analysis/routines.ts";
import type { Clause, Directive, VarRef } from "../../ir/directives/directive.ts";
import { isScalar, mapChildren } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { pairs } from "../sites/pairs.ts";
import { CannotSay } from "../sites/rewrite.ts";
import { isCompute, type Site } from "../sites/site.ts";
import { keepsDirective } from "./constructs.ts";
import type { ToOpenMp } from "./context.ts";

interface Inherited {
  readonly privates: readonly VarRef[];
  /** Arguments of `reduction`. */
  readonly reductions: readonly string[];
  readonly symbols: ReadonlySet<Symbol>;
}

/**
 * What loops inside `body` leave to the construct around it. The `collapsed` outermost loops are collapsed with it; `named`:
 * what its own clauses name.
 */
export function inherited(
  body: Stmt,
  collapsed: number,
  named: ReadonlySet<Symbol>,
  context: ToOpenMp,
): Inherited {
  const { sites } = context;
  const privates: VarRef[] = [];
  const reductions: string[] = [];
  const symbols = new Set<Symbol>();
  const fresh = ({ vars }: Clause): readonly VarRef[] => {
    const list = vars.filter(({ sym }) => !named.has(sym) && !symbols.has(sym));
    for (const { sym } of list) symbols.add(sym);
    return list;
  };
  const visit = (s: Stmt, left: number): void => {
    const site = s.kind === "for" ? sites.find((one) => isOf(s, one)) : undefined;
    if (s.kind === "for" && left === 0 && keepsDirective(s, site, context)) return;
    for (const { c } of site ? pairs(site) : []) {
      if (c.name === "private") privates.push(...fresh(c));
      if (c.name !== "reduction" || left === 0) continue;
      const list = fresh(c).map(({ written }) => written);
      if (list.length > 0) reductions.push(`${c.op ?? "+"}: ${list.join(", ")}`);
    }
    mapChildren(s, (child) => {
      visit(child, s.kind === "for" ? Math.max(0, left - 1) : left);
      return child;
    });
  };
  visit(body, collapsed);
  return { privates, reductions, symbols };
}

const isOf = (s: Stmt, { directive: d, stmt }: Site): boolean =>
  stmt?.span === s.span && d.name.endsWith("loop");

/** Variables that a directive gives copies of. */
export const namedIn = ({ clauses }: Directive): ReadonlySet<Symbol> =>
  new Set(
    clauses.flatMap((c) =>
      ["private", "firstprivate", "reduction"].includes(c.name) ? c.vars.map((v) => v.sym) : [],
    ),
  );

/** The variable that a loop without a directive has a copy of must not be used behind it with the value of before. */
export function refuseLasting(site: Site, { vars }: Clause, sites: readonly Site[]): void {
  const { stmt, around, directive, function: def } = site;
  const body = directive.name === "loop" ? (around.findLast(isCompute)?.stmt ?? def?.body) : stmt;
  const others = sites.filter((one) => !around.includes(one));
  for (const { sym, loc } of vars) {
    const isUsed = body !== undefined && usesOf(withoutOwn(body, sym, others)).of.has(sym);
    if (!isGlobal(sym) && !isUsed) continue;
    if (!isGlobal(sym) && isScalar(sym.type) && stmt && body && !liveAfter(body, stmt, sym)) continue;
    throw new CannotSay(
      loc,
      `'${directive.name}' runs in order here: OpenMP has no directive for it, and so none by which '${sym.name}' would be its own`,
      "declare the variable inside the loop",
    );
  }
}

/** A statement without the inner loops whose own clauses make the variable private. */
export function withoutOwn(s: Stmt, sym: Symbol, sites: readonly Site[]): Stmt {
  const own = sites.some(
    ({ stmt, directive: d }) =>
      stmt !== undefined &&
      stmt.span === s.span &&
      d.name.endsWith("loop") &&
      d.clauses.some((c) => c.name === "private" && c.vars.some((v) => v.sym === sym)),
  );
  return own ? { kind: "expr", span: s.span } : mapChildren(s, (child) => withoutOwn(child, sym, sites));
}
