/**
 * Copies of variables with static storage. If a construct has its own copy of a file-scope or static variable
 * (`private`, `firstprivate`, `reduction`), the copy is a different variable from the one that functions called in the
 * region and the host still see. It becomes a local variable of the region.
 *
 *     static int sum;                                 int own;                        (of the region)
 *     parallel loop reduction(+:sum)           =>     parallel loop reduction(+:own)  data(sum as own)
 *       sum += a[i];                                    own += a[i];
 */

import { mapChildren, mapStmt, substitute, unqualified } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound, declare, freshSymbol, ident } from "../../lang/tree/build.ts";
import { usesOf } from "../analysis/access.ts";
import { isGlobal } from "../analysis/routines.ts";
import { unusedName } from "../analysis/unused-name.ts";
import { asNode, type DataItem, extStmt, type Loop, type Reduction, type Spmd } from "../model/ir.ts";

interface LocalCopies {
  readonly spmd: Spmd;
  readonly items: readonly DataItem[];
  /** The variables that the copies of the whole region stand for. */
  readonly of: ReadonlyMap<Symbol, Symbol>;
}

/** `reductions`: those whose result belongs to the region. */
export function withLocalCopies(
  spmd: Spmd,
  items: readonly DataItem[],
  reductions: readonly Reduction[],
): LocalCopies {
  const own = ofLoops(spmd);
  const named = [...spmd.privates, ...spmd.firstprivates, ...reductions.map((r) => r.sym)];
  // All code of the region refers to the copy, so it can keep the name.
  const copies = copiesOf(named.filter(isGlobal), (sym) => sym.name);
  if (copies.size === 0) return { spmd: own, items, of: new Map() };
  const renamed = asNode(substitute(extStmt(own, own.body.span), uses(copies)), "spmd") as Spmd;
  const { numTeams, numUnits, numLanes } = own;
  return {
    // Launch sizes are computed before the copies exist.
    spmd: {
      ...renamed,
      ...(numTeams && { numTeams }),
      ...(numUnits && { numUnits }),
      ...(numLanes && { numLanes }),
    },
    items: items.map((item): DataItem => {
      const sym = item.object.kind === "ident" ? copies.get(item.sym) : undefined;
      return sym ? { ...item, sym, own: true } : item;
    }),
    of: new Map([...copies].map(([from, to]) => [to, from])),
  };
}

/** Private variables of loops exist only within an iteration: those that are something else outside of it are declared there. */
function ofLoops(spmd: Spmd): Spmd {
  const outside = usedOutside(spmd.body);
  const body = mapStmt(spmd.body, {
    stmt(s) {
      const loop = asNode(s, "loop");
      const shared = loop?.privates.filter((sym) => isGlobal(sym) || outside.has(sym)) ?? [];
      if (!loop || shared.length === 0) return s;
      const copies = copiesOf(shared, (sym) => unusedName(sym.name, s));
      const own: Loop = {
        ...loop,
        privates: loop.privates.filter((sym) => !copies.has(sym)),
        body: compound(
          [...[...copies.values()].map((copy) => declare(copy)), substitute(loop.body, uses(copies))],
          loop.body.span,
        ),
      };
      return { ...extStmt(own, s.span), ...(s.pragmas && { pragmas: s.pragmas }) };
    },
  });
  return { ...spmd, body };
}

/** Private variables of loops that other code of the region, or the extent of such a loop, uses too. */
function usedOutside(body: Stmt): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  const privates = new Set<Symbol>();
  const privatesIn = (s: Stmt): Stmt => {
    for (const sym of asNode(s, "loop")?.privates ?? []) privates.add(sym);
    return mapChildren(s, privatesIn);
  };
  privatesIn(body);
  for (const sym of privates) {
    const without = mapStmt(body, {
      stmt(s) {
        const loop = asNode(s, "loop");
        return loop?.privates.includes(sym)
          ? extStmt({ ...loop, body: { kind: "expr", span: s.span } }, s.span)
          : s;
      },
    });
    if (usesOf(without).of.has(sym)) found.add(sym);
  }
  return found;
}

const uses = (copies: ReadonlyMap<Symbol, Symbol>) =>
  new Map([...copies].map(([from, to]) => [from, ident(to)]));

function copiesOf(named: readonly Symbol[], name: (sym: Symbol) => string): Map<Symbol, Symbol> {
  const copies = new Map<Symbol, Symbol>();
  for (const sym of named)
    if (!copies.has(sym)) copies.set(sym, freshSymbol(name(sym), unqualified(sym.type)));
  return copies;
}
