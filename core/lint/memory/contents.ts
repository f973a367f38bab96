/** The contents of an array that one loop fills, or one statement for each element, and that nothing else sets. */
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import type { LoopHeader } from "../../ir/model/ir.ts";
import { canonical, evaluateInteger, isInteger, isPointer, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, FunctionDef, Span, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";

/** `for (i = lower; i < bound; i++) array[i] = value;`, run in every call of its function. */
export interface Filled {
  readonly header: LoopHeader;
  readonly value: Expr;
  /** The contents are valid from the loop's end up to the end of the function. */
  readonly loop: Span;
  readonly until: Span;
}

/** `array[0] = value; array[1] = value;` of pointers. */
export interface Listed {
  readonly values: ReadonlyMap<number, Expr>;
  /** The last of the statements. */
  readonly loop: Span;
  readonly until: Span;
}

/** How often the file sets variables, and elements of arrays. */
export interface Settings {
  readonly of: (sym: Symbol) => number;
  readonly ofElements: ReadonlyMap<Symbol, number>;
}

/** Arrays of pointers whose elements are set one by one in each call of a function, and nowhere else. */
export function listedArrays(
  functions: readonly FunctionDef[],
  settings: Settings,
): ReadonlyMap<Symbol, Listed> {
  const listed = new Map<Symbol, { values: Map<number, Expr>; loop: Span; until: Span }>();
  for (const def of functions)
    for (const { expr, span } of always(def.body, "expr")) {
      const target = expr?.kind === "assign" && expr.op === "=" ? stripImplicit(expr.left) : undefined;
      if (target?.kind !== "index" || expr?.kind !== "assign" || !isPointer(target.type)) continue;
      const [base, at] = [stripImplicit(target.base), evaluateInteger(target.index)];
      if (base.kind !== "ident" || arrayOf(base) === undefined || at === undefined) continue;
      if (!staysSo(expr.right, base.sym, settings.of)) continue;
      const entry = listed.get(base.sym) ?? { values: new Map<number, Expr>(), loop: span, until: def.span };
      entry.values.set(Number(at), expr.right);
      listed.set(base.sym, { ...entry, loop: span });
    }
  return new Map([...listed].filter(([sym, { values }]) => settings.ofElements.get(sym) === values.size));
}

export function filledArrays(
  functions: readonly FunctionDef[],
  settings: Settings,
): ReadonlyMap<Symbol, Filled> {
  const filled = new Map<Symbol, Filled>();
  for (const def of functions)
    for (const loop of always(def.body)) {
      const header = countedHeader(loop);
      if ("severity" in header || !isOne(header.step) || !/^<=?$/.test(header.relation)) continue;
      for (const s of always(loop.body, "expr")) {
        const sym = fills(s, header);
        const known = [header.lower, header.bound, ...(sym ? [sym.value] : [])].every((e) =>
          staysSo(e, header.var, settings.of),
        );
        if (sym && known)
          filled.set(sym.array, { header, value: sym.value, loop: loop.span, until: def.span });
      }
    }
  return new Map([...filled].filter(([sym]) => settings.ofElements.get(sym) === 1));
}

/** Whether an expression comes after the loop that filled the array. */
export function isBehind(
  { span: { start } }: Expr,
  { loop, until }: Pick<Filled, "loop" | "until">,
): boolean {
  return (
    start.file === loop.end.file &&
    start.file === until.end.file &&
    start.line > loop.end.line &&
    start.line <= until.end.line
  );
}

type Of<K extends Stmt["kind"]> = Stmt & { readonly kind: K };

/** Statements of a kind that run whenever the block does. */
function always(s: Stmt): readonly Of<"for">[];
function always<K extends Stmt["kind"]>(s: Stmt, kind: K): readonly Of<K>[];
function always(s: Stmt, kind: Stmt["kind"] = "for"): readonly Stmt[] {
  if (s.kind === kind) return [s];
  if (s.kind !== "compound") return [];
  const found: Stmt[] = [];
  for (const child of s.body) {
    found.push(...always(child, kind));
    // A statement that may leave the block makes the following ones conditional.
    if (leaves(child)) break;
  }
  return found;
}

/** What `leaves` has found: it is asked for each statement around a statement. */
const leaving = new WeakMap<Stmt, boolean>();

const jumps: ReadonlySet<Stmt["kind"]> = new Set(["return", "goto", "break", "continue", "asm"]);

/** Whether control may leave a statement, or the block around it, before its end. */
function leaves(s: Stmt): boolean {
  const seen = leaving.get(s);
  if (seen !== undefined) return seen;
  let found = false;
  walkStmt(s, {
    stmt({ kind }) {
      found ||= jumps.has(kind);
      // A function inside of this one leaves itself alone.
      return !found && kind !== "decl";
    },
    expr: () => false,
  });
  leaving.set(s, found);
  return found;
}

function fills({ expr }: Of<"expr">, header: LoopHeader): { array: Symbol; value: Expr } | undefined {
  if (expr?.kind !== "assign" || expr.op !== "=") return undefined;
  const target = stripImplicit(expr.left);
  if (target.kind !== "index" || !(isInteger(target.type) || isPointer(target.type))) return undefined;
  const [base, index] = [stripImplicit(target.base), stripImplicit(target.index)];
  if (base.kind !== "ident" || canonical(base.sym.type).kind !== "array") return undefined;
  return index.kind === "ident" && index.sym === header.var
    ? { array: base.sym, value: expr.right }
    : undefined;
}

/** Whether it consists of integers, and of addresses, that have the same value everywhere. */
function staysSo(e: Expr, counter: Symbol, setting: (sym: Symbol) => number): boolean {
  let same = true;
  walkExpr(e, {
    expr(part) {
      // Where an element stands is known without its value.
      if (part.kind === "unary" && part.op === "&" && part.arg.kind === "index") {
        if (!staysSo(part.arg.index, counter, setting)) same = false;
        const base = stripImplicit(part.arg.base);
        if (base.kind !== "ident" || arrayOf(base) === undefined) same = false;
        return false;
      }
      if (part.kind === "ident" && arrayOf(part) !== undefined) return true;
      if (part.kind === "call" || part.kind === "assign" || part.kind === "incdec" || part.kind === "member")
        same = false;
      if (part.kind === "index" || (part.kind === "unary" && part.op === "*")) same = false;
      if (part.kind !== "ident" || part.sym === counter || part.sym.kind === "enumerator") return true;
      const { sym } = part;
      const own = sym.scope === "block" || sym.kind === "param";
      if (!own || setting(sym) > (sym.kind === "param" ? 0 : 1)) same = false;
      return true;
    },
  });
  return same;
}

const isOne = (e: Expr): boolean => e.kind === "int" && e.value === 1n;

/** The array of which an expression designates a part. */
export function arrayOf(e: Expr): Symbol | undefined {
  if (e.kind === "index") {
    const base = stripImplicit(e.base);
    // What a pointer in the array leads to is no part of it.
    return base.kind !== "cast" && isPointer(base.type) ? undefined : arrayOf(base);
  }
  if (e.kind === "member" && !e.arrow) return arrayOf(stripImplicit(e.base));
  if (e.kind === "cast") return arrayOf(e.arg);
  return e.kind === "ident" && canonical(e.sym.type).kind === "array" ? e.sym : undefined;
}
