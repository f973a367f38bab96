/** Converts a lowered region to the input of the hardware builder. */

import { bfloat16, binary16, floatShape } from "../../../core/hw/dfg/float-format.ts";
import { isWord } from "../../../core/hw/dfg/shapes.ts";
import type { Shape } from "../../../core/hw/dfg/value.ts";
import type { InlineFunction, KernelSignature } from "../../../core/hw/frontend/scope/signature.ts";
import { fixedShape } from "../../../core/hw/operators/fixed/format.ts";
import { asNode, type SpmdHints } from "../../../core/ir/model/ir.ts";
import { canonical, mapStmt, pointerTo, substitute, unqualified } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { declare, freshSymbol, ident, unary } from "../../../core/lang/tree/build.ts";
import {
  type Kernel,
  type KernelParam,
  type LoweredRegion,
  workItemIdOf,
} from "../../shared/device/device.ts";
import { apartOf } from "../../shared/device/pragmas.ts";
import { plainAtomic } from "../../shared/lower/plain-atomic.ts";

/** The shape in which a region computes where the source says float. */
export function realOf({ format }: SpmdHints): Shape | undefined {
  if (typeof format === "object") return fixedShape(format);
  return format && floatShape({ f16: binary16, bf16: bfloat16 }[format]);
}

/** A parameter of a struct type, too large for a register: the design gets its address and copies the bytes. */
interface Struct {
  readonly parameter: Symbol;
  readonly copy: Symbol;
}

function structsOf(kernel: Kernel): ReadonlyMap<Symbol, Struct> {
  return new Map(
    kernel.params
      .filter(({ sym }) => canonical(sym.type).kind === "record" && !isWord(sym.type))
      .map(({ sym }) => [
        sym,
        {
          parameter: freshSymbol(sym.name, pointerTo(sym.type)),
          copy: freshSymbol(`${sym.name}_copy`, unqualified(sym.type)),
        },
      ]),
  );
}

export function signatureOf(region: LoweredRegion, kernel: Kernel): KernelSignature {
  const structs = structsOf(kernel);
  const parameters = new Set([...structs.values()].map(({ parameter }) => parameter));
  const copies = new Map([...structs].map(([sym, { copy }]) => [sym, ident(copy)] as const));
  const begin = [...structs.values()].map(({ parameter, copy }) =>
    declare(copy, unary("*", ident(parameter))),
  );
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
    parameters: kernel.params.map((p) => structs.get(p.sym)?.parameter ?? p.sym),
    body: [...begin, ...kernel.body.map((s) => withoutAtomics(copies.size > 0 ? substitute(s, copies) : s))],
    functions,
    apart(a, b) {
      if (parameters.has(a) || parameters.has(b)) return a !== b;
      const [p, q] = [byName.get(a), byName.get(b)];
      if (!p || !q || p === q) return false;
      return p.unaliased === true || q.unaliased === true || (isObject(p) && isObject(q));
    },
    // Indexes of the only work-item in the only group are constant.
    constantOf(sym) {
      const place = workItemIdOf(sym);
      return place === undefined ? undefined : place.startsWith("groups") ? 1n : 0n;
    },
    ...(kernel.hints?.flush && { flush: true }),
    ...(real && { real }),
    provedOf: (loop) => (loop.pragmas ?? []).flatMap(apartOf),
  };
}

/** Replaces atomic accesses by plain ones: there is only one thread. */
export function withoutAtomics(s: Stmt): Stmt {
  return mapStmt(s, {
    stmt(child) {
      const atomic = asNode(child, "atomic");
      return atomic ? plainAtomic(atomic) : child;
    },
  });
}

/**
 * Whether the parameter leads to an object of its own: a mapped variable, an array, or memory without other pointers to
 * it.
 */
function isObject({ source }: KernelParam): boolean {
  if (!("argument" in source)) return true;
  const { item, how } = source.argument;
  return (
    how === "object" || canonical(item.sym.type).kind === "array" || item.sym.type.quals?.restrict === true
  );
}
