/** Arrays whose inner extents are known only at run time become flat: kernel languages have no such types. */

import {
  canonical,
  elementType,
  isArray,
  isVariablyModified,
  LONG,
  mapStmt,
  pointerTo,
  SIZE,
  sizeOf,
} from "../../../core/lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { binary, cast, ident, index, intLit, stripImplicit, unary } from "../../../core/lang/tree/build.ts";

/** For each such variable, the parameter that holds the extent of each dimension (from 1). */
type Extents = ReadonlyMap<Symbol, ReadonlyMap<number, Symbol>>;

export function flattenExtents(body: Stmt, extents: Extents): Stmt {
  if (extents.size === 0) return body;
  const flattened: Flattened = new Map();
  const chainOf = (e: Expr): Chain | undefined => subscripts(e, flattened);
  return mapStmt(body, {
    expr(e) {
      if (e.kind === "sizeof" && e.arg) return rowSize(e.arg.type, chainOf(e.arg), extents) ?? e;
      if (e.kind === "incdec" || e.kind === "assign") return changedRow(e, extents) ?? e;
      if (e.kind === "binary" && e.op === "-" && elementType(e.right.type))
        return { ...e, left: asRows(e.left, extents), right: asRows(e.right, extents) };
      const moved = movedRow(e);
      const at = moved && element(chainOf(moved), extents);
      if (at) {
        const address = cast(e.type, unary("&", at));
        flattened.set(address, unary("&", moved));
        return address;
      }
      const row = rowBehind(e);
      const first = row && element(chainOf(row), extents);
      if (first) {
        const address = unary("&", first);
        const pointer = isArray(elementType(e.type) ?? e.type) ? cast(e.type, address) : address;
        flattened.set(pointer, e);
        return pointer;
      }
      const isAccess = e.kind === "index" || (e.kind === "unary" && e.op === "*");
      const one = isAccess && !isArray(e.type) ? element(chainOf(e), extents) : undefined;
      if (one) flattened.set(one, undefined);
      return one ?? e;
    },
  });
}

/** The variable, if it is a pointer to rows or planes that became one to elements. */
function flatPointer(e: Expr, extents: Extents): (Expr & { readonly kind: "ident" }) | undefined {
  const at = stripImplicit(e);
  if (at.kind !== "ident" || !extents.has(at.sym)) return undefined;
  const row = elementType(at.type);
  return row && isArray(row) && isVariablyModified(row) ? at : undefined;
}

/** A pointer to elements as the pointer to rows that it stands for. */
function asRows(e: Expr, extents: Extents): Expr {
  const pointer = flatPointer(e, extents);
  return pointer ? cast(pointer.type, pointer) : e;
}

/** `a++`, `a += n`: by whole rows. */
function changedRow(e: Expr & { readonly kind: "incdec" | "assign" }, extents: Extents): Expr | undefined {
  const pointer = flatPointer(e.kind === "incdec" ? e.arg : e.left, extents);
  const known = pointer && extents.get(pointer.sym);
  // Elsewhere already rewritten changes have the type of a pointer to elements.
  if (!known || !isVariablyModified(e.type) || (e.kind === "assign" && e.op === "=")) return undefined;
  let by: Expr = e.kind === "incdec" ? intLit(1, LONG) : cast(LONG, e.right);
  let type = inner(pointer.type);
  for (let dim = 1; canonical(type).kind === "array"; dim++) {
    const array = canonical(type) as CType & { kind: "array" };
    const size = known.get(dim);
    by = binary("*", by, size ? ident(size) : intLit(Number(array.size ?? 0), LONG));
    type = array.of;
  }
  const [forward, back] = e.op === "++" || e.op === "+=" ? (["+", "-"] as const) : (["-", "+"] as const);
  const element = pointerTo(type);
  const change: Expr = {
    kind: "assign",
    op: `${forward}=`,
    left: pointer,
    right: by,
    type: element,
    span: e.span,
  };
  if (e.kind === "assign" || e.prefix) return cast(e.type, change);
  return cast(e.type, { kind: "binary", op: back, left: change, right: by, type: element, span: e.span });
}

