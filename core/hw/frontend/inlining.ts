/**
 * Moves calls of functions that contain loops, or take or return structs, into statements before the one that calls:
 *
 *     y = a + f(x);   =>   { p = x; …; result = r; } y = a + result;
 *
 * so that loops become steps of the hardware and structs can be split. The same is done for calls that receive a
 * pointer to a local variable, into a local array, or null: it becomes a variable of the kernel, about which more is
 * known than about a parameter. Calls that receive whole local arrays and only access elements, and other calls, stay
 * in their expressions.
 */
import { itemAt } from "../../checked/access.ts";
import { leavesEarly, withoutContinue } from "../../ir/analysis/control.ts";
import { calleeOf } from "../../ir/analysis/pointer-flow.ts";
import { withoutReturns } from "../../ir/analysis/returns.ts";
import {
  canonical,
  evaluateInteger,
  INT,
  isPointer,
  mapStmt,
  substitute,
  walkStmt,
} from "../../lang/index.ts";
import type { Declarator, Expr, ForStmt, Init, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  decayed,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  unary,
} from "../../lang/tree/build.ts";
import { Unsupported } from "../dfg/region.ts";
import { type Call, CallsToInline, isRecord } from "./calls-to-inline.ts";
import type { LoopStmt } from "./iterations.ts";
import { needsInnerLoop, reachingItsEnd } from "./leaving.ts";
import { isLocal, PointsTo } from "./pointers/points-to.ts";
import { unsupportedStatement } from "./scope/refusals.ts";
import type { InlineFunction } from "./scope/signature.ts";
import { assigned, stripped } from "./scope/syntax.ts";

/** `isOwn`: whether a symbol is a variable of the kernel, but not a parameter. */
export function withCallsInlined(
  body: readonly Stmt[],
  functions: ReadonlyMap<Symbol, InlineFunction>,
  isOwn: (sym: Symbol) => boolean,
): readonly Stmt[] {
  const inliner = new Inliner(functions, isOwn);
  inliner.pointsTo.learn([...body, ...[...functions.values()].map((f) => f.body)]);
  return body.map((s) => inliner.run(s));
}

class Inliner {
  /** Points-to information for the code so far. */
  readonly pointsTo: PointsTo;
  private readonly calls: CallsToInline;
  /** Variables that replace a function's parameters; shared, as calls do not overlap. */
  private readonly variables = new Map<Symbol, Symbol>();

  constructor(functions: ReadonlyMap<Symbol, InlineFunction>, isOwn: (sym: Symbol) => boolean) {
    this.pointsTo = new PointsTo(isOwn);
    this.calls = new CallsToInline(functions, isOwn, this.pointsTo);
  }

  run(s: Stmt): Stmt {
    return mapStmt(s, { stmt: (child) => this.statement(child) });
  }

  // ---------------------------------------------------------------- statements, whose parts are done

  private statement(s: Stmt): Stmt | readonly Stmt[] {
    const before: Stmt[] = [];
    const rebuilt = this.rebuilt(s, before);
    return before.length === 0 ? rebuilt : [...before, rebuilt];
  }

  private rebuilt(s: Stmt, before: Stmt[]): Stmt {
    switch (s.kind) {
      case "expr": {
        if (!s.expr || !this.calls.holds(s.expr)) return s;
        const expr = this.lifted(s.expr, before, true);
        return { ...s, expr };
      }
      case "return":
        return s.value && this.calls.holds(s.value) ? { ...s, value: this.lifted(s.value, before) } : s;
      case "if":
      case "switch":
        return this.calls.holds(s.test) ? { ...s, test: this.lifted(s.test, before) } : s;
      case "decl":
        return this.declaration(s, before);
      case "while":
        return this.calls.holds(s.test) ? { ...s, test: intLit(1), body: this.tested(s.test, s.body) } : s;
      case "do": {
        if (!this.calls.holds(s.test)) return s;
        const repeats = freshSymbol("arc_again", INT);
        const testing: Stmt[] = [];
        const test = binary("!=", this.lifted(s.test, testing), intLit(0));
        before.push(declare(repeats, undefined, s.span));
        testing.push(exprStmt(assign(ident(repeats), test)));
        return { ...s, body: followed(s, testing), test: ident(repeats) };
      }
      case "for":
        return this.countedLoop(s, before);
      default:
        return s;
    }
  }

