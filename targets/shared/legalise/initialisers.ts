/**
 * Initialiser lists with every value in its place (C11 6.7.9): braces around each object, values in order. C++ accepts
 * no others, and replaced members need them.
 */

import { itemAt } from "../../../core/checked/access.ts";
import {
  canonical,
  compatibleUnqualified,
  evaluateInteger,
  findField,
  mapStmt,
  NOWHERE,
} from "../../../core/lang/index.ts";
import type { CType, Designator, Expr, Field, Init, InitItem, Stmt } from "../../../core/lang/tree/ast.ts";
import { intLit } from "../../../core/lang/tree/build.ts";

/** Builds an object's list; undefined: uses the default order. */
type ListOf = (type: CType, parts: readonly (Init | undefined)[]) => Init | undefined;

/** The statement with its initialiser lists ordered by what they initialise, where `which` requires it. */
export function orderedInitialisers(
  s: Stmt,
  which: (init: Init, type: CType) => boolean = isDesignated,
  listOf: ListOf = () => undefined,
): Stmt {
  const rewritten = (init: Init, type: CType): Init =>
    init.kind === "list" && which(init, type) ? ordered(init, type, listOf) : init;
  return mapStmt(s, {
    stmt(child) {
      if (child.kind !== "decl" || !child.decls.some((d) => d.init?.kind === "list")) return child;
      return {
        ...child,
        decls: child.decls.map((d) => (d.init ? { ...d, init: rewritten(d.init, d.sym.type) } : d)),
      };
    },
    expr: (e) => (e.kind === "compound" ? { ...e, init: rewritten(e.init, e.of) } : e),
  });
}

function isDesignated(init: Init): boolean {
  return init.kind === "list" && init.items.some((i) => i.designators.length > 0 || isDesignated(i.init));
}

/** The initial value of an object, or the values of its parts. */
interface Given {
  value?: Expr;
  parts?: (Given | undefined)[];
}

function ordered(init: Init & { readonly kind: "list" }, type: CType, listOf: ListOf): Init {
  const given: Given = {};
  fill(given, type, init.items);
  return initOf(given, type, listOf);
}

// ---------------------------------------------------------------- where values go

function fill(object: Given, type: CType, items: readonly InitItem[]): void {
  const [only] = items;
  if (only?.init.kind === "expr" && only.designators.length === 0 && takesWhole(only.init.expr, type)) {
    object.value = only.init.expr;
    return;
  }
  object.parts = [];
  let path: number[] | undefined = [0];
  for (const { designators, init } of items) {
    const paths = designators.length > 0 ? designated(type, designators) : path ? [path] : [];
    for (const at of paths) path = next(type, put(object, type, at, init));
  }
}

/** Puts a value at `path` or, with braces omitted, at the first part of it that accepts one; returns where it went. */
function put(object: Given, type: CType, path: readonly number[], init: Init): number[] {
  const at = [...path];
  let place = object;
  let inner = type;
  const enter = (part: number) => {
    place.parts ??= [];
    delete place.value;
    place.parts[part] ??= {};
    place = place.parts[part];
    inner = partType(inner, part) ?? inner;
  };
  for (const part of path) enter(part);
  if (init.kind === "list") {
    delete place.value;
    fill(place, inner, init.items);
    return at;
  }
  while (!takesWhole(init.expr, inner) && partType(inner, 0)) {
    enter(0);
    at.push(0);
  }
  delete place.parts;
  place.value = init.expr;
  return at;
}

function takesWhole(e: Expr, type: CType): boolean {
  const c = canonical(type);
  if (c.kind === "array") {
    const of = canonical(c.of);
    return e.kind === "string" && of.kind === "int";
  }
  return c.kind !== "record" || compatibleUnqualified(e.type, type);
}

/** The part after the one at `path`. */
function next(type: CType, path: readonly number[]): number[] | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const around = path.slice(0, depth - 1);
    const part = itemAt(path, depth - 1) + 1;
    const of = around.reduce<CType | undefined>((t, k) => t && partType(t, k), type);
    const union = of && isUnion(of);
    if (of && !union && partType(of, part)) return [...around, part];
  }
  return undefined;
}

