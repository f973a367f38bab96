/** Several regions as one text, to load an FPGA once. */

import { mapStmt } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { freshSymbol, ident } from "../../../core/lang/tree/build.ts";
import type { LoweredRegion } from "../device/device.ts";

/** Each region has clones of the functions that it calls; clones of later regions are renamed. */
export function merged(regions: readonly LoweredRegion[]): LoweredRegion {
  const [first, ...others] = regions;
  if (!first) throw new Error("a text has a region at least");
  const usedNames = new Set<string>();
  const apart = [first, ...others].map((region) => {
    const renamed = new Map<Symbol, Symbol>();
    for (const f of region.functions) {
      const name = usedNames.has(f.sym.name) ? `${f.sym.name}_of_${region.region}` : f.sym.name;
      usedNames.add(name);
      if (name !== f.sym.name) renamed.set(f.sym, { ...freshSymbol(name, f.sym.type), kind: "function" });
    }
    return renamed.size === 0 ? region : withNames(region, renamed);
  });
  return {
    ...first,
    functions: apart.flatMap((r) => r.functions),
    kernels: apart.flatMap((r) => r.kernels),
  };
}

function withNames(region: LoweredRegion, renamed: ReadonlyMap<Symbol, Symbol>): LoweredRegion {
  const called = (e: Expr): Expr => (e.kind === "ident" ? ident(renamed.get(e.sym) ?? e.sym, e.span) : e);
  const inside = (s: Stmt): Stmt => mapStmt(s, { expr: called });
  return {
    ...region,
    functions: region.functions.map((f) => ({
      ...f,
      sym: renamed.get(f.sym) ?? f.sym,
      body: inside(f.body),
    })),
    kernels: region.kernels.map((k) => ({ ...k, body: k.body.map(inside) })),
  };
}
