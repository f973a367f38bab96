/**
 * Functions with constructs for all threads of a team, such as `barrier` or `for`, are inlined where regions call them,
 * because the meaning of such a construct depends on the threads around the call.
 *
 *     int total(int *p) {                       T x_value;
 *       int s = 0;                              { int s = 0;
 *     #pragma omp for reduction(+: s)     =>    #pragma omp for reduction(+: s)
 *       for (...) s += p[i];                      for (...) s += a[i];
 *       return s;                                 x_value = s; }
 *     }                                         T x = x_value;
 *     ... T x = total(a); ...
 *
 * The functions themselves are only called on the host, where the C compiler reads the directives.
 */
import { itemAt } from "../../../checked/access.ts";
import {
  canonical,
  copyWithFreshLocals,
  INT,
  mapExpr,
  substitute,
  unqualified,
  walkExpr,
  walkStmt,
} from "../../../lang/index.ts";
import type { Declarator, Expr, FunctionDef, Pragma, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { compound, declare, freshSymbol, ident, intLit, stripImplicit } from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { labelsUsed } from "../../analysis/labels.ts";
import { withoutReturns } from "../../analysis/returns.ts";
import type { WrittenOut } from "../../directives/front.ts";
import { isOmp, nameOf } from "../directive/parse.ts";

type Call = Expr & { readonly kind: "call" };

/** Constructs that have a meaning only for a team, or for one known thread of it. */
const ofTeam =
  /^(barrier|flush|critical|single|master|masked|scope|sections|for( simd)?|distribute.*|parallel|parallel (sections|master|masked))$/;

/** An atomic that orders other memory, or reports whether it exchanged a value. */
const ordering = ["seq_cst", "acq_rel", "acquire", "release", "compare"];

/** Functions with such a directive are read at each call from a region of the same file. */
export function needsTeam(pragma: Pragma): boolean {
  if (!isOmp(pragma)) return false;
  const name = nameOf(pragma) ?? "";
  if (name === "atomic") return pragma.tokens.some((t) => ordering.includes(t.text));
  return ofTeam.test(name) || (name === "loop" && pragma.tokens.some((t) => t.text === "bind"));
}

export class WrittenOutFunctions {
  private readonly all: ReadonlyMap<Symbol, FunctionDef>;

  private readonly ofHost: ReadonlySet<Symbol>;

  /**
   * `onDevice`: functions called by regions. `regions`: the regions' statements. `ofHost`: functions called by other
   * code.
   */
  constructor(onDevice: ReadonlySet<FunctionDef>, regions: readonly Stmt[], ofHost: ReadonlySet<Symbol>) {
    this.ofHost = ofHost;
    const neededFunctions = new Map<Symbol, FunctionDef>();
    const bodies = new Map([...onDevice].map((def) => [def.sym, def]));
    for (let before = -1; before !== neededFunctions.size; ) {
      before = neededFunctions.size;
      for (const [sym, def] of bodies)
        if (
          holdsTeamConstruct(def.body) ||
          [...usesOf(def.body).calls.keys()].some((f) => neededFunctions.has(f))
        )
          neededFunctions.set(sym, def);
    }
    for (const [sym, def] of neededFunctions)
      if (!canBeCopied(def) || reaches(sym, sym, neededFunctions)) neededFunctions.delete(sym);
    for (const code of [...regions, ...[...bodies.values()].map((def) => def.body)])
      for (const sym of calledInside(code, neededFunctions)) neededFunctions.delete(sym);
    this.all = neededFunctions;
  }

  has(def: FunctionDef): boolean {
    return this.all.get(def.sym) === def;
  }

  isOfHost(def: FunctionDef): boolean {
    return this.ofHost.has(def.sym);
  }

  /** The statement with calls of such functions replaced by code before it. */
  in(s: Stmt): WrittenOut | undefined {
    if (this.all.size === 0) return undefined;
    if (s.kind === "expr" && s.expr) {
      const { steps, value } = this.lifted(s.expr);
      if (steps.length === 0) return undefined;
      return { steps, ...(value && { rest: { ...s, expr: value } }), own: true };
    }
    if (s.kind === "if") {
      const { steps, value } = this.lifted(s.test);
      return steps.length > 0 && value ? { steps, rest: { ...s, test: value }, own: true } : undefined;
    }
    const only = initialised(s);
    if (s.kind !== "decl" || !only) return undefined;
    const { steps, value } = this.lifted(only.init.expr, only.sym.name);
    if (steps.length === 0 || !value) return undefined;
    const init = { ...only.init, expr: value };
    return { steps, rest: { ...s, decls: [{ ...only, init }] }, own: false };
  }

  /** `value`: the rest of the expression. */
  private lifted(e: Expr, name = "arc"): { readonly steps: WrittenOut["steps"]; readonly value?: Expr } {
    const steps: WrittenOut["steps"][number][] = [];
    let isVoid = false;
    const value = mapExpr(e, {
      expr: (part) => {
        const def = part.kind === "call" ? this.all.get(calleeOf(part) as Symbol) : undefined;
        if (part.kind !== "call" || !def) return part;
        const type = unqualified(part.type);
        isVoid = canonical(type).kind === "void";
        const suffix = steps.length > 0 ? `${steps.length}` : "";
        const result = isVoid ? undefined : freshSymbol(`${name}_value${suffix}`, type);
        if (result) steps.push({ as: declare(result) });
        steps.push(copied(def, part, result));
        return result ? ident(result, part.span) : intLit(0);
      },
    });
    return isVoid ? { steps } : { steps, value };
  }
}

/** The code of a call. Parameters whose argument stays the same become the argument; the others become variables. */
function copied(def: FunctionDef, { args }: Call, result: Symbol | undefined): WrittenOut["steps"][number] {
  const body = withoutReturns(def.body, result, freshSymbol("returned", INT)) as Stmt;
  const uses = usesOf(def.body).of;
  const bound = def.params.map((param, i) => ({ param, arg: itemAt(args, i) }));
  const named = bound.filter(({ param, arg }) => {
    const use = uses.get(param);
    return names(arg) && !use?.written && !use?.addressTaken;
  });
  const variables = bound.filter((one) => !named.includes(one));
  const replacements = new Map(named.map(({ param, arg }) => [param, arg]));
  return {
    read: compound([...variables.map(({ param, arg }) => declare(param, arg)), body], def.body.span),
    finish: (read) => copyWithFreshLocals(substitute(read, replacements)),
  };
}

/** A constant, an array, a pointer to a variable: an argument that stays the same throughout the call. */
function names(arg: Expr): boolean {
  const e = stripImplicit(arg);
  if (e.kind === "int" || e.kind === "float") return true;
  if (e.kind === "unary" && e.op === "&") return names(e.arg) || stripImplicit(e.arg).kind === "ident";
  return e.kind === "ident" && ["array", "pointer"].includes(canonical(e.sym.type).kind);
}

const calleeOf = (e: Call): Symbol | undefined => {
  const callee = stripImplicit(e.callee);
  return callee.kind === "ident" ? callee.sym : undefined;
};

const initialised = (s: Stmt): (Declarator & { init: { kind: "expr"; expr: Expr } }) | undefined => {
  const [only, ...more] = s.kind === "decl" ? s.decls : [];
  return only?.init?.kind === "expr" && more.length === 0
    ? (only as Declarator & { init: { kind: "expr"; expr: Expr } })
    : undefined;
};

function holdsTeamConstruct(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      found ||= s.pragmas?.some(needsTeam) === true;
    },
    expr: () => false,
  });
  return found;
}

