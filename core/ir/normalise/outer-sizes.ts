/**
 * `sizeof` of arrays of variable size that are declared outside of a region. The size is that of the declaration (C11
 * 6.7.6.2p5), which the launch knows and the region does not, so it is passed like a variable:
 *
 *     sizeof v      =>     size          data((unsigned long){sizeof v} as size: firstprivate)
 */
import { isVariablyModified, mapStmt, sizeOf } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { freshSymbol, stripImplicit } from "../../lang/tree/build.ts";
import { SIZE } from "../../lang/tree/types.ts";
import { usesOf } from "../analysis/access.ts";
import { unusedName } from "../analysis/unused-name.ts";
import type { Spmd } from "../model/ir.ts";

interface WithSizes {
  readonly spmd: Spmd;
  /** The region's variables that hold sizes, and the objects with their values. */
  readonly sizes: ReadonlyMap<Symbol, Expr>;
}

export function withOuterSizes(spmd: Spmd): WithSizes {
  const { declared } = usesOf(spmd.body);
  const held = new Map<Symbol, { readonly size: Symbol; readonly value: Expr }>();
  const body = mapStmt(spmd.body, {
    expr(e) {
      const array = e.kind === "sizeof" && e.arg ? stripImplicit(e.arg) : undefined;
      if (array?.kind !== "ident" || declared.has(array.sym)) return e;
      if (!isVariablyModified(array.type) || sizeOf(array.type) !== undefined) return e;
      const known = held.get(array.sym);
      const size = known?.size ?? freshSymbol(unusedName(`${array.sym.name}_size`, spmd.body), SIZE);
      if (!known) held.set(array.sym, { size, value: asObject(e) });
      return { kind: "ident", sym: size, type: SIZE, span: e.span };
    },
  });
  if (held.size === 0) return { spmd, sizes: new Map() };
  const sizes = new Map([...held.values()].map(({ size, value }) => [size, value]));
  return { spmd: { ...spmd, body, firstprivates: [...spmd.firstprivates, ...sizes.keys()] }, sizes };
}

/** A value with an address. */
const asObject = (value: Expr): Expr => ({
  kind: "compound",
  of: SIZE,
  init: { kind: "list", items: [{ designators: [], init: { kind: "expr", expr: value } }], span: value.span },
  type: SIZE,
  span: value.span,
});
