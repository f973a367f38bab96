/** `default(firstprivate)` and `default(private)`: turns them into clauses for the variables that no clause names. */
import type { Stmt } from "../../lang/tree/ast.ts";
import { ident } from "../../lang/tree/build.ts";
import { usesOf } from "../analysis/access.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import { type Clause, clause, type Directive, type VarRef } from "../directives/directive.ts";
import type { Reading } from "../directives/read-state.ts";
import { asNode } from "../model/ir.ts";

/** The directive with its `default` clause expanded for the variables of its statement. */
export function withUnlisted(reading: Reading, d: Directive, body: Stmt): Directive {
  const defaultClause = clause(d, "default");
  const [how] = defaultClause?.names ?? [];
  if (!defaultClause || (how !== "firstprivate" && how !== "private")) return d;
  const sharing = d.clauses.filter((c) => c.name !== "map");
  const named = new Set(sharing.flatMap((c) => c.vars.map((v) => v.sym)));
  const mapped = new Set(d.clauses.flatMap((c) => (c.name === "map" ? c.vars.map((v) => v.sym) : [])));
  const headers = asNode(body, "loop")?.headers ?? [];
  const own = body.kind === "for" ? countedHeader(body) : undefined;
  const counters = new Set([...headers, ...(own && !("severity" in own) ? [own] : [])].map((h) => h.var));
  const uses = usesOf(body);
  const vars: VarRef[] = [];
  for (const [sym, use] of uses.of) {
    if (named.has(sym) || counters.has(sym) || uses.declared.has(sym)) continue;
    const { start: loc } = use.at.span;
    if (mapped.has(sym))
      reading.report(
        "default-sharing",
        loc,
        `'${sym.name}' is mapped, and by default(${how}) each thread would have a copy of it`,
        `add it to shared`,
      );
    vars.push({ sym, object: ident(sym, use.at.span), section: [], written: sym.name, loc });
  }
  const added: Clause = { name: how, loc: defaultClause.loc, vars, modifiers: [], exprs: [], names: [] };
  return { ...d, clauses: [...d.clauses, added] };
}
