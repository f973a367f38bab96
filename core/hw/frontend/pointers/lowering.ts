/**
 * Represents pointers to variables of the kernel by numbers: the offset into the object, and the object's number if
 * there are several.
 *
 *     int *p = c ? &t[i] : &x;   p++;   *p = 1;
 *       =>   c ? (p_of = 0, p_at = i) : (p_of = 1, p_at = 0);   p_at++;   p_of == 0 ? (t[p_at] = 1) : (x = 1);
 */

import { lastOf } from "../../../checked/access.ts";
import { mapTuple } from "../../../checked/tuples.ts";
import { hasEffects } from "../../../ir/analysis/purity.ts";
import { canonical, isArray, isPointer, mapStmt, walkStmt } from "../../../lang/index.ts";
import type { Declarator, Designator, Expr, Init, Span, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  addressOf,
  assign,
  binary,
  compound,
  convert,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  unary,
} from "../../../lang/tree/build.ts";
import { elementsIn, innermost } from "../scope/extents.ts";
import { elementsOf } from "../scope/initialisers.ts";
import { unsupportedExpression } from "../scope/refusals.ts";
import { pure, stripped } from "../scope/syntax.ts";
import { after, choice, compared, lvalueAt, lvalues, truthOf, valueAfter } from "./expressions.ts";
import { isLocal, type Pointer, PointsTo } from "./points-to.ts";
import { PointerVariables, type Slot } from "./variables.ts";

/** Requires explicit initialisers; `isObject`: whether a symbol is a variable of the kernel. */
export function withoutLocalPointers(
  body: readonly Stmt[],
  isObject: (sym: Symbol) => boolean,
): readonly Stmt[] {
  const pointsTo = new PointsTo(isObject);
  pointsTo.learn(body);
  const lowered = new Lowering(pointsTo).run(compound(body));
  return lowered.kind === "compound" ? lowered.body : [lowered];
}

class Lowering {
  private readonly pointsTo: PointsTo;
  private readonly variables = new PointerVariables((name, e) => this.temporary(name, e));
  /** Temporaries of the current statement. */
  private temporaries: Symbol[] = [];

  constructor(pointsTo: PointsTo) {
    this.pointsTo = pointsTo.reading((p, known, at) => this.variables.value({ p, known, at }));
  }

  run(s: Stmt): Stmt {
    const rewritten = mapStmt(mapStmt(s, { stmt: unread }), {
      expr: (e) => this.expression(e),
      stmt: (child) => {
        const loweredChild = this.statement(child);
        const declarations = this.temporaries.map((t) => declare(t, undefined, child.span));
        this.temporaries = [];
        return declarations.length === 0 ? loweredChild : [...declarations, ...[loweredChild].flat()];
      },
    });
    walkStmt(rewritten, {
      expr: (e) => {
        if (e.kind === "ident" && this.pointsTo.of(e.sym))
          throw unsupportedExpression("the address of a variable in a register", e.span.start);
      },
    });
    return rewritten;
  }

  private temporary(name: string, e: Expr): { readonly first: Expr; readonly value: Expr } {
    const sym = freshSymbol(`${name}_now`, e.type);
    this.temporaries.push(sym);
    return { first: assign(ident(sym), e), value: ident(sym) };
  }

  // ---------------------------------------------------------------- expressions, whose parts are done

  private expression(e: Expr): Expr {
    switch (e.kind) {
      case "index":
      case "member":
        return this.reached(e);
      case "unary":
        if (e.op === "*") return this.reached(e);
        return e.op === "!" ? unary("!", this.truth(e.arg), e.span) : e;
      case "binary":
        return this.binary(e);
      case "cond":
        return { ...e, test: this.truth(e.test) };
      case "assign":
        return this.assigned(e);
      case "incdec":
        return this.stepped(e);
      case "call":
        return { ...e, args: e.args.map((arg) => this.argument(arg)) };
      default:
        return e;
    }
  }

  /** The lvalue that a pointer leads to. An array stays an array until an element is taken. */
  private reached(e: Expr): Expr {
    if (canonical(e.type).kind === "array" || !this.isThrough(e)) return e;
    return lvalues(this.pointsTo.lvalue(e), e);
  }

  /** Whether the access path contains a pointer to a variable. */
  private isThrough(e: Expr): boolean {
    switch (e.kind) {
      case "cond":
      case "comma":
        return true;
      case "index": {
        const base = stripped(e.base);
        return canonical(base.type).kind === "array"
          ? this.isThrough(base)
          : isLocal(this.pointsTo.pointer(e.base));
      }
      case "member":
        return e.arrow ? isLocal(this.pointsTo.pointer(e.base)) : this.isThrough(e.base);
      case "unary":
        return e.op === "*" && isLocal(this.pointsTo.pointer(e.arg));
      default:
        return false;
    }
  }

  private truth(e: Expr): Expr {
    if (!isPointer(e.type)) return e;
    const value = this.pointsTo.pointer(e);
    return isLocal(value) ? truthOf(value) : e;
  }

