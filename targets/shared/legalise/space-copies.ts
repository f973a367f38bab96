/**
 * Clones a function that is called with pointers of several address spaces, once for each combination, since OpenCL C
 * 1.2 has no generic pointers. Every call gets a copy; copies whose pointers turn out the same are merged again.
 */

import { calleeOf } from "../../../core/ir/analysis/pointer-flow.ts";
import {
  calleeType,
  canonical,
  copyWithFreshLocals,
  makeSymbol,
  mapStmt,
  substitute,
  symbolOfCopy,
} from "../../../core/lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { ident } from "../../../core/lang/tree/build.ts";
import { type KernelFunction, type LoweredRegion, mapBodies } from "../device/device.ts";
import { inferSpaces, type Spaces } from "./opencl-spaces.ts";

/** Limit of copies: in a chain of functions that each call the next one twice, copies double at every step. */
const mostCopies = 256;

export function copiedBySpaces(region: LoweredRegion): LoweredRegion {
  if (region.functions.length === 0 || inferSpaces(region).diagnostics.length === 0) return region;
  const copied = copyEachCall(region);
  if (!copied) return region;
  const spaces = inferSpaces(copied);
  return spaces.diagnostics.length === 0 ? withoutDoubles(copied, spaces) : region;
}

function copyEachCall(region: LoweredRegion): LoweredRegion | undefined {
  const known = new Map(region.functions.map((f) => [f.sym, f]));
  const functions: KernelFunction[] = [];
  let copies = 0;
  const inside = (s: Stmt): Stmt =>
    withCallees(s, (sym) => {
      const f = known.get(sym);
      return f && copies++ < mostCopies ? copy(f) : sym;
    });
  const copy = (f: KernelFunction): Symbol => {
    const params = f.params.map((p) => ({
      ...p,
      sym: makeSymbol(p.sym.name, p.sym.kind, p.sym.type, p.sym.scope),
    }));
    const renamed = new Map(f.params.map((p, k) => [p.sym, ident(params[k]?.sym ?? p.sym)]));
    const sym = symbolOfCopy(f.def);
    const body = inside(substitute(copyWithFreshLocals(f.body), renamed));
    functions.push({ ...f, sym, params, body });
    return sym;
  };
  const kernels = region.kernels.map((k) => ({ ...k, body: k.body.map(inside) }));
  return copies > mostCopies ? undefined : { ...region, kernels, functions };
}

/** Callees come first, since a function's copies depend on them. */
function withoutDoubles(region: LoweredRegion, spaces: Spaces): LoweredRegion {
  const copies = new Map<string, Symbol>();
  const instead = new Map<Symbol, Symbol>();
  const functions = region.functions.flatMap((f) => {
    const called: number[] = [];
    const body = withCallees(f.body, (sym) => {
      const one = instead.get(sym) ?? sym;
      called.push(one.id);
      return one;
    });
    const returned = calleeType(f.sym.type)?.ret;
    const pointers = [...f.params.map((p) => p.sym), f.sym].map((sym) => {
      const type = sym === f.sym ? returned : sym.type;
      return type ? levels(type).map((depth) => spaces.of(sym, depth)) : [];
    });
    const key = JSON.stringify([f.def.sym.id, pointers, called]);
    const before = copies.get(key);
    instead.set(f.sym, before ?? f.sym);
    if (before) return [];
    copies.set(key, f.sym);
    return [{ ...f, body }];
  });
  return mapBodies({ ...region, functions }, (s) => withCallees(s, (sym) => instead.get(sym) ?? sym));
}

function withCallees(s: Stmt, other: (sym: Symbol) => Symbol): Stmt {
  return mapStmt(s, {
    expr(e): Expr {
      const sym = e.kind === "call" ? calleeOf(e) : undefined;
      const to = sym && other(sym);
      return e.kind === "call" && to && to !== sym ? { ...e, callee: ident(to) } : e;
    },
  });
}

/** The pointer depths of a type: 0 for a pointer, 0 and 1 for a pointer to a pointer. */
function levels(type: CType): number[] {
  let depth = 0;
  let at = canonical(type);
  while (at.kind === "pointer") {
    depth++;
    at = canonical(at.to);
  }
  return Array.from({ length: depth }, (_, k) => k);
}
