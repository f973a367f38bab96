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
import { itemAt } from "../../../../core/checked/access.ts";
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import { hasLoop } from "../../../../core/ir/analysis/control.ts";
import { affine } from "../../../../core/ir/analysis/loops/affine.ts";
import { isVolatile, pureReads } from "../../../../core/ir/analysis/purity.ts";
import { asNode, type Loop, type LoopHeader, type Spmd } from "../../../../core/ir/model/ir.ts";
import { evaluateInteger, isPointer, mapStmt, substituteExpr } from "../../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { binary, cast, compound, intLit } from "../../../../core/lang/tree/build.ts";
import { containsAtomic, escapes, flat } from "../../device/control.ts";
import type { Arguments } from "../accumulators.ts";
import { countedLoop, tripsKnown } from "../counted-loops.ts";
import { type Nest, proved } from "../nests.ts";
import { leavesOpen } from "../open-levels.ts";
import { hasPartition } from "../partition.ts";
import { same } from "../same-expression.ts";
import { asksItsPlace } from "../teams.ts";
import { type Factors, factorsOf } from "./factors.ts";
import { isNumber, type Operand, operandsOf } from "./operands.ts";

export interface Product {
  readonly loop: Loop;
  /** The untiled loop or nest, for launches that are faster without tiles. */
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
  /** What each iteration multiplies, if it does nothing but add a product to a sum. */
  readonly factors?: Factors;
  /** The number of columns depends linearly on the row. */
  readonly ragged: boolean;
  /** Pointers that must not point to the same memory. */
  readonly pairs: Nest["pairs"];
  /** The columns as written, where each row begins at another one; `column` begins where the first row does. */
  readonly begins?: LoopHeader;
}

/** Shorter inner loops are not worth tiling. */
const FEWEST = 16;
const MOST_KEPT = 2;

/** The loop that makes up a region, if it is such a nest. */
export function productLoop(spmd: Spmd, given: Loop, args: Arguments): Product | undefined {
  if (!leavesOpen(spmd, given)) return undefined;
  const counters = new Set(given.headers.map((h) => h.var));
  const dependsOnOthers = ({ lower, bound, step }: LoopHeader) =>
    [...usesOf(lower, bound, step).of.keys()].some((sym) => counters.has(sym));
  if (given.headers.some(dependsOnOthers)) return undefined;
  const { loop, begins, pairs } = asNest(given, args);
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
  // Tiles are only for inner loops of many iterations.
  const [before, behind] = [stmts.slice(0, at), stmts.slice(at + 1)].map((part) =>
    part.map((s) => whereItRuns(s, header)),
  ) as [Stmt[], Stmt[]];
  if (behind.some(hasLoop) || [...before, ...behind].some((s) => s.kind === "ext")) return undefined;
  if (hasLoop(inner.body) || escapes(inner.body) || isPointer(header.var.type)) return undefined;
  if ((tripsKnown(header) ?? FEWEST) < FEWEST || !isFixed(header, loop)) return undefined;
  const parts = { before: compound(before), body: inner.body, behind: compound(behind) };
  const own = ownVariables(parts, [...loop.privates, ...inner.privates], header, args.isArgument);
  const operands = own && operandsOf({ row, column, inner, at: itemAt(stmts, at) }, own.all);
  if (!own || !operands) return undefined;
  const ragged = usesOf(column.bound).of.has(row.var);
  const nest = {
    loop,
    plain: ragged || begins ? given : loop,
    batch,
    row,
    column,
    inner: header,
    ragged,
    ...(begins && { begins }),
    pairs,
  };
  const varies = new Set([...own.all, row.var, column.var, header.var]);
  const [sum, ...others] = own.liveAcross;
  const factors = sum && others.length === 0 ? factorsOf(inner.body, sum, operands, varies) : undefined;
  return { ...nest, before, body: inner.body, behind, operands, ...own, ...(factors && { factors }) };
}

/** Code as it is where a loop has iterations, of which it asks nothing else. */
function whereItRuns(s: Stmt, { relation, lower, bound }: LoopHeader): Stmt {
  const runs = binary(relation, lower, bound);
  return mapStmt(s, {
    stmt: (part) => (part.kind === "if" && same(part.test, runs) ? part.then : part),
    expr: (e) => (e.kind === "cond" && e.then && same(e.test, runs) ? e.then : e),
  });
}

/** An inner loop; its order is kept, so `loop seq` is allowed. */
function innerLoop(s: Stmt): Loop | undefined {
  const loop = asNode(s, "loop");
  return loop?.parallel.independence === "seq" && loop.parallel.levels.length === 0 ? loop : countedLoop(s);
}

interface Merged {
  readonly loop: Loop;
  readonly begins?: LoopHeader;
  readonly pairs: Nest["pairs"];
}

/**
 * Merges a loop with the loop that is its whole body, if the user names no levels on either, and its iterations are
 * independent: by its directive or by proof.
 */
function asNest(loop: Loop, args: Arguments, pairs: Nest["pairs"] = []): Merged {
  const [only, ...more] = flat(loop.body);
  const inner = only?.kind === "ext" || only?.kind === "for" ? countedLoop(only) : undefined;
  const as = { loop, pairs };
  if (!only || more.length > 0 || inner?.headers.length !== 1 || inner.reductions.length > 0) return as;
  const [header] = inner.headers;
  if (!header || inner.parallel.independence === "seq" || !hasLoop(inner.body)) return as;
  const nest = (column: LoopHeader, privates: readonly Symbol[]): Loop => ({
    ...loop,
    headers: [...loop.headers, column],
    privates: [...loop.privates, ...privates],
    parallel: { ...loop.parallel, levels: ["gang", "vector"] },
    body: inner.body,
  });
  const fixed = isFixed(header, loop);
  const ragged = !fixed && loop.headers.length === 1 && isRagged(header, loop);
  const first = fixed || ragged || loop.headers.length > 1 ? undefined : fromFirstRow(header, loop);
  if (!fixed && !ragged && !first) return as;
  const proof =
    inner.parallel.independence === "independent"
      ? { privates: inner.privates, pairs: [] }
      : proved(loop, inner, only, args);
  if (!proof) return as;
  const all = [...pairs, ...proof.pairs];
  if (fixed) return asNest(nest(header, proof.privates), args, all);
  if (ragged) return { loop: nest(header, proof.privates), pairs: all };
  return first ? { loop: nest(first, proof.privates), begins: header, pairs: all } : as;
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
