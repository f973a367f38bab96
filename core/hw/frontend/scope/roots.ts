/** The parameters whose memory each pointer variable may point into, anywhere in the kernel. */

import { pointerFlows } from "../../../ir/analysis/pointer-flow.ts";
import { canonical, isPointer, walkStmt } from "../../../lang/index.ts";
import type { Expr, Symbol } from "../../../lang/tree/ast.ts";
import type { Roots } from "../../dfg/value.ts";
import type { KernelSignature } from "./signature.ts";
import { holds, stripped } from "./syntax.ts";

/** The pointer's target is unknown: it was read from memory or converted from an integer. */
const ELSEWHERE = "elsewhere";

type Origins = ReadonlySet<Symbol | typeof ELSEWHERE>;

const nothing: Origins = new Set();
const elsewhere: Origins = new Set([ELSEWHERE]);

export class PointerRoots {
  private readonly of = new Map<Symbol, Set<Symbol | typeof ELSEWHERE>>();
  private readonly kernel: KernelSignature;

  constructor(kernel: KernelSignature) {
    this.kernel = kernel;
    for (const p of kernel.parameters) this.of.set(p, new Set([p]));
    const code = [...kernel.body, ...[...kernel.functions.values()].map((f) => f.body)];
    const parametersOf = (callee: Symbol) => kernel.functions.get(callee)?.parameters;
    // What is set through its address may become any pointer.
    for (const s of code)
      walkStmt(s, {
        expr: (e) => {
          const addressed = e.kind === "unary" && e.op === "&" ? stripped(e.arg) : undefined;
          if (addressed?.kind === "ident" && isPointer(addressed.type)) this.add(addressed.sym, elsewhere);
        },
      });
    for (let changed = true; changed; ) {
      changed = false;
      pointerFlows(code, parametersOf, (to, from) => {
        changed = this.add(to, this.origins(from)) || changed;
      });
    }
  }

  private add(to: Symbol, origins: Origins): boolean {
    const known = this.of.get(to) ?? new Set();
    this.of.set(to, known);
    const before = known.size;
    for (const origin of origins) known.add(origin);
    return known.size > before;
  }

  /** What a place in memory may be part of. */
  rootsOf(place: Expr): Roots {
    return rootsOf(this.around(place));
  }

  /** Whether an expression of integer type is made of pointers and constants alone. */
  isAddress(e: Expr): boolean {
    return holds(e, isPointerVariable) && !holds(e, (part) => isVariable(part) && !isPointerVariable(part));
  }

  mayAlias(a: Roots, b: Roots): boolean {
    if (a === "any" || b === "any") return true;
    for (const p of a as ReadonlySet<Symbol>)
      for (const q of b as ReadonlySet<Symbol>) if (p === q || !this.kernel.apart(p, q)) return true;
    return false;
  }

  /** Origins of an expression's value. */
  private origins(e: Expr): Origins {
    if (canonical(e.type).kind === "array") return this.around(e);
    switch (e.kind) {
      case "ident":
        return this.of.get(e.sym) ?? nothing;
      case "cast":
        if (isPointer(e.to) && !isPointer(e.arg.type) && canonical(e.arg.type).kind !== "array")
          return this.isAddress(e.arg) || !holds(e.arg, isVariable) ? this.origins(e.arg) : elsewhere;
        return this.origins(e.arg);
      case "unary":
        if (e.op === "&") return this.around(e.arg);
        return e.op === "*" && isPointer(e.type) ? elsewhere : this.origins(e.arg);
      case "incdec":
        return this.origins(e.arg);
      case "binary":
      case "comma":
      case "assign":
        return both(this.origins(e.left), this.origins(e.right));
      case "cond":
        return both(this.origins(e.then ?? e.test), this.origins(e.else));
      case "index":
      case "member":
        return isPointer(e.type) ? elsewhere : this.origins(e.base);
      default:
        return isPointer(e.type) ? elsewhere : nothing;
    }
  }

  /** Origins of an lvalue's address. */
  private around(e: Expr): Origins {
    switch (e.kind) {
      case "index":
        return this.origins(e.base);
      case "member":
        return e.arrow ? this.origins(e.base) : this.around(e.base);
      case "unary":
        return e.op === "*" ? this.origins(e.arg) : this.around(e.arg);
      case "cast":
        return this.around(e.arg);
      case "cond":
        return both(this.around(e.then ?? e.test), this.around(e.else));
      case "comma":
        return this.around(e.right);
      default:
        return e.kind === "ident" ? (this.of.get(e.sym) ?? nothing) : nothing;
    }
  }
}

const both = (a: Origins, b: Origins): Origins => new Set([...a, ...b]);

const rootsOf = (origins: Origins): Roots =>
  origins.size === 0 || origins.has(ELSEWHERE) ? "any" : (origins as ReadonlySet<Symbol>);

const isVariable = (e: Expr): boolean =>
  e.kind === "call" ||
  e.kind === "index" ||
  e.kind === "member" ||
  (e.kind === "unary" && e.op === "*") ||
  (e.kind === "ident" && e.sym.kind !== "enumerator");

const isPointerVariable = (e: Expr): boolean =>
  e.kind === "ident" && (isPointer(e.type) || canonical(e.type).kind === "array");
