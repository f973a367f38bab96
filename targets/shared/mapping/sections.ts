/**
 * Sections of arrays that all lanes of a group read in an inner loop, each element at the same time:
 *
 *     loop vector: for (i = 0; i < 64; i++)        the group copies q[c][0] to q[c][63] into its memory,
 *       for (c = ...)                              and then runs the loop over j
 *         for (j = 0; j < 64; j++)
 *           s += f(p[i], q[c][j]);
 */
import { rootOf, usesOf } from "../../../core/ir/analysis/access.ts";
import { withoutContinue } from "../../../core/ir/analysis/control.ts";
import { countedHeader } from "../../../core/ir/analysis/loops/counted.ts";
import { isPureMath, isVolatile } from "../../../core/ir/analysis/purity.ts";
import type { Loop, LoopHeader } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  evaluateInteger,
  findStatement,
  isScalar,
  mapChildren,
  printExpr,
  sizeOf,
  walkExpr,
} from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import { escapes, flat, usesContinue } from "../device/control.ts";
import { type Arguments, distinct } from "./accumulators.ts";
import { mentions } from "./slopes.ts";
import { Uniform } from "./uniform.ts";

export type For = Extract<Stmt, { kind: "for" }>;

export interface Section {
  readonly loop: For;
  readonly header: LoopHeader;
  readonly elements: number;
  /** The loads, one of each kind, by their text. */
  readonly loads: ReadonlyMap<string, Expr>;
}

export interface Sections {
  /** The loop's body, in which the sections' loops stand. */
  readonly body: Stmt;
  readonly sections: ReadonlyMap<Stmt, Section>;
  readonly uniform: Uniform;
  /** Pointers that must not point to the same memory. */
  readonly pairs: readonly (readonly [Symbol, Symbol])[];
}

/** Fewer elements do not repay the barriers around a copy. */
const FEWEST = 32;
/** Bytes of all copies: as many groups as before find room. */
const ROOM = 4096;

type Trips = (header: LoopHeader) => bigint | undefined;

/**
 * Of a loop over all lanes of a group, one iteration each. `region`: the code of the whole kernel. `trips`: a loop's
 * iterations, if that is a constant.
 */
export function sectionsOf(loop: Loop, region: Stmt, args: Arguments, trips: Trips): Sections | undefined {
  const uses = usesOf(loop.body);
  const isPlain = uses.indirectCall === undefined && [...uses.calls.keys()].every(isPureMath);
  if (!isPlain || escapes(loop.body) || findStatement(loop.body, isOther)) return undefined;
  const all = usesOf(region).of;
  const changed = [...all].flatMap(([sym, use]) => (use.elementsWritten ? [sym] : []));
  const body = reachingEnds(loop.body);
  const uniform = new Uniform(loop, body, (sym) => changed.includes(sym));
  const pairs: (readonly [Symbol, Symbol])[] = [];
  const own = usesOf(region).declared;
  /** The pointers that must differ so that nothing changes an array's elements; undefined: something may. */
  const unchanged = (root: Symbol): (readonly [Symbol, Symbol])[] | undefined => {
    if (!args.isBuffer(root) || changed.includes(root) || own.has(root)) return undefined;
    const others = changed.filter(
      (w) => !(own.has(w) && canonical(w.type).kind === "array") && !distinct(root, w),
    );
    return others.every((w) => args.isBuffer(w)) ? others.map((w) => [root, w] as const) : undefined;
  };
  const sections = new Map<Stmt, Section>();
  let room = ROOM;
  const look = (s: Stmt): void => {
    if (s.kind === "compound") for (const child of s.body) look(child);
    else if (s.kind === "if") {
      if (!uniform.isSame(s.test)) return;
      look(s.then);
      if (s.else) look(s.else);
    } else if (s.kind === "for" || s.kind === "while" || s.kind === "do") {
      if (!uniform.isLoopAlike(s)) return;
      const found =
        s.kind === "for" ? sectionOf(s, trips, uniform, (root) => unchanged(root) !== undefined) : undefined;
      const bytes = found ? bytesOf(found) : 0;
      if (!found || bytes > room) return look(s.body);
      room -= bytes;
      sections.set(s, found);
      for (const e of found.loads.values()) pairs.push(...(unchanged(rootOf(e)?.sym as Symbol) ?? []));
    }
  };
  look(body);
  return sections.size > 0 ? { body, sections, uniform, pairs } : undefined;
}