function canBeCopied(def: FunctionDef): boolean {
  const { type } = def.sym;
  if (type.kind === "function" && type.variadic) return false;
  let plain = true;
  const isLabel = labelsUsed(def.body);
  walkStmt(def.body, {
    stmt(s) {
      if (s.kind === "goto" || s.kind === "asm" || (s.kind === "label" && isLabel(s.name))) plain = false;
      if (s.kind === "decl" && s.decls.some(({ sym }) => sym.storage === "static")) plain = false;
    },
    expr(e) {
      if (e.kind === "stmt-expr") plain = false;
    },
  });
  const result = freshSymbol("result", INT);
  return plain && withoutReturns(def.body, result, result) !== undefined;
}

function reaches(
  from: Symbol,
  to: Symbol,
  bodies: ReadonlyMap<Symbol, FunctionDef>,
  seen = new Set<Symbol>(),
): boolean {
  const def = bodies.get(from);
  if (!def || seen.has(from)) return false;
  seen.add(from);
  return [...usesOf(def.body).calls.keys()].some((f) => f === to || reaches(f, to, bodies, seen));
}

/** Functions called where no statement can be inserted before the call: in loop conditions, after `&&`, in lists. */
function calledInside(code: Stmt, functions: ReadonlyMap<Symbol, FunctionDef>): ReadonlySet<Symbol> {
  const all = new Set<Call>();
  const free = new Set<Call>();
  const isKnown = (e: Expr): e is Call =>
    e.kind === "call" && functions.has(calleeOf(e) as Symbol) && e.args.length === paramsOf(e);
  const paramsOf = (e: Call) => functions.get(calleeOf(e) as Symbol)?.params.length;
  const outside = (e: Expr, isAll: boolean): void =>
    walkExpr(e, {
      expr(part) {
        const isVoid = canonical(part.type).kind === "void";
        if (isKnown(part) && (!isVoid || (isAll && part === stripImplicit(e)))) free.add(part);
        if (part.kind === "cond") outside(part.test, false);
        if (part.kind === "binary" && (part.op === "&&" || part.op === "||")) outside(part.left, false);
        else return part.kind !== "cond" && part.kind !== "stmt-expr";
        return false;
      },
    });
  walkStmt(code, {
    stmt(s) {
      if (s.kind === "expr" && s.expr) outside(s.expr, true);
      if (s.kind === "if") outside(s.test, false);
      if (s.kind === "return" && s.value) outside(s.value, true);
      const only = initialised(s);
      if (only) outside(only.init.expr, false);
    },
    expr(e) {
      if (e.kind === "call" && functions.has(calleeOf(e) as Symbol)) all.add(e);
    },
  });
  return new Set([...all].filter((e) => !free.has(e)).map((e) => calleeOf(e) as Symbol));
}