  /** Splits a declaration so that each declarator comes after its calls. */
  private declaration(s: Stmt & { readonly kind: "decl" }, before: Stmt[]): Stmt {
    let decls: Declarator[] = [];
    for (const one of s.decls) {
      const calls: Stmt[] = [];
      const init = one.init && this.initialiser(one.init, calls);
      if (calls.length > 0 && decls.length > 0) {
        before.push({ ...s, decls });
        decls = [];
      }
      before.push(...calls);
      decls.push(init ? { ...one, init } : one);
    }
    return { ...s, decls };
  }

  private initialiser(init: Init, before: Stmt[]): Init {
    if (init.kind === "expr") return { ...init, expr: this.lifted(init.expr, before) };
    return {
      ...init,
      items: init.items.map((item) => ({ ...item, init: this.initialiser(item.init, before) })),
    };
  }

  private countedLoop(s: ForStmt, before: Stmt[]): Stmt {
    let { init } = s;
    if (init?.kind === "decl") init = this.declaration(init, before) as typeof init;
    else if (init && this.calls.holds(init)) init = this.lifted(init, before);
    const withInit: ForStmt = this.stepping(init === s.init ? s : ({ ...s, init } as ForStmt));
    if (!s.test || !this.calls.holds(s.test)) return withInit;
    const { test, ...untested } = withInit;
    return { ...untested, body: this.tested(test as Expr, withInit.body) };
  }

  /** Moves a step with calls to the end of the loop's body. */
  private stepping(s: ForStmt): ForStmt {
    const { step, ...rest } = s;
    if (!step || !this.calls.holds(step)) return s;
    const calls: Stmt[] = [];
    const last = exprStmt(this.lifted(step, calls, true));
    return { ...rest, body: followed(s, [...calls, last]) };
  }

  /** The body of a loop with its condition tested at the start. */
  private tested(test: Expr, body: Stmt): Stmt {
    const calls: Stmt[] = [];
    const ends = unary("!", this.lifted(test, calls));
    return compound([...calls, ifStmt(ends, { kind: "break", span: test.span }), body], body.span);
  }

  // ---------------------------------------------------------------- expressions

  /** The expression without the calls, which become statements in `before`; `discarded`: its value is not used. */
  private lifted(e: Expr, before: Stmt[], discarded = false): Expr {
    if (!this.calls.holds(e)) return e;
    const inner = (part: Expr) => this.lifted(part, before);
    switch (e.kind) {
      case "call": {
        const inlinedCall: Call = { ...e, args: e.args.map(inner) };
        const of = this.calls.called(e);
        return of ? this.inlined(of, inlinedCall, before, discarded) : inlinedCall;
      }
      case "compound": {
        const literal = freshSymbol("arc_literal", e.of);
        const decls = [{ sym: literal, init: e.init, span: e.span }];
        before.push({ kind: "decl", decls, defines: [], span: e.span });
        return ident(literal, e.span);
      }
      case "cond":
        return this.conditional(e, before);
      case "binary":
        return (e.op === "&&" || e.op === "||") && this.calls.holds(e.right)
          ? this.shortened(e, before)
          : { ...e, left: inner(e.left), right: inner(e.right) };
      case "comma":
        if (!this.calls.holds(e.right)) return { ...e, left: inner(e.left) };
        before.push(exprStmt(this.lifted(e.left, before, true)));
        return inner(e.right);
      case "assign":
        return { ...e, left: inner(e.left), right: inner(e.right) };
      case "unary":
      case "incdec":
      case "cast":
        return { ...e, arg: inner(e.arg) };
      case "index":
        return { ...e, base: inner(e.base), index: inner(e.index) };
      case "member":
        return { ...e, base: inner(e.base) };
      default:
        return e;
    }
  }

  private conditional(e: Expr & { readonly kind: "cond" }, before: Stmt[]): Expr {
    const { then } = e;
    if (!then || !(isRecord(e) || this.calls.holds(then) || this.calls.holds(e.else)))
      return { ...e, test: this.lifted(e.test, before) };
    const isVoid = canonical(e.type).kind === "void";
    const result = freshSymbol("arc_chosen", e.type);
    const arm = (of: Expr): Stmt => {
      const list: Stmt[] = [];
      const value = this.lifted(of, list, isVoid);
      return compound([...list, exprStmt(isVoid ? value : assign(ident(result), value))]);
    };
    const test = this.lifted(e.test, before);
    if (!isVoid) before.push(declare(result, undefined, e.span));
    before.push(ifStmt(test, arm(then), arm(e.else)));
    return isVoid ? intLit(0) : ident(result, e.span);
  }

