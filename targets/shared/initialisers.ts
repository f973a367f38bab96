/** Initialiser lists as C++ takes them: every element in its place, no designators out of order. */
import type { CType, Field, Init, InitItem, Stmt } from "../../core/lang/ast.ts";
import { intLit } from "../../core/lang/build.ts";
import { canonical, evaluateInteger, mapStmt, NOWHERE } from "../../core/lang/index.ts";

/** The statement with its designated initialiser lists in the order of the members. */
export function orderedInitialisers(s: Stmt): Stmt {
  return mapStmt(s, {
    stmt(child) {
      if (child.kind !== "decl" || !child.decls.some((d) => d.init?.kind === "list")) return child;
      return {
        ...child,
        decls: child.decls.map((d) => (d.init ? { ...d, init: ordered(d.init, d.sym.type) } : d)),
      };
    },
    expr: (e) => (e.kind === "compound" ? { ...e, init: ordered(e.init, e.of) } : e),
  });
}

/** Lists without brace elision only: the parser keeps braces as written, and elided ones are already in order. */
function ordered(init: Init, type: CType): Init {
  if (init.kind === "expr") return init;
  const c = canonical(type);
  if (!init.items.some((i) => i.designators.length > 0)) {
    const inner = (i: InitItem, k: number): InitItem => {
      const of =
        c.kind === "array" ? c.of : c.kind === "record" ? members(c.decl.fields)[k]?.type : undefined;
      return of && i.init.kind === "list" ? { ...i, init: ordered(i.init, of) } : i;
    };
    return { ...init, items: init.items.map(inner) };
  }
  if (c.kind === "array")
    return place(init, c.of, (d) => (d.kind === "index" ? Number(evaluateInteger(d.index) ?? 0n) : 0));
  if (c.kind !== "record" || c.decl.union) return init;
  const fields = members(c.decl.fields);
  const types = fields.map((f) => f.type);
  return place(init, types, (d) => (d.kind === "field" ? fields.findIndex((f) => f.name === d.name) : 0));
}

function members(fields: readonly Field[] | undefined): readonly Field[] {
  return (fields ?? []).filter((f) => f.name !== undefined);
}

function place(
  init: Init & { kind: "list" },
  types: CType | readonly CType[],
  positionOf: (d: InitItem["designators"][number]) => number,
): Init {
  const typeAt = (k: number): CType => (Array.isArray(types) ? types[k] : types) as CType;
  const slots: (Init | undefined)[] = [];
  let at = 0;
  for (const item of init.items) {
    const [first, ...rest] = item.designators;
    if (first) at = positionOf(first);
    const value: Init = rest.length
      ? { kind: "list", items: [{ designators: rest, init: item.init }], span: NOWHERE }
      : item.init;
    const before = slots[at];
    const merged: Init =
      rest.length && before?.kind === "list" && value.kind === "list"
        ? { ...before, items: [...before.items, ...value.items] }
        : value;
    slots[at] = merged;
    at++;
  }
  const items = Array.from(
    slots,
    (slot, k): InitItem => ({ designators: [], init: slot ? ordered(slot, typeAt(k)) : zero(typeAt(k)) }),
  );
  return { ...init, items };
}

function zero(type: CType): Init {
  const c = canonical(type);
  return c.kind === "array" || c.kind === "record"
    ? { kind: "list", items: [], span: NOWHERE }
    : { kind: "expr", expr: intLit(0) };
}
