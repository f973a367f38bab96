/**
 * Whether a region's parts must run one after the other. Gangs do not wait for each other at the end of a loop, so without
 * stages this loop would read elements that another gang has yet to write:
 *
 *     #pragma acc parallel
 *     {
 *     #pragma acc loop gang
 *       for (i = 0; i < n; i++) b[i] = a[i];
 *     #pragma acc loop gang
 *       for (i = 1; i < n; i++) c[i] = b[i - 1];
 *     }
 */
import { type Uses, usesOf } from "../../../../core/ir/analysis/access.ts";
import { hasLoop } from "../../../../core/ir/analysis/control.ts";
import type { DeviceFunction } from "../../../../core/ir/analysis/routines.ts";
import { interleaving } from "../../../../core/ir/dependence/dependence.ts";
import { asNode, type Loop, type LoopHeader } from "../../../../core/ir/model/ir.ts";
import type { Argument } from "../../../../core/ir/model/region.ts";
import {
  canonical,
  type Expr,
  findStatement,
  type Stmt,
  type Symbol,
  substitute,
} from "../../../../core/lang/index.ts";
import { exprStmt, freshSymbol, ident } from "../../../../core/lang/tree/build.ts";
import { keyOf } from "../same-expression.ts";
import type { Part } from "./plan.ts";

export interface Memory {
  readonly args: readonly Argument[];
  readonly functions: ReadonlyMap<Symbol, DeviceFunction>;
  /** Whether all gangs share a loop. */
  isShared(stmt: Stmt): boolean;
}

/** One statement of the region, as a stage might run it. */
interface Leaf {
  /** If all gangs share it. */
  readonly loop: Loop | undefined;
  /** Variables whose values differ from one execution to the next, as loops around the statement set them. */
  readonly varying: ReadonlySet<Symbol>;
  readonly touched: Touched;
}

/** What a statement reads and writes in memory that all gangs see. */
interface Touched {
  readonly read: ReadonlySet<Symbol>;
  readonly written: ReadonlySet<Symbol>;
  /** It may also reach memory of any other name. */
  readonly unknown: boolean;
}

/** Whether a part needs what other gangs do in another part, or in an earlier iteration of a loop around both. */
export function mustWait(parts: readonly Part[], memory: Memory): boolean {
  const leaves = leavesOf(parts, memory, new Set());
  return leaves.some((one, n) => {
    const later = leaves.slice(n + 1);
    const again = one.varying.size > 0 ? [one] : [];
    return [...later, ...again].some((other) => conflict(one, other));
  });
}

function leavesOf(parts: readonly Part[], memory: Memory, varying: ReadonlySet<Symbol>): Leaf[] {
  return parts.flatMap((part): Leaf[] => {
    if (part.is !== "repeat") return leavesIn(part.stmt, memory, varying);
    const { header, body } = part;
    const inside = new Set([...varying, header.var, ...setBy(body)]);
    return [...boundsOf(header, memory, inside), ...leavesOf(part.parts, memory, inside)];
  });
}

/** Of a statement that may contain loops of gangs. */
function leavesIn(stmt: Stmt, memory: Memory, varying: ReadonlySet<Symbol>): Leaf[] {
  const leaf = (loop?: Loop): Leaf[] => [{ loop, varying, touched: touchedBy(stmt, memory) }];
  const loop = memory.isShared(stmt) ? asNode(stmt, "loop") : undefined;
  if (loop || !findStatement(stmt, memory.isShared)) return leaf(loop);
  const inner = (v: ReadonlySet<Symbol>, ...code: readonly (Stmt | Expr | undefined)[]) =>
    code.flatMap((c) => (c ? leavesIn("type" in c ? exprStmt(c) : c, memory, v) : []));
  const repeated = new Set([...varying, ...setBy(stmt)]);
  switch (stmt.kind) {
    case "compound":
      return inner(varying, ...stmt.body);
    case "if":
      return inner(varying, stmt.test, stmt.then, stmt.else);
    case "while":
    case "do":
      return inner(repeated, stmt.test, stmt.body);
    case "for":
      return [...inner(varying, stmt.init), ...inner(repeated, stmt.test, stmt.step, stmt.body)];
    default: {
      const ordered = asNode(stmt, "loop");
      if (!ordered) return leaf();
      const inside = new Set([...repeated, ...ordered.headers.map((h) => h.var)]);
      return [...ordered.headers.flatMap((h) => boundsOf(h, memory, inside)), ...inner(inside, ordered.body)];
    }
  }
}

