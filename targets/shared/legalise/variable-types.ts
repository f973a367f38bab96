/**
 * Types of arrays whose size is computed at run time, for languages that have none: such arrays, and pointers to them, become
 * pointers to elements, and subscripts are computed with the extents evaluated at their declarations.
 *
 *     double t[n][m], (*p)[m] = t + 1;      =>      const long t_extent0 = n, t_extent1 = m; double *t = ROOM;
 *     p[i][j] = sizeof t[0];                        const long p_extent1 = m; double *p = t + 1 * t_extent1;
 *                                                   p[i * p_extent1 + j] = t_extent1 * 8;
 */

import {
  canonical,
  evaluateInteger,
  isVariablyModified,
  LONG,
  mapExpr,
  mapStmt,
  pointerTo,
  SIZE,
  sizeOf,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { CType, Declarator, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  declare,
  freshSymbol,
  ident,
  index,
  intLit,
} from "../../../core/lang/tree/build.ts";

export interface FlatTypes {
  /** The memory for an array of this many elements; undefined: the array stays as it is. */
  room(sym: Symbol, elements: Expr): Expr | undefined;
  /** Variables declared elsewhere, with their extents by dimension, from 1. */
  readonly given: ReadonlyMap<Symbol, ReadonlyMap<number, Symbol>>;
}

/**
 * Whether code names such a type, or moves pointers by whole arrays; the types of variables declared elsewhere do not
 * count.
 */
export function namesVariableTypes(body: Stmt): boolean {
  let found = false;
  const look = (type: CType | undefined): void => {
    found ||= type !== undefined && isVariablyModified(type);
  };
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "decl") for (const { sym } of s.decls) look(sym.type);
    },
    expr(e) {
      if (e.kind === "cast" && !e.implicit) look(e.to);
      if (e.kind === "sizeof" || e.kind === "alignof") look(e.of);
      if (e.kind === "incdec") look(e.arg.type);
      if (e.kind === "assign" || (e.kind === "binary" && e.op === "-")) look(e.left.type);
    },
  });
  return found;
}

/** `params`: the parameters, if the code is a function's body. */
export function withFlatTypes(
  body: Stmt,
  types: FlatTypes,
  params: readonly Symbol[] = [],
): { readonly body: Stmt; readonly params: readonly Symbol[] } {
  const code = new FlatCode(types);
  const flat = params.map((p) => code.declared(p));
  const captured = flat.flatMap((p) => code.captured(p));
  const rewritten = code.of(body);
  return {
    body:
      captured.length > 0 ? { kind: "compound", body: [...captured, rewritten], span: body.span } : rewritten,
    params: flat,
  };
}

/** What a pointer to elements represents: an array (`own`: its extent) or a pointer to arrays (`rows`: their extents). */
interface Shape {
  readonly own?: Expr;
  readonly rows: readonly Expr[];
  readonly element: CType;
  /** The pointer is the sum of the two. */
  readonly base: Expr;
  readonly offset?: Expr;
}

type Flat = Omit<Shape, "base" | "offset">;

class FlatCode {
  private readonly types: FlatTypes;
  private readonly variables = new Map<Symbol, { readonly flat: Symbol; readonly shape: Flat }>();
  /** Declarations of extents and rooms, by the variable that they precede. */
  private readonly before = new Map<Symbol, readonly Stmt[]>();
  private readonly rooms = new Map<Symbol, Expr>();
  /** Sizes of named types, evaluated where the types were declared. */
  private readonly named = new Map<Expr, Expr>();
  private readonly shapes = new Map<Expr, Shape>();

  constructor(types: FlatTypes) {
    this.types = types;
  }

  of(body: Stmt): Stmt {
    return mapStmt(body, {
      declared: (sym) => this.declared(sym),
      stmt: (s) => this.statement(s),
      expr: (e) => this.expression(e),
    });
  }

  captured(sym: Symbol): readonly Stmt[] {
    return this.before.get(sym) ?? [];
  }

  // -------------------------------------------------------------- declarations

  declared(sym: Symbol): Symbol {
    if (!isVariablyModified(sym.type)) return sym;
    if (sym.kind === "typedef") {
      this.before.set(sym, this.namedSizes(sym));
      return sym;
    }
    const isArray = canonical(sym.type).kind === "array";
    const { dims, element } = dimensions(sym.type);
    if (isVariablyModified(element)) return sym;
    const extents: Stmt[] = [];
    const own = dims.map((size, k) =>
      this.captures(size, `${sym.name}_extent${isArray ? k : k + 1}`, extents),
    );
    const flat = freshSymbol(sym.name, pointerTo(element));
    if (isArray) {
      const room = this.types.room(sym, product(own));
      if (!room) return sym;
      this.rooms.set(flat, room);
    }
    const [first, ...rest] = own;
    const shape = isArray && first ? { own: first, rows: rest, element } : { rows: own, element };
    this.variables.set(sym, { flat, shape });
    this.before.set(flat, extents);
    return flat;
  }

