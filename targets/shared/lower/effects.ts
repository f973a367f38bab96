/** Side effects of a gang's code. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { hasEffects, isBuiltin } from "../../../core/ir/analysis/routines.ts";
import { isArray, isPointer, isScalar, pointerTo, VOID } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { cast } from "../../../core/lang/tree/build.ts";
import { containsAtomic } from "../device/control.ts";
import type { KernelFunction } from "../device/device.ts";

export class Effects {
  private readonly functions: ReadonlyMap<Symbol, KernelFunction>;
  private readonly shared: ReadonlySet<Symbol>;
  private readonly pure = new Map<Symbol, boolean>();

  /** `shared`: variables in group memory. */
  constructor(functions: readonly KernelFunction[], shared: ReadonlySet<Symbol>) {
    this.functions = new Map(functions.map((f) => [f.sym, f]));
    this.shared = shared;
  }

  /** Every item may execute it: it writes private scalars only and calls nothing with effects. */
  repeatable(s: Stmt): boolean {
    if (containsAtomic(s)) return false;
    const uses = usesOf(...computed(s));
    if (uses.indirectCall) return false;
    for (const sym of uses.calls.keys()) if (!this.isPure(sym)) return false;
    for (const [sym, use] of uses.of) {
      if (uses.declared.has(sym)) continue;
      if (use.elementsWritten || (use.written && (this.shared.has(sym) || !isScalar(sym.type)))) return false;
    }
    return true;
  }

  private isPure(sym: Symbol): boolean {
    let known = this.pure.get(sym);
    if (known === undefined) {
      // A function that calls itself is as pure as the rest of it.
      this.pure.set(sym, true);
      known = isBuiltin(sym) ? !hasEffects(sym) : this.changesNothing(this.functions.get(sym));
      this.pure.set(sym, known);
    }
    return known;
  }

  private changesNothing(callee: KernelFunction | undefined): boolean {
    if (!callee || containsAtomic(callee.body)) return false;
    const uses = usesOf(callee.body);
    for (const inner of uses.calls.keys()) if (!this.isPure(inner)) return false;
    for (const [s, use] of uses.of) {
      const own = uses.declared.has(s);
      if (!own && (use.elementsWritten || (use.written && s.kind !== "param"))) return false;
    }
    return true;
  }

  /** Whether it reads memory that other items may write. */
  loads(s: Stmt): boolean {
    const uses = usesOf(...computed(s));
    if (uses.calls.size > 0) return true;
    for (const [sym, use] of uses.of)
      if (!uses.declared.has(sym) && (use.elementsRead || (use.read && this.shared.has(sym)))) return true;
    return false;
  }
}

/** The expressions that a statement computes. Declaring a pointer with an address does not access its target. */
function computed(s: Stmt): readonly (Stmt | Expr)[] {
  if (s.kind !== "decl") return [s];
  return s.decls.flatMap((d): readonly (Stmt | Expr)[] => {
    const address = isPointer(d.sym.type) && d.init?.kind === "expr" ? d.init.expr : undefined;
    return address ? addressParts(address) : [{ ...s, decls: [d] }];
  });
}

/** A pointer through which nothing changes. */
const CONSTANT = pointerTo({ ...VOID, quals: { const: true } });

/** The subscripts of an address, and the value of the pointer that it starts from. */
function addressParts(e: Expr): readonly Expr[] {
  if (isArray(e.type)) return placeParts(e);
  switch (e.kind) {
    case "ident":
      return isPointer(e.type) ? [cast(CONSTANT, e)] : [e];
    case "cast":
      return isPointer(e.to) && (isPointer(e.arg.type) || isArray(e.arg.type)) ? addressParts(e.arg) : [e];
    case "binary":
      return e.op === "+" || e.op === "-" ? [...addressParts(e.left), ...addressParts(e.right)] : [e];
    case "unary":
      return e.op === "&" ? placeParts(e.arg) : [e];
    default:
      return [e];
  }
}

/** The same of where an object is. A variable whose address is taken is one for all items. */
function placeParts(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case "ident":
      return [];
    case "index":
      return [...addressParts(e.base), e.index];
    case "member":
      return e.arrow ? addressParts(e.base) : placeParts(e.base);
    case "unary":
      return e.op === "*" ? addressParts(e.arg) : [e];
    default:
      return [e];
  }
}
