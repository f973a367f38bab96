/**
 * Prints a region as a C function that computes what its hardware does, bit for bit: idioms are expanded, iterations
 * and partial results are in the hardware's order. Compile it with `-ffp-contract=off`.
 */

import type { Shape } from "../../../core/hw/dfg/value.ts";
import { drained } from "../../../core/hw/frontend/drain.ts";
import { asIdiom } from "../../../core/ir/model/idioms.ts";
import { INT, mapStmt, printDecl } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";
import { assign, compound, exprStmt, freshSymbol, ident, index } from "../../../core/lang/tree/build.ts";
import type { Kernel, LoweredRegion } from "../../shared/device/device.ts";
import { unrolled } from "../../shared/print/idiom-code.ts";
import { combined, type Dialect, kernelText, treeReduce } from "../../shared/print/kernel-text.ts";
import { predefined } from "../../shared/print/type-closure.ts";
import { realOf, withoutAtomics } from "../design/kernel.ts";
import { modelOf } from "./number-model.ts";
import { inNumbers, NoReference } from "./reference-numbers.ts";

/** Undefined if the hardware's numbers differ from C's. */
export function referenceOf(region: LoweredRegion): string | undefined {
  if (region.kernels.some(({ hints }) => hints?.flush)) return undefined;
  const plain = (s: Stmt) => inOrder(withoutAtomics(s));
  const kernels = region.kernels.map((kernel) => ({ ...kernel, body: kernel.body.map(plain) }));
  const real = kernels.map(({ hints }) => hints && realOf(hints)).find((shape) => shape);
  try {
    return kernelText({ ...region, kernels }, real ? computingIn(real, kernels) : c).text;
  } catch (problem) {
    if (!(problem instanceof NoReference)) throw problem;
    return undefined;
  }
}

/** Reductions as C, with partial results combined in the hardware's order. */
const inOrder = (s: Stmt): Stmt =>
  mapStmt(s, {
    stmt(child) {
      const reduction = asIdiom(child, "accumulator");
      if (!reduction) return child;
      const { register, depth, init, body } = reduction;
      const k = freshSymbol("arc_k", INT);
      const begin = exprStmt(assign(index(register, ident(k)), init));
      return compound([unrolled(depth + 1, begin, k), body, ...drained(reduction)]);
    },
  });

/** C whose floats have another format, except in memory. */
function computingIn(real: Shape, kernels: readonly Kernel[]): Dialect {
  const model = modelOf(real);
  const parameters = new Set(kernels.flatMap(({ params }) => params.map(({ sym }) => sym)));
  return {
    ...c,
    ...inNumbers(c, model, parameters),
    head: (text) => [...c.head(text), ...model.definitions],
    kernel: (kernel, print) => {
      const { typeName: _, ...options } = print.options;
      const decl: typeof print.decl = (type, name, sym) =>
        sym && parameters.has(sym) ? printDecl(type, name, options) : print.decl(type, name, sym);
      return c.kernel(kernel, { ...print, decl });
    },
  };
}

const c: Dialect = {
  reserved: new Set(),
  deviceTypes: [3, 8],
  hasType: predefined({ size_t: "ulong", ptrdiff_t: "long" }),
  options: {
    expr: (e) => (e.kind === "float" && e.value === Infinity ? "__builtin_inf()" : undefined),
  },
  head: (text) => [
    "#include <math.h>",
    "#include <stddef.h>",
    "#include <stdint.h>",
    "#include <stdlib.h>",
    "#include <string.h>",
    ...bits.filter(({ name }) => text.includes(`${name}(`)).map(({ definition }) => definition),
  ],
  // Loops of idioms become plain loops.
  pragma: () => [],
  workItemId: (place) => (place.startsWith("groups") ? "1" : "0"),
  fence: ";",
  barrier: ";",
  shared: (declaration) => `${declaration};`,
  functionPrefix: "static",
  spaceOf: () => "",
  kernel: (kernel, print) => [
    `void ${kernel.name}(${kernel.params.map((p) => print.decl(p.sym.type, print.name(p.sym), p.sym)).join(", ") || "void"}) {`,
    ...kernel.shared.map((s) => `  ${print.decl(s.type, print.name(s), s)};`),
    ...print.workItemIds(kernel),
    ...print.body(kernel.body),
    "}",
  ],
  groupReduce: (n, print) => treeReduce(n, combined(n.op), print, ";"),
  // Atomic accesses are plain: there is only one thread.
  atomic: () => [],
};

/** Functions for the bits of a float and back, inserted by passes. */
const bits = [
  {
    name: "arc_float_bits",
    definition:
      "static inline unsigned arc_float_bits(float x) { unsigned code; memcpy(&code, &x, sizeof code); return code; }",
  },
  {
    name: "arc_bits_float",
    definition:
      "static inline float arc_bits_float(unsigned code) { float x; memcpy(&x, &code, sizeof x); return x; }",
  },
];
