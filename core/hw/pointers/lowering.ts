/**
 * Pointers to variables of the kernel as numbers: how far into its object one leads, and which object where there are
 * several.
 *
 *     int *p = c ? &t[i] : &x;   p++;   *p = 1;
 *       =>   c ? (p_of = 0, p_at = i) : (p_of = 1, p_at = 0);   p_at++;   p_of == 0 ? (t[p_at] = 1) : (x = 1);
 */
import type { CType, Declarator, Expr, Stmt, Symbol } from "../../lang/ast.ts";
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
  incdec,
  intLit,
  unary,
} from "../../lang/build.ts";
import {
  canonical,
  elementType,
  evaluateInteger,
  INT,
  isArray,
  isPointer,
  mapStmt,
  walkExpr,
} from "../../lang/index.ts";
import { stripped } from "../syntax.ts";
import { after, choice, compared, lvalueAt, lvalues, truthOf } from "./expressions.ts";
import { chosen, elementsIn, isLocal, type Known, Leads, type Leaf, type Pointer } from "./leads.ts";

/** `isObject`: a variable of the kernel's own. */
export function withoutLocalPointers(
  body: readonly Stmt[],
  isObject: (sym: Symbol) => boolean,
): readonly Stmt[] {
  const leads = new Leads(isObject);
  leads.learn(body);
  const made = new Lowering(leads).run(compound(body));
  return made.kind === "compound" ? made.body : [made];
}

class Lowering {
  private readonly leads: Leads;
  /** Numbers that stand for a pointer, by what they say of it. */
  private readonly numbers = new Map<Symbol, Map<string, Symbol>>();
  /** Variables of the statement that is being made. */
  private temporaries: Symbol[] = [];

  constructor(leads: Leads) {
    this.leads = leads.reading((p, known) => this.value(p, known));
  }

  run(s: Stmt): Stmt {
    return mapStmt(mapStmt(s, { stmt: unread }), {
      expr: (e) => this.expression(e),
      stmt: (child) => {
        const made = this.statement(child);
        const own = this.temporaries.map((t) => declare(t, undefined, child.span));
        this.temporaries = [];
        return own.length === 0 ? made : [...own, ...[made].flat()];
      },
    });
  }

  // ---------------------------------------------------------------- pointer variables

  private number(p: Symbol, what: string): Symbol {
    const known = this.numbers.get(p) ?? new Map<string, Symbol>();
    this.numbers.set(p, known);
    const sym = known.get(what) ?? freshSymbol(`${p.name}_${what}`, INT);
    known.set(what, sym);
    return sym;
  }

  /** What the variable may be, each under its number. */
  private leaves(p: Symbol, known: Known): readonly Leaf[] {
    const leaves: Leaf[] = [...known.targets.values()].map(({ to, at }) => ({
      kind: "local",
      to,
      at: at.map((place, k) =>
        place === "varies" ? ident(this.number(p, depthName(at.length, k))) : intLit(place),
      ),
    }));
    if (known.null) leaves.push({ kind: "null" });
    if (known.other) leaves.push({ kind: "other", e: ident(p) });
    return leaves;
  }

  private value(p: Symbol, known: Known): Pointer {
    const leaves = this.leaves(p, known);
    return chosen(leaves, (k) => binary("==", ident(this.number(p, "of")), intLit(k)));
  }

  /** The variables that stand for the pointer. */
  private variables(p: Symbol, known: Known): readonly Symbol[] {
    const places = [...known.targets.values()].flatMap(({ at }) =>
      at.flatMap((place, k) => (place === "varies" ? [this.number(p, depthName(at.length, k))] : [])),
    );
    const several = this.leaves(p, known).length > 1;
    return [...(several ? [this.number(p, "of")] : []), ...new Set(places), ...(known.other ? [p] : [])];
  }

  /** p = value; undefined: nothing is to be done for it. */
  private setting(p: Symbol, known: Known, value: Pointer): Expr | undefined {
    switch (value.kind) {
      case "choice": {
        const then = this.setting(p, known, value.then);
        const otherwise = this.setting(p, known, value.otherwise);
        const none = intLit(0);
        return then || otherwise ? choice(value.test, then ?? none, otherwise ?? none) : effectOf(value.test);
      }
      case "after": {
        const then = this.setting(p, known, value.then);
        return then ? after(value.effect, then) : value.effect;
      }
      default: {
        const sets = this.sets(p, known, value);
        if (!sets.some(([, e]) => this.mentions(e, p)) || sets.length < 2)
          return sequence(sets.map(([sym, e]) => assign(ident(sym), e)));
        const kept = sets.map(([sym, e]) => [sym, this.temporary(sym.name, e)] as const);
        return sequence([
          ...kept.map(([, { first }]) => first),
          ...kept.map(([sym, { again }]) => assign(ident(sym), again)),
        ]);
      }
    }
  }

