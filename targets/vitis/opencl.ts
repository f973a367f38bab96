/**
 * Regions as OpenCL C for Vitis up to 2022.2: attributes instead of pragmas (UG1393 2021.2, "OpenCL Attributes"). A
 * delay line stays one array, which the compiler partitions into registers up to a limit.
 */
import { asIdiom } from "../../core/ir/model/idioms.ts";
import { canonical, mapStmt, walkStmt } from "../../core/lang/index.ts";
import type { Diagnostic, Stmt, Symbol } from "../../core/lang/tree/ast.ts";
import { compound } from "../../core/lang/tree/build.ts";
import { flat } from "../shared/device/control.ts";
import type { Kernel, LoweredRegion } from "../shared/device/device.ts";
import { pipelinePragma, unrollCopies } from "../shared/device/pragmas.ts";
import type { Emitter } from "../shared/kind/emit.ts";
import { unsupported } from "../shared/legalise/unsupported.ts";
import { dataPaths } from "../shared/lower/pipelines.ts";
import { idiomCode } from "../shared/print/idiom-code.ts";
import { type Dialect, kernelText } from "../shared/print/kernel-text.ts";
import { inOpenCl, opencl } from "../shared/print/opencl.ts";
import { restrictedKernel } from "../shared/print/opencl-restrict.ts";
import { isLoop, registersIn, unrollOf } from "./loops.ts";

/** `mostPartitioned`: maximum number of elements of an array that the compiler turns into registers. */
export const openclEmitter = (mostPartitioned: number): Emitter => ({
  extension: ".cl",
  model: dataPaths,
  emit(source) {
    const region = inOpenCl(source);
    const diagnostics: Diagnostic[] = [];
    const partitioned = new Set<Symbol>();
    const kernels = region.kernels.map((k) => prepared(k, mostPartitioned, partitioned, diagnostics));
    const own: LoweredRegion = { ...region, kernels };
    const { dialect, spaces } = opencl(own);
    const printed = kernelText(own, withAttributes(dialect, partitioned));
    return {
      ...printed,
      diagnostics: [
        ...unsupported(region, "an FPGA", {
          types: ["_Float16", "__bf16"],
          variableArrays: true,
          abort: true,
          clock: true,
          heap: true,
        }),
        ...spaces.diagnostics,
        ...diagnostics,
      ],
    };
  },
});

function withAttributes(base: Dialect, partitioned: ReadonlySet<Symbol>): Dialect {
  return {
    ...base,
    kernel: (kernel, print) =>
      restrictedKernel(kernel, print, [
        `__attribute__((reqd_work_group_size(${kernel.group[0]}, ${kernel.group[1]}, 1)))`,
      ]),
    statement(s, print) {
      if (s.kind !== "decl" || !s.decls.some((d) => partitioned.has(d.sym)))
        return base.statement?.(s, print);
      return s.decls.map(({ sym }) => {
        const attribute = partitioned.has(sym) ? " __attribute__((xcl_array_partition(complete, 0)))" : "";
        return `${print.decl(sym.type, print.name(sym), sym)}${attribute};`;
      });
    },
    pragma(p) {
      if (p === pipelinePragma) return ["__attribute__((xcl_pipeline_loop(1)))"];
      const copies = unrollCopies(p);
      if (copies === undefined) return undefined;
      return [`__attribute__((opencl_unroll_hint${copies === 0 ? "" : `(${copies})`}))`];
    },
  };
}

/** The kernel with its idioms as loops, innermost ones pipelined, and the arrays that should be registers. */
function prepared(kernel: Kernel, most: number, partitioned: Set<Symbol>, diagnostics: Diagnostic[]): Kernel {
  const body = compound(kernel.body);
  const declarations = new Map<Symbol, Stmt>();
  walkStmt(body, {
    stmt(s) {
      const register = asIdiom(s, "delayline")?.line ?? asIdiom(s, "accumulator")?.register;
      if (register?.kind === "ident") declarations.set(register.sym, s);
    },
  });
  const plain = mapStmt(body, { stmt: (s) => idiomCode(s) ?? s });
  for (const sym of registersIn(plain)) partitioned.add(sym);
  for (const [sym, s] of declarations) {
    const elements = elementsOf(sym);
    partitioned.delete(sym);
    if (elements <= most) partitioned.add(sym);
    else
      diagnostics.push({
        severity: "warning",
        code: "window-not-partitioned",
        loc: s.span.start,
        message: `this window of ${elements} elements stays a memory: OpenCL kernels partition up to ${most}`,
        why: "all of a shift register moves in each step, which a memory cannot do in one cycle",
        remedy: "choose a block-size that bounds it, or form: c++, where windows are line buffers",
      });
  }
  const piped = mapStmt(plain, {
    stmt: (s) =>
      isLoop(s) && unrollOf(s) !== 0 && !hasLoop(s.body)
        ? { ...s, pragmas: [pipelinePragma, ...(s.pragmas ?? [])] }
        : s,
  });
  return { ...kernel, body: flat(piped) };
}

/** Whether it contains a loop that is not fully unrolled. */
function hasLoop(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      found ||= isLoop(s) && unrollOf(s) !== 0;
    },
  });
  return found;
}

function elementsOf(sym: Symbol): number {
  const type = canonical(sym.type);
  return type.kind === "array" && typeof type.size === "number" ? type.size : 0;
}
