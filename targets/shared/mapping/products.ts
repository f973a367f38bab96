/**
 * Nests shaped like a matrix product: an iteration of two parallel loops runs a sequential loop whose operands
 * each depend on the row or the column only, so that blocks of rows and columns can share their loads.
 *
 *     for (i...) for (j...) {            rows of a are the same for all j, columns of b for all i
 *       float s = 0;
 *       for (k...) s += a[i][k] * b[k][j];
 *       c[i][j] = s;
 *     }
 */
import { firstOf, itemAt } from "../../../core/checked/access.ts";
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { hasLoop } from "../../../core/ir/analysis/control.ts";
import { affine } from "../../../core/ir/analysis/loops/affine.ts";
import { isVolatile, pureReads } from "../../../core/ir/analysis/purity.ts";
import { type Reference, referencesOf } from "../../../core/ir/dependence/references.ts";
import { asNode, type Loop, type LoopHeader, type Spmd } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  evaluateInteger,
  isPointer,
  isScalar,
  printExpr,
  sizeOf,
  substituteExpr,
  walkExpr,
} from "../../../core/lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { cast, compound, intLit } from "../../../core/lang/tree/build.ts";
import { containsAtomic, escapes, flat } from "../device/control.ts";
import { countedLoop, tripsKnown } from "./counted-loops.ts";
import { leavesOpen } from "./open-levels.ts";
import { hasPartition } from "./partition.ts";
import { sectors } from "./strides.ts";
import { asksItsPlace } from "./teams.ts";

/** Data that a block of rows or columns loads once. */
export interface Operand {
  /** The expressions that load it. */
  readonly loads: readonly Expr[];
  readonly type: CType;
  readonly side: "row" | "column";
  /** The loop whose neighbouring iterations access neighbouring memory. */
  readonly along: "inner" | "outer";
}

export interface Product {
  readonly loop: Loop;
  /** The untiled loop, for launches that are faster without tiles. */
  readonly plain: Loop;
  /** Enclosing loops: each iteration computes a separate product. */
  readonly batch: readonly LoopHeader[];
  readonly row: LoopHeader;
  readonly column: LoopHeader;
  readonly inner: LoopHeader;
  readonly before: readonly Stmt[];
  readonly body: Stmt;
  readonly behind: readonly Stmt[];
  /** An iteration's variables that are live from one of these parts to another. */
  readonly liveAcross: readonly Symbol[];
  /** Its other variables. */
  readonly privates: readonly Symbol[];
  readonly operands: readonly Operand[];
  /** The number of columns depends linearly on the row. */
  readonly ragged: boolean;
  /** The columns as written, where each row begins at another one; `column` begins where the first row does. */
  readonly begins?: LoopHeader;
}

/** Shorter inner loops are not worth tiling. */
const FEWEST = 16;
const MOST_KEPT = 2;
const MOST_OPERANDS = 4;

/** The loop that makes up a region, if it is such a nest. */
export function productLoop(
  spmd: Spmd,
  given: Loop,
  isArgument: (sym: Symbol) => boolean,
): Product | undefined {
  if (!leavesOpen(spmd, given)) return undefined;
  const counters = new Set(given.headers.map((h) => h.var));
  const dependsOnOthers = ({ lower, bound, step }: LoopHeader) =>
    [...usesOf(lower, bound, step).of.keys()].some((sym) => counters.has(sym));
  if (given.headers.some(dependsOnOthers)) return undefined;
  const { loop, begins } = asNest(given);
  const [row, column] = loop.headers.slice(-2);
  const batch = loop.headers.slice(0, -2);
  if (!row || !column || loop.reductions.length > 0) return undefined;
  if (loop.headers.some((h) => isPointer(h.var.type))) return undefined;
  if (escapes(loop.body) || hasPartition(loop.body) || asksItsPlace(loop.body)) return undefined;
  if (containsAtomic(loop.body)) return undefined;
  const stmts = flattened(loop.body);
  const at = stmts.findIndex(hasLoop);
  const inner = at < 0 ? undefined : innerLoop(itemAt(stmts, at));
  const [header] = inner?.headers ?? [];
  if (!inner || !header || inner.headers.length !== 1 || inner.reductions.length > 0) return undefined;
  const [before, behind] = [stmts.slice(0, at), stmts.slice(at + 1)];
  if (behind.some(hasLoop) || [...before, ...behind].some((s) => s.kind === "ext")) return undefined;
  if (hasLoop(inner.body) || escapes(inner.body) || isPointer(header.var.type)) return undefined;
  if ((tripsKnown(header) ?? FEWEST) < FEWEST || !isFixed(header, loop)) return undefined;
  const parts = { before: compound(before), body: inner.body, behind: compound(behind) };
  const own = ownVariables(parts, [...loop.privates, ...inner.privates], header, isArgument);
  const operands = own && operandsOf({ row, column, inner, at: itemAt(stmts, at) }, own.all);
  if (!own || !operands) return undefined;
  const ragged = usesOf(column.bound).of.has(row.var);
  const nest = {
    loop,
    plain: given,
    batch,
    row,
    column,
    inner: header,
    ragged,
    ...(begins && { begins }),
  };
  return { ...nest, before, body: inner.body, behind, operands, ...own };
}

