/** Recognises reductions: variables that a loop only combines with further values. */

import { canonical, printExpr, sizeOf, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { evaluate } from "../../lang/tree/constant-evaluation.ts";
import type { ReductionOp } from "../model/ir.ts";
import { pureReads } from "./purity.ts";

interface ReductionUse {
  /** The operator, if all combinations use the same one. */
  readonly op?: ReductionOp;
  /** The first use that is not a combination, or that uses another operator. */
  readonly other?: Expr;
  /** A whole number that `max` or `min` compares, and that may lose bits when it is stored. */
  readonly narrowed?: Expr;
  /** A floating-point number that a clause's reduction combines with a whole one: each step cuts off what is behind the point. */
  readonly cut?: Expr;
}

/**
 * How `body` uses `sym`: `s += e`, `s = e * s`, `s = fmax(s, e)`, `s = e > s ? e : s`, `if (e > s) s = e`,
 * `if (c && e > s) s = e`.
 */
export function reductionUse(body: Stmt, sym: Symbol): ReductionUse {
  return new Recogniser(sym).run(body);
}

/**
 * The same where a clause says by which operator. It vouches for what is not looked into: that values which are converted
 * when they are stored fit (`short s; if (i < s) s = i`), and what `s = f(s, e)` and `s = c ? f(s, e) : s` compute. And
 * it may be a flag: `if (c) s = 1`.
 */
export function statedReductionUse(body: Stmt, sym: Symbol, op: ReductionOp): ReductionUse {
  return new Recogniser(sym, op).run(body);
}

interface ScanUse {
  /** The operator of every change, if each combines the variable with further values, by the same one. */
  readonly op?: ReductionOp;
  /** Where the variable is read besides: what makes a reduction a scan. */
  readonly reads: readonly Expr[];
  /** The assignments that combine. */
  readonly steps: readonly Expr[];
}

/** How `body` uses `sym`, which it may read between the combinations that `reductionUse` knows. */
export function scanUse(body: Stmt, sym: Symbol): ScanUse {
  return new Recogniser(sym).scan(body);
}

const compound: Readonly<Record<string, ReductionOp>> = {
  "+=": "+",
  "-=": "+",
  "*=": "*",
  "&=": "&",
  "|=": "|",
  "^=": "^",
};
const binary: ReadonlySet<string> = new Set(["+", "*", "&", "|", "^", "&&", "||"]);

type Assignment = Expr & { readonly kind: "assign" };

class Recogniser {
  private readonly sym: Symbol;
  private readonly stated: ReductionOp | undefined;
  private op: ReductionOp | undefined;
  private other: Expr | undefined;
  /** How often each use is part of a combination: trees may share one node between several uses. */
  private readonly accounted = new Map<Expr, number>();
  private readonly steps: Expr[] = [];
  private narrowed: Expr | undefined;
  private cut: Expr | undefined;
  /** Assignments of constants to a flag. */
  private readonly raised: Assignment[] = [];

  constructor(sym: Symbol, stated?: ReductionOp) {
    this.sym = sym;
    this.stated = stated;
  }

  run(body: Stmt): ReductionUse {
    this.combinations(body);
    this.flags();
    for (const e of this.besides(body)) this.other ??= e;
    return {
      ...(this.op && !this.other && { op: this.op }),
      ...(this.other && { other: this.other }),
      ...(this.narrowed && { narrowed: this.narrowed }),
      ...(this.cut && { cut: this.cut }),
    };
  }

  scan(body: Stmt): ScanUse {
    this.combinations(body);
    const reads = this.besides(body);
    const steps = new Set(this.steps);
    let changed = this.other !== undefined;
    walkStmt(body, {
      expr: (e) => {
        const of =
          e.kind === "assign" ? e.left : e.kind === "incdec" || e.kind === "unary" ? e.arg : undefined;
        const target = of && (e.kind !== "unary" || e.op === "&") ? this.isSym(of) : undefined;
        changed ||= target !== undefined && !steps.has(e);
      },
    });
    return { ...(this.op && !changed && { op: this.op }), reads, steps: this.steps };
  }

  private combinations(body: Stmt): void {
    walkStmt(body, {
      stmt: (s) => {
        if (s.kind === "expr" && s.expr) this.expression(s.expr);
        if (s.kind === "if" && !s.else) this.conditional(s.test, s.then);
        if (s.kind === "for" && s.step) this.expression(s.step);
      },
    });
  }

  /** Uses of the variable outside combinations. */
  private besides(body: Stmt): readonly Expr[] {
    const found: Expr[] = [];
    const left = new Map(this.accounted);
    walkStmt(body, {
      expr: (e) => {
        if (e.kind !== "ident" || e.sym !== this.sym) return;
        const times = left.get(e) ?? 0;
        if (times > 0) left.set(e, times - 1);
        else found.push(e);
      },
    });
    return found;
  }

  private found(op: ReductionOp, idents: readonly Expr[], step: Expr): void {
    if (this.op !== undefined && this.op !== op) {
      this.other ??= idents[0];
      return;
    }
    this.op = op;
    this.vouch(step, idents);
  }

  /** The variable itself, possibly under conversions that lose nothing. */
  private isSym(e: Expr): Expr | undefined {
    const inner = stripImplicit(e);
    return inner.kind === "ident" && inner.sym === this.sym ? inner : undefined;
  }

  private free(e: Expr): boolean {
    let found = false;
    walkExpr(e, {
      expr: (inner) => {
        if (inner.kind === "ident" && inner.sym === this.sym) found = true;
        return !found;
      },
    });
    return !found;
  }

  private expression(e: Expr): void {
    if (e.kind === "comma") {
      this.expression(e.left);
      this.expression(e.right);
      return;
    }
    if (e.kind === "incdec") {
      const target = this.isSym(e.arg);
      if (target) this.found("+", [target], e);
      return;
    }
    if (e.kind !== "assign") return;
    const target = this.isSym(e.left);
    if (!target) return;
    const op = compound[e.op];
    if (op && this.free(e.right) && this.exact(e.right, op)) this.found(op, [target], e);
    if (e.op !== "=") return;
    const value = this.combination(e.right);
    if (value) this.found(value.op, [target, ...value.idents], e);
    else if (evaluate(e.right) !== undefined) this.raised.push(e);
    else if (this.stated && this.isVouched(e.right)) this.vouch(e, [target, ...this.identsIn(e.right)]);
  }

  /** A value of `s` that a clause vouches for: what a call or a block makes of it, chosen or not by a comparison. */
  private isVouched(value: Expr): boolean {
    const e = stripImplicit(value);
    if (e.kind === "cast") return this.isVouched(e.arg);
    if (e.kind === "cond" && e.then) return [e.then, e.else].every((v) => this.isVouched(v) || this.free(v));
    return e.kind === "call" || e.kind === "stmt-expr" || this.isSym(e) !== undefined;
  }

  /** It does not matter how often iterations assign one constant, nor whose copies have it. */
  private flags(): void {
    const [first] = this.raised;
    if (!first || !this.stated) return;
    const value = evaluate(first.right);
    const alike = this.raised.every(({ right }) => evaluate(right) === value);
    if (alike && this.isFlagOf(this.stated, Number(value) !== 0))
      for (const { left } of this.raised) this.account(stripImplicit(left));
  }

  private isFlagOf(op: ReductionOp, raised: boolean): boolean {
    if (op === "||" || op === "&&") return raised === (op === "||");
    return ["max", "min", "|", "&"].includes(op) && this.steps.length === 0;
  }

  private vouch(step: Expr, idents: readonly Expr[]): void {
    this.steps.push(step);
    for (const e of idents) this.account(e);
  }

  private account(e: Expr): void {
    this.accounted.set(e, (this.accounted.get(e) ?? 0) + 1);
  }

  private identsIn(value: Expr): readonly Expr[] {
    const found: Expr[] = [];
    walkExpr(value, {
      expr: (e) => {
        if (e.kind === "ident" && e.sym === this.sym) found.push(e);
      },
    });
    return found;
  }

  /**
   * The combination must not convert: `int s; s += 0.5` truncates after every step. The largest of whole numbers is the
   * same whether it is cut off before or after.
   */
  private exact(e: Expr, op: ReductionOp): boolean {
    const own = canonical(this.sym.type);
    const value = canonical(stripImplicit(e).type);
    const integer = own.kind === "int" || own.kind === "enum";
    if (integer && value.kind !== "int" && value.kind !== "enum") {
      if (op === "&&" || op === "||") return true;
      if (op !== this.stated || value.kind !== "float" || op === "max" || op === "min") return false;
      this.cut ??= stripImplicit(e);
      return true;
    }
    if (op !== "max" && op !== "min") return true;
    // A narrower variable would store a different value than the one compared.
    const fits = (sizeOf(stripImplicit(e).type) ?? 0) <= (sizeOf(this.sym.type) ?? 0) || !integer;
    if (!fits) this.noteNarrowed(e);
    return fits || this.stated !== undefined;
  }

  /** C computes in int what fits a narrower variable, so that only wider types are worth a word. */
  private noteNarrowed(e: Expr): void {
    const inner = stripImplicit(e);
    const bytes = sizeOf(inner.type) ?? 0;
    if (canonical(inner.type).kind !== "int" || evaluate(inner) !== undefined) return;
    if (bytes > INT_BYTES && bytes > (sizeOf(this.sym.type) ?? 0)) this.narrowed ??= inner;
  }

  /** The right side of `s = ...`. */
  private combination(right: Expr): { op: ReductionOp; idents: readonly Expr[] } | undefined {
    const e = stripImplicit(right);
    if (e.kind === "cast")
      return canonical(e.to).kind === canonical(this.sym.type).kind ? this.combination(e.arg) : undefined;
    if (e.kind === "cond" && e.then) return this.choice(e.test, e.then, e.else);
    if (e.kind === "call") return this.extremeCall(e);
    if (e.kind !== "binary") return undefined;
    if (e.op === "+" || e.op === "-") {
      const found = this.inSum(e);
      return found && { op: "+", idents: [found] };
    }
    if (!binary.has(e.op)) return undefined;
    const op = e.op as ReductionOp;
    const chain = this.inChain(e, op);
    return chain && { op, idents: [chain] };
  }

  /** The only `s` in a sum; it must be added, not subtracted. */
  private inSum(e: Expr): Expr | undefined {
    const inner = stripImplicit(e);
    const self = this.isSym(inner);
    if (self || inner.kind !== "binary" || (inner.op !== "+" && inner.op !== "-")) return self;
    if (this.free(inner.right)) return this.exact(inner.right, "+") ? this.inSum(inner.left) : undefined;
    if (inner.op === "-" || !this.free(inner.left)) return undefined;
    return this.exact(inner.left, "+") ? this.inSum(inner.right) : undefined;
  }

  /** The only `s` of `s op a op b`. */
  private inChain(e: Expr, op: ReductionOp): Expr | undefined {
    const inner = stripImplicit(e);
    const self = this.isSym(inner);
    if (self || inner.kind !== "binary" || inner.op !== op) return self;
    const [one, two] = this.free(inner.right) ? [inner.left, inner.right] : [inner.right, inner.left];
    return this.free(two) && this.exact(two, op) ? this.inChain(one, op) : undefined;
  }

  /** fmax(s, e), fminf(e, s) */
  private extremeCall(
    e: Expr & { readonly kind: "call" },
  ): { op: ReductionOp; idents: readonly Expr[] } | undefined {
    const callee = stripImplicit(e.callee);
    const name = callee.kind === "ident" && !callee.sym.definition ? callee.sym.name : "";
    const op = /^fmax[fl]?$/.test(name) ? "max" : /^fmin[fl]?$/.test(name) ? "min" : undefined;
    const [a, b] = e.args;
    if (!op || !a || !b) return undefined;
    const [self, value] = this.isSym(a) ? [this.isSym(a), b] : [this.isSym(b), a];
    return self && this.free(value) && this.exact(value, op) ? { op, idents: [self] } : undefined;
  }

  /** s = e > s ? e : s and its mirror images */
  private choice(
    test: Expr,
    then: Expr,
    otherwise: Expr,
  ): { op: ReductionOp; idents: readonly Expr[] } | undefined {
    const unchanged = this.isSym(otherwise);
    const [self, value] = unchanged ? [unchanged, then] : [this.isSym(then), otherwise];
    const compared = self && this.comparison(test, value);
    if (!self || !compared) return undefined;
    // `s > e ? s : e` keeps s if the comparison holds.
    const op = unchanged ? compared.op : compared.op === "max" ? "min" : "max";
    return { op, idents: [self, compared.ident] };
  }

  /** if (e > s) s = e; if (c && e > s) s = e; */
  private conditional(test: Expr, then: Stmt): void {
    const [only] = then.kind === "compound" && then.body.length === 1 ? then.body : [then];
    const e = only?.kind === "expr" ? only.expr : undefined;
    const target = e?.kind === "assign" && e.op === "=" ? this.isSym(e.left) : undefined;
    if (e?.kind !== "assign" || !target) return;
    const compared = this.guarded(test, e.right);
    if (compared) this.found(compared.op, [target, compared.ident], e);
  }

  /** A comparison under conditions that do not depend on `s`. */
  private guarded(test: Expr, value: Expr): { op: "max" | "min"; ident: Expr } | undefined {
    const e = stripImplicit(test);
    if (e.kind !== "binary" || e.op !== "&&") return this.comparison(test, value);
    if (this.free(e.left)) return this.guarded(e.right, value);
    // How often the code after the comparison runs depends on `s`.
    return this.free(e.right) && repeatable(e.right) ? this.guarded(e.left, value) : undefined;
  }

  /** A comparison of `s` with `value`, and the operator that assigning `value` if it holds amounts to. */
  private comparison(test: Expr, value: Expr): { op: "max" | "min"; ident: Expr } | undefined {
    const e = stripImplicit(test);
    if (e.kind !== "binary" || !["<", "<=", ">", ">="].includes(e.op)) return undefined;
    const onLeft = this.isSym(e.left);
    const ident = onLeft ?? this.isSym(e.right);
    const compared = onLeft ? e.right : e.left;
    if (!ident || !this.free(value)) return undefined;
    if (this.form(compared) !== this.form(value)) {
      if (printExpr(withoutCasts(compared)) === printExpr(withoutCasts(value))) this.noteNarrowed(compared);
      return undefined;
    }
    const greater = onLeft ? e.op.startsWith("<") : e.op.startsWith(">");
    const op = greater ? "max" : "min";
    return this.exact(value, op) && repeatable(value) ? { op, ident } : undefined;
  }

  /** The text of a value, without conversions to the variable's type if all values fit it. */
  private form(value: Expr): string {
    const e = stripImplicit(value);
    const converted =
      this.stated !== undefined && e.kind === "cast" && canonical(e.to) === canonical(this.sym.type);
    return converted ? this.form(e.arg) : printExpr(e);
  }
}

const INT_BYTES = 4;

function withoutCasts(value: Expr): Expr {
  const e = stripImplicit(value);
  return e.kind === "cast" ? withoutCasts(e.arg) : e;
}

/** Evaluating it twice gives the same value and has no effects. */
function repeatable(e: Expr): boolean {
  let found = true;
  walkExpr(e, {
    expr: (inner) => {
      if (
        inner.kind === "assign" ||
        inner.kind === "incdec" ||
        (inner.kind === "call" && !isRepeatable(inner.callee)) ||
        inner.kind === "stmt-expr"
      )
        found = false;
    },
  });
  return found;
}

/** A function whose value its arguments alone decide. */
function isRepeatable(callee: Expr): boolean {
  const e = stripImplicit(callee);
  const reads = e.kind === "ident" ? pureReads(e.sym) : undefined;
  return reads !== undefined && reads.globals.size === 0 && !reads.pointees;
}
