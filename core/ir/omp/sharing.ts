/**
 * Data-sharing attributes of variables in a target region (OpenMP 5.0, section 2.19.7), where OpenMP's rules differ
 * from OpenACC's, which normalisation applies otherwise.
 */

import {
  canonical,
  isDataPointer,
  isFunctionPointer,
  isScalar,
  mapChildren,
  walkStmt,
} from "../../lang/index.ts";
import type { Diagnostic, Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { ident } from "../../lang/tree/build.ts";
import { rootOf, type Use, usesOf } from "../analysis/access.ts";
import { isGlobal } from "../analysis/routines.ts";
import type { Directive } from "../directives/directive.ts";
import { dataItem } from "../directives/items.ts";
import type { Reading } from "../directives/read-state.ts";
import { asNode, type DataItem, type Loop, type Mapping, type Reduction } from "../model/ir.ts";

interface Implicit {
  readonly items: readonly DataItem[];
  readonly firstprivates: readonly Symbol[];
}

export interface RegionVariables {
  readonly d: Directive;
  readonly body: Stmt;
  /** Variables that clauses of the construct name. */
  readonly named: ReadonlySet<Symbol>;
  /** Variables mapped by enclosing data constructs. */
  readonly mapped: ReadonlySet<Symbol>;
  /** `declare target`. */
  readonly declared: (sym: Symbol) => boolean;
}

type Category = "scalar" | "pointer" | "aggregate";

const categoryOf = (sym: Symbol): Category => {
  const { kind } = canonical(sym.type);
  return kind === "pointer" ? "pointer" : isScalar(sym.type) ? "scalar" : "aggregate";
};

export function implicit(reading: Reading, region: RegionVariables): Implicit {
  const { d, body, named, mapped, declared } = region;
  const uses = usesOf(body);
  const items: DataItem[] = [];
  const firstprivates: Symbol[] = [];
  for (const [sym, use] of uses.of) {
    if (named.has(sym) || uses.declared.has(sym) || declared(sym)) continue;
    const category = categoryOf(sym);
    const behaviour = defaultmap(d, category);
    if (behaviour === "none") reading.diagnostics.push(unnamed(sym, use, "defaultmap(none)"));
    const is = mappings[behaviour ?? ""];
    const itself = isDataPointer(sym.type) && is !== undefined && is !== "present";
    if (itself) {
      const warning = changedPointer(sym, use, is, `defaultmap(${behaviour})`);
      if (warning) reading.diagnostics.push(warning);
    } else if (is !== undefined) items.push(item(sym, use, is, d));
    else if (
      behaviour === "firstprivate" ||
      ((category === "scalar" || isFunctionPointer(sym.type)) && !behaviour && keepsOwn(sym, use, mapped))
    )
      firstprivates.push(sym);
  }
  return { items, firstprivates };
}

/**
 * Refuses a region that changes a mapped pointer whose final value is needed: it would be a device address, which host
 * code must not dereference.
 */
export function changedPointer(sym: Symbol, use: Use, is: Mapping, clause: string): Diagnostic | undefined {
  if (!use.written || !isDataPointer(sym.type) || (is !== "from" && is !== "tofrom")) return undefined;
  return {
    severity: "error",
    code: "pointer-kept",
    loc: use.at.span.start,
    message: `the region changes the pointer '${sym.name}', and ${clause} would bring its value back`,
    why: "what it leads to lies on the device: OpenMP 5.2, section 5.8.3, has a pointer keep its value on the host",
    remedy: `write map(to: ${sym.name}), or firstprivate(${sym.name})`,
  };
}

const mappings: Readonly<Record<string, Mapping>> = {
  to: "to",
  from: "from",
  tofrom: "tofrom",
  alloc: "allocate",
  present: "present",
};

/** A region has its own copy of a scalar, even if enclosing data regions have one, and of a file-scope variable. */
function keepsOwn(sym: Symbol, use: Use, mapped: ReadonlySet<Symbol>): boolean {
  return mapped.has(sym) || (isGlobal(sym) && use.written);
}

function defaultmap(d: Directive, category: Category): string | undefined {
  const behaviours = d.clauses.filter((c) => c.name === "defaultmap").map((c) => c.names);
  const found = behaviours.find(([, of = "all"]) => of === category || of === "all")?.[0];
  return found === "default" ? undefined : found;
}

function item(sym: Symbol, use: Use, is: Mapping, { loc }: Directive): DataItem {
  const object: Expr = ident(sym, use.at.span);
  return dataItem({ sym, object, section: [], written: sym.name, loc }, is, {});
}

const unnamed = (sym: Symbol, use: Use, clause: string) =>
  ({
    severity: "error",
    code: "default-none",
    loc: use.at.span.start,
    message: `'${sym.name}' is used in a construct with ${clause}, but no clause says what happens to it`,
    remedy: `add it to ${clause === "default(none)" ? "shared, private, firstprivate or reduction" : "map, private or firstprivate"}`,
  }) as const;

/** default(none): every variable from outside must be in a clause. */
export function checkDefault(reading: Reading, d: Directive, body: Stmt, source: Stmt): void {
  if (!d.clauses.some((c) => c.name === "default" && c.names[0] === "none")) return;
  const named = new Set(d.clauses.flatMap((c) => c.vars.map((v) => v.sym)));
  const counters = new Set(asNode(body, "loop")?.headers.map((h) => h.var));
  const uses = usesOf(source);
  for (const [sym, use] of uses.of)
    if (!named.has(sym) && !counters.has(sym) && !uses.declared.has(sym))
      reading.diagnostics.push(unnamed(sym, use, "default(none)"));
}

/** Variables private to constructs inside a region. */
function ownOf(body: Stmt): ReadonlySet<Symbol> {
  const own = new Set(usesOf(body).declared);
  walkStmt(body, {
    stmt(s) {
      for (const sym of asNode(s, "loop")?.privates ?? []) own.add(sym);
    },
    expr: () => false,
  });
  return own;
}

/**
 * Variables of which all teams share the region's copy: teams combine their results in it, or it is updated atomically.
 * Teams may have their own copies of the others, since only a race could tell.
 *
 * @param copies those that a clause gives the region a copy of, beside scalars that no clause names
 */
export function sharedCopies(
  { body, named, declared }: RegionVariables,
  teams: readonly Reduction[],
  copies: readonly Symbol[],
): readonly Symbol[] {
  const own = ownOf(body);
  const changed = new Set(teams.map((r) => r.sym));
  walkStmt(body, {
    stmt(s) {
      const atomic = asNode(s, "atomic");
      const root = atomic && !atomic.reduction && rootOf(atomic.target);
      if (root) changed.add(root.sym);
      const loop = asNode(s, "loop");
      if (loop && crossesTeams(loop)) for (const { sym } of loop.reductions) changed.add(sym);
    },
    expr: () => false,
  });
  const isCopied = (sym: Symbol) =>
    copies.includes(sym) ||
    (categoryOf(sym) === "scalar" && !own.has(sym) && !named.has(sym) && !declared(sym));
  return [...changed].filter((sym) => isCopied(sym) && categoryOf(sym) !== "pointer");
}

const crossesTeams = ({ parallel: { levels, independence } }: Loop): boolean =>
  levels.includes("gang") || (levels.length === 0 && independence === "independent");

/**
 * Warns of scalars that no clause names. The region's copy ends with the region (OpenMP 5.2, section 5.1.1): what only
 * its teams combine is lost. All teams share it: reductions of their threads meet there.
 */
export function lostResults(
  { d, body, named, declared }: RegionVariables,
  teams: readonly Reduction[],
  manyTeams: boolean,
): readonly Diagnostic[] {
  const own = ownOf(body);
  const seen = new Set<Symbol>();
  const found: Diagnostic[] = [];
  const warn = (sym: Symbol, loc: Loc, crossing: boolean): void => {
    if (own.has(sym) || named.has(sym) || declared(sym) || seen.has(sym)) return;
    seen.add(sym);
    if (!usesOf(withoutChanges(body, sym)).of.has(sym)) found.push(resultLost(d, sym, loc));
    else if (manyTeams && !crossing) found.push(teamsMeet(sym, loc));
  };
  for (const { sym, loc } of teams) warn(sym, loc, true);
  walkStmt(body, {
    stmt(s) {
      const count = countOf(s);
      if (count) warn(count.sym, count.span.start, true);
      const loop = asNode(s, "loop");
      for (const { sym, loc } of loop?.reductions ?? []) warn(sym, loc, crossesTeams(loop as Loop));
    },
    expr: () => false,
  });
  return found;
}

const resultLost = (d: Directive, { name }: Symbol, loc: Loc): Diagnostic => ({
  severity: "warning",
  code: "result-lost",
  loc,
  message: `what '${name}' becomes ends with the region: '${d.name}' has a copy of it, and nothing reads that`,
  remedy: `write map(tofrom: ${name}) on the 'target' construct, or declare it inside`,
});

const teamsMeet = ({ name }: Symbol, loc: Loc): Diagnostic => ({
  severity: "warning",
  code: "teams-meet",
  loc,
  message: `all teams share '${name}', and the threads of each reduce into it: arc gives each team its own`,
  remedy: `declare '${name}' inside, or write private(${name}) on the 'teams' construct`,
});

/** The variable that an atomic statement updates, without reading it. */
function countOf(s: Stmt): (Expr & { kind: "ident" }) | undefined {
  const atomic = asNode(s, "atomic");
  const updates = atomic?.what === "update" && !atomic.reduction;
  return updates && atomic.target.kind === "ident" ? atomic.target : undefined;
}

/** The code without a variable's reductions and counts. */
function withoutChanges(s: Stmt, sym: Symbol): Stmt {
  const reduced = asNode(s, "loop")?.reductions.some((r) => r.sym === sym);
  if (reduced || countOf(s)?.sym === sym) return { kind: "expr", span: s.span };
  return mapChildren(s, (child) => withoutChanges(child, sym));
}
