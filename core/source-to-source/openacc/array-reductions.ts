/**
 * Critical sections that only combine values into variables or elements of arrays, as reductions of these (CCAMP, section
 * 3.3.1):
 *
 *     parallel for                              parallel loop reduction(+: q[0:10])
 *     for (...) {                         =>    for (...) {
 *       critical
 *       for (...) q[j] += own[j];                 for (...) q[j] += own[j];
 *     }                                         }
 */
import { usesIn, usesOf } from "../../ir/analysis/access.ts";
import { elementStep, isAtomic } from "../../ir/analysis/elements.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { reductionUse } from "../../ir/analysis/reductions.ts";
import { hasEffects, isBuiltin } from "../../ir/analysis/routines.ts";
import { site as siteOf } from "../../ir/directives/directive.ts";
import type { ReductionOp } from "../../ir/model/ir.ts";
import { canonical } from "../../lang/index.ts";
import type { Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { CannotSay, type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import type { ToOpenAcc } from "./context.ts";

interface Combined {
  readonly sym: Symbol;
  readonly op: ReductionOp;
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
  const isShared = ({ directive: { pragma } }: Site): boolean => {
    const found = context.facts.loop(pragma)?.loop.parallel;
    const isOpen = context.facts.mapped?.(pragma) === true && found?.independence === "independent";
    return isOpen || (found?.levels.length ?? 0) > 0;
  };
  const construct = constructOf(section);
  if (!stmt || !construct || !around.some(isShared))
    throw noReduction(d.loc, "it stands in no loop of a region that is shared out");
  const found = combinationsOf(stmt, section);
  for (const { sym, op } of found) {
    if (found.some((one) => one.sym === sym && one.op !== op))
      throw noReduction(d.loc, `'${sym.name}' is combined by two operators`);
    const sections = criticalsIn(construct, context);
    const uses = sections.reduce((sum, one) => sum + (one.stmt ? usesIn(one.stmt, sym) : 0), 0);
    if (!construct.stmt || usesIn(construct.stmt, sym) > uses)
      throw noReduction(d.loc, `the region uses '${sym.name}' outside of critical sections, too`);
    const others = sections
      .filter((one) => one !== section)
      .flatMap((one) => (one.stmt ? combinationsOf(one.stmt, one) : []));
    if (others.some((one) => one.sym === sym && one.op !== op))
      throw noReduction(d.loc, `another section combines '${sym.name}' by another operator`);
    sectionOf(sym, section, context);
  }
  return found;
}

const constructOf = ({ around }: Site): Site | undefined =>
  around.find(({ directive }) => directive.name.startsWith("target"));

/** `a[i][j] op= e`, `if (e > a[i]) a[i] = e`, and loops of these; nothing else changes. */
function combinationsOf(s: Stmt, site: Site): readonly Combined[] {
  if (s.kind === "compound") return s.body.flatMap((inner) => combinationsOf(inner, site));
  if (s.kind === "for" && s.init?.kind === "decl" && !("severity" in countedHeader(s)))
    return combinationsOf(s.body, site);
  const { loc } = site.directive;
  const found = elementStep(s, siteOf(site.directive, s)) ?? scalarStep(s);
  if (!found) throw noReduction(loc, whyNot(s));
  const uses = usesOf(s);
  const changes = [...uses.of].some(
    ([sym, use]) => sym !== found.array && (use.written || use.elementsWritten || use.addressTaken),
  );
  const acts = [...uses.calls.keys()].some((sym) => !isBuiltin(sym) || hasEffects(sym));
  if (changes || acts || uses.indirectCall) throw noReduction(loc, MORE);
  return [{ sym: found.array, op: found.op }];
}

/** `s op= e`, of a number. */
function scalarStep(s: Stmt): { readonly array: Symbol; readonly op: ReductionOp } | undefined {
  const uses = usesOf(s);
  const [[sym] = [], ...more] = [...uses.of].filter(([, use]) => use.written);
  if (!sym || more.length > 0 || !isAtomic(sym.type)) return undefined;
  const { op } = reductionUse(s, sym);
  return op && { array: sym, op };
}

const MORE = "it does more than combine values into variables";

function whyNot(s: Stmt): string {
  const e = s.kind === "expr" ? s.expr : undefined;
  const op = e?.kind === "assign" && e.left.kind === "index" ? e.op.slice(0, -1) : "";
  return /^([/%]|<<|>>)$/.test(op) ? `no reduction combines by '${op}'` : MORE;
}

/** The array as the region has it: `q[0:10]`. */
function sectionOf(sym: Symbol, section: Site, { facts }: ToOpenAcc): string {
  const tasks = facts.tasks(constructOf(section)?.directive.pragma as Site["directive"]["pragma"]);
  const item = tasks.flatMap(({ items }) => items).find((one) => one.sym === sym);
  const type = canonical(sym.type);
  if (isAtomic(sym.type)) {
    if (item?.sharing.is === "shared" && item.mapping.is !== "deviceptr") return sym.name;
    throw noReduction(section.directive.loc, `each team has a '${sym.name}' of its own`);
  }
  if (item && item.section.length > 0) return item.written;
  if (type.kind === "array" && typeof type.size === "number") return `${sym.name}[0:${type.size}]`;
  throw noReduction(section.directive.loc, `how many elements '${sym.name}' has is not known`);
}

const noReduction = (loc: Loc, why: string): CannotSay =>
  new CannotSay(
    loc,
    `'critical' has no counterpart in OpenACC, and this one is no reduction: ${why}`,
    "write `atomic` in front of each update, or combine values into variables alone",
  );