/** An inner loop; its order is kept, so `loop seq` is allowed. */
function innerLoop(s: Stmt): Loop | undefined {
  const loop = asNode(s, "loop");
  return loop?.parallel.independence === "seq" && loop.parallel.levels.length === 0 ? loop : countedLoop(s);
}

/** Merges a loop with the loop that is its whole body, if the user names no levels on either. */
function asNest(loop: Loop): { readonly loop: Loop; readonly begins?: LoopHeader } {
  const [only, ...more] = flat(loop.body);
  const inner = only?.kind === "ext" && more.length === 0 ? countedLoop(only) : undefined;
  if (inner?.headers.length !== 1 || inner.reductions.length > 0) return { loop };
  const [header] = inner.headers;
  if (inner.parallel.independence !== "independent" || !header) return { loop };
  const nest = (column: LoopHeader): Loop => ({
    ...loop,
    headers: [...loop.headers, column],
    privates: [...loop.privates, ...inner.privates],
    parallel: { ...loop.parallel, levels: ["gang", "vector"] },
    body: inner.body,
  });
  if (isFixed(header, loop)) return asNest(nest(header));
  if (loop.headers.length > 1) return { loop };
  if (isRagged(header, loop)) return { loop: nest(header) };
  const first = fromFirstRow(header, loop);
  return first ? { loop: nest(first), begins: header } : { loop };
}

/** Rows of which each begins further behind and that end alike, `for (j = i; j < n; j++)`: columns from the first one on. */
function fromFirstRow(header: LoopHeader, around: Loop): LoopHeader | undefined {
  const [row] = around.headers;
  const { lower } = header;
  if (!row || (affine(lower)?.terms.get(row.var) ?? 0n) <= 0n) return undefined;
  const up = (h: LoopHeader) => evaluateInteger(h.step) === 1n && (h.relation === "<" || h.relation === "<=");
  if (!up(row) || !up(header)) return undefined;
  const first = {
    ...header,
    lower: substituteExpr(lower, new Map([[row.var, cast(row.var.type, row.lower)]])),
  };
  return isFixed(first, around) ? first : undefined;
}

/** Rows that start alike and whose length changes by a constant: `for (j = 0; j <= i; j++)`. */
function isRagged(header: LoopHeader, around: Loop): boolean {
  const [row] = around.headers;
  const { bound, step, relation } = header;
  const form = affine(bound);
  if (!row || !form || (form.terms.get(row.var) ?? 0n) === 0n) return false;
  if (evaluateInteger(step) !== 1n || (relation !== "<" && relation !== "<=")) return false;
  return isFixed({ ...header, bound: substituteExpr(bound, new Map([[row.var, intLit(0)]])) }, around);
}

/** Nested blocks become one list, in which each variable is declared once. */
const flattened = (s: Stmt): readonly Stmt[] =>
  s.kind === "compound" && !s.pragmas?.length ? s.body.flatMap(flattened) : [s];

/** Bounds and step are the same in every iteration of the enclosing loops. */
function isFixed({ lower, bound, step }: LoopHeader, around: Loop): boolean {
  const changed = usesOf(around.body);
  const counters = new Set(around.headers.map((h) => h.var));
  return [...usesOf(lower, bound, step).of].every(([sym, use]) => {
    const there = changed.of.get(sym);
    const stays = !there?.written && !there?.addressTaken && !changed.declared.has(sym);
    return stays && !counters.has(sym) && !use.elementsRead;
  });
}