/** Of what decides how often a loop in order runs. */
const boundsOf = ({ lower, bound, step }: LoopHeader, memory: Memory, varying: ReadonlySet<Symbol>): Leaf[] =>
  [lower, bound, step].flatMap((e) => leavesIn(exprStmt(e), memory, varying));

/** Variables that the body of a loop sets. */
function setBy(body: Stmt): readonly Symbol[] {
  const { of, declared } = usesOf(body);
  return [...declared, ...[...of].flatMap(([sym, use]) => (use.written || use.addressTaken ? [sym] : []))];
}

function touchedBy(stmt: Stmt, { args, functions, isShared }: Memory): Touched {
  const uses = usesOf(stmt);
  const [read, written] = [new Set<Symbol>(), new Set<Symbol>()];
  let unknown = uses.indirectCall !== undefined;
  const isPassed = (sym: Symbol) => args.some((a) => a.sym === sym && a.how !== "extent");
  const take = ({ of, declared }: Pick<Uses, "of"> & Partial<Uses>) => {
    for (const [sym, use] of of) {
      const elements = use.elementsRead || use.elementsWritten;
      if (elements && !isPassed(sym) && canonical(sym.type).kind === "pointer") unknown = true;
      if (declared?.has(sym) || !isPassed(sym)) continue;
      const inMemory = args.some((a) => a.sym === sym && a.how === "object");
      if (use.elementsRead || use.addressTaken || (inMemory && use.read)) read.add(sym);
      if (use.elementsWritten || use.addressTaken || (inMemory && use.written)) written.add(sym);
    }
  };
  take(uses);
  for (const called of uses.calls.keys()) {
    const f = functions.get(called);
    if (f) take({ of: f.globals });
  }
  // A sum of all gangs is known when all of them have ended; that of a loop which each gang runs, at once.
  const reduced = isShared(stmt) ? (asNode(stmt, "loop")?.reductions ?? []) : [];
  for (const { sym } of reduced) written.add(sym);
  for (const [sym, use] of uses.of) if (use.read) read.add(sym);
  return { read, written, unknown };
}

function conflict(one: Leaf, other: Leaf): boolean {
  const [a, b] = [one.touched, other.touched];
  // All gangs run such code alike.
  if (!one.loop && !other.loop) return false;
  const meets = (x: Touched, y: Touched) =>
    [...x.written].some((sym) => y.read.has(sym) || y.written.has(sym)) ||
    (x.unknown && (y.unknown || y.written.size > 0));
  if (!meets(a, b) && !meets(b, a)) return false;
  return !one.loop || !other.loop || !keepsApart(one.loop, other.loop, one.varying);
}

/** Whether both loops give gangs the same iterations, and an iteration touches nothing of other iterations. */
function keepsApart(one: Loop, other: Loop, varying: ReadonlySet<Symbol>): boolean {
  if (shapeOf(one) !== shapeOf(other) || [one, other].some(isMapped)) return false;
  if (one.reductions.length > 0 || other.reductions.length > 0) return false;
  const names = new Map(other.headers.map((h, k) => [h.var, ident(one.headers[k]?.var ?? h.var)] as const));
  const inside = usesOf(other.body).declared;
  // In another iteration of the loops around them these have values of which nothing is known.
  for (const sym of varying)
    if (!names.has(sym) && !inside.has(sym)) names.set(sym, ident(freshSymbol(sym.name, sym.type)));
  const proof = interleaving(one, { ...other, body: substitute(other.body, names) }, differ);
  return "apart" in proof && proof.apart;
}

/** Mapped variables of different names are taken for different memory, as OpenACC's data clauses take them. */
const differ = (a: Symbol, b: Symbol): boolean => a !== b;

/** Whether another loop of the nest may be the one that gangs share. */
const isMapped = ({ parallel, body }: Loop): boolean => parallel.free === true && hasLoop(body);

/** What decides which gang runs an iteration. */
function shapeOf({ headers, parallel }: Loop): string {
  const ranges = headers.map((h) => [h.relation, ...[h.lower, h.bound, h.step].map(keyOf)].join(" "));
  return [...parallel.levels, ...ranges].join("; ");
}
