/**
 * Sums in OpenACC's parallel constructs that no clause combines: scalars that no clause names are firstprivate there
 * (OpenACC 3.3, section 2.6.2), so each gang adds to a private copy.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { liveAfter } from "../../ir/analysis/liveness.ts";
import { reductionUse } from "../../ir/analysis/reductions.ts";
import type { ReductionOp } from "../../ir/model/ir.ts";
import { canonical, isScalar, walkStmt } from "../../lang/index.ts";
import type { FunctionDef, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { type Directive, directivesOf, namedIn } from "../read/directive.ts";

interface LostSum {
  readonly sym: Symbol;
  readonly op: ReductionOp;
  readonly at: Loc;
  readonly directive: Directive;
}

export function lostSums(functions: readonly FunctionDef[]): readonly LostSum[] {
  return functions.flatMap((def) => {
    return loops(def.body).flatMap(({ directive, stmt }) => {
      const uses = usesOf(stmt);
      return [...uses.of].flatMap(([sym, use]) => {
        if (!use.written || use.addressTaken || uses.declared.has(sym)) return [];
        if (sym.scope === "file" || !isScalar(sym.type) || canonical(sym.type).kind === "pointer") return [];
        const { op } = reductionUse(stmt, sym);
        if (!op || namedIn(def.body).has(sym) || counts(stmt, sym) || !liveAfter(def.body, stmt, sym))
          return [];
        return [{ sym, op, at: use.at.span.start, directive }];
      });
    });
  });
}

const notShared = ["seq", "serial", "auto", "num_gangs", "if", "self"];

/** Combined loops whose iterations are distributed over gangs. */
function loops(body: Stmt): readonly { readonly directive: Directive; readonly stmt: Stmt }[] {
  const found: { directive: Directive; stmt: Stmt }[] = [];
  walkStmt(body, {
    stmt(stmt) {
      const [directive] = directivesOf(stmt);
      if (directive?.language !== "acc" || directive.name !== "parallel loop") return true;
      if (!directive.clauses.some((c) => notShared.includes(c.name))) found.push({ directive, stmt });
      return false;
    },
    expr: () => false,
  });
  return found;
}

/** The loop uses it as its counter. */
function counts(stmt: Stmt, sym: Symbol): boolean {
  let found = false;
  walkStmt(stmt, {
    stmt(s) {
      if (s.kind === "for" && s.step && usesOf(s.step).of.has(sym)) found = true;
    },
  });
  return found;
}