/** The paths that designators name: several for a range. */
function designated(type: CType, designators: readonly Designator[]): number[][] {
  const [first, ...rest] = designators;
  if (!first) return [[]];
  const c = canonical(type);
  if (first.kind === "index") {
    const from = Number(evaluateInteger(first.index) ?? 0n);
    const to = first.to ? Number(evaluateInteger(first.to) ?? from) : from;
    const inner = c.kind === "array" ? designated(c.of, rest) : [[]];
    const indices = Array.from({ length: Math.max(0, to - from) + 1 }, (_, k) => from + k);
    return indices.flatMap((k) => inner.map((path) => [k, ...path]));
  }
  const members = partsOf(type);
  const part = members.findIndex((m) => m.name === first.name || holds(m, first.name));
  const member = members[part];
  if (!member) return [];
  const inner = designated(member.type, member.name === undefined ? designators : rest);
  return inner.map((path) => [part, ...path]);
}

const holds = (field: Field, name: string): boolean => {
  const c = canonical(field.type);
  return field.name === undefined && c.kind === "record" && findField(c.decl, name) !== undefined;
};

const isUnion = (type: CType): boolean => {
  const c = canonical(type);
  return c.kind === "record" && c.decl.union;
};

/** The members that get values: unnamed bit-fields get none. */
export function partsOf(type: CType): readonly Field[] {
  const c = canonical(type);
  return c.kind === "record"
    ? (c.decl.fields ?? []).filter((f) => f.name !== undefined || f.bits === undefined)
    : [];
}

function partType(type: CType, part: number): CType | undefined {
  const c = canonical(type);
  if (c.kind === "array") return typeof c.size !== "number" || part < c.size ? c.of : undefined;
  return c.kind === "vector" ? c.of : partsOf(type)[part]?.type;
}

/** The values of an initialiser; `member`: called with the record that contains a member. */
export function placedValues(
  init: Init,
  type: CType,
): readonly { readonly value: Expr; readonly member?: Field }[] {
  if (init.kind === "expr") return [{ value: init.expr }];
  const given: Given = {};
  fill(given, type, init.items);
  const visit = (at: Given | undefined, of: CType, member?: Field): { value: Expr; member?: Field }[] => {
    if (at?.value) return [{ value: at.value, ...(member && { member }) }];
    const fields = partsOf(of);
    return (at?.parts ?? []).flatMap((part, k) => visit(part, partType(of, k) ?? of, fields[k] ?? member));
  };
  return visit(given, type);
}

// ---------------------------------------------------------------- lists

function initOf(given: Given | undefined, type: CType, listOf: ListOf): Init {
  if (given?.value) return { kind: "expr", expr: given.value };
  const { parts } = given ?? {};
  if (!parts) return zero(type);
  const inits = Array.from(parts, (part, k) => part && initOf(part, partType(type, k) ?? type, listOf));
  const own = listOf(type, inits);
  if (own) return own;
  if (isUnion(type)) return unionList(type, inits);
  const items = inits.map((init, k) => item(init ?? zero(partType(type, k) ?? type)));
  return { kind: "list", items, span: NOWHERE };
}

function unionList(type: CType, inits: readonly (Init | undefined)[]): Init {
  const k = inits.findLastIndex((init) => init !== undefined);
  const init = inits[k];
  const name = partsOf(type)[k]?.name;
  if (!init) return zero(type);
  const designators = k > 0 && name !== undefined ? [{ kind: "field" as const, name }] : [];
  return { kind: "list", items: [item(init, designators)], span: NOWHERE };
}

export const item = (init: Init, designators: readonly Designator[] = []): InitItem => ({
  designators,
  init,
});

export function zero(type: CType): Init {
  const c = canonical(type);
  return c.kind === "array" || c.kind === "record" || c.kind === "vector"
    ? { kind: "list", items: [], span: NOWHERE }
    : { kind: "expr", expr: intLit(0) };
}