/** The row or plane that a pointer points to: the whole of it, or its first element. */
function rowBehind(e: Expr): Expr | undefined {
  const decays = e.kind === "cast" && e.implicit && canonical(e.to).kind === "pointer";
  const row = decays || (e.kind === "unary" && e.op === "&") ? e.arg : undefined;
  return row && canonical(row.type).kind === "array" ? row : undefined;
}

/** The row or plane at a number of rows or planes from a pointer. */
function movedRow(e: Expr): Expr | undefined {
  if (e.kind !== "binary" || (e.op !== "+" && e.op !== "-")) return undefined;
  const row = elementType(e.left.type);
  if (!row || !isArray(row) || !isVariablyModified(row) || elementType(e.right.type)) return undefined;
  return index(e.left, e.op === "+" ? e.right : unary("-", e.right));
}

/** The element that subscripts select; of a row or a plane, its first element. */
function element(chain: Chain | undefined, extents: Extents): Expr | undefined {
  const known = chain && extents.get(chain.root);
  const [first, ...rest] = chain?.indices ?? [];
  if (!known || !first) return undefined;
  let flat: Expr = cast(LONG, first);
  let type = inner(chain.root.type);
  for (let dim = 1; canonical(type).kind === "array"; dim++) {
    const array = canonical(type) as CType & { kind: "array" };
    const size = known.get(dim);
    const extent = size ? ident(size) : intLit(Number(array.size ?? 0), LONG);
    flat = binary("+", binary("*", flat, extent), rest[dim - 1] ?? intLit(0));
    type = array.of;
  }
  return { ...index(ident(chain.root), flat), type };
}

/** The size in bytes of a row or a plane, which a flat array has no type for. */
function rowSize(row: CType, chain: Chain | undefined, extents: Extents): Expr | undefined {
  const known = chain && extents.get(chain.root);
  if (!known || chain.indices.length === 0) return undefined;
  let bytes: Expr | undefined;
  let type = canonical(row);
  for (let dim = chain.indices.length; type.kind === "array"; dim++) {
    const size = known.get(dim);
    const extent = size ? cast(SIZE, ident(size)) : intLit(Number(type.size ?? 0), SIZE);
    bytes = bytes ? binary("*", bytes, extent) : extent;
    type = canonical(type.of);
  }
  const element = intLit(sizeOf(type) ?? 1, SIZE);
  return bytes ? binary("*", bytes, element) : element;
}

function inner(type: CType): CType {
  const c = canonical(type);
  return c.kind === "pointer" ? c.to : c.kind === "array" ? c.of : c;
}

interface Chain {
  readonly root: Symbol;
  readonly indices: readonly Expr[];
}

/** Maps each new pointer to an element to the row that it pointed to: subscripts of it count rows, not elements. */
type Flattened = Map<Expr, Expr | undefined>;

function subscripts(e: Expr, flattened: Flattened): Chain | undefined {
  const b = stripImplicit(e);
  if (flattened.has(b)) {
    const row = flattened.get(b);
    return row && subscripts(row, flattened);
  }
  if (b.kind === "ident") return { root: b.sym, indices: [] };
  if (b.kind === "unary" && b.op === "*") {
    const at = stripImplicit(b.arg);
    const behind = selectedBy(at, flattened);
    if (behind) return subscripts(behind, flattened);
    const [pointer, offset] =
      at.kind === "binary" && at.op === "+" && elementType(at.left.type)
        ? [at.left, at.right]
        : [at, intLit(0)];
    const from = subscripts(pointer, flattened);
    return from && { root: from.root, indices: [...from.indices, offset] };
  }
  if (b.kind !== "index") return undefined;
  const behind = selectedBy(stripImplicit(b.base), flattened);
  const first = behind && subscripts(behind, flattened);
  const last = first?.indices.at(-1);
  if (first && last)
    return { root: first.root, indices: [...first.indices.slice(0, -1), binary("+", last, b.index)] };
  const from = subscripts(b.base, flattened);
  return from && { root: from.root, indices: [...from.indices, b.index] };
}

/** `x` of `&x`. */
function selectedBy(pointer: Expr, flattened: Flattened): Expr | undefined {
  const e = flattened.get(pointer) ?? pointer;
  return e.kind === "unary" && e.op === "&" ? e.arg : undefined;
}