  private sets(p: Symbol, known: Known, value: Leaf): readonly (readonly [Symbol, Expr])[] {
    const leaves = this.leaves(p, known);
    const isIt = (leaf: Leaf) =>
      leaf.kind === value.kind &&
      (leaf.kind !== "local" || (value.kind === "local" && leaf.to.key === value.to.key));
    const k = leaves.findIndex(isIt);
    const own = leaves[k];
    if (!own) throw new Error(`'${p.name}' leads where no one saw it led`);
    const of = leaves.length > 1 ? [[this.number(p, "of"), intLit(k)] as const] : [];
    if (value.kind === "other") return [...of, [p, value.e]];
    if (value.kind === "null" || own?.kind !== "local") return of;
    const places = own.at.flatMap((place, j) =>
      place.kind === "ident" ? [[place.sym, value.at[j] as Expr] as const] : [],
    );
    return [...of, ...places.filter(([sym, e]) => e.kind !== "ident" || e.sym !== sym)];
  }

  private mentions(e: Expr, p: Symbol): boolean {
    const own = new Set([p, ...(this.numbers.get(p)?.values() ?? [])]);
    let found = false;
    walkExpr(e, {
      expr(part) {
        found ||= part.kind === "ident" && own.has(part.sym);
      },
    });
    return found;
  }

  private temporary(name: string, e: Expr): { readonly first: Expr; readonly again: Expr } {
    const sym = freshSymbol(`${name}_now`, e.type);
    this.temporaries.push(sym);
    return { first: assign(ident(sym), e), again: ident(sym) };
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

  /** What a pointer leads to; arrays there are looked at by those who want an element. */
  private reached(e: Expr): Expr {
    if (canonical(e.type).kind === "array" || !this.isThrough(e)) return e;
    return lvalues(this.leads.place(e), e);
  }

  /** On its way to the object stands a pointer to a variable. */
  private isThrough(e: Expr): boolean {
    switch (e.kind) {
      case "cond":
      case "comma":
        return true;
      case "index": {
        const base = stripped(e.base);
        return canonical(base.type).kind === "array"
          ? this.isThrough(base)
          : isLocal(this.leads.pointer(e.base));
      }
      case "member":
        return e.arrow ? isLocal(this.leads.pointer(e.base)) : this.isThrough(e.base);
      case "unary":
        return e.op === "*" && isLocal(this.leads.pointer(e.arg));
      default:
        return false;
    }
  }

  private truth(e: Expr): Expr {
    if (!isPointer(e.type)) return e;
    const value = this.leads.pointer(e);
    return isLocal(value) ? truthOf(value) : e;
  }

  private binary(e: Expr & { readonly kind: "binary" }): Expr {
    const { op, left, right } = e;
    if (op === "&&" || op === "||") return { ...e, left: this.truth(left), right: this.truth(right) };
    if (!isPointer(left.type) || !isPointer(right.type)) return e;
    const [a, b] = [this.leads.pointer(left), this.leads.pointer(right)];
    return isLocal(a) || isLocal(b) ? compared(a, b, e) : e;
  }

  private assigned(e: Expr & { readonly kind: "assign" }): Expr {
    const { left } = e;
    if (left.kind === "cond" || left.kind === "comma") return this.distributed(e, left);
    const known = left.kind === "ident" ? this.leads.of(left.sym) : undefined;
    if (left.kind !== "ident" || !known) return e;
    const set =
      e.op === "="
        ? this.setting(left.sym, known, this.leads.pointer(e))
        : this.moved(left.sym, known, e.op === "+=" ? "+" : "-", e.right);
    return set ? after(set, left) : left;
  }

  /** To each lvalue, where one is chosen; the value is computed once. */
  private distributed(e: Expr & { readonly kind: "assign" }, to: Expr): Expr {
    if (to.kind === "comma") return after(to.left, this.distributed(e, to.right));
    if (to.kind !== "cond" || !to.then) return this.assigned({ ...e, left: to });
    if (["int", "float", "ident"].includes(e.right.kind) || canonical(e.right.type).kind === "record")
      return choice(to.test, this.distributed(e, to.then), this.distributed(e, to.else));
    const { first, again } = this.temporary("arc_value", e.right);
    return after(first, this.distributed({ ...e, right: again }, to));
  }

  private stepped(e: Expr & { readonly kind: "incdec" }): Expr {
    const each = (to: Expr): Expr => {
      if (to.kind === "comma") return after(to.left, each(to.right));
      return to.kind === "cond" && to.then
        ? choice(to.test, each(to.then), each(to.else))
        : this.stepped({ ...e, arg: to });
    };
    if (e.arg.kind === "cond" || e.arg.kind === "comma") return each(e.arg);
    const known = e.arg.kind === "ident" ? this.leads.of(e.arg.sym) : undefined;
    if (e.arg.kind !== "ident" || !known) return e;
    const p = e.arg.sym;
    const now = this.moved(p, known, e.op === "++" ? "+" : "-", intLit(1));
    if (e.prefix) return now ? after(now, e.arg) : e.arg;
    const before = binary(e.op === "++" ? "-" : "+", e.arg, intLit(1));
    const [only, ...others] = this.leaves(p, known);
    const place = only?.kind === "local" ? only.at.at(-1) : undefined;
    if (others.length > 0 || only?.kind !== "local" || place?.kind !== "ident" || !isArray(only.to.type))
      return now ? after(now, before) : before;
    const { first, again } = this.temporary(place.sym.name, place);
    const old = addressOf(lvalueAt({ ...only, at: [...only.at.slice(0, -1), again] }, e.span));
    return after(now ? after(first, now) : first, old);
  }

  /** Whatever the pointer leads to, arithmetic moves the same number. */
  private moved(p: Symbol, known: Known, op: "+" | "-", by: Expr): Expr | undefined {
    const leaves = this.leaves(p, known);
    const places = leaves.flatMap((leaf) => (leaf.kind === "local" ? leaf.at.slice(-1) : []));
    const place = places.find(({ kind }) => kind === "ident");
    const stride = elementsIn(elementType(p.type) as CType);
    const elements = stride === 1 ? convert(by, INT) : binary("*", convert(by, INT), intLit(stride));
    const step = (to: Expr, size: Expr): Expr =>
      evaluateInteger(size) === 1n ? incdec(op === "+" ? "++" : "--", true, to) : assign(to, size, `${op}=`);
    return sequence([
      ...(place ? [step(place, elements)] : []),
      ...(known.other ? [step(ident(p), by)] : []),
    ]);
  }

  /** A function that is no statement takes an object's address at its word. */
  private argument(e: Expr): Expr {
    const bare = stripped(e);
    if (!isPointer(bare.type) || bare.kind !== "ident" || !this.leads.of(bare.sym)) return e;
    const value = this.leads.pointer(bare);
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
        return s.decls.some((d) => this.leads.of(d.sym) || isChoiceOfStructs(d))
          ? s.decls.flatMap((d) => this.declared(d, s))
          : s;
      case "for": {
        const { init, step, test, ...rest } = s;
        const started = init?.kind === "decl" ? [this.statement(init)].flat() : [];
        const first = init && init.kind !== "decl" ? effectOf(init) : joined(started);
        const next = step && effectOf(step);
        const made: Stmt = {
          ...rest,
          ...(first && { init: first }),
          ...(test && { test: this.truth(test) }),
          ...(next && { step: next }),
        };
        return first || started.length === 0 ? made : [...started, made];
      }
      default:
        return s;
    }
  }

