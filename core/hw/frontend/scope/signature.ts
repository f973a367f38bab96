/** A kernel as input of the hardware front end: C in single work-item form, with what is known about its pointers. */

import { pointerFlows } from "../../../ir/analysis/pointer-flow.ts";
import type { Apart } from "../../../ir/model/ir.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import type { Roots, Shape } from "../../dfg/graph.ts";

export interface KernelSignature {
  readonly name: string;
  readonly loc: Loc;
  readonly parameters: readonly Symbol[];
  readonly body: readonly Stmt[];
  /** Functions that it may call. */
  readonly functions: ReadonlyMap<Symbol, InlineFunction>;
  /** Whether two parameters never lead to the same memory. */
  apart(a: Symbol, b: Symbol): boolean;
  /** The value of a symbol with a fixed value, such as the number of the only work-item. */
  constantOf(sym: Symbol): bigint | undefined;
  /** What is proved about memory that a loop's iterations share, by parameters. */
  provedOf(loop: Stmt): readonly Apart[];
  /** Subnormal numbers are treated as 0. */
  readonly flush?: true;
  /** The shape used for computing where the source says float. */
  readonly real?: Shape;
}

export interface InlineFunction {
  readonly parameters: readonly Symbol[];
  readonly body: Stmt;
}

/** Which parameters each pointer variable may lead into, over the whole kernel. */
export class PointerRoots {
  private readonly of = new Map<Symbol, Set<Symbol>>();
  private readonly kernel: KernelSignature;

  constructor(kernel: KernelSignature) {
    this.kernel = kernel;
    for (const p of kernel.parameters) this.of.set(p, new Set([p]));
    const code = [...kernel.body, ...[...kernel.functions.values()].map((f) => f.body)];
    const parametersOf = (callee: Symbol) => kernel.functions.get(callee)?.parameters;
    for (let changed = true; changed; ) {
      changed = false;
      pointerFlows(code, parametersOf, (to, from) => {
        const known = this.of.get(to) ?? new Set();
        this.of.set(to, known);
        for (const root of this.origins(from)) {
          if (known.has(root)) continue;
          known.add(root);
          changed = true;
        }
      });
    }
  }

  /** What an expression of pointer type may lead into. */
  rootsOf(pointer: Expr): Roots {
    const found = this.origins(pointer);
    return found.size === 0 ? "any" : found;
  }

  mayAlias(a: Roots, b: Roots): boolean {
    if (a === "any" || b === "any") return true;
    for (const p of a as ReadonlySet<Symbol>)
      for (const q of b as ReadonlySet<Symbol>) if (p === q || !this.kernel.apart(p, q)) return true;
    return false;
  }

  private origins(e: Expr): ReadonlySet<Symbol> {
    switch (e.kind) {
      case "ident":
        return this.of.get(e.sym) ?? new Set();
      case "cast":
      case "unary":
      case "incdec":
        return this.origins(e.arg);
      case "binary":
      case "comma":
        return new Set([...this.origins(e.left), ...this.origins(e.right)]);
      case "assign":
        return new Set([...this.origins(e.left), ...this.origins(e.right)]);
      case "cond":
        return new Set([...(e.then ? this.origins(e.then) : this.origins(e.test)), ...this.origins(e.else)]);
      case "index":
      case "member":
        return this.origins(e.base);
      default:
        return new Set();
    }
  }
}
