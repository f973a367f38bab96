/**
 * Critical sections that only combine values into elements of arrays, as reductions of these arrays (CCAMP, section
 * 3.3.1):
 *
 *     parallel for                              parallel loop reduction(+: q[0:10])
 *     for (...) {                         =>    for (...) {
 *       critical
 *       for (...) q[j] += own[j];                 for (...) q[j] += own[j];
 *     }                                         }
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { countedHeader } from "../../ir/analysis/counted.ts";
import { same } from "../../ir/directives/atomic.ts";
import { canonical, isArithmetic, walkStmt } from "../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { CannotSay, type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import type { ToOpenAcc } from "./context.ts";

interface Combined {
  readonly sym: Symbol;
  readonly op: string;
}

/** The clauses of a loop that is shared out, for the critical sections in it, which have no directive then. */
export function arrayReductions(loop: Site, context: ToOpenAcc): readonly NewClause[] {
  const found = new Map<string, string>();
  for (const section of criticalsIn(loop, context))
    for (const { sym, op } of combinedOrNot(section, context))
      found.set(sectionOf(sym, section, context), op);
  return [...found].map(([written, op]) => put(`reduction(${op}:${written})`));
}

/** A section that is no reduction is refused at its own place. */
function combinedOrNot(section: Site, context: ToOpenAcc): readonly Combined[] {
  try {
    return combinedIn(section, context);
  } catch (problem) {
    if (problem instanceof CannotSay) return [];
    throw problem;
  }
}

const criticalsIn = (site: Site, { sites }: ToOpenAcc): readonly Site[] =>
  sites.filter(({ directive, around }) => directive.name === "critical" && around.includes(site));

/** What a critical section combines. Throws `CannotSay` for any other section. */
export function combinedIn(section: Site, context: ToOpenAcc): readonly Combined[] {
  const { directive: d, stmt, around } = section;
  const isShared = (one: Site): boolean =>
    (context.facts.loop(one.directive.pragma)?.loop.parallel.levels.length ?? 0) > 0;
  const construct = constructOf(section);
  if (!stmt || !construct || !around.some(isShared))
    throw noReduction(d.loc, "it stands in no loop of a region that is shared out");
  const found = combinationsOf(stmt, d.loc);
  for (const { sym, op } of found) {
    if (found.some((one) => one.sym === sym && one.op !== op))
      throw noReduction(d.loc, `'${sym.name}' is combined by two operators`);
    const sections = criticalsIn(construct, context);
    const uses = sections.reduce((sum, one) => sum + (one.stmt ? usesIn(one.stmt, sym) : 0), 0);
    if (!construct.stmt || usesIn(construct.stmt, sym) > uses)
      throw noReduction(d.loc, `the region uses '${sym.name}' outside of critical sections, too`);
    const others = sections
      .filter((one) => one !== section)
      .flatMap((one) => (one.stmt ? combinationsOf(one.stmt, one.directive.loc) : []));
    if (others.some((one) => one.sym === sym && one.op !== op))
      throw noReduction(d.loc, `another section combines '${sym.name}' by another operator`);
    sectionOf(sym, section, context);
  }
  return found;
}

const constructOf = ({ around }: Site): Site | undefined =>
  around.find(({ directive }) => directive.name.startsWith("target"));

function usesIn(s: Stmt, sym: Symbol): number {
  let count = 0;
  walkStmt(s, {
    expr(e) {
      if (e.kind === "ident" && e.sym === sym) count++;
    },
  });
  return count;
}

/** `a[i] op= e`, `a[i]++`, and loops of these; nothing else changes. */
function combinationsOf(s: Stmt, loc: Loc): readonly Combined[] {
  if (s.kind === "compound") return s.body.flatMap((inner) => combinationsOf(inner, loc));
  if (s.kind === "for" && s.init?.kind === "decl" && !("severity" in countedHeader(s)))
    return combinationsOf(s.body, loc);
  if (s.kind === "expr") return s.expr ? [combination(s.expr, loc)] : [];
  throw noReduction(loc, MORE);
}

const MORE = "it does more than combine values into elements of arrays";

function combination(e: Expr, loc: Loc): Combined {
  const { target, op, value } = parts(e) ?? {};
  const base = target?.kind === "index" ? stripImplicit(target.base) : undefined;
  if (target?.kind !== "index" || base?.kind !== "ident" || op === undefined || !isArithmetic(target.type))
    throw noReduction(loc, MORE);
  // What is taken away is combined by a sum.
  const kept = op === "-" ? "+" : op;
  if (!/^[+*&|^]$/.test(kept)) throw noReduction(loc, `no reduction combines by '${op}'`);
  const uses = usesOf(target.index, ...(value ? [value] : []));
  const changes = [...uses.of.values()].some((use) => use.written || use.elementsWritten || use.addressTaken);
  if (changes || uses.calls.size > 0 || uses.indirectCall || uses.of.has(base.sym))
    throw noReduction(loc, MORE);
  return { sym: base.sym, op: kept };
}

interface Parts {
  readonly target: Expr;
  readonly op: string;
  readonly value?: Expr;
}

function parts(e: Expr): Parts | undefined {
  if (e.kind === "incdec") return { target: e.arg, op: e.op.slice(1) };
  if (e.kind !== "assign") return undefined;
  if (e.op !== "=") return { target: e.left, op: e.op.slice(0, -1), value: e.right };
  const right = stripImplicit(e.right);
  if (right.kind !== "binary") return undefined;
  if (same(right.left, e.left)) return { target: e.left, op: right.op, value: right.right };
  const commutes = /^[+*&|^]$/.test(right.op) && same(right.right, e.left);
  return commutes ? { target: e.left, op: right.op, value: right.left } : undefined;
}

/** The array as the region has it: `q[0:10]`. */
function sectionOf(sym: Symbol, section: Site, { facts }: ToOpenAcc): string {
  const tasks = facts.tasks(constructOf(section)?.directive.pragma as Site["directive"]["pragma"]);
  const item = tasks.flatMap(({ items }) => items).find((one) => one.sym === sym);
  const type = canonical(sym.type);
  if (item && item.section.length === 1) return item.written;
  if (type.kind === "array" && typeof type.size === "number") return `${sym.name}[0:${type.size}]`;
  throw noReduction(section.directive.loc, `how many elements '${sym.name}' has is not known`);
}

const noReduction = (loc: Loc, why: string): CannotSay =>
  new CannotSay(
    loc,
    `'critical' has no counterpart in OpenACC, and this one is no reduction: ${why}`,
    "write `atomic` in front of each update, or combine values into elements of an array alone",
  );
