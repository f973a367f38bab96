/**
 * Uses of variables of loops' reductions elsewhere in their region. Gangs combine what they reduced when the region ends
 * (OpenACC 3.3, 2.9.11). In front of the loop the variable has the value that it had before the region; behind it there
 * is no value that such code could mean. A reduction of the construct has one, each gang's own.
 */
import { isScalar, mapChildren, walkStmt } from "../../lang/index.ts";
import type { Diagnostic, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { liveAfter } from "../analysis/liveness.ts";
import { asNode, type Reduction, type Spmd } from "../model/ir.ts";

/** `reductions`: those whose result belongs to the region. */
export function usesBesides(spmd: Spmd, reductions: readonly Reduction[]): readonly Diagnostic[] {
  return reductions.flatMap(({ sym, loc }): readonly Diagnostic[] => {
    if (spmd.reductions.some((r) => r.sym === sym)) return [];
    const { body, loops } = withoutLoops(spmd.body, sym);
    const use = usesOf(body).of.get(sym);
    if (use === undefined) return [];
    const changes = use.written || use.addressTaken || !isScalar(sym.type);
    if (!changes && !loops.some((loop) => liveAfter(body, loop, sym))) return [];
    return [
      {
        severity: "error",
        code: "reduction-used-besides",
        loc: placeOf(body, sym, loc, changes),
        message: `'${sym.name}' is ${changes ? "used" : "read"} in the region of the loop that reduces it, but outside of that loop`,
        why: "gangs combine their results when the region ends: before that no value of the variable is defined here",
        remedy: `give this code a region of its own, or say reduction on the construct: each gang has its own '${sym.name}' then`,
        notes: [{ message: "the loop's reduction is here", loc }],
      },
    ];
  });
}

/** The code with empty statements for the outermost loops that reduce a variable. */
function withoutLoops(s: Stmt, sym: Symbol): { readonly body: Stmt; readonly loops: readonly Stmt[] } {
  const loops: Stmt[] = [];
  const visit = (part: Stmt): Stmt => {
    if (!asNode(part, "loop")?.reductions.some((r) => r.sym === sym)) return mapChildren(part, visit);
    const empty: Stmt = { kind: "expr", span: part.span };
    loops.push(empty);
    return empty;
  };
  return { body: visit(s), loops };
}

/** The first use, or the first behind the loop if there is one and only reading there is wrong. */
function placeOf(body: Stmt, sym: Symbol, loop: Loc, anywhere: boolean): Loc {
  const places: Loc[] = [];
  walkStmt(body, {
    expr: (e) => {
      // What normalisation made itself stands nowhere.
      if (e.kind === "ident" && e.sym === sym && e.span.start.line > 0) places.push(e.span.start);
    },
  });
  return (anywhere ? undefined : places.find(({ line }) => line > loop.line)) ?? places[0] ?? loop;
}
