/**
 * Initial contents of local arrays in block RAM. An array that is never written is a table with fixed contents. For
 * others a loop sets the words each time the declaration is reached: to zero, or to those of a table.
 */
import { itemAt } from "../../checked/access.ts";
import { usesOf } from "../../ir/analysis/access.ts";
import { isConstant } from "../../ir/analysis/routines.ts";
import { canonical, evaluateInteger, INT, isArray, walkStmt } from "../../lang/index.ts";
import type { CType, Declarator, Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  convert,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  incdec,
  index,
  intLit,
} from "../../lang/tree/build.ts";
import { NotStraight } from "../dfg/region.ts";
import { Block } from "./block/block.ts";
import { elementsIn, extentsOf, product } from "./scope/extents.ts";
import { elementsOf } from "./scope/initialisers.ts";
import { unsupportedStatement } from "./scope/refusals.ts";
import { MOST_REGISTERS, type Scope } from "./scope/scope.ts";
import type { KernelSignature } from "./scope/signature.ts";

/** Up to this many elements are set one by one; more come from a table. */
const MOST_SET = 8;

/** Tells the scope which of the kernel's arrays are tables and which variables are constants. */
export function findTables(kernel: KernelSignature, scope: Scope): void {
  const functions = [...kernel.functions.values()];
  const code = [...kernel.body, ...functions.map((f) => f.body)];
  const uses = usesOf(...code).of;
  const parameters = new Set(functions.flatMap((f) => f.parameters));
  /** A variable is declared several times if its function was inlined several times, possibly with other values. */
  const tables = new Map<Symbol, readonly bigint[] | undefined>();
  const see = (declarator: Declarator): void => {
    const { sym } = declarator;
    const use = uses.get(sym);
    // Constant elements never change, even if a pointer to the array is passed on.
    const changes = use?.written || use?.addressTaken || (use?.elementsWritten && !isConstant(sym.type));
    const isKnown = isArray(sym.type) ? extentsOf(sym.type) !== undefined : isNumber(sym.type);
    const may = declarator.init && isKnown && !changes && !parameters.has(sym);
    const words = may ? constantWords(scope, declarator) : undefined;
    const same = !tables.has(sym) || String(tables.get(sym)) === String(words);
    tables.set(sym, same ? words : undefined);
  };
  for (const s of code)
    walkStmt(s, {
      stmt(child) {
        if (child.kind === "decl") child.decls.forEach(see);
      },
    });
  for (const [sym, words] of tables) if (words) scope.table(sym, words);
}

/** Replaces initialisers of arrays in block RAM by statements. */
export function initialising(scope: Scope, s: Stmt): readonly Stmt[] {
  if (s.kind !== "decl") return [s];
  return s.decls.flatMap((d): readonly Stmt[] => {
    const one: Stmt = { ...s, decls: [d] };
    if (!d.init || !isLarge(d.sym)) return [one];
    const storage = scope.of(d.sym, d.span.start);
    return storage.kind !== "ram" || storage.ram.contents ? [one] : [declare(d.sym), ...setting(scope, d)];
  });
}

function setting(scope: Scope, declarator: Declarator): readonly Stmt[] {
  const { sym } = declarator;
  const { elements, extents } = expressionsOf(declarator);
  const initialised = [...elements].filter(([, e]) => evaluateInteger(e) !== 0n);
  const words = initialised.length > MOST_SET ? constantWords(scope, declarator) : undefined;
  if (words) {
    const table = freshSymbol(`${sym.name}_initial`, sym.type);
    scope.table(table, words);
    return [declare(table), everyElement(sym, extents, (places) => elementAt(table, places))];
  }
  const all = elements.size === product(extents);
  return [
    ...(all && initialised.length === elements.size ? [] : [everyElement(sym, extents, () => intLit(0))]),
    ...initialised.map(([at, value]) => exprStmt(assign(elementAt(sym, placesOf(at, extents)), value))),
  ];
}

/** Loops over an array with these extents. */
function everyElement(
  sym: Symbol,
  extents: readonly number[],
  value: (places: readonly Expr[]) => Expr,
): Stmt {
  const counters = extents.map(() => freshSymbol("arc_k", INT));
  const places = counters.map((c) => ident(c));
  const body: Stmt = exprStmt(assign(elementAt(sym, places), value(places)));
  return counters.reduceRight<Stmt>((inner, counter, k) => {
    const test = binary("<", ident(counter), intLit(itemAt(extents, k)));
    return forStmt(declare(counter, intLit(0)), test, incdec("++", false, ident(counter)), compound([inner]));
  }, body);
}

const elementAt = (sym: Symbol, places: readonly Expr[]): Expr =>
  places.reduce<Expr>((base, place) => index(base, place), ident(sym));

function placesOf(at: number, extents: readonly number[]): readonly Expr[] {
  const places: Expr[] = [];
  let rest = at;
  for (const extent of [...extents].reverse()) {
    places.unshift(intLit(rest % extent));
    rest = Math.floor(rest / extent);
  }
  return places;
}

/** The elements as expressions; refuses records in braces. */
function expressionsOf(declarator: Declarator) {
  const { elements, ...rest } = elementsOf(declarator);
  const expressions = [...elements].map(([at, init]): readonly [number, Expr] => {
    if (init.kind === "list") throw unsupportedStatement("initialiser of this form", declarator.span.start);
    return [at, init.expr];
  });
  return { ...rest, elements: new Map(expressions) };
}

/** The words of an array whose initialiser contains only constants. */
function constantWords(scope: Scope, declarator: Declarator): readonly bigint[] | undefined {
  const { elements: initialised, extents, element } = elementsOf(declarator);
  const elements = [...initialised].flatMap(([at, init]) =>
    init.kind === "expr" ? [[at, init.expr] as const] : [],
  );
  if (elements.length < initialised.size) return undefined;
  const words = Array.from({ length: product(extents) }, () => 0n);
  const block = new Block(scope);
  for (const [at, e] of elements) {
    if (usesOf(exprStmt(e)).of.size > 0) return undefined;
    try {
      const value = block.now(convert(e, element));
      if (value.op !== "const") return undefined;
      words[at] = value.constant;
    } catch (problem) {
      if (!(problem instanceof NotStraight)) throw problem;
      return undefined;
    }
  }
  return words;
}

const isNumber = (type: CType): boolean => ["int", "float", "enum"].includes(canonical(type).kind);

const isLarge = ({ type }: Symbol): boolean => elementsIn(type) > MOST_REGISTERS;
