/** Flow-insensitive facts about a function's variables: what sets them, and to what value. */
import { canonical, isPointer, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, FunctionDef, Init, Symbol, TranslationUnit } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { arrayOf, type Filled, filledArrays, type Listed, listedArrays } from "./contents.ts";

interface Setting {
  /** Absent: not a plain assignment. */
  readonly value?: Expr;
  readonly at: Expr | undefined;
}

export interface Facts {
  /** Everything that sets a variable: initialisers, assignments, increments. */
  readonly settings: ReadonlyMap<Symbol, readonly Setting[]>;
  readonly addressed: ReadonlySet<Symbol>;
  /** Arrays with an element that is set. */
  readonly elementsSet: ReadonlySet<Symbol>;
  /** Initialisers with braces. */
  readonly tables: ReadonlyMap<Symbol, Init>;
  readonly filled: ReadonlyMap<Symbol, Filled>;
  readonly listed: ReadonlyMap<Symbol, Listed>;
  /** Whether any function asks for the number of its thread. */
  readonly asksForThread: boolean;
  /** The functions that each function mentions: any mention may be a call. */
  readonly calls: ReadonlyMap<Symbol, ReadonlySet<Symbol>>;
  /**
   * Pointers with several values, and those that are set once to what depends on one of these: what leads where depends on
   * the position in the program.
   */
  readonly moving: ReadonlySet<Symbol>;
}

const known = new WeakMap<TranslationUnit, Facts>();

export function factsOf(unit: TranslationUnit): Facts {
  const facts = known.get(unit) ?? gather(unit);
  known.set(unit, facts);
  return facts;
}

function gather(unit: TranslationUnit): Facts {
  const settings = new Map<Symbol, Setting[]>();
  const addressed = new Set<Symbol>();
  const elementsSet = new Set<Symbol>();
  const stores = new Map<Symbol, number>();
  const tables = new Map<Symbol, Init>();
  let asksForThread = false;
  const set = (sym: Symbol, setting: Setting) => {
    const list = settings.get(sym);
    if (list) list.push(setting);
    else settings.set(sym, [setting]);
  };
  const initial = (sym: Symbol, init: Init | undefined) => {
    if (init?.kind === "list") tables.set(sym, init);
    else if (init) set(sym, { value: init.expr, at: undefined });
  };
  const element = (e: Expr): Symbol | undefined => {
    const inner = e.kind === "cast" ? e.arg : e;
    if (inner.kind === "index") return element(inner.base);
    if (inner.kind === "member" && !inner.arrow) return element(inner.base);
    return inner.kind === "ident" ? inner.sym : undefined;
  };
  const target = (e: Expr, setting: Setting) => {
    const left = stripImplicit(e);
    if (left.kind === "ident") set(left.sym, setting);
    else {
      const sym = element(left);
      if (sym) elementsSet.add(sym);
      const array = arrayOf(left);
      if (array) stores.set(array, (stores.get(array) ?? 0) + 1);
    }
  };
  const calls = new Map<Symbol, ReadonlySet<Symbol>>();
  const body = (f: FunctionDef) => {
    const called = new Set<Symbol>();
    calls.set(f.sym, called);
    walkStmt(f.body, {
      stmt(s) {
        if (s.kind === "decl") for (const d of s.decls) initial(d.sym, d.init);
      },
      expr(e) {
        if (e.kind === "ident" && e.sym.kind === "function") {
          called.add(e.sym);
          asksForThread ||= e.sym.name === "omp_get_thread_num";
        }
        if (e.kind === "assign") target(e.left, { ...(e.op === "=" && { value: e.right }), at: e });
        if (e.kind === "incdec") target(e.arg, { at: e });
        if (e.kind === "unary" && e.op === "&") {
          const sym = element(stripImplicit(e.arg));
          if (sym) addressed.add(sym);
        }
        // An array that is passed on as a pointer may be changed through it.
        if (e.kind === "cast" && e.arg.kind === "ident" && canonical(e.arg.type).kind === "array")
          addressed.add(e.arg.sym);
      },
    });
  };
  for (const external of unit.externals) {
    if (external.kind === "function") body(external);
    if (external.kind === "decl") for (const d of external.decls) initial(d.sym, d.init);
  }
  const functions = unit.externals.filter((e): e is FunctionDef => e.kind === "function");
  const of = (sym: Symbol) =>
    addressed.has(sym) ? Number.POSITIVE_INFINITY : (settings.get(sym)?.length ?? 0);
  const counts = { of, ofElements: stores };
  const filled = filledArrays(functions, counts);
  const listed = listedArrays(functions, counts);
  const moving = movingPointers(settings);
  return { settings, addressed, elementsSet, tables, filled, listed, asksForThread, calls, moving };
}

function movingPointers(settings: Facts["settings"]): ReadonlySet<Symbol> {
  const pointers = [...settings].filter(([sym]) => isPointer(sym.type));
  // A parameter has a value at first.
  const found = new Set(
    pointers.flatMap(([sym, all]) => (all.length > (sym.kind === "param" ? 0 : 1) ? [sym] : [])),
  );
  if (found.size === 0) return found;
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [sym, [only]] of pointers)
      if (only?.value && !found.has(sym) && mentions(only.value, found)) found.add(sym);
  }
  return found;
}

function mentions(e: Expr, syms: ReadonlySet<Symbol>): boolean {
  let found = false;
  walkExpr(e, {
    expr(part) {
      found ||= part.kind === "ident" && syms.has(part.sym);
      return !found;
    },
  });
  return found;
}

/** The value that all of a variable's values are, if something sets it once. */
export function onlyValue({ settings }: Pick<Facts, "settings">, sym: Symbol): Expr | undefined {
  const [only, ...more] = settings.get(sym) ?? [];
  return more.length === 0 ? only?.value : undefined;
}

export const isOwnPointer = (sym: Symbol): boolean => sym.scope === "block" && isPointer(sym.type);
