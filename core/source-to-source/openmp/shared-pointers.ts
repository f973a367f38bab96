/**
 * Pointers at file scope that a region sets and a function that it calls uses, too. OpenMP would give the region a copy
 * of its own (5.0, section 2.19.7.2): `declare target` makes both the device's one.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { isGlobal } from "../../ir/analysis/routines.ts";
import { canonical, mapStmt } from "../../lang/index.ts";
import type { External, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { called } from "../sites/called.ts";
import { type Facts, implicitItems } from "../sites/facts.ts";
import { CannotSay, directive, type Inserted, put } from "../sites/rewrite.ts";
import { isCompute, type Site } from "../sites/site.ts";

/** Throws `CannotSay` where the host sets such a pointer as well: the device would not see that. */
export function sharedPointers(
  externals: readonly External[],
  sites: readonly Site[],
  facts: Facts,
): readonly Inserted[] {
  const named = new Set(sites.flatMap((s) => s.directive.clauses.flatMap((c) => c.vars.map((v) => v.sym))));
  const constructs = sites.filter(isCompute);
  const set = new Set<Symbol>();
  for (const task of constructs.flatMap((site) => facts.tasks(site.directive.pragma)))
    for (const { sym, access } of implicitItems(task))
      if (
        isGlobal(sym) &&
        !named.has(sym) &&
        canonical(sym.type).kind === "pointer" &&
        (access === "read-write" || access === "write-only")
      )
        set.add(sym);
  if (set.size === 0) return [];
  const functions = [...called(externals, sites, facts)];
  const shared = [...set].filter((sym) => functions.some((def) => usesOf(def.body).of.has(sym)));
  const inside = new Set(constructs.map(({ stmt }) => stmt?.span));
  const ofHost = externals.filter((e) => e.kind !== "function" || !functions.includes(e));
  for (const sym of shared) refuseHosts(sym, ofHost, inside);
  return shared.flatMap((sym): readonly Inserted[] => {
    const declaration = externals.find(
      (e) => e.kind === "decl" && e.decls.some((d) => d.sym === sym) && "span" in e,
    );
    return declaration?.kind === "decl"
      ? [
          {
            stmt: declaration,
            behind: true,
            directives: [directive("declare target", [put(`to(${sym.name})`)])],
          },
        ]
      : [];
  });
}

function refuseHosts(
  sym: Symbol,
  externals: readonly External[],
  regions: ReadonlySet<Stmt["span"] | undefined>,
): void {
  for (const e of externals) {
    if (e.kind !== "function") continue;
    const ofHost = mapStmt(e.body, {
      stmt: (s) => (regions.has(s.span) ? { kind: "expr", span: s.span } : s),
    });
    const use = usesOf(ofHost).of.get(sym);
    if (use?.written !== true && use?.addressTaken !== true) continue;
    throw new CannotSay(
      use.at.span.start,
      `'${sym.name}' is set by the host here and by a region elsewhere, and a function that the region calls uses it: OpenMP has two of it, the host's and the device's`,
      `hand the function '${sym.name}' as an argument`,
    );
  }
}