  private declared(declarator: Declarator, decl: Stmt & { readonly kind: "decl" }): readonly Stmt[] {
    const { sym, init } = declarator;
    const known = this.leads.of(sym);
    if (init?.kind === "expr" && isChoiceOfStructs(declarator))
      return [declare(sym, undefined, decl.span), asChoice(exprStmt(assign(ident(sym), init.expr)))];
    if (!known) return [{ ...decl, decls: [declarator] }];
    const variables = this.variables(sym, known);
    const value = init?.kind === "expr" ? this.leads.pointer(init.expr) : undefined;
    const [only, ...more] = value?.kind === "local" ? this.sets(sym, known, value) : [];
    if (only && more.length === 0 && variables.length === 1) return [declare(only[0], only[1], decl.span)];
    const set = value && this.setting(sym, known, value);
    return [
      ...variables.map((v) => declare(v, undefined, decl.span)),
      ...(set ? [{ ...exprStmt(set), span: decl.span }] : []),
    ];
  }
}

/** By depth, from the end: the last place is the one that arithmetic moves. */
const depthName = (length: number, k: number): string => `at${k === length - 1 ? "" : length - 1 - k}`;

function sequence(effects: readonly Expr[]): Expr | undefined {
  const [first, ...rest] = effects;
  return first && rest.reduce<Expr>(after, first);
}

/** Declarations as one; undefined where there are others, or none. */
function joined(list: readonly Stmt[]): (Stmt & { readonly kind: "decl" }) | undefined {
  const [first, ...rest] = list;
  if (first?.kind !== "decl" || !rest.every((s) => s.kind === "decl")) return undefined;
  return { ...first, decls: list.flatMap((s) => (s.kind === "decl" ? s.decls : [])) };
}

/** What an expression of which no one asks the value does; pointers alone do nothing. */
function effectOf(e: Expr): Expr | undefined {
  if (!isPointer(e.type)) return e;
  if (e.kind === "ident" || (e.kind === "unary" && e.op === "&")) return undefined;
  if (e.kind === "binary" && e.left.kind === "ident" && e.right.kind === "int") return undefined;
  if (e.kind === "comma") {
    const right = effectOf(e.right);
    return right ? { ...e, right } : e.left;
  }
  if (e.kind !== "cond" || !e.then) return e;
  const [then, otherwise] = [effectOf(e.then), effectOf(e.else)];
  return choice(e.test, then ?? intLit(0), otherwise ?? intLit(0));
}

/** Steps of pointers of which no one asks the value: `p++` as `++p`. */
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

/** A choice of structs to copy as a choice of statements, each of which copies one. */
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
  const [then, otherwise] = [right.then, right.else].map((of) =>
    asChoice({ ...s, expr: { ...e, right: of } }),
  ) as [Stmt, Stmt];
  return ifStmt(right.test, then, otherwise);
}
