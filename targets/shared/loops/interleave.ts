/**
 * Several iterations of a loop at once (unroll and jam): statement by statement, each iteration with
 * its own variables; inner loops with equal trip counts run once for all. Several loads are then
 * in flight before the first is needed, and data that iterations share is loaded once.
 *
 * Only for loops whose iterations may run in any order.
 */
import { firstOf, itemAt } from "../../../core/checked/access.ts";
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { definedFirst } from "../../../core/ir/analysis/liveness.ts";
import { isVolatile } from "../../../core/ir/analysis/purity.ts";
import { reductionUse } from "../../../core/ir/analysis/reductions.ts";
import { isBuiltin } from "../../../core/ir/analysis/routines.ts";
import { routineCalled } from "../../../core/ir/model/device-routines.ts";
import { asNode } from "../../../core/ir/model/ir.ts";
import {
  isArithmetic,
  isScalar,
  substitute,
  substituteExpr,
  unqualified,
  walkExpr,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { BinaryOp, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
} from "../../../core/lang/tree/build.ts";
import { escapes, flat } from "../device/control.ts";
import { workItemIdOf } from "../device/device.ts";

/** With more expressions than this, register use costs more than hidden latency gains. */
const MOST_EXPRESSIONS = 200;

type For = Extract<Stmt, { kind: "for" }>;
type Copy = ReadonlyMap<Symbol, Expr>;

/**
 * Whether copies of the body can be interleaved: all its loops have the same trips in every iteration.
 * `variables`: the counters of the enclosing loop.
 */
export function canInterleave(body: Stmt, variables: readonly Symbol[]): boolean {
  let size = 0;
  let straight = !escapes(body);
  walkStmt(body, {
    stmt(s) {
      if (["while", "do", "switch", "label", "goto"].includes(s.kind)) straight = false;
      if (s.kind === "ext" && !asNode(s, "atomic")) straight = false;
      if (s.kind === "decl" && s.decls.some((d) => d.sym.kind === "function" || !isAutomatic(d.sym)))
        straight = false;
    },
    expr(e) {
      size++;
      if (e.kind === "call" && !(e.callee.kind === "ident" && isBuiltin(e.callee.sym))) straight = false;
      // What a thread keeps for itself, by its number, it changes in the order of its iterations.
      if (routineCalled(e) || (e.kind === "ident" && workItemIdOf(e.sym))) straight = false;
      if (e.kind === "stmt-expr") straight = false;
    },
  });
  return (
    straight &&
    size <= MOST_EXPRESSIONS &&
    handsNothingOn(body) &&
    loopsRunAlike(flat(body), new Set([...varying(body), ...variables]))
  );
}

/** Outer variables are set anew in each iteration, or only combined with further values. */
function handsNothingOn(body: Stmt): boolean {
  const uses = usesOf(body);
  return [...uses.of].every(
    ([sym, use]) =>
      !use.written ||
      uses.declared.has(sym) ||
      (!use.addressTaken && (definedFirst(body, sym) || reductionUse(body, sym).op !== undefined)),
  );
}

const isAutomatic = ({ storage }: Symbol) => storage !== "static" && storage !== "extern";

/** `body` once for each of `copies`, which replace the loop's variable. */
export function interleave(body: readonly Stmt[], copies: readonly Copy[]): Stmt[] {
  const block = compound(body);
  const usedNames = new Set<string>();
  walkStmt(block, {
    stmt(s) {
      if (s.kind === "decl") for (const d of s.decls) usedNames.add(d.sym.name);
    },
    expr(e) {
      if (e.kind === "ident") usedNames.add(e.sym.name);
    },
  });
  const numbered = (name: string, copy: number): string => {
    for (let spelling = `${name}_${copy}`; ; spelling = `${spelling}_`)
      if (!usedNames.has(spelling)) {
        usedNames.add(spelling);
        return spelling;
      }
  };
  const own = copies.map((copy) => new Map(copy));
  const declared = ownVariables(block).flatMap((sym) =>
    own.map((copy, n) => {
      const renamed = freshSymbol(numbered(sym.name, n), unqualified(sym.type));
      copy.set(sym, ident(renamed));
      return declare(renamed);
    }),
  );
  return [...declared, ...list(body, own, { varies: varying(block), numbered })];
}

/** Outer variables that each iteration sets before reading them. What none reads, the code behind the loop may. */
function ownVariables(body: Stmt): readonly Symbol[] {
  const uses = usesOf(body);
  return [...uses.of].flatMap(([sym, use]) =>
    use.read &&
    use.written &&
    !use.addressTaken &&
    !uses.declared.has(sym) &&
    isScalar(sym.type) &&
    definedFirst(body, sym)
      ? [sym]
      : [],
  );
}

interface Context {
  readonly varies: ReadonlySet<Symbol>;
  numbered(name: string, copy: number): string;
}

function list(body: readonly Stmt[], outer: readonly Copy[], context: Context): Stmt[] {
  const copies = outer.map((copy) => new Map(copy));
  return body.flatMap((s) => together(s, copies, context));
}

function together(s: Stmt, copies: Map<Symbol, Expr>[], context: Context): Stmt[] {
  if (s.kind === "compound" && !s.pragmas?.length) return [compound(list(s.body, copies, context), s.span)];
  if (s.kind === "for" && runsAlike(s, context.varies))
    return [{ ...s, body: compound(list(flat(s.body), copies, context), s.body.span) }];
  if (s.kind === "decl") return copies.map((copy, n) => declaration(s, copy, n, context));
  const store = s.kind === "expr" && s.expr ? plainStore(s.expr) : undefined;
  if (store) return loadsFirst(store, copies, context);
  return copies.map((copy) => substitute(s, copy));
}

function declaration(
  s: Extract<Stmt, { kind: "decl" }>,
  copy: Map<Symbol, Expr>,
  n: number,
  context: Context,
): Stmt {
  const decls = s.decls.map((d) => {
    const sym = freshSymbol(context.numbered(d.sym.name, n), d.sym.type);
    copy.set(d.sym, ident(sym));
    // The declared variable itself is in scope of its initialiser, and of those after it.
    const replaced = firstOf((substitute({ ...s, decls: [{ ...d, sym }] }, copy) as typeof s).decls);
    copy.set(d.sym, ident(replaced.sym));
    return replaced;
  });
  return { ...s, decls };
}

/** Whether the body, or a loop or block of it, stores what it computes from memory: its copies load before they store. */
export function storesLoaded(body: Stmt): boolean {
  if (body.kind === "compound") return body.body.some(storesLoaded);
  if (body.kind === "for") return storesLoaded(body.body);
  return body.kind === "expr" && body.expr !== undefined && plainStore(body.expr) !== undefined;
}

type Store = Extract<Expr, { kind: "assign" }>;

/** An assignment to memory of a value loaded from memory and computed without effects, as `=`. */
function plainStore(e: Expr): Store | undefined {
  if (e.kind !== "assign" || e.left.kind === "ident") return undefined;
  if (e.op === "=") return isPlain(e.right) && loads(e.right) ? e : undefined;
  const isElement = e.left.kind === "index" || (e.left.kind === "unary" && e.left.op === "*");
  if (!isElement || !isArithmetic(e.left.type) || !isArithmetic(e.right.type)) return undefined;
  if (!isPlain(e.left) || !isPlain(e.right)) return undefined;
  return { ...e, op: "=", right: binary(e.op.slice(0, -1) as BinaryOp, e.left, e.right) };
}

function isPlain(e: Expr): boolean {
  let plain = true;
  walkExpr(e, {
    expr(sub) {
      if (sub.kind === "assign" || sub.kind === "incdec" || sub.kind === "call") plain = false;
      if (isVolatile(sub.type)) plain = false;
    },
  });
  return plain;
}

function loads(e: Expr): boolean {
  let found = false;
  walkExpr(e, {
    expr(sub) {
      found ||= sub.kind === "index" || (sub.kind === "unary" && sub.op === "*");
      found ||= sub.kind === "member" && sub.arrow;
    },
  });
  return found;
}

/** Computes all values before the first store: a compiler cannot know that stores change none of the loaded values. */
function loadsFirst(store: Store, copies: readonly Copy[], context: Context): Stmt[] {
  const values = copies.map((_, n) =>
    freshSymbol(context.numbered("arc_value", n), unqualified(store.left.type)),
  );
  return [
    ...copies.map((copy, n) => declare(itemAt(values, n), substituteExpr(store.right, copy))),
    ...copies.map((copy, n) => exprStmt(assign(substituteExpr(store.left, copy), ident(itemAt(values, n))))),
  ];
}

/** Variables that may differ from iteration to iteration, or change within one. */
function varying(body: Stmt): ReadonlySet<Symbol> {
  const uses = usesOf(body);
  const result = new Set<Symbol>(uses.declared);
  for (const [sym, use] of uses.of) if (use.written || use.addressTaken) result.add(sym);
  return result;
}

function loopsRunAlike(body: readonly Stmt[], varies: ReadonlySet<Symbol>): boolean {
  return body.every((s) => {
    if (s.kind === "for") return runsAlike(s, varies) && loopsRunAlike(flat(s.body), varies);
    if (s.kind === "compound") return loopsRunAlike(s.body, varies);
    let loops = false;
    walkStmt(s, {
      stmt(child) {
        if (child.kind === "for") loops = true;
      },
    });
    return !loops;
  });
}

/** A loop with its own counter, whose bounds are the same in every enclosing iteration. */
function runsAlike(s: For, varies: ReadonlySet<Symbol>): boolean {
  if (s.init?.kind !== "decl" || escapes(s.body)) return false;
  const own = new Set(s.init.decls.map((d) => d.sym));
  const inBody = usesOf(s.body);
  for (const sym of own) {
    const use = inBody.of.get(sym);
    if (use?.written || use?.addressTaken) return false;
  }
  let alike = true;
  const header: Stmt = { ...s, body: { kind: "expr", span: s.body.span } };
  walkStmt(header, {
    expr(e) {
      if (e.kind === "ident") alike &&= own.has(e.sym) || !varies.has(e.sym);
      else if (["index", "member", "call", "stmt-expr"].includes(e.kind)) alike = false;
      else if (e.kind === "unary" && (e.op === "*" || e.op === "&")) alike = false;
    },
  });
  return alike;
}
