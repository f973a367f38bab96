/** Where an lvalue is stored: a register, a group of registers, block RAM, a delay line, memory. */

import { firstOf, itemAt } from "../../../checked/access.ts";
import { canonical } from "../../../lang/index.ts";
import type { Expr, Loc } from "../../../lang/tree/ast.ts";
import { index, intLit } from "../../../lang/tree/build.ts";
import type { Ram, Shape, Value, Variable } from "../../dfg/value.ts";
import { unsupportedExpression } from "../scope/refusals.ts";
import type { Line } from "../scope/scope.ts";
import { stripped } from "../scope/syntax.ts";
import { addressOf, type InMemory, inMemory } from "./memory.ts";
import { type Part, partOf } from "./parts.ts";
import type { Path } from "./path.ts";

export type Lvalue =
  | { readonly kind: "register"; readonly variable: Variable }
  | { readonly kind: "elements"; readonly elements: readonly Variable[]; readonly at: Value }
  | { readonly kind: "table"; readonly words: readonly bigint[]; readonly at: Value }
  | { readonly kind: "ram"; readonly ram: Ram; readonly at: Value }
  | { readonly kind: "line"; readonly line: Line; readonly at: Value }
  /** `word`: the lvalue `of`, if already computed. */
  | (Part & { readonly word?: Lvalue })
  | InMemory;

/** An lvalue that is read and then set: its side effects happen once (C11 6.5.16.2). */
export function settledLvalue(path: Path, e: Expr, guard: Value): Lvalue {
  const lvalue = lvalueOf(path, e, guard);
  return lvalue.kind === "part" ? { ...lvalue, word: settledLvalue(path, lvalue.of, guard) } : lvalue;
}

export function lvalueOf(path: Path, e: Expr, guard: Value): Lvalue {
  const at = e.span.start;
  const part = partOf(path, e, guard);
  if (part) return part;
  switch (e.kind) {
    case "ident": {
      const storage = path.scope.of(path.arrays.get(e.sym) ?? e.sym, at);
      if (storage.kind === "table" && storage.strides.length === 0)
        return { kind: "table", words: storage.words, at: path.no };
      if (storage.kind !== "register" || path.arrays.has(e.sym))
        throw unsupportedExpression("an array as a whole", at);
      return { kind: "register", variable: storage.variable };
    }
    case "index": {
      const subscripts: Expr[] = [];
      let base: Expr = e;
      while (base.kind === "index") {
        subscripts.unshift(base.index);
        base = stripped(base.base);
      }
      const bound = base.kind === "ident" ? path.arrays.get(base.sym) : undefined;
      const storage = bound
        ? path.scope.of(bound, at)
        : base.kind === "ident" && canonical(base.type).kind === "array"
          ? path.scope.of(base.sym, at)
          : undefined;
      if (storage?.kind === "registers") {
        const { elements } = storage;
        return { kind: "elements", elements, at: offsetIn(path, storage, subscripts, guard, at) };
      }
      if (storage?.kind === "table")
        return { kind: "table", words: storage.words, at: offsetIn(path, storage, subscripts, guard, at) };
      if (storage?.kind === "ram")
        return { kind: "ram", ram: storage.ram, at: offsetIn(path, storage, subscripts, guard, at) };
      if (storage?.kind === "line")
        return { kind: "line", line: storage.line, at: path.value(firstOf(subscripts), guard) };
      return inMemory(path, e, addressOf(path, e, guard));
    }
    case "unary":
      if (e.op === "*") {
        const inner = stripped(e.arg);
        if (inner.kind === "unary" && inner.op === "&") return lvalueOf(path, inner.arg, guard);
        if (inner.kind === "ident" && (path.arrays.has(inner.sym) || canonical(inner.type).kind === "array"))
          return lvalueOf(path, index(inner, intLit(0), e.span), guard);
        return inMemory(path, e, path.value(e.arg, guard));
      }
      if (e.op === "__extension__") return lvalueOf(path, e.arg, guard);
      break;
    case "member":
      return inMemory(path, e, addressOf(path, e, guard));
    case "cast":
      if (e.implicit) return lvalueOf(path, e.arg, guard);
      break;
  }
  throw unsupportedExpression(e.kind, at);
}

/** Elements from the start of an array. */
function offsetIn(
  path: Path,
  { strides }: { readonly strides: readonly number[] },
  subscripts: readonly Expr[],
  guard: Value,
  at: Loc,
): Value {
  if (subscripts.length !== strides.length) throw unsupportedExpression("part of an array", at);
  const wide: Shape = { bits: 32, signed: true };
  let sum = path.graph.constant(0, wide);
  subscripts.forEach((subscript, k) => {
    const by = path.graph.constant(itemAt(strides, k), wide);
    const value = path.graph.resize(path.value(subscript, guard), wide);
    sum = path.graph.make("add", wide, [sum, path.graph.make("mul", wide, [value, by])]);
  });
  return sum;
}
