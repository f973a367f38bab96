/** Loops whose lanes load and store 16 bytes at a time: which elements. */
import { rootOf, type Uses, usesOf } from "../../../../core/ir/analysis/access.ts";
import { isVolatile, pureReads } from "../../../../core/ir/analysis/purity.ts";
import {
  canonical,
  evaluateInteger,
  isPointer,
  mapStmt,
  printExpr,
  unqualified,
  walkExpr,
  walkStmt,
} from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { exprStmt, freshSymbol, ident } from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import type { ScanLoop } from "../../mapping/scans.ts";
import { dependents, mentions } from "../../mapping/slopes.ts";
import { isNext, isWord } from "./neighbours.ts";

/** Arrays whose elements a lane keeps in registers. */
const MOST = 6;

export interface WideScan {
  /** An access of each array that is loaded, and of each that is stored. */
  readonly loads: readonly Expr[];
  readonly stores: readonly Expr[];
}

type Body = Pick<ScanLoop, "header" | "body" | "privates">;

/** What lanes load and store 16 bytes at a time; undefined: something that they store is not of that kind. */
export function wideScan(loop: Body): WideScan | undefined {
  const { header, body } = loop;
  const counter = canonical(header.var.type);
  const counts = counter.kind === "int" && (counter.name === "int" || counter.name === "long");
  const uses = usesOf(body);
  if (!counts || evaluateInteger(header.step) !== 1n || !isSimple(uses)) return undefined;
  const fixed = fixedIn(loop, uses);
  const stores = storesIn(body, uses, fixed);
  if (!stores) return undefined;
  const loads = loadsIn(body, fixed, new Set(stores.map((e) => printExpr(e))));
  const found = stores.length + loads.length;
  return found > 0 && found <= MOST ? { loads, stores } : undefined;
}

/** Calls read no memory. */
const isSimple = ({ calls, indirectCall }: Uses): boolean =>
  !indirectCall &&
  [...calls.keys()].every((f) => {
    const reads = pureReads(f);
    return reads && !reads.pointees && reads.globals.size === 0;
  });

/** Whether an element's place moves by one from iteration to iteration, in an array that does not change. */
function fixedIn({ header, body, privates }: Body, uses: Uses): (e: Expr) => e is Expr & { kind: "index" } {
  const written = [...uses.of].flatMap(([sym, use]) => (use.written || use.addressTaken ? [sym] : []));
  const moving = new Set([...dependents(body, header.var), ...uses.declared, ...privates, ...written]);
  return (e): e is Expr & { kind: "index" } =>
    e.kind === "index" &&
    (isWord(e) || isLong(e)) &&
    !isVolatile(e.type) &&
    !mentions(e.base, moving) &&
    isNext(e.index, header.var, moving);
}

function isLong({ type }: Expr): boolean {
  const c = canonical(type);
  return c.kind === "int" && (c.name === "long" || c.name === "ulong");
}

/** The stores, one for each array that the body changes, each run by every iteration; undefined: there are others. */
function storesIn(body: Stmt, uses: Uses, fixed: (e: Expr) => boolean): readonly Expr[] | undefined {
  const changed = [...uses.of].filter(
    ([sym, use]) => use.elementsWritten && !(uses.declared.has(sym) && !isPointer(sym.type)),
  );
  const stores: Expr[] = [];
  for (const [sym] of changed) {
    const [only, ...more] = flat(body).filter((s) => usesOf(s).of.get(sym)?.elementsWritten);
    const store = only && more.length === 0 ? storeOf(only) : undefined;
    if (!store || !fixed(store) || rootOf(store)?.sym !== sym) return undefined;
    if (readsAfter(body, sym, store)) return undefined;
    stores.push(store);
  }
  return stores;
}

/** The element that a statement sets, or changes by an operator. */
function storeOf(s: Stmt): Expr | undefined {
  if (s.kind !== "expr" || s.expr?.kind !== "assign") return undefined;
  const { left, right } = s.expr;
  const root = rootOf(left)?.sym;
  const inside = usesOf(exprStmt(right)).of.get(root as Symbol);
  return root && !inside?.elementsWritten ? left : undefined;
}

/** Whether an iteration reads other elements of an array than that which it stores, behind that store. */
function readsAfter(body: Stmt, sym: Symbol, stored: Expr): boolean {
  const list = flat(body);
  const at = list.findIndex((s) => usesOf(s).of.get(sym)?.elementsWritten);
  const text = printExpr(stored);
  const own = freshSymbol("arc_part", unqualified(stored.type));
  const others = list
    .slice(at + 1)
    .map((s) => mapStmt(s, { expr: (e) => (e.kind === "index" && printExpr(e) === text ? ident(own) : e) }));
  return others.some((s) => usesOf(s).of.get(sym)?.elementsRead);
}

/** The elements that every iteration loads, or may load and then stores; not those that it sets before. */
function loadsIn(body: Stmt, fixed: (e: Expr) => boolean, stored: ReadonlySet<string>): readonly Expr[] {
  const found = new Map<string, Expr>();
  const targets = new Set<Expr>();
  const known = new Set<string>();
  const add = (e: Expr, isAlways: boolean): void => {
    if (targets.has(e) || !fixed(e) || known.has(printExpr(e))) return;
    if (isAlways || stored.has(printExpr(e))) found.set(printExpr(e), e);
  };
  const inside = (e: Expr, isAlways: boolean): void =>
    walkExpr(e, {
      expr(sub) {
        if (sub.kind === "assign" && sub.op === "=") targets.add(sub.left);
        if (isAlways && isBranch(sub)) {
          inside(sub, false);
          return false;
        }
        add(sub, isAlways);
        return undefined;
      },
    });
  for (const s of flat(body)) {
    const isAlways = s.kind === "expr" || s.kind === "decl";
    if (s.kind === "if") inside(s.test, true);
    walkStmt(s, {
      expr(e) {
        inside(e, isAlways);
        return false;
      },
    });
    if (s.kind === "expr" && s.expr?.kind === "assign" && s.expr.op === "=")
      known.add(printExpr(s.expr.left));
  }
  return [...found.values()];
}

const isBranch = (e: Expr): boolean =>
  e.kind === "cond" || (e.kind === "binary" && (e.op === "&&" || e.op === "||"));
