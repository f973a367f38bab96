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
  const shared = new Set(region.kernels.flatMap((k) => k.shared));
  const params = new Map(region.functions.map((f) => [f.sym, f.params.map((p) => p.sym)]));
  const classes = new PointerClasses(region.site);
  for (const k of region.kernels) {
    for (const p of k.params) if (p.pointer) classes.seed(p.sym, "__global");
    for (const s of k.shared) classes.seed(s, "__local");
  }
  pointerFlows(
    [...region.functions.map((f) => f.body), ...region.kernels.flatMap((k) => k.body)],
    (callee) => params.get(callee),
    (to, e) => {
      const from = origin(e, shared);
      if (from === undefined) return;
      if (typeof from === "string") classes.seed(to, from, e);
      else classes.unite(to, from, e);
    },
  );
  const of = (sym: Symbol): Space => {
    if (shared.has(sym)) return "__local";
    if (!isPointer(sym.type)) return "";
    return classes.spaceOf(sym) ?? "__global";
  };
  const settled = (where: Symbol | Space | undefined): Space =>
    where === undefined ? "__global" : typeof where === "string" ? where : of(where);
  return { of, pointee: (e) => settled(origin(e, shared)), diagnostics: classes.diagnostics };
}

/** Pointer variables that point into one space, with that space where it is known. */
class PointerClasses {
  private readonly conflicts = new Map<string, Diagnostic>();
  private readonly site: LoweredRegion["site"];
  private readonly parent = new Map<Symbol, Symbol>();
  /** By the root of a class. */
  private readonly spaces = new Map<Symbol, Space>();

  constructor(site: LoweredRegion["site"]) {
    this.site = site;
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.conflicts.values()];
  }

  spaceOf(sym: Symbol): Space | undefined {
    return this.spaces.get(this.root(sym));
  }

  /** `e`: what says so. */
  seed(sym: Symbol, space: Space, e?: Expr): void {
    const root = this.root(sym);
    const known = this.spaces.get(root);
    if (known !== undefined && known !== space) this.conflict(e);
    else this.spaces.set(root, space);
  }

  unite(a: Symbol, b: Symbol, e: Expr): void {
    const [x, y] = [this.root(a), this.root(b)];
    if (x === y) return;
    const [inX, inY] = [this.spaces.get(x), this.spaces.get(y)];
    if (inX !== undefined && inY !== undefined && inX !== inY) {
      this.conflict(e);
      return;
    }
    this.parent.set(x, y);
    if (inX !== undefined) this.spaces.set(y, inX);
  }

  private root(sym: Symbol): Symbol {
    let root = sym;
    for (let up = this.parent.get(root); up && up !== root; up = this.parent.get(root)) root = up;
    return root;
  }

  /** Once for a place of the source: of what stands there the region may have copies, with names of their own. */
  private conflict(e: Expr | undefined): void {
    const { file, line } = this.site;
    const loc = e?.span.start ?? { file, line, col: 1 };
    this.conflicts.set(`${loc.file}:${loc.line}:${loc.col}`, {
      severity: "error",
      code: "mixed-address-spaces",
      loc,
      message:
        "a pointer takes addresses of device memory in one place, and of private or group memory in another",
      why: "OpenCL C 1.2 pointers belong to one address space",
      remedy: "use two variables, or two functions",
    });
  }
}

/** The variable that a pointer value comes from, or its space. */
function origin(e: Expr, shared: ReadonlySet<Symbol>): Symbol | Space | undefined {
  const from = (inner: Expr) => origin(inner, shared);
  switch (e.kind) {
    case "ident":
      return isPointer(e.sym.type) || shared.has(e.sym) ? e.sym : isArray(e.sym.type) ? "" : undefined;
    case "cast":
      return from(e.arg);
    case "binary":
      return from(e.left) ?? from(e.right);
    case "cond":
      return (e.then && from(e.then)) ?? from(e.else);
    case "comma":
      return from(e.right);
    case "assign":
      return from(e.left);
    case "incdec":
      return from(e.arg);
    case "unary":
      return e.op === "&" ? placeOf(e.arg, shared) : e.op === "*" ? "__global" : undefined;
    case "index":
    case "member":
      // Part of an array is where the array is; a pointer stored in memory leads to device memory.
      return isArray(e.type) ? placeOf(e, shared) : "__global";
    default:
      return undefined;
  }
}

/** Where an lvalue is: as `origin` says it of its address. */
function placeOf(e: Expr, shared: ReadonlySet<Symbol>): Symbol | Space | undefined {
  switch (e.kind) {
    case "ident":
      return shared.has(e.sym) ? "__local" : "";
    case "index":
      return isArray(e.base.type) && e.base.kind !== "cast"
        ? placeOf(e.base, shared)
        : origin(e.base, shared);
    case "member":
      return e.arrow ? origin(e.base, shared) : placeOf(e.base, shared);
    case "unary":
      return e.op === "*" ? origin(e.arg, shared) : placeOf(e.arg, shared);
    case "cast":
      return placeOf(e.arg, shared);
    default:
      return undefined;
  }
}

/** The space an lvalue is in. */
export function spaceOfLvalue(e: Expr, spaces: Spaces): Space {
  const root = rootOf(e);
  return root ? spaces.of(root.sym) : "__global";
}

const isArray = (t: CType) => canonical(t).kind === "array";
