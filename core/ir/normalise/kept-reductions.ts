/**
 * Scalars that loops of an OpenACC region reduce and that no clause of the construct names. Programs read them after
 * the region, as other compilers allow, so two things that OpenACC 3.3 leaves to the program (2.9.11) are made
 * explicit.
 *
 * What iterations around reduce no further is reduced through the nest:
 *
 *     loop gang                                       loop gang reduction(+:s)
 *       loop vector reduction(+:s)             =>       loop vector reduction(+:s)
 *
 * What every gang computes alike, outside of gang loops, one of them stores:
 *
 *     loop vector reduction(+:s)               =>     loop vector reduction(+:own)      firstprivate(s as own)
 *       s += a[i];                                      own += a[i];
 *                                                     loop gang                         one iteration
 *                                                       s = own;
 */

import { mapChildren, substitute, unqualified } from "../../lang/index.ts";
import type { Diagnostic, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { assign, freshSymbol, ident, intLit } from "../../lang/tree/build.ts";
import { INT } from "../../lang/tree/types.ts";
import { usesOf } from "../analysis/access.ts";
import { unusedName } from "../analysis/unused-name.ts";
import { asNode, extStmt, type Loop, type Reduction, type Site, type Spmd } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";

/** `named`: variables named by clauses of the construct. */
export function throughNests(
  body: Stmt,
  named: ReadonlySet<Symbol>,
): { readonly body: Stmt; readonly remarks: readonly Diagnostic[] } {
  const remarks: Diagnostic[] = [];
  const visit = (s: Stmt): Stmt => {
    const inner = mapChildren(s, visit);
    const loop = asNode(inner, "loop");
    if (!loop || inner.kind !== "ext") return inner;
    const { declared } = usesOf(inner);
    const further = reducedIn(loop.body).filter(
      ({ sym }) =>
        !named.has(sym) &&
        !declared.has(sym) &&
        !own(loop).has(sym) &&
        !usesOf(without(loop.body, sym)).of.has(sym),
    );
    if (further.length === 0) return inner;
    for (const { op, sym, loc } of further)
      remarks.push({
        severity: "note",
        code: "reduced-through-nest",
        loc: loop.site.loc,
        message: `this loop reduces '${sym.name}' too: a loop inside it does`,
        why: "OpenACC 3.3, 2.9.11: the clause must appear on each loop of the nest",
        remedy: `say reduction(${op}:${sym.name}) here`,
        notes: [{ message: "the inner loop's reduction is here", loc }],
      });
    const ext: Loop = { ...loop, reductions: [...loop.reductions, ...further] };
    return { ...inner, ext };
  };
  return { body: visit(body), remarks };
}

interface Kept {
  readonly spmd: Spmd;
  /** Variables in which the region leaves a result. */
  readonly results: readonly Symbol[];
  /** The region's copies, and the variables that they stand for. */
  readonly of: ReadonlyMap<Symbol, Symbol>;
}

/** For a region whose loops have their levels. `isNeeded`: whether code after the region reads a variable. */
export function keptReductions(
  spmd: Spmd,
  named: ReadonlySet<Symbol>,
  isNeeded: (sym: Symbol) => boolean,
  site: Site,
): Kept {
  const { declared } = usesOf(spmd.body);
  const inGangs = gangLoops(spmd.body);
  const ofGangs = new Set(inGangs.flatMap((loop) => reducedIn(loop)).map((r) => r.sym));
  const changedInGangs = (sym: Symbol) =>
    ofGangs.has(sym) || inGangs.some((loop) => usesOf(loop).of.get(sym)?.written);
  const retained = reducedIn(spmd.body)
    .map((r) => r.sym)
    .filter((sym) => !named.has(sym) && !declared.has(sym) && !changedInGangs(sym) && isNeeded(sym));
  // In a serial region there is only one of each anyway.
  if (retained.length === 0 || spmd.serial) return { spmd, results: retained, of: new Map() };
  const copies = new Map(
    retained.map(
      (sym) => [sym, freshSymbol(unusedName(sym.name, spmd.body), unqualified(sym.type))] as const,
    ),
  );
  const body = substitute(spmd.body, new Map([...copies].map(([sym, copy]) => [sym, ident(copy)])));
  const { span } = spmd.body;
  const stores = [...copies].map(
    ([sym, copy]): Stmt => ({ kind: "expr", expr: assign(ident(sym), ident(copy)), span }),
  );
  return {
    spmd: {
      ...spmd,
      firstprivates: [...spmd.firstprivates, ...copies.values()],
      body: { kind: "compound", body: [body, once({ kind: "compound", body: stores, span }, site)], span },
    },
    results: retained,
    of: new Map([...copies].map(([sym, copy]) => [copy, sym])),
  };
}

/** A statement that a single gang runs. */
function once(body: Stmt, site: Site): Stmt {
  return extStmt(
    node<Loop>({
      kind: "loop",
      headers: [
        {
          var: freshSymbol(unusedName("once", body), INT),
          declares: true,
          lower: intLit(0),
          relation: "<",
          bound: intLit(1),
          step: intLit(1),
          span: body.span,
        },
      ],
      parallel: { levels: ["gang"], independence: "independent" },
      privates: [],
      reductions: [],
      body,
      site,
    }),
    body.span,
  );
}

/** Variables private to a loop. */
const own = (loop: Loop): ReadonlySet<Symbol> =>
  new Set([...loop.privates, ...loop.headers.map((h) => h.var), ...loop.reductions.map((r) => r.sym)]);

/** Reductions of loops in a statement, except into copies that enclosing loops have. */
function reducedIn(s: Stmt): readonly Reduction[] {
  const found = new Map<Symbol, Reduction>();
  const visit = (child: Stmt, hidden: ReadonlySet<Symbol>): Stmt => {
    const loop = asNode(child, "loop");
    for (const r of loop?.reductions ?? []) if (!hidden.has(r.sym) && !found.has(r.sym)) found.set(r.sym, r);
    const inner = loop ? new Set([...hidden, ...loop.privates]) : hidden;
    return mapChildren(child, (part) => visit(part, inner));
  };
  visit(s, new Set());
  return [...found.values()];
}

/** The statement without the loops that reduce a variable. */
function without(s: Stmt, sym: Symbol): Stmt {
  return asNode(s, "loop")?.reductions.some((r) => r.sym === sym)
    ? { kind: "expr", span: s.span }
    : mapChildren(s, (part) => without(part, sym));
}

function gangLoops(s: Stmt): readonly Stmt[] {
  const found: Stmt[] = [];
  const visit = (child: Stmt): Stmt => {
    if (asNode(child, "loop")?.parallel.levels.includes("gang")) {
      found.push(child);
      return child;
    }
    return mapChildren(child, visit);
  };
  visit(s);
  return found;
}