interface Own {
  readonly liveAcross: readonly Symbol[];
  readonly privates: readonly Symbol[];
  readonly all: ReadonlySet<Symbol>;
}

/** Undefined: something besides the iteration variables and memory changes, or a variable cannot be held. */
function ownVariables(
  parts: { readonly before: Stmt; readonly body: Stmt; readonly behind: Stmt },
  privates: readonly Symbol[],
  { var: counter }: LoopHeader,
  isArgument: (sym: Symbol) => boolean,
): Own | undefined {
  const [before, body, behind] = [usesOf(parts.before), usesOf(parts.body), usesOf(parts.behind)];
  const all = new Set([...before.declared, ...body.declared, ...behind.declared, ...privates]);
  const uses = new Set([before, body, behind].flatMap((u) => [...u.of.keys()]));
  for (const u of [before, body, behind]) {
    if (u.indirectCall || ![...u.calls.keys()].every((f) => pureReads(f))) return undefined;
    for (const [sym, use] of u.of) {
      if (isVolatile(sym.type) || use.addressTaken) return undefined;
      if (use.written && (!all.has(sym) || isArgument(sym))) return undefined;
    }
  }
  if ([...body.of.values()].some((use) => use.elementsWritten)) return undefined;
  if (behind.of.has(counter) || body.of.get(counter)?.written) return undefined;
  const liveAcross = [...all].filter(
    (sym) =>
      sym !== counter &&
      [before, body, behind].filter((u) => u.of.has(sym) || u.declared.has(sym)).length > 1,
  );
  const held = [...all].filter((sym) => uses.has(sym) && sym !== counter);
  const plain = ({ type, storage }: Symbol) => isNumber(type) && storage !== "static" && storage !== "extern";
  if (!held.every(plain) || liveAcross.length === 0 || liveAcross.length > MOST_KEPT) return undefined;
  return {
    liveAcross,
    all,
    privates: held.filter((sym) => privates.includes(sym) && !liveAcross.includes(sym)),
  };
}

function isNumber(type: CType): boolean {
  return isScalar(type) && ["int", "float"].includes(canonical(type).kind) && (sizeOf(type) ?? 16) <= 8;
}

interface Where {
  readonly row: LoopHeader;
  readonly column: LoopHeader;
  readonly inner: Loop;
  /** The inner loop as a statement. */
  readonly at: Stmt;
}

/** Undefined: an access depends on both row and column, or one side has none. */
function operandsOf(
  { row, column, inner, at }: Where,
  own: ReadonlySet<Symbol>,
): readonly Operand[] | undefined {
  const k = firstOf(inner.headers).var;
  const varies = new Set([...own, ...usesOf(at).declared, row.var, column.var]);
  const { list, obstacle } = referencesOf([row, column], at, usesOf(at), varies);
  if (obstacle) return undefined;
  const found = new Map<string, { refs: Reference[]; side: Operand["side"] }>();
  for (const ref of list) {
    if (ref.location.steps.length === 0) continue;
    const used = variablesIn(ref.expr);
    if (used.has(row.var) && used.has(column.var)) return undefined;
    const ofOthers = [...used].some(
      (sym) => sym !== k && sym !== row.var && sym !== column.var && varies.has(sym),
    );
    const side = used.has(row.var) ? "row" : used.has(column.var) ? "column" : undefined;
    if (!side || !used.has(k) || ofOthers || !ref.always || ref.mode !== "read" || !isNumber(ref.type))
      continue;
    const key = [printExpr(ref.expr), ...[...used].map((sym) => sym.id)].join(" ");
    const known = found.get(key);
    if (known) known.refs.push(ref);
    else found.set(key, { refs: [ref], side });
  }
  const operands = [...found.values()].map(({ refs, side }): Operand => {
    const [first] = refs as [Reference];
    const other = side === "row" ? row : column;
    return {
      loads: refs.map((r) => r.expr),
      type: first.type,
      side,
      along: sectors(first, k) < sectors(first, other.var) ? "inner" : "outer",
    };
  });
  const both = operands.some((o) => o.side === "row") && operands.some((o) => o.side === "column");
  return both && operands.length <= MOST_OPERANDS ? operands : undefined;
}

function variablesIn(e: Expr): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkExpr(e, {
    expr(sub) {
      if (sub.kind === "ident") found.add(sub.sym);
    },
  });
  return found;
}
