/**
 * Makes initialisers explicit (C11 6.7.9): braces around every object, a designator for every part, strings as
 * characters.
 *
 *     struct p { int a, b[2]; } q[2] = {1, 2, [1].b[1] = 3};   =>   {[0] = {.a = 1, .b = {[0] = 2}}, [1] = {.b = {[1] = 3}}}
 */

import { itemAt } from "../../checked/access.ts";
import { canonical, codeUnits, isInteger, mapStmt, placesOf, qualify, type Step } from "../../lang/index.ts";
import type { CType, Expr, Field, Init, InitItem, RecordDecl, Span, Stmt } from "../../lang/tree/ast.ts";
import { convert, freshSymbol, ident, intLit } from "../../lang/tree/build.ts";

/** The statements with such initialisers; other strings become arrays of their own. */
export function withFullInitialisers(body: readonly Stmt[]): readonly Stmt[] {
  return body.map((s) =>
    withArraysForStrings(
      mapStmt(s, {
        expr: (e) => (e.kind === "compound" ? { ...e, init: full(e.init, e.of) } : e),
        stmt: (child) =>
          child.kind === "decl"
            ? {
                ...child,
                decls: child.decls.map((d) => (d.init ? { ...d, init: full(d.init, d.sym.type) } : d)),
              }
            : child,
      }),
    ),
  );
}

function withArraysForStrings(s: Stmt): Stmt {
  const strings: Stmt[] = [];
  return mapStmt(s, {
    expr(e) {
      // "" is the argument of nan.
      if (e.kind !== "string" || codeUnits(e.pieces).units.length === 0) return e;
      const sym = freshSymbol("arc_text", qualify(e.type, { const: true }));
      const init = full({ kind: "expr", expr: e }, e.type);
      strings.push({ kind: "decl", decls: [{ sym, init, span: e.span }], defines: [], span: e.span });
      return ident(sym, e.span);
    },
    stmt: (child) => (strings.length === 0 ? child : [...strings.splice(0), child]),
  });
}

/** `init` for an object of this type. */
function full(init: Init, type: CType): Init {
  return initOf(contentsOf(init, type), type, init.kind === "list" ? init.span : init.expr.span);
}

type Aggregate = Extract<CType, { readonly kind: "array" | "record" }>;

/** A value, or parts by index: of the element in arrays, of the member in structs and unions. */
type Contents = { readonly value: Expr } | Parts;

interface Parts {
  readonly parts: Map<number, Contents>;
}

function contentsOf(init: Init, type: CType): Contents {
  if (init.kind === "expr") return characters(init.expr, type) ?? { value: init.expr };
  const all: Parts = { parts: new Map() };
  let complete: Contents | undefined;
  for (const { item, part } of placesOf(init.items, type).items) {
    const contents = part && contentsOf(item.init, part.type);
    if (contents && part.path.length > 0) place(all, type, part.path, contents);
    else complete ??= contents;
  }
  if (complete) return complete;
  return canonical(type).kind === "array" || canonical(type).kind === "record" ? all : { value: intLit(0) };
}

/** Later values replace earlier ones. */
function place(into: Parts, type: CType, [step, ...rest]: readonly Step[], contents: Contents): void {
  if (!step) return;
  const [from, to] = "member" in step ? [step.member, step.member] : [step.from, step.to];
  for (let k = from; k <= to; k++) {
    const before = into.parts.get(k);
    // A union holds the member that was initialised last.
    if (isUnion(type)) into.parts.clear();
    const ownContents = from === to ? contents : copyOf(contents);
    if (rest.length === 0) {
      into.parts.set(k, ownContents);
      continue;
    }
    const part: Parts = before && "parts" in before ? before : { parts: new Map() };
    into.parts.set(k, part);
    place(part, partOf(canonical(type) as Aggregate, k), rest, ownContents);
  }
}

const copyOf = (contents: Contents): Contents =>
  "value" in contents
    ? contents
    : { parts: new Map([...contents.parts].map(([k, part]) => [k, copyOf(part)])) };

function isUnion(type: CType): boolean {
  const canonicalType = canonical(type);
  return canonicalType.kind === "record" && canonicalType.decl.union === true;
}

const partOf = (type: Aggregate, k: number): CType =>
  type.kind === "array" ? type.of : memberOf(type.decl, k).type;

const memberOf = ({ fields = [] }: RecordDecl, k: number): Field => itemAt(fields, k);

/** The elements of a character array initialised by a string, without trailing zeros. */
function characters(e: Expr, type: CType): Parts | undefined {
  const canonicalType = canonical(type);
  if (e.kind !== "string" || canonicalType.kind !== "array" || !isInteger(canonicalType.of)) return undefined;
  const { units } = codeUnits(e.pieces);
  const fitting = typeof canonicalType.size === "number" ? units.slice(0, canonicalType.size) : units;
  return {
    parts: new Map(
      fitting.map((unit, k) => [k, { value: convert(intLit(unit), canonicalType.of) } as const]),
    ),
  };
}

function initOf(contents: Contents, of: CType, span: Span): Init {
  if ("value" in contents) return { kind: "expr", expr: contents.value };
  const type = canonical(of) as Aggregate;
  const items = [...contents.parts]
    .sort(([a], [b]) => a - b)
    .flatMap(([k, part]): readonly InitItem[] => {
      const init = initOf(part, partOf(type, k), span);
      if (type.kind === "array") return [{ designators: [{ kind: "index", index: intLit(k) }], init }];
      const { name } = memberOf(type.decl, k);
      // Members of an unnamed struct are initialised together with those of the enclosing one.
      if (name === undefined) return init.kind === "list" ? init.items : [{ designators: [], init }];
      return [{ designators: [{ kind: "field", name }], init }];
    });
  return { kind: "list", items, span };
}
