/** Values that are the same in all lanes of a loop, and code that all of them run alike. */
import { rootOf, type Uses, usesOf } from "../../../core/ir/analysis/access.ts";
import { isVolatile } from "../../../core/ir/analysis/purity.ts";
import type { Loop } from "../../../core/ir/model/ir.ts";
import { isPointer, walkExpr, walkStmt } from "../../../core/lang/index.ts";
import type { Expr, Init, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";

type Iterated = Extract<Stmt, { kind: "for" | "while" | "do" }>;

export class Uniform {
  private readonly varying: Set<Symbol>;
  /** Loops whose iterations lanes leave at different places. */
  private readonly divergent = new Set<Stmt>();
  private readonly uses: Uses;
  private readonly changes: (sym: Symbol) => boolean;
  private grown = false;

  /** `body`: what the lanes run, of plain statements only. `changes`: whether the region stores elements of an array. */
  constructor({ headers, privates }: Loop, body: Stmt, changes: (sym: Symbol) => boolean) {
    this.changes = changes;
    this.uses = usesOf(body);
    const { of, declared } = this.uses;
    const own = new Set([...declared, ...privates]);
    const others = [...of].flatMap(([sym, use]) => (use.written && !own.has(sym) ? [sym] : []));
    this.varying = new Set([...headers.map((h) => h.var), ...others]);
    do {
      this.grown = false;
      this.visit(body, false, undefined);
    } while (this.grown);
  }

  /** Whether an expression has the same value in all lanes that run it. */
  isSame(e: Expr): boolean {
    let same = true;
    walkExpr(e, {
      expr: (x) => {
        if (x.kind === "ident") same &&= !this.varying.has(x.sym);
        else if (x.kind === "stmt-expr" || isVolatile(x.type)) same = false;
        else if (x.kind === "index" || x.kind === "member" || (x.kind === "unary" && x.op === "*"))
          same &&= this.isFixed(x);
      },
    });
    return same;
  }

  /** Whether lanes that run a loop together have the same iterations. */
  isLoopAlike(s: Iterated): boolean {
    return !this.divergent.has(s) && (s.test === undefined || this.isSame(s.test));
  }

  /** An object whose elements do not change, or one of the lane's own. */
  private isFixed(e: Expr): boolean {
    const root = rootOf(e)?.sym;
    if (!root) return false;
    return this.uses.declared.has(root) ? !isPointer(root.type) : !this.changes(root);
  }

  private add(sym: Symbol): void {
    if (this.varying.has(sym)) return;
    this.varying.add(sym);
    this.grown = true;
  }

  private leave(loop: Stmt | undefined): void {
    if (!loop || this.divergent.has(loop)) return;
    this.divergent.add(loop);
    this.grown = true;
  }

  private visit(s: Stmt, apart: boolean, around: Iterated | undefined): void {
    switch (s.kind) {
      case "compound":
        for (const child of s.body) this.visit(child, apart, around);
        return;
      case "decl":
        for (const { sym, init } of s.decls) {
          if (!init) continue;
          const values = valuesOf(init);
          for (const e of values) this.effects(e, apart);
          if (apart || !values.every((e) => this.isSame(e))) this.add(sym);
        }
        return;
      case "expr":
        if (s.expr) this.effects(s.expr, apart);
        return;
      case "if": {
        this.effects(s.test, apart);
        const branches = apart || !this.isSame(s.test);
        this.visit(s.then, branches, around);
        if (s.else) this.visit(s.else, branches, around);
        return;
      }
      case "for":
      case "while":
      case "do": {
        if (s.kind === "for" && s.init)
          s.init.kind === "decl" ? this.visit(s.init, apart, around) : this.effects(s.init, apart);
        const inside = apart || !this.isLoopAlike(s);
        if (s.test) this.effects(s.test, inside);
        this.visit(s.body, inside, s);
        if (s.kind === "for" && s.step) this.effects(s.step, inside);
        return;
      }
      case "break":
      case "continue":
        if (apart) this.leave(around);
        return;
      default:
        // What else there may be is run in any way.
        walkStmt(s, {
          stmt: (child) => {
            if (child.kind === "break" || child.kind === "continue") this.leave(around);
            for (const d of child.kind === "decl" ? child.decls : []) this.add(d.sym);
          },
          expr: (e) => this.effects(e, true),
        });
    }
  }

  private effects(e: Expr, apart: boolean): void {
    walkExpr(e, {
      expr: (x) => {
        const target =
          x.kind === "assign"
            ? x.left
            : x.kind === "incdec" || (x.kind === "unary" && x.op === "&")
              ? x.arg
              : undefined;
        const root = target && rootOf(target)?.sym;
        if (!root || !target) return;
        const value = x.kind === "assign" ? this.isSame(x.right) : x.kind === "incdec";
        const place = target.kind === "ident" || this.isSame(target);
        if (apart || !value || !place) this.add(root);
      },
    });
  }
}

const valuesOf = (init: Init): readonly Expr[] =>
  init.kind === "expr" ? [init.expr] : init.items.flatMap((it) => valuesOf(it.init));