  /** `a && f(x)`: the call happens only if the left side requires it. */
  private shortened(e: Expr & { readonly kind: "binary" }, before: Stmt[]): Expr {
    const holds = freshSymbol("arc_holds", INT);
    const isAnd = e.op === "&&";
    const left = this.lifted(e.left, before);
    before.push(declare(holds, intLit(isAnd ? 0 : 1)));
    const list: Stmt[] = [];
    const right = binary("!=", this.lifted(e.right, list), intLit(0));
    list.push(exprStmt(assign(ident(holds), right)));
    before.push(ifStmt(isAnd ? left : unary("!", left), compound(list)));
    return ident(holds, e.span);
  }

  // ---------------------------------------------------------------- calls

  private inlined({ parameters, body }: InlineFunction, e: Call, before: Stmt[], discarded: boolean): Expr {
    const name = calleeOf(e)?.name ?? "arc";
    const isVoid = canonical(e.type).kind === "void";
    const result = isVoid || discarded ? undefined : freshSymbol(`${name}_result`, e.type);
    const plain = withoutReturns(body, result, freshSymbol(`${name}_returned`, INT));
    if (!plain) throw jumpIn(body) ?? returnInIdiom(name, e.span.start);
    const bound = new Map<Symbol, Expr>();
    const changed = assigned(body);
    parameters.forEach((p, k) => {
      const argument = itemAt(e.args, k);
      const array = this.calls.localArray(argument);
      const known = array ? decayed(array) : this.calls.localAddress(argument);
      const leads = isPointer(p.type) && isLocal(this.pointsTo.pointer(argument));
      const fresh = leads ? freshSymbol(p.name, p.type) : undefined;
      const variable = known && !changed.has(p) ? undefined : (fresh ?? this.variableOf(p));
      bound.set(p, variable ? ident(variable) : (known as Expr));
      if (!variable) return;
      const declared = declare(variable, argument);
      if (leads) this.pointsTo.learn([declared]);
      before.push(declared);
    });
    if (result) before.push(declare(result, undefined, e.span));
    const inlinedBody = withoutAddresses(substitute(plain, bound));
    this.pointsTo.learn([inlinedBody]);
    before.push(this.run(inlinedBody));
    return result ? ident(result, e.span) : intLit(0);
  }

  private variableOf(p: Symbol): Symbol {
    const known = this.variables.get(p) ?? freshSymbol(p.name, p.type);
    this.variables.set(p, known);
    return known;
  }
}

/** The body of a loop, followed by code for each iteration that continues. */
function followed(s: LoopStmt, next: readonly Stmt[]): Stmt {
  if (!leavesEarly(s.body) || !needsInnerLoop(s.body))
    return compound([withoutContinue(s.body), ...next], s.body.span);
  const hasEnded = freshSymbol("arc_ended", INT);
  const leaves: Stmt = { kind: "break", span: s.body.span };
  const body = reachingItsEnd(s, hasEnded);
  return compound(
    [declare(hasEnded, intLit(0)), body, ifStmt(ident(hasEnded), leaves), ...next],
    s.body.span,
  );
}

/** Replaces `*&x`, `(&x)->a` and `(&x)[0]` by `x` and `x.a`. */
function withoutAddresses(s: Stmt): Stmt {
  const target = (pointer: Expr): Expr | undefined => {
    const bare = stripped(pointer);
    return bare.kind === "unary" && bare.op === "&" ? bare.arg : undefined;
  };
  return mapStmt(s, {
    expr(e) {
      if (e.kind === "unary" && e.op === "*") return target(e.arg) ?? e;
      if (e.kind === "index") return (evaluateInteger(e.index) === 0n && target(e.base)) || e;
      const of = e.kind === "member" && e.arrow ? target(e.base) : undefined;
      return of && e.kind === "member" ? { ...e, base: of, arrow: false } : e;
    },
  });
}

/** The diagnostic is at the jump itself. */
function jumpIn(body: Stmt): Unsupported | undefined {
  let firstFound: Stmt | undefined;
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "goto" || s.kind === "label") firstFound ??= s;
    },
  });
  return firstFound && unsupportedStatement(firstFound.kind, firstFound.span.start);
}

function returnInIdiom(name: string, at: Loc): Unsupported {
  return new Unsupported(
    "no-hardware",
    at,
    `'${name}' returns out of a delay line or a reduction, and cannot stay in its expression`,
    "functions with loops, structs or addresses of local variables become statements, which end at their end",
    "set a variable there and return it afterwards",
  );
}
