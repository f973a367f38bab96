/** A lowered region as the hardware builder takes it. */

import { fixedShape } from "../../core/hw/fixed/format.ts";
import { bfloat16, binary16, floatShape } from "../../core/hw/float/format.ts";
import type { Shape } from "../../core/hw/graph.ts";
import type { InlineFunction, KernelSignature } from "../../core/hw/signature.ts";
import { asNode, type SpmdHints } from "../../core/ir/ir.ts";
import type { Stmt, Symbol } from "../../core/lang/ast.ts";
import { canonical, mapStmt } from "../../core/lang/index.ts";
import { type Kernel, type KernelParam, type LoweredRegion, placeOf } from "../shared/device.ts";
import { plainAtomic } from "../shared/plainatomic.ts";
import { apartOf } from "../shared/pragmas.ts";

/** What a region computes in where the source says float. */
export function realOf({ format }: SpmdHints): Shape | undefined {
  if (typeof format === "object") return fixedShape(format);
  return format && floatShape({ f16: binary16, bf16: bfloat16 }[format]);
}

export function signatureOf(region: LoweredRegion, kernel: Kernel): KernelSignature {
  const byName = new Map<Symbol, KernelParam>(kernel.params.map((p) => [p.sym, p]));
  const functions = new Map<Symbol, InlineFunction>(
    region.functions.map((f) => [
      f.sym,
      { parameters: f.params.map((p) => p.sym), body: withoutAtomics(f.body) },
    ]),
  );
  const real = kernel.hints && realOf(kernel.hints);
  return {
    name: kernel.name,
    loc: { file: region.site.file, line: region.site.line, col: 1 },
    parameters: kernel.params.map((p) => p.sym),
    body: kernel.body.map(withoutAtomics),
    functions,
    apart(a, b) {
      const [p, q] = [byName.get(a), byName.get(b)];
      if (!p || !q || p === q) return false;
      return p.unaliased === true || q.unaliased === true || (isObject(p) && isObject(q));
    },
    // The only work-item of the only group.
    constantOf(sym) {
      const place = placeOf(sym);
      return place === undefined ? undefined : place.startsWith("groups") ? 1n : 0n;
    },
    ...(kernel.hints?.flush && { flush: true }),
    ...(real && { real }),
    provedOf: (loop) => (loop.pragmas ?? []).flatMap(apartOf),
  };
}

/** There is no one else whom an atomic access could meet. */
export function withoutAtomics(s: Stmt): Stmt {
  return mapStmt(s, {
    stmt(child) {
      const atomic = asNode(child, "atomic");
      return atomic ? plainAtomic(atomic) : child;
    },
  });
}

/** Leads to an object of its own: a mapped variable, an array, memory that nothing else leads to. */
function isObject({ source }: KernelParam): boolean {
  if (!("argument" in source)) return true;
  const { item, how } = source.argument;
  return (
    how === "object" || canonical(item.sym.type).kind === "array" || item.sym.type.quals?.restrict === true
  );
}