  /** The size, stored in a variable so that it keeps its value. */
  private captures(size: number | Expr, name: string, into: Stmt[]): Expr {
    if (typeof size === "number") return intLit(size, LONG);
    const known = this.named.get(size);
    if (known) return known;
    const value = mapExpr(size, { expr: (e) => this.expression(e) });
    const constant = evaluateInteger(value);
    if (constant !== undefined) return intLit(constant, LONG);
    const extent = freshSymbol(name, LONG);
    into.push(declare(extent, cast(LONG, value)));
    return ident(extent);
  }

  private namedSizes(sym: Symbol): readonly Stmt[] {
    const extents: Stmt[] = [];
    dimensions(sym.type).dims.forEach((size, k) => {
      if (typeof size === "object")
        this.named.set(size, this.captures(size, `${sym.name}_extent${k}`, extents));
    });
    return extents;
  }

  private statement(s: Stmt): Stmt | readonly Stmt[] {
    if (s.kind === "for" && s.init?.kind === "decl") {
      const extents = s.init.decls.flatMap((d) => this.captured(d.sym));
      return extents.length > 0 ? [...extents, s] : s;
    }
    if (s.kind !== "decl" || !s.decls.some((d) => this.before.has(d.sym))) return s;
    return s.decls.flatMap((d): readonly Stmt[] => [
      ...this.captured(d.sym),
      ...(d.sym.kind === "typedef" ? [] : [{ ...s, decls: [this.declarator(d)] }]),
    ]);
  }

  private declarator(d: Declarator): Declarator {
    if (!this.before.has(d.sym)) return d;
    const room = this.rooms.get(d.sym);
    const { init, sym, span } = d;
    const given = room ? ({ kind: "expr", expr: room } as const) : init;
    return { sym, ...(given && { init: given }), span };
  }

  // -------------------------------------------------------------- expressions

  private pointerTo({ base, offset, ...flat }: Shape): Expr {
    const value = offset ? binary("+", base, offset) : base;
    this.shapes.set(value, { base, ...(offset && { offset }), ...flat });
    return value;
  }

  private expression(e: Expr): Expr {
    switch (e.kind) {
      case "ident":
        return this.variable(e);
      case "cast":
        return this.cast(e);
      case "index":
        return this.selected(e.base, e.index) ?? e;
      case "unary":
        if (e.op === "*") return this.selected(e.arg, undefined) ?? e;
        return e.op === "&" ? (this.address(e.arg) ?? e) : e;
      case "binary":
        return this.sum(e);
      case "incdec":
      case "assign":
        return this.changed(e);
      case "cond":
        return this.chosen(e, (e.then && this.shapes.get(e.then)) ?? this.shapes.get(e.else));
      case "comma":
        return this.chosen(e, this.shapes.get(e.right));
      case "sizeof":
        return this.size(e, e.arg && this.shapes.get(e.arg));
      default:
        return e;
    }
  }

  private variable(e: Expr & { readonly kind: "ident" }): Expr {
    const own = this.variables.get(e.sym);
    if (own) return this.pointerTo({ ...own.shape, base: ident(own.flat, e.span) });
    const given = this.types.given.get(e.sym);
    if (!given) return e;
    const isArray = canonical(e.sym.type).kind === "array";
    const { dims, element } = dimensions(e.sym.type);
    // The outermost extent is never needed: see `size-from-outside`.
    const extents = dims.map((size, k) => {
      const extent = given.get(isArray ? k : k + 1);
      return extent ? ident(extent) : intLit(typeof size === "number" ? size : 0, LONG);
    });
    const [first, ...rest] = extents;
    const shape = isArray && first ? { own: first, rows: rest } : { rows: extents };
    const base: Expr = {
      kind: "cast",
      to: pointerTo(element),
      arg: e,
      type: pointerTo(element),
      span: e.span,
    };
    return this.pointerTo({ ...shape, element, base });
  }

  private cast(e: Expr & { readonly kind: "cast" }): Expr {
    const shape = this.shapes.get(e.arg);
    const to = canonical(e.to);
    const leadsToArray = to.kind === "pointer" && canonical(to.to).kind === "array";
    if (e.implicit && shape) {
      if (shape.own) {
        const { own: _, ...rows } = shape;
        return this.pointerTo(rows);
      }
      if (leadsToArray) return e.arg;
    }
    if (!leadsToArray || !isVariablyModified(e.to)) return e;
    const { dims, element } = dimensions(e.to);
    if (isVariablyModified(element)) return e;
    return this.pointerTo({
      rows: dims.map((size) => this.now(size)),
      element,
      base: cast(pointerTo(element), e.arg),
    });
  }

  /** The extent of a type written in an expression. */
  private now(size: number | Expr): Expr {
    if (typeof size === "number") return intLit(size, LONG);
    return this.named.get(size) ?? cast(LONG, size);
  }