  private binary(e: Expr & { readonly kind: "binary" }): Expr {
    const { op, left, right } = e;
    if (op === "&&" || op === "||") return { ...e, left: this.truth(left), right: this.truth(right) };
    if (!isPointer(left.type) || !isPointer(right.type)) return e;
    const [a, b] = [this.pointsTo.pointer(left), this.pointsTo.pointer(right)];
    return isLocal(a) || isLocal(b) ? compared(a, b, e) : e;
  }

  private assigned(e: Expr & { readonly kind: "assign" }): Expr {
    const { left } = e;
    if (left.kind === "cond" || left.kind === "comma") return this.distributed(e, left);
    const slot = this.slotOf(left);
    if (!slot) return e;
    const set =
      e.op === "="
        ? this.variables.setting(slot, this.pointsTo.pointer(e))
        : this.variables.offsetPointer(slot, e.op === "+=" ? "+" : "-", e.right);
    return valueAfter([slot.first, set], this.variables.lvalue(slot));
  }

  /** The pointer variable that an lvalue denotes; for an array of pointers its index is computed first. */
  private slotOf(e: Expr): (Slot & { readonly first: Expr | undefined }) | undefined {
    const slot = isPointer(e.type) ? this.pointsTo.slotAt(this.pointsTo.lvalue(e)) : undefined;
    if (!slot?.at || pure(slot.at)) return slot && { ...slot, first: undefined };
    const { first, value: index } = this.temporary("arc_at", slot.at);
    return { ...slot, at: index, first };
  }

  /** Assigns to each lvalue of a choice; the value is computed once. */
  private distributed(e: Expr & { readonly kind: "assign" }, to: Expr): Expr {
    if (to.kind === "comma") return after(to.left, this.distributed(e, to.right));
    if (to.kind !== "cond" || !to.then) return this.assigned({ ...e, left: to });
    if (["int", "float", "ident"].includes(e.right.kind) || canonical(e.right.type).kind === "record")
      return choice(to.test, this.distributed(e, to.then), this.distributed(e, to.else));
    const { first, value: assigned } = this.temporary("arc_value", e.right);
    return after(first, this.distributed({ ...e, right: assigned }, to));
  }

  private stepped(e: Expr & { readonly kind: "incdec" }): Expr {
    const each = (to: Expr): Expr => {
      if (to.kind === "comma") return after(to.left, each(to.right));
      return to.kind === "cond" && to.then
        ? choice(to.test, each(to.then), each(to.else))
        : this.stepped({ ...e, arg: to });
    };
    if (e.arg.kind === "cond" || e.arg.kind === "comma") return each(e.arg);
    const slot = this.slotOf(e.arg);
    if (!slot) return e;
    const now = this.variables.lvalue(slot);
    const step = this.variables.offsetPointer(slot, e.op === "++" ? "+" : "-", intLit(1));
    if (e.prefix) return valueAfter([slot.first, step], now);
    const before = binary(e.op === "++" ? "-" : "+", now, intLit(1));
    const [only, ...others] = this.variables.leaves(slot);
    const place = only?.kind === "local" ? lastOf(only.at) : undefined;
    if (others.length > 0 || only?.kind !== "local" || !place || !isArray(only.to.type))
      return valueAfter([slot.first, step], before);
    const { first, value: index } = this.temporary(slot.p.name, place);
    const old = addressOf(lvalueAt({ ...only, at: [...only.at.slice(0, -1), index] }, e.span));
    return valueAfter([slot.first, first, step], old);
  }

  /** An argument of a function that is not inlined: it needs the object's address. */
  private argument(e: Expr): Expr {
    const bare = stripped(e);
    if (!isPointer(bare.type) || (bare.kind !== "binary" && !this.slotOf(bare))) return e;
    const value = this.pointsTo.pointer(bare);
    return value.kind === "local" ? addressOf(lvalueAt(value, e.span)) : e;
  }

  // ---------------------------------------------------------------- statements, whose parts are done

  private statement(s: Stmt): Stmt | readonly Stmt[] {
    switch (s.kind) {
      case "expr": {
        if (!s.expr) return s;
        const expr = effectOf(s.expr);
        return expr ? asChoice({ ...s, expr }) : [];
      }
      case "if":
      case "while":
      case "do": {
        const test = this.truth(s.test);
        return test === s.test ? s : { ...s, test };
      }
      case "decl":
        return s.decls.some((d) => this.pointsTo.of(d.sym) || isChoiceOfStructs(d))
          ? s.decls.flatMap((d) => this.declared(d, s))
          : s;
      case "for": {
        const { init, step, test, ...rest } = s;
        const initial = init?.kind === "decl" ? [this.statement(init)].flat() : [];
        const first = init && init.kind !== "decl" ? effectOf(init) : oneDeclaration(initial);
        const next = step && effectOf(step);
        const loweredLoop: Stmt = {
          ...rest,
          ...(first && { init: first }),
          ...(test && { test: this.truth(test) }),
          ...(next && { step: next }),
        };
        return first || initial.length === 0 ? loweredLoop : [...initial, loweredLoop];
      }
      default:
        return s;
    }
  }

