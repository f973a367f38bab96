/**
 * Address spaces of pointers. OpenCL C 1.2 has no generic pointers, so every pointer variable gets the
 * one space that all its values are in: classes of variables that flow into each other (after B.
 * Steensgaard, POPL 1996), seeded by kernel parameters, group memory and addresses of locals.
 */

import { rootOf } from "../../core/ir/access.ts";
import { pointerFlows } from "../../core/ir/pointerflow.ts";
import type { CType, Diagnostic, Expr, Symbol } from "../../core/lang/ast.ts";
import { canonical, isPointer } from "../../core/lang/index.ts";
import type { LoweredRegion } from "./device.ts";

export type Space = "__global" | "__local" | "";

export interface Spaces {
  /** Space of what a pointer variable points to, or of an array or object itself. */
  of(sym: Symbol): Space;
  /** Space of what a pointer-valued expression points to. */
  pointee(e: Expr): Space;
  readonly diagnostics: readonly Diagnostic[];
}

export function inferSpaces(region: LoweredRegion): Spaces {
  const parent = new Map<Symbol, Symbol>();
  const seeds = new Map<Symbol, Space>();
  const diagnostics: Diagnostic[] = [];
  const find = (s: Symbol): Symbol => {
    let root = s;
    for (let up = parent.get(root); up && up !== root; up = parent.get(root)) root = up;
    return root;
  };
  const conflict = (e: Expr | undefined, name: string) =>
    diagnostics.push({
      severity: "error",
      code: "mixed-address-spaces",
      loc: e?.span.start ?? { file: region.site.file, line: region.site.line, col: 1 },
      message: `'${name}' points to device memory in one place and to private or group memory in another`,
      why: "OpenCL C 1.2 pointers belong to one address space",
      remedy: "use two variables, or two functions",
    });
  const seed = (s: Symbol, space: Space, e?: Expr) => {
    const root = find(s);
    const known = seeds.get(root);
    if (known !== undefined && known !== space) conflict(e, s.name);
    else seeds.set(root, space);
  };
  const unite = (a: Symbol, b: Symbol, e: Expr) => {
    const [x, y] = [find(a), find(b)];
    if (x === y) return;
    const [sx, sy] = [seeds.get(x), seeds.get(y)];
    if (sx !== undefined && sy !== undefined && sx !== sy) {
      conflict(e, a.name);
      return;
    }
    parent.set(x, y);
    if (sx !== undefined) seeds.set(y, sx);
  };

  const shared = new Set(region.kernels.flatMap((k) => k.shared));
  for (const k of region.kernels) {
    for (const p of k.params) if (p.pointer) seed(p.sym, "__global");
    for (const s of k.shared) seed(s, "__local");
  }
  const params = new Map(region.functions.map((f) => [f.sym, f.params.map((p) => p.sym)]));

  /** `to = e`: the variable takes on where the expression points. */
  const flow = (to: Symbol, e: Expr): void => {
    const from = origin(e);
    if (from === undefined) return;
    if (typeof from === "string") seed(to, from, e);
    else unite(to, from, e);
  };
  /** The variable a pointer value comes from, or its space. */
  const origin = (e: Expr): Symbol | Space | undefined => {
    switch (e.kind) {
      case "ident":
        return isPointer(e.sym.type) || shared.has(e.sym) ? e.sym : isArray(e.sym.type) ? "" : undefined;
      case "cast":
        return origin(e.arg);
      case "binary":
        return origin(e.left) ?? origin(e.right);
      case "cond":
        return (e.then && origin(e.then)) ?? origin(e.else);
      case "comma":
        return origin(e.right);
      case "assign":
        return origin(e.left);
      case "incdec":
        return origin(e.arg);
      case "unary":
        return e.op === "&" ? object(e.arg) : e.op === "*" ? "__global" : undefined;
      case "index":
      case "member":
        // Part of an array is where the array is; a pointer stored in memory leads to device memory.
        return isArray(e.type) ? object(e) : "__global";
      default:
        return undefined;
    }
  };
  /** Where an lvalue is. */
  const object = (e: Expr): Symbol | Space | undefined => {
    switch (e.kind) {
      case "ident":
        return shared.has(e.sym) ? "__local" : "";
      case "index":
        return isArray(e.base.type) && e.base.kind !== "cast" ? object(e.base) : origin(e.base);
      case "member":
        return e.arrow ? origin(e.base) : object(e.base);
      case "unary":
        return e.op === "*" ? origin(e.arg) : object(e.arg);
      case "cast":
        return object(e.arg);
      default:
        return undefined;
    }
  };
  pointerFlows(
    [...region.functions.map((f) => f.body), ...region.kernels.flatMap((k) => k.body)],
    (callee) => params.get(callee),
    flow,
  );

  const of = (sym: Symbol): Space => {
    if (shared.has(sym)) return "__local";
    if (!isPointer(sym.type)) return "";
    return seeds.get(find(sym)) ?? "__global";
  };
  const settled = (where: Symbol | Space | undefined): Space =>
    where === undefined ? "__global" : typeof where === "string" ? where : of(where);
  return { of, pointee: (e) => settled(origin(e)), diagnostics };
}

/** The space an lvalue is in. */
export function spaceOfLvalue(e: Expr, spaces: Spaces): Space {
  const root = rootOf(e);
  return root ? spaces.of(root.sym) : "__global";
}

const isArray = (t: CType) => canonical(t).kind === "array";
