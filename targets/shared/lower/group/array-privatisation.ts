/**
 * Atomic updates gathered in group memory: where a region only combines array elements by one operator, each group
 * updates a copy of the array, and combines it with the array at the end.
 *
 *     atomic update a[k] += v        =>      copy[] = 0; barrier
 *                                            atomic update copy[k] += v
 *                                            barrier; if (copy[t] != 0) atomic update a[t] += copy[t]
 *
 * Untouched elements of the copy leave the array unchanged, so the copy of an array of
 * unknown size may hold as many elements as fit: elements beyond are updated in the array itself.
 */
import { firstOf, itemAt } from "../../../../core/checked/access.ts";
import { combines } from "../../../../core/ir/analysis/elements.ts";
import type { DeviceFunction } from "../../../../core/ir/analysis/routines.ts";
import { identity } from "../../../../core/ir/model/identity.ts";
import { type Atomic, asNode, extStmt, type ReductionOp, type Spmd } from "../../../../core/ir/model/ir.ts";
import { node } from "../../../../core/ir/model/node-shapes.ts";
import type { Argument } from "../../../../core/ir/model/region.ts";
import { wholeLoop } from "../../../../core/ir/normalise/levels.ts";
import {
  canonical,
  evaluateInteger,
  isScalar,
  LONG,
  mapStmt,
  sizeOf,
  substituteExpr,
  ULONG,
  unqualified,
  walkStmt,
} from "../../../../core/lang/index.ts";
import type { CType, Diagnostic, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
  stripImplicit,
} from "../../../../core/lang/tree/build.ts";

import { dimensions, subscripted, unqualifiedArray } from "./array-elements.ts";

interface Gathered {
  readonly body: Stmt;
  readonly copies: readonly Copy[];
  readonly remarks: readonly Diagnostic[];
}

export interface Copy {
  /** The variable in group memory. */
  readonly sym: Symbol;
  readonly elements: number;
  /** Sets element `t` to the neutral element or to the array's value. */
  fill(t: Expr): Stmt;
  /** Combines element `t` with the array's; absent: the copy never changes. */
  flush?(t: Expr): Stmt;
}

interface GatherInput {
  readonly spmd: Spmd;
  readonly args: readonly Argument[];
  readonly functions: ReadonlyMap<Symbol, DeviceFunction>;
  /** Bytes of group memory for copies. */
  readonly room: number;
  /** If items of a group share the copies, only types that their atomic operations support qualify. */
  readonly sharedByItems: boolean;
}

export function gather({ spmd, args, functions, room, sharedByItems }: GatherInput): Gathered {
  let { body } = spmd;
  let left = room;
  const copies: Copy[] = [];
  const remarks: Diagnostic[] = [];
  for (const [root, atomics] of atomicsByRoot(body)) {
    const argument = args.find((a) => a.sym === root && (a.how === "buffer" || a.how === "object"));
    const op = argument && operator(atomics);
    if (!op || !inLoop(spmd.body, atomics) || !isAlone(root, atomics, spmd.body, functions)) continue;
    if (!isLast(spmd, atomics) && !args.every((a) => a === argument || apart(argument, a))) continue;
    const place = placeOf(root, argument, atomics, left);
    const bytes = place && sizeOf(place.type);
    if (!place || !bytes || !takes(place.type, op, atomics, sharedByItems ? 4 : 1)) continue;
    left -= bytes * place.elements;
    copies.push(copyOf(root, place, op));
    remarks.push(remarkOn(root, place, firstOf(atomics)));
    body = redirected(body, root, place);
  }
  return { body, copies, remarks };
}

function remarkOn({ name, type }: Symbol, { elements, steps }: Place, { site }: Atomic): Diagnostic {
  const what = isScalar(type) ? "" : `${steps ? "the first " : ""}${elements} elements of `;
  return {
    severity: "note",
    code: "gathered-by-groups",
    loc: site.loc,
    message: `each group updates ${what}'${name}' in a copy in group memory, and combines it at the end`,
  };
}

// ---------------------------------------------------------------- what may be gathered

function atomicsByRoot(body: Stmt): ReadonlyMap<Symbol, readonly Atomic[]> {
  const found = new Map<Symbol, Atomic[]>();
  walkStmt(body, {
    stmt(s) {
      const n = asNode(s, "atomic");
      const root = n && rootOf(n.target);
      if (root) found.set(root, [...(found.get(root) ?? []), n]);
    },
  });
  return found;
}

/** The variable of `a`, `a[i]`, `a[i][j]`, `*a`. */
function rootOf(target: Expr): Symbol | undefined {
  let at = stripImplicit(target);
  while (at.kind === "index") at = stripImplicit(at.base);
  if (at.kind === "unary" && at.op === "*") at = stripImplicit(at.arg);
  return at.kind === "ident" ? at.sym : undefined;
}

