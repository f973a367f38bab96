/** Which variables live in the memory of a group. */
import { leadsToConstant, objectOf, type Use, usesOf } from "../../../../core/ir/analysis/access.ts";
import { definedFirst, liveAfter } from "../../../../core/ir/analysis/liveness.ts";
import { asNode, type Loop } from "../../../../core/ir/model/ir.ts";
import { isArray, isScalar, mapChildren, walkStmt } from "../../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { compound } from "../../../../core/lang/tree/build.ts";
import { exposesLiteral } from "../../legalise/literal-objects.ts";

/**
 * Variables of the group, declared outside item loops or among `values`, that its items must share. `divided`: item loops
 * are parts of what one item does, which keeps its variables from part to part.
 */
export function sharedVariables(
  stmts: readonly Stmt[],
  values: readonly Symbol[],
  isItemLoop: (loop: Loop) => boolean,
  divided: boolean,
): ReadonlySet<Symbol> {
  const candidates = new Set<Symbol>(values);
  const itemLoops: Stmt[] = [];
  const look = (s: Stmt): Stmt => {
    const loop = asNode(s, "loop");
    if (asNode(s, "threads") || (loop && isItemLoop(loop))) {
      itemLoops.push(s);
      return s;
    }
    if (loop) for (const p of loop.privates) candidates.add(p);
    if (s.kind === "decl") for (const d of s.decls) candidates.add(d.sym);
    return mapChildren(s, look);
  };
  stmts.forEach(look);
  const shared = new Set<Symbol>();
  const whole = compound(stmts);
  for (const s of itemLoops)
    for (const sym of changedByItems(s, (changed) => !divided && liveAfter(whole, s, changed)))
      if (candidates.has(sym)) shared.add(sym);
  for (const [sym, use] of usesOf(...stmts).of)
    if (candidates.has(sym) && (use.addressTaken || isChangedInPart(sym, use))) shared.add(sym);
  return shared;
}

/** One item changes it for all: only scalars are broadcast to the others. */
const isChangedInPart = ({ type }: Symbol, { written, elementsWritten }: Use): boolean =>
  !isScalar(type) && (written || (elementsWritten && isArray(type)));

/** Outer variables whose value an item may change for others, or that are too large for private copies. */
function changedByItems(s: Stmt, isReadBehind: (sym: Symbol) => boolean): Symbol[] {
  const loop = asNode(s, "loop");
  const { body, reductions } = loop ?? { body: s, reductions: [] };
  const uses = usesOf(s);
  const atomics = atomicTargets([s]);
  return [...uses.of].flatMap(([sym, use]) => {
    if (uses.declared.has(sym) || reductions.some((r) => r.sym === sym)) return [];
    // What items set before they read it is each one's own, unless one of them may set it for the code behind.
    const ownOfItems = () => loop && definedFirst(body, sym) && (use.read || !isReadBehind(sym));
    const changes = use.addressTaken || atomics.has(sym) || (use.written && !ownOfItems());
    return isArray(sym.type) || changes ? [sym] : [];
  });
}

/** Variables that atomics access: all items must see the changes. */
export function atomicTargets(stmts: readonly Stmt[]): ReadonlySet<Symbol> {
  const targets = new Set<Symbol>();
  for (const s of stmts)
    walkStmt(s, {
      stmt(child) {
        const atomic = asNode(child, "atomic");
        const sym = atomic && objectOf(atomic.target);
        if (sym) targets.add(sym);
      },
    });
  return targets;
}

/** Whether code outside item loops may change a compound literal through a pointer: each item would have its own. */
export function exposesLiterals(stmts: readonly Stmt[], isItemLoop: (loop: Loop) => boolean): boolean {
  let found = false;
  for (const s of stmts)
    walkStmt(s, {
      stmt(child) {
        const loop = asNode(child, "loop");
        return !asNode(child, "threads") && !(loop && isItemLoop(loop));
      },
      expr(e) {
        found ||= exposesLiteral(e);
        return !(e.kind === "cast" && leadsToConstant(e.to));
      },
    });
  return found;
}
