/** What code of a gang does besides computing private values. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { hasEffects, isBuiltin } from "../../../core/ir/analysis/routines.ts";
import { isScalar } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
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
    const uses = usesOf(s);
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

  /** Reads memory that other items may write. */
  loads(s: Stmt): boolean {
    const uses = usesOf(s);
    if (uses.calls.size > 0) return true;
    for (const [sym, use] of uses.of)
      if (!uses.declared.has(sym) && (use.elementsRead || (use.read && this.shared.has(sym)))) return true;
    return false;
  }
}