/** The operator of all updates, if combining with the neutral element changes no value. */
function operator(atomics: readonly Atomic[]): ReductionOp | undefined {
  const [first, ...others] = atomics.map(combines);
  if (!first || others.some((o) => o !== first)) return undefined;
  // They turn any value into 0 or 1.
  return first === "&&" || first === "||" ? undefined : first;
}

/** The region accesses the array in these updates only. */
function isAlone(
  root: Symbol,
  atomics: readonly Atomic[],
  body: Stmt,
  functions: ReadonlyMap<Symbol, DeviceFunction>,
): boolean {
  if ([...functions.values()].some((f) => f.globals.has(root))) return false;
  let uses = 0;
  walkStmt(body, {
    expr(e) {
      if (e.kind === "ident" && e.sym === root) uses++;
    },
  });
  return uses === atomics.length;
}

function inLoop(body: Stmt, atomics: readonly Atomic[]): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      const loop = asNode(s, "loop");
      if (loop && has(loop.body, atomics)) found = true;
    },
  });
  return found;
}

/**
 * The updates come last in each iteration of the region's only loop: even through an aliasing pointer
 * no iteration could see its own updates.
 */
function isLast(spmd: Spmd, atomics: readonly Atomic[]): boolean {
  const loop = wholeLoop(spmd.body);
  if (!loop || loop.parallel.independence === "seq") return false;
  const tail = (s: Stmt | undefined): boolean => {
    if (!s) return true;
    const n = asNode(s, "atomic");
    if (n) return atomics.includes(n);
    if (s.kind === "if") return tail(s.then) && tail(s.else);
    return (
      s.kind === "compound" && s.body.every((c, i) => (i === s.body.length - 1 ? tail(c) : !has(c, atomics)))
    );
  };
  return tail(loop.body);
}

function has(s: Stmt, atomics: readonly Atomic[]): boolean {
  let found = false;
  walkStmt(s, {
    stmt(inner) {
      const n = asNode(inner, "atomic");
      found ||= n !== undefined && atomics.includes(n);
    },
  });
  return found;
}

/** Two arguments, neither of which reaches the other's memory. */
export function apart(a: Argument, b: Argument): boolean {
  if (b.how === "extent") return true;
  const pointers = [a, b].filter((x) => canonical(x.sym.type).kind === "pointer");
  if (pointers.length === 0) return !holdsPointers(b.sym.type);
  if (pointers.every((x) => x.sym.type.quals?.restrict)) return true;
  if (b.how === "value" && pointers[0] === a) return !holdsPointers(b.sym.type);
  const [x, y] = [innermost(a.sym.type), innermost(b.sym.type)];
  const numbers = [x, y].every((t) => t.kind === "int" || t.kind === "float");
  const sizes = [sizeOf(x), sizeOf(y)];
  return numbers && !sizes.includes(1) && (x.kind !== y.kind || sizes[0] !== sizes[1]);
}

function holdsPointers(type: CType): boolean {
  return !["int", "float", "enum"].includes(innermost(type).kind);
}

function innermost(type: CType): CType {
  const c = canonical(type);
  return c.kind === "array" ? innermost(c.of) : c.kind === "pointer" ? canonical(c.to) : c;
}

/** Elements that group-memory atomics support, and that partial results combine to the same value. */
function takes(element: CType, op: ReductionOp, atomics: readonly Atomic[], smallest: number): boolean {
  const c = canonical(element);
  const size = sizeOf(element) ?? 16;
  if (size > 8 || size < smallest) return false;
  if (c.kind === "int") return c.name !== "bool";
  return c.kind === "float" && (op === "+" || atomics.every((n) => n.reduction));
}

// ---------------------------------------------------------------- copies

interface Place {
  readonly copy: Symbol;
  readonly type: CType;
  readonly elements: number;
  /** Element `t` of the array or of its copy. */
  element(of: Symbol, t: Expr): Expr;
  /** Of an array of unknown length, whose subscripts may exceed the copy: the elements of a step of each subscript. */
  readonly steps?: readonly number[];
}