  /** `*base`, `base[at]` */
  private selected(base: Expr, at: Expr | undefined): Expr | undefined {
    const shape = this.shapes.get(base);
    if (!shape) return undefined;
    const { own: _, ...from } = shape;
    const [own, ...rows] = from.rows;
    const step = at && evaluateInteger(at) !== 0n ? scaled(at, from.rows) : undefined;
    const offset = sumOf(from.offset, step);
    if (own)
      return this.pointerTo({ base: from.base, element: from.element, own, rows, ...(offset && { offset }) });
    return index(from.base, offset ?? intLit(0));
  }

  /** The address of an array; the address of an element needs no change. */
  private address(arg: Expr): Expr | undefined {
    const shape = this.shapes.get(arg);
    if (!shape?.own) return undefined;
    const { own, rows, ...at } = shape;
    return this.pointerTo({ ...at, rows: [own, ...rows] });
  }

  private sum(e: Expr & { readonly kind: "binary" }): Expr {
    const [left, right] = [this.shapes.get(e.left), this.shapes.get(e.right)];
    if (left && right && e.op === "-")
      return left.rows.length > 0 ? binary("/", binary("-", e.left, e.right), product(left.rows)) : e;
    const pointer = left ?? right;
    if (!pointer || pointer.own || pointer.rows.length === 0 || (e.op !== "+" && e.op !== "-")) return e;
    const by = scaled(left ? e.right : e.left, pointer.rows);
    if (e.op === "+") return this.pointerTo({ ...pointer, offset: sumOf(pointer.offset, by) as Expr });
    const { offset: _, ...flat } = pointer;
    return this.pointerTo({ ...flat, base: binary("-", e.left, by) });
  }

  private changed(e: Expr & { readonly kind: "incdec" | "assign" }): Expr {
    const written = e.kind === "incdec" ? e.arg : e.left;
    const shape = this.shapes.get(written);
    if (!shape || shape.rows.length === 0) return e;
    // A variable declared elsewhere is a pointer to elements already.
    const target = written.kind === "cast" && !written.implicit ? written.arg : written;
    const { offset: _, ...flat } = shape;
    const type = pointerTo(shape.element);
    if (e.kind === "assign") {
      const value = e.op === "=" ? e.right : scaled(e.right, shape.rows);
      return this.pointerTo({
        ...flat,
        base: { ...assign(target, value, e.op), type, span: e.span },
      });
    }
    const by = product(shape.rows);
    const moved = { ...assign(target, by, e.op === "++" ? "+=" : "-="), type };
    return this.pointerTo({ ...flat, base: e.prefix ? moved : binary(e.op === "++" ? "-" : "+", moved, by) });
  }

  /** A choice between several pointers to elements. */
  private chosen(e: Expr, shape: Shape | undefined): Expr {
    if (!shape) return e;
    const { offset: _, ...flat } = shape;
    return this.pointerTo({ ...flat, base: { ...e, type: pointerTo(shape.element) } });
  }

  private size(e: Expr & { readonly of?: CType }, shape: Shape | undefined): Expr {
    if (shape && !shape.own) return intLit(sizeOf(pointerTo(shape.element)) ?? 8, SIZE);
    if (shape?.own) return bytes([shape.own, ...shape.rows], shape.element);
    if (!e.of || !isVariablyModified(e.of) || canonical(e.of).kind !== "array") return e;
    const { dims, element } = dimensions(e.of);
    return bytes(
      dims.map((size) => this.now(size)),
      element,
    );
  }
}

/** Extents of an array or of a pointer's target, outermost first, down to elements of known size. */
function dimensions(type: CType): { readonly dims: readonly (number | Expr)[]; readonly element: CType } {
  const dims: (number | Expr)[] = [];
  let at = canonical(type);
  if (at.kind === "pointer") at = canonical(at.to);
  let element = type;
  for (; at.kind === "array" && isVariablyModified(at); at = canonical(at.of)) {
    dims.push(at.size === undefined || at.size === "*" ? 0 : at.size);
    element = at.of;
  }
  return { dims, element };
}

const product = (extents: readonly Expr[]): Expr =>
  extents.length === 0 ? intLit(1, LONG) : extents.reduce((a, b) => binary("*", a, b));

function scaled(at: Expr, rows: readonly Expr[]): Expr {
  if (rows.length === 0) return at;
  return evaluateInteger(at) === 1n ? product(rows) : binary("*", cast(LONG, at), product(rows));
}

const sumOf = (a: Expr | undefined, b: Expr | undefined): Expr | undefined =>
  a && b ? binary("+", a, b) : (a ?? b);

const bytes = (extents: readonly Expr[], element: CType): Expr =>
  binary("*", cast(SIZE, product(extents)), intLit(sizeOf(element) ?? 1, SIZE));