  private declared(declarator: Declarator, decl: Stmt & { readonly kind: "decl" }): readonly Stmt[] {
    const { sym, init } = declarator;
    const known = this.pointsTo.of(sym);
    if (init?.kind === "expr" && isChoiceOfStructs(declarator))
      return [declare(sym, undefined, decl.span), asChoice(exprStmt(assign(ident(sym), init.expr)))];
    if (!known) return [{ ...decl, decls: [declarator] }];
    const symbols = this.variables.symbols(sym, known);
    const elements = init?.kind === "list" ? elementsOf(declarator).elements : undefined;
    const values =
      init?.kind === "expr"
        ? [[{ p: sym, known, at: undefined }, this.pointsTo.pointer(init.expr)] as const]
        : Array.from({ length: elements ? elementsIn(sym.type) : 0 }, (_, k) => {
            const of = elements?.get(k);
            const value: Pointer = of?.kind === "expr" ? this.pointsTo.pointer(of.expr) : { kind: "null" };
            return [{ p: sym, known, at: intLit(k) }, value] as const;
          });
    const [slot, first] = values[0] ?? [];
    if (slot && !slot.at && first?.kind === "local" && symbols.length === 1) {
      const [only, ...more] = this.variables.sets(slot, first);
      const [to, value] = only ?? [];
      if (to?.kind === "ident" && value && more.length === 0) return [declare(to.sym, value, decl.span)];
    }
    const sets = values.flatMap(([to, value]) => this.variables.setting(to, value) ?? []);
    return [
      ...symbols.map((v) => declaredEmpty(v, decl.span)),
      ...sets.map((set) => ({ ...exprStmt(set), span: decl.span })),
    ];
  }
}

const FIRST: Designator = { kind: "index", index: intLit(0) };

/** In an array of pointers into memory, those that lead elsewhere are null. */
function declaredEmpty(sym: Symbol, span: Span): Stmt {
  const plain = declare(sym, undefined, span);
  if (!isArray(sym.type) || !isPointer(innermost(sym.type))) return plain;
  const none: Init = { kind: "expr", expr: convert(intLit(0), innermost(sym.type)) };
  return {
    ...plain,
    decls: [{ sym, span, init: { kind: "list", items: [{ designators: [FIRST], init: none }], span } }],
  };
}

/** Merges declarations; undefined if the list has other statements, or none. */
function oneDeclaration(list: readonly Stmt[]): (Stmt & { readonly kind: "decl" }) | undefined {
  const [first, ...rest] = list;
  if (first?.kind !== "decl" || !rest.every((s) => s.kind === "decl")) return undefined;
  return { ...first, decls: list.flatMap((s) => (s.kind === "decl" ? s.decls : [])) };
}

/** The side effects of an expression whose value is not used; a mere pointer has none. */
function effectOf(e: Expr): Expr | undefined {
  if (!isPointer(e.type)) return e;
  if (!hasEffects(e)) return undefined;
  if (e.kind === "comma") {
    const right = effectOf(e.right);
    return right ? { ...e, right } : e.left;
  }
  if (e.kind !== "cond" || !e.then) return e;
  const [then, otherwise] = [effectOf(e.then), effectOf(e.else)];
  return choice(e.test, then ?? intLit(0), otherwise ?? intLit(0));
}

/** Rewrites pointer steps whose value is not used: `p++` as `++p`. */
function unread(s: Stmt): Stmt {
  const discarded = (e: Expr): Expr => {
    if (e.kind === "comma") return { ...e, left: discarded(e.left), right: discarded(e.right) };
    return e.kind === "incdec" && !e.prefix && isPointer(e.type) ? { ...e, prefix: true } : e;
  };
  if (s.kind === "expr" && s.expr) return { ...s, expr: discarded(s.expr) };
  return s.kind === "for" && s.step ? { ...s, step: discarded(s.step) } : s;
}

const isChoiceOfStructs = ({ sym, init }: Declarator): boolean =>
  canonical(sym.type).kind === "record" &&
  init?.kind === "expr" &&
  (init.expr.kind === "cond" || init.expr.kind === "comma");

/** A choice of structs to copy becomes a choice of statements that each copy one. */
function asChoice(s: Stmt): Stmt {
  if (s.kind !== "expr") return s;
  const { expr: e } = s;
  if (e?.kind === "comma" && canonical(e.type).kind === "record")
    return compound([exprStmt(e.left), asChoice({ ...s, expr: e.right })], s.span);
  if (e?.kind === "cond" && e.then && canonical(e.type).kind === "record")
    return ifStmt(e.test, asChoice({ ...s, expr: e.then }), asChoice({ ...s, expr: e.else }));
  if (e?.kind !== "assign" || e.op !== "=" || canonical(e.type).kind !== "record") return s;
  const { right } = e;
  if (right.kind === "comma")
    return compound([exprStmt(right.left), asChoice({ ...s, expr: { ...e, right: right.right } })], s.span);
  if (right.kind !== "cond" || !right.then) return s;
  const [then, otherwise] = mapTuple([right.then, right.else], (of) =>
    asChoice({ ...s, expr: { ...e, right: of } }),
  );
  return ifStmt(right.test, then, otherwise);
}