function placeOf(
  root: Symbol,
  argument: Argument,
  atomics: readonly Atomic[],
  room: number,
): Place | undefined {
  const type = canonical(root.type);
  const name = `${root.name}_of_group`;
  const arrayBytes = sizeOf(root.type);
  if (type.kind !== "pointer" && arrayBytes !== undefined) {
    if (arrayBytes > room || arrayBytes === 0) return undefined;
    const dims = dimensions(root.type);
    const elements = dims.reduce((a, b) => a * b, 1);
    return {
      copy: freshSymbol(name, unqualifiedArray(root.type)),
      type: innermost(root.type),
      elements,
      element: (of, t) => subscripted(ident(of), dims, t),
    };
  }
  const row =
    type.kind === "pointer" ? canonical(type.to) : type.kind === "array" ? canonical(type.of) : type;
  const [element, inner] = [canonical(innermostOf(row)), dimensions(row)];
  const [size, perRow] = [sizeOf(element), inner.reduce((a, b) => a * b, 1)];
  if (!size || !(perRow >= 1) || (element.kind !== "int" && element.kind !== "float")) return undefined;
  // An array of unknown size takes a part of the room, for the sake of other arrays.
  const rows = Math.min(
    Math.floor(room / size / perRow),
    sectionEnd(argument) ?? Math.floor(Math.min(room / 2, UNKNOWN) / size / perRow),
  );
  const depth = inner.length + 1;
  if (rows === 0 || atomics.some((n) => spineOf(n.target).indices.length !== depth)) return undefined;
  const copy = freshSymbol(name, { kind: "array", of: unqualified(element), size: rows * perRow });
  return {
    copy,
    type: element,
    elements: rows * perRow,
    steps: Array.from({ length: depth }, (_, k) => inner.slice(k).reduce((a, b) => a * b, 1)),
    element: (of, t) => (of === copy ? index(ident(of), t) : subscripted(ident(of), [rows, ...inner], t)),
  };
}

/** Bytes of a copy of an array of unknown size. */
const UNKNOWN = 1 << 13;

/** The elements of an array of arrays. */
function innermostOf(type: CType): CType {
  const c = canonical(type);
  return c.kind === "array" ? innermostOf(c.of) : c;
}

/** `a[i][j]`: `a`, and `i`, `j`. */
function spineOf(target: Expr): { readonly base: Expr; readonly indices: readonly Expr[] } {
  const e = stripImplicit(target);
  if (e.kind !== "index") return { base: e, indices: [] };
  const { base, indices } = spineOf(e.base);
  return { base, indices: [...indices, e.index] };
}

/** One past the last element, or row, of a clause's section, if constant. */
function sectionEnd({ item }: Argument): number | undefined {
  const [dim] = item.section;
  const start = dim?.start ? evaluateInteger(dim.start) : 0n;
  const length = dim?.length && evaluateInteger(dim.length);
  if (start === undefined || length === undefined || start + length <= 0n) return undefined;
  return Number(start + length);
}

function copyOf(root: Symbol, place: Place, op: ReductionOp): Copy {
  const site = { loc: root.span.start, what: "atomic" };
  const neutral = identity(op, place.type);
  return {
    sym: place.copy,
    elements: place.elements,
    fill: (t) => exprStmt(assign(place.element(place.copy, t), neutral)),
    flush: (t) => {
      const value = place.element(place.copy, t);
      const update = node<Atomic>({
        kind: "atomic",
        what: "update",
        target: place.element(root, t),
        op,
        value,
        site,
      });
      return ifStmt(binary("!=", value, neutral), extStmt(update, root.span));
    },
  };
}

// ---------------------------------------------------------------- updates

/** Redirects the updates of `root` to its copy. */
function redirected(body: Stmt, root: Symbol, place: Place): Stmt {
  const toCopy = new Map([[root, ident(place.copy)]]);
  return mapStmt(body, {
    stmt(s) {
      const n = asNode(s, "atomic");
      if (!n || rootOf(n.target) !== root) return s;
      const to = (target: Expr, value = n.value as Expr) =>
        extStmt(node<Atomic>({ ...n, target, value }), s.span);
      const { steps } = place;
      if (!steps) return to(substituteExpr(n.target, toCopy));
      const { base, indices } = spineOf(n.target);
      const parts = indices.map((e) => ({ sym: freshSymbol("arc_at", LONG), e }));
      const at = parts
        .map(({ sym }, k) => times(ident(sym), itemAt(steps, k)))
        .reduce((a, b) => binary("+", a, b));
      const once = evaluatedOnce(n.value as Expr);
      return compound([
        ...parts.map(({ sym, e }) => declare(sym, e)),
        ...once.before,
        ifStmt(
          binary("<", cast(ULONG, at), intLit(place.elements, ULONG)),
          to(index(ident(place.copy), at), once.value),
          to(
            parts.reduce<Expr>((e, { sym }) => index(e, ident(sym)), base),
            once.value,
          ),
        ),
      ]);
    },
  });
}

const times = (e: Expr, by: number): Expr => (by === 1 ? e : binary("*", e, intLit(by, LONG)));

function evaluatedOnce(value: Expr): { readonly before: readonly Stmt[]; readonly value: Expr } {
  const { kind } = stripImplicit(value);
  if (kind === "int" || kind === "float" || kind === "ident") return { before: [], value };
  const sym = freshSymbol("arc_value", value.type);
  return { before: [declare(sym, value)], value: ident(sym) };
}