/** Loops of the IR, atomic operations, barriers, and control flow that is not structured. */
const isOther = (s: Stmt): boolean => ["ext", "switch", "goto", "label", "asm"].includes(s.kind);

/** Loops without `continue`: OpenCL compilers lose track of barriers around one. */
function reachingEnds(s: Stmt): Stmt {
  const inner = mapChildren(s, reachingEnds);
  if (inner.kind !== "for" && inner.kind !== "while") return inner;
  return usesContinue(inner.body) ? { ...inner, body: withoutContinue(inner.body) } : inner;
}

const bytesOf = ({ loads, elements }: Section): number =>
  [...loads.values()].reduce((sum, e) => sum + elements * (sizeOf(e.type) ?? ROOM), 0);

function sectionOf(
  loop: For,
  trips: Trips,
  uniform: Uniform,
  isKept: (root: Symbol) => boolean,
): Section | undefined {
  const header = countedHeader(loop);
  if ("severity" in header || !header.declares || escapes(loop.body)) return undefined;
  const [lower, elements] = [evaluateInteger(header.lower), trips(header)];
  if (lower === undefined || elements === undefined || evaluateInteger(header.step) !== 1n) return undefined;
  if (elements < BigInt(FEWEST) || elements > BigInt(ROOM)) return undefined;
  const inside = usesOf(loop.body);
  const moving = new Set([
    ...inside.declared,
    ...[...inside.of].flatMap(([sym, use]) => (use.written || use.addressTaken ? [sym] : [])),
  ]);
  const loads = new Map<string, Expr>();
  const isLoad = (e: Expr): boolean => {
    const root = rootOf(e)?.sym;
    return (
      root !== undefined &&
      isElement(e) &&
      isKept(root) &&
      uniform.isSame(e) &&
      mentions(e, new Set([header.var])) &&
      !mentions(e, moving) &&
      isPlainValue(e)
    );
  };
  for (const s of flat(loop.body)) {
    const values =
      s.kind === "expr" ? [s.expr] : s.kind === "decl" ? s.decls.map(({ init }) => initial(init)) : [];
    for (const value of values)
      if (value)
        walkExpr(value, {
          expr(e) {
            if (e.kind === "cond" || (e.kind === "binary" && (e.op === "&&" || e.op === "||"))) return false;
            if (!isLoad(e)) return undefined;
            loads.set(printExpr(e), e);
            return false;
          },
        });
  }
  return loads.size > 0 && !inside.of.get(header.var)?.written
    ? { loop, header, elements: Number(elements), loads }
    : undefined;
}

const initial = (init: Extract<Stmt, { kind: "decl" }>["decls"][number]["init"]): Expr | undefined =>
  init?.kind === "expr" ? init.expr : undefined;

/** A number in an array, of which the path to it loads no pointer. */
function isElement(e: Expr): boolean {
  const { kind } = canonical(e.type);
  const size = sizeOf(e.type) ?? ROOM;
  if ((e.kind !== "index" && e.kind !== "member") || !isScalar(e.type) || isVolatile(e.type)) return false;
  return (kind === "int" || kind === "float") && size <= 8 && isPath(e);
}

function isPath(e: Expr): boolean {
  if (e.kind === "ident") return true;
  if (e.kind === "member") return !e.arrow && isPath(e.base);
  if (e.kind !== "index") return false;
  const base = stripImplicit(e.base);
  return base.kind === "ident" || (canonical(base.type).kind === "array" && isPath(base));
}

function isPlainValue(e: Expr): boolean {
  let none = true;
  walkExpr(e, {
    expr(x) {
      if (["call", "assign", "incdec", "stmt-expr", "comma"].includes(x.kind)) none = false;
    },
  });
  return none;
}
