/** An iteration of the loop that teams share, with variables of its own. */
import { entryOf, itemAt } from "../../../../core/checked/access.ts";
import { identity } from "../../../../core/ir/model/identity.ts";
import type { Loop, LoopHeader } from "../../../../core/ir/model/ir.ts";
import { INT, LONG, substitute, substituteExpr, unqualified } from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { valuesInNest } from "../../loops/trips.ts";
import type { SharedLoop } from "../../mapping/team-steps.ts";

/** An iteration of the outer loop. Its variables are declared before the parts that only lanes with an iteration run. */
export class Row {
  readonly number: Symbol;
  readonly isTaken: Symbol;
  /** What follows the reductions. */
  readonly late: Stmt[] = [];
  private readonly suffix: string;
  private readonly own = new Map<Symbol, Symbol>();
  private readonly lane = new Map<Symbol, Symbol>();

  constructor({ headers, privates }: Loop, suffix: string) {
    this.suffix = suffix;
    this.number = freshSymbol(`arc_row${suffix}`, LONG);
    this.isTaken = freshSymbol(`arc_taken${suffix}`, INT);
    for (const s of [...headers.map((h) => h.var), ...privates]) this.add(s);
  }

  add(sym: Symbol): Symbol {
    const known = this.own.get(sym) ?? freshSymbol(`${sym.name}${this.suffix}`, unqualified(sym.type));
    this.own.set(sym, known);
    return known;
  }

  of(sym: Symbol): Expr {
    return ident(this.own.get(sym) ?? sym);
  }

  /** Sets the loops' variables to their values in iteration `at` of the nest. `counts`: their trip counts. */
  begun(headers: readonly LoopHeader[], counts: readonly Symbol[], at: Expr): Stmt[] {
    const values = valuesInNest(
      headers,
      counts.map((n) => ident(n)),
      at,
    );
    return headers.map((h, k) => exprStmt(assign(this.of(h.var), itemAt(values, k))));
  }

  /** Lanes beyond the last row repeat it, so that they can compute along with the others. */
  clamped(rows: Expr): Expr {
    return cond(ident(this.isTaken), ident(this.number), binary("-", rows, intLit(1, LONG)));
  }

  /** A declaration as assignments. */
  assigned(s: Stmt): Stmt[] {
    if (s.kind !== "decl") return [this.renamed(s)];
    return s.decls.flatMap(({ sym, init }) => {
      const own = this.add(sym);
      return init?.kind === "expr" ? [this.renamed(exprStmt(assign(ident(own), init.expr)))] : [];
    });
  }

  /** The lane's part of each sum. */
  ownSums({ reductions }: SharedLoop): Stmt[] {
    return reductions.map(({ op, sym }) => {
      const lane = freshSymbol(`${sym.name}_lane${this.suffix}`, unqualified(sym.type));
      this.lane.set(sym, lane);
      return declare(lane, identity(op, sym.type));
    });
  }

  laneOf(sym: Symbol): Symbol {
    return entryOf(this.lane, sym);
  }

  declarations(): Stmt[] {
    return [...this.own.values()].map((sym) => declare(sym));
  }

  renamed(s: Stmt): Stmt {
    return substitute(s, this.names());
  }

  renamedExpr(e: Expr): Expr {
    return substituteExpr(e, this.names());
  }

  names(): Map<Symbol, Expr> {
    return new Map([...this.own].map(([from, to]) => [from, ident(to)]));
  }
}
