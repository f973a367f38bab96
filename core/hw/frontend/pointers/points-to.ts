/**
 * A points-to analysis in the manner of L. O. Andersen (1994): flow-insensitive and inclusion-based. It finds pointers
 * that lead to variables of the kernel: registers and block RAM have no addresses, so such a pointer is represented by
 * its object and the offset into it:
 *
 *     int t[9];   &t[i] + 2   =>   t, i + 2          struct { int v[3]; } s[4];   &s[i].v[1]   =>   s[·].v[·], i, 1
 */

import { lastOf } from "../../../checked/access.ts";
import {
  canonical,
  compatibleUnqualified,
  elementType,
  evaluateInteger,
  INT,
  isArray,
  isPointer,
  isVoid,
  walkStmt,
} from "../../../lang/index.ts";
import type { CType, Expr, Init, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { addressOf, binary, convert, intLit, member } from "../../../lang/tree/build.ts";
import { elementsIn, innermost } from "../scope/extents.ts";

/** From an object to a part: a member of a struct, or the same bits as elements of another type. */
type Step = { readonly member: string } | { readonly as: CType };

/** A variable, or the part of it that the steps select; array elements have separate indexes. */
interface Target {
  readonly key: string;
  readonly sym: Symbol;
  readonly path: readonly Step[];
  /** Type of the object at the path's end: a scalar, a struct or an array. */
  readonly type: CType;
}

export type Leaf =
  | {
      readonly kind: "local";
      readonly to: Target;
      /** Offset before each step and after the last, in innermost elements of the array there, else 0. */
      readonly at: readonly Expr[];
    }
  | { readonly kind: "null" }
  /** A pointer into memory, or one about which nothing is known. */
  | { readonly kind: "other"; readonly e: Expr };

export type Pointer =
  | Leaf
  | { readonly kind: "choice"; readonly test: Expr; readonly then: Pointer; readonly otherwise: Pointer }
  | { readonly kind: "after"; readonly effect: Expr; readonly then: Pointer };

/** What is known about a pointer variable. */
export interface Known {
  readonly targets: Map<string, { readonly to: Target; readonly at: (bigint | "varies")[] }>;
  null: boolean;
  other: boolean;
}

/** Limit of steps through pointers into structs. */
const LONGEST_PATH = 8;

/** The pointer that a known pointer variable holds; `at`: its index in an array of pointers. */
type ValueOf = (p: Symbol, known: Known, at: Expr | undefined) => Pointer;

export class PointsTo {
  private readonly isObject: (sym: Symbol) => boolean;
  private readonly valueOf: ValueOf;
  private readonly known: Map<Symbol, Known>;
  private readonly numbers: Map<Symbol, number>;

  /** `isObject`: whether a symbol is a variable of the kernel. */
  constructor(isObject: (sym: Symbol) => boolean, valueOf: ValueOf = anyOf, of?: PointsTo) {
    this.isObject = isObject;
    this.valueOf = valueOf;
    this.known = of?.known ?? new Map();
    this.numbers = of?.numbers ?? new Map();
  }

  /** The same analysis, but known pointer variables are read by `valueOf`. */
  reading(valueOf: ValueOf): PointsTo {
    return new PointsTo(this.isObject, valueOf, this);
  }

  /** Defined for pointers that may point to a variable of the kernel, or are always null. */
  of(p: Symbol): Known | undefined {
    const known = this.known.get(p);
    return known && (known.targets.size > 0 || (known.null && !known.other)) ? known : undefined;
  }

  /** Analyses code, in addition to that of earlier calls. */
  learn(code: readonly Stmt[]): void {
    for (let changed = true; changed; ) {
      changed = false;
      const flow = (p: Symbol, value: Pointer): void => {
        if (this.isObject(p)) changed = this.takes(p, value) || changed;
      };
      for (const s of code)
        walkStmt(s, {
          stmt: (child) => {
            if (child.kind !== "decl") return;
            for (const { sym, init } of child.decls) {
              if (!init || !isPointer(innermost(sym.type))) continue;
              const values = expressionsIn(init);
              for (const e of values) flow(sym, this.pointer(e));
              if (values.length < elementsIn(sym.type)) flow(sym, { kind: "null" });
            }
          },
          expr: (e) => {
            const left = e.kind === "assign" ? e.left : e.kind === "incdec" ? e.arg : undefined;
            if (!left || !isPointer(left.type)) return;
            for (const leaf of leavesOf(this.lvalue(left))) {
              const pointer = pointerAt(leaf);
              if (pointer) flow(pointer.p, this.pointer(e));
            }
          },
        });
    }
  }

  private takes(p: Symbol, value: Pointer): boolean {
    const known = this.known.get(p) ?? { targets: new Map(), null: false, other: false };
    this.known.set(p, known);
    let changed = false;
    for (const leaf of leavesOf(value)) {
      if (leaf.kind !== "local") {
        changed ||= !known[leaf.kind];
        known[leaf.kind] = true;
        continue;
      }
      const before = known.targets.get(leaf.to.key);
      const at = leaf.at.map((e) => evaluateInteger(e) ?? "varies");
      if (!before) known.targets.set(leaf.to.key, { to: leaf.to, at });
      else
        at.forEach((place, k) => {
          if (place === before.at[k] || before.at[k] === "varies") return;
          before.at[k] = "varies";
          changed = true;
        });
      changed ||= !before;
    }
    return changed;
  }

  // ---------------------------------------------------------------- expressions

  /** What a pointer value, or an array, points to. */
  pointer(e: Expr): Pointer {
    if (canonical(e.type).kind === "array") return this.lvalue(e);
    switch (e.kind) {
      case "cast":
        if (canonical(e.arg.type).kind === "array") return this.lvalue(e.arg);
        if (isPointer(e.to)) return this.seenAs(this.pointer(e.arg), elementType(e.to) as CType, e);
        break;
      case "unary":
        if (e.op === "&") return this.lvalue(e.arg);
        if (e.op === "__extension__") return this.pointer(e.arg);
        if (e.op === "*") return this.contents(e);
        break;
      case "ident":
      case "index":
      case "member":
        return this.contents(e);
      case "binary":
        if (e.op === "+" && isPointer(e.right.type))
          return this.offsetPointer(this.pointer(e.right), "+", e.left, e);
        if (e.op === "+" || e.op === "-") return this.offsetPointer(this.pointer(e.left), e.op, e.right, e);
        break;
      case "cond":
        return {
          kind: "choice",
          test: e.test,
          then: this.pointer(e.then ?? e.test),
          otherwise: this.pointer(e.else),
        };
      case "comma":
        return { kind: "after", effect: e.left, then: this.pointer(e.right) };
      case "assign":
        return e.op === "="
          ? this.assignedPointer(e)
          : this.offsetPointer(this.pointer(e.left), e.op === "+=" ? "+" : "-", e.right, e);
      case "incdec":
        return this.offsetPointer(this.pointer(e.arg), e.op === "++" ? "+" : "-", intLit(1), e);
      case "int":
        if (e.value === 0n) return { kind: "null" };
    }
    return { kind: "other", e };
  }

  /**
   * The value of an assignment. Where it is used it is read again from the variable, which the analysis must expect to
   * hold more than the right side.
   */
  private assignedPointer(e: Expr & { readonly kind: "assign" }): Pointer {
    const value = this.pointer(e.right);
    if (this.valueOf !== anyOf) return value;
    return leavesOf(this.lvalue(e.left)).reduce<Pointer>((then, leaf) => {
      const slot = this.slotAt(leaf);
      const otherwise = slot && anyOf(slot.p, slot.known);
      return otherwise ? { kind: "choice", test: e.right, then, otherwise } : then;
    }, value);
  }

  /** The place of an lvalue. */
  lvalue(e: Expr): Pointer {
    switch (e.kind) {
      case "ident": {
        const { sym } = e;
        if (!this.isObject(sym)) break;
        const to = { key: `${this.number(sym)}`, sym, path: [], type: sym.type };
        return { kind: "local", to, at: [intLit(0)] };
      }
      case "index":
        return this.offsetPointer(this.pointer(e.base), "+", e.index, addressOf(e));
      case "member":
        return this.inside(e.arrow ? this.pointer(e.base) : this.lvalue(e.base), e);
      case "unary":
        if (e.op === "*") return this.pointer(e.arg);
        if (e.op === "__extension__") return this.lvalue(e.arg);
        break;
      case "cast":
        if (e.implicit) return this.lvalue(e.arg);
        break;
      case "cond":
        if (e.then)
          return {
            kind: "choice",
            test: e.test,
            then: this.lvalue(e.then),
            otherwise: this.lvalue(e.else),
          };
        break;
      case "comma":
        return { kind: "after", effect: e.left, then: this.lvalue(e.right) };
    }
    return { kind: "other", e: addressOf(e) };
  }

  /** What the pointer stored in an lvalue points to. */
  private contents(e: Expr): Pointer {
    const places = this.lvalue(e);
    if (!leavesOf(places).some((leaf) => this.slotAt(leaf))) return { kind: "other", e };
    return eachLeaf(places, (leaf) => {
      const slot = this.slotAt(leaf);
      return slot ? this.valueOf(slot.p, slot.known, slot.at) : { kind: "other", e };
    });
  }

  /** The pointer variable at a place, with its index in an array of pointers, if something is known about it. */
  slotAt(
    place: Pointer,
  ): { readonly p: Symbol; readonly known: Known; readonly at: Expr | undefined } | undefined {
    const pointer = place.kind === "local" ? pointerAt(place) : undefined;
    const known = pointer && this.of(pointer.p);
    return pointer && known && { ...pointer, known };
  }

  /** `e`: the sum or difference; used unchanged for a pointer into memory. */
  private offsetPointer(from: Pointer, op: "+" | "-", by: Expr, e: Expr): Pointer {
    return eachLeaf(from, (leaf) => {
      if (leaf.kind !== "local") return leaf.kind === "null" ? leaf : movedInMemory(leaf.e, op, by, e);
      const stride = elementsIn(elementType(e.type) as CType);
      const elements = stride === 1 ? by : binary("*", convert(by, INT), intLit(stride));
      return { ...leaf, at: [...leaf.at.slice(0, -1), sum(lastOf(leaf.at), op, elements)] };
    });
  }

  private inside(of: Pointer, e: Expr & { readonly kind: "member" }): Pointer {
    return eachLeaf(of, (leaf) => {
      if (leaf.kind === "null") return leaf;
      if (leaf.kind === "other") {
        const memberOf = member(leaf.e, e.name, true, e.span);
        return { kind: "other", e: addressOf(memberOf ?? e) };
      }
      return extended(leaf, { member: e.name }, e.type, `.${e.name}`) ?? { kind: "other", e: addressOf(e) };
    });
  }

  /** A pointer conversion: the object is seen as another type if the types differ. */
  private seenAs(from: Pointer, to: CType, e: Expr): Pointer {
    return eachLeaf(from, (leaf) => {
      if (leaf.kind === "null") return leaf;
      if (leaf.kind === "other") return { kind: "other", e: e.kind === "cast" ? { ...e, arg: leaf.e } : e };
      const element = innermost(to);
      if (isVoid(element) || compatibleUnqualified(element, innermost(leaf.to.type))) return leaf;
      const canonicalType = canonical(element);
      const number =
        canonicalType.kind === "int" || canonicalType.kind === "float" ? canonicalType.name : undefined;
      return (
        (number && extended(leaf, { as: canonicalType }, canonicalType, `:${number}`)) || { kind: "other", e }
      );
    });
  }

  private number(sym: Symbol): number {
    const known = this.numbers.get(sym) ?? this.numbers.size;
    this.numbers.set(sym, known);
    return known;
  }
}

/** The pointer variable at this place, with its index in an array of pointers. */
function pointerAt(leaf: Leaf): { readonly p: Symbol; readonly at: Expr | undefined } | undefined {
  if (leaf.kind !== "local" || leaf.to.path.length > 0 || !isPointer(innermost(leaf.to.type)))
    return undefined;
  return { p: leaf.to.sym, at: isArray(leaf.to.type) ? leaf.at[0] : undefined };
}

function expressionsIn(init: Init): readonly Expr[] {
  return init.kind === "expr" ? [init.expr] : init.items.flatMap((item) => expressionsIn(item.init));
}

/** Used during the analysis: any of the variable's possible targets. */
function anyOf(p: Symbol, { targets, null: isNull, other }: Known): Pointer {
  const leaves: Leaf[] = [...targets.values()].map(({ to, at }) => ({
    kind: "local",
    to,
    at: at.map((place) => (place === "varies" ? unknown(p) : intLit(place))),
  }));
  if (isNull) leaves.push({ kind: "null" });
  if (other) leaves.push({ kind: "other", e: unknown(p) });
  return selectLeaf(leaves, () => unknown(p));
}

const unknown = (p: Symbol): Expr => ({ kind: "ident", sym: p, type: INT, span: p.span });

/** The first leaf whose test holds; the last one if none does. */
export function selectLeaf(leaves: readonly Leaf[], test: (k: number) => Expr): Pointer {
  return leaves
    .slice(0, -1)
    .reduceRight<Pointer>(
      (otherwise, then, k) => ({ kind: "choice", test: test(k), then, otherwise }),
      lastOf(leaves),
    );
}

function extended(
  leaf: Leaf & { readonly kind: "local" },
  step: Step,
  type: CType,
  name: string,
): Leaf | undefined {
  const { key, sym, path } = leaf.to;
  if (path.length === LONGEST_PATH) return undefined;
  const to: Target = { key: key + name, sym, path: [...path, step], type };
  return { kind: "local", to, at: [...leaf.at, intLit(0)] };
}

const movedInMemory = (from: Expr, op: "+" | "-", by: Expr, { span }: Expr): Leaf => ({
  kind: "other",
  e: binary(op, from, by, span),
});

/** Computed in `int`, which is enough within an object. */
function sum(a: Expr, op: "+" | "-", b: Expr): Expr {
  const [x, y] = [evaluateInteger(a), evaluateInteger(b)];
  if (y === 0n) return a;
  if (x !== undefined && y !== undefined) return intLit(op === "+" ? x + y : x - y);
  const by = convert(b, INT);
  return x === 0n && op === "+" ? by : binary(op, a, by);
}

// ---------------------------------------------------------------- trees of choices

function eachLeaf(p: Pointer, f: (leaf: Leaf) => Pointer): Pointer {
  switch (p.kind) {
    case "choice":
      return { ...p, then: eachLeaf(p.then, f), otherwise: eachLeaf(p.otherwise, f) };
    case "after":
      return { ...p, then: eachLeaf(p.then, f) };
    default:
      return f(p);
  }
}

function leavesOf(p: Pointer): readonly Leaf[] {
  switch (p.kind) {
    case "choice":
      return [...leavesOf(p.then), ...leavesOf(p.otherwise)];
    case "after":
      return leavesOf(p.then);
    default:
      return [p];
  }
}

/** Whether it may point to a variable of the kernel, or is always null. */
export function isLocal(p: Pointer): boolean {
  const leaves = leavesOf(p);
  return leaves.some(({ kind }) => kind === "local") || leaves.every(({ kind }) => kind === "null");
}
