/** Clones of the functions a region calls, with the file-scope variables they need as parameters. */

import type { DeviceFunction } from "../../../core/ir/analysis/routines.ts";
import { asNode } from "../../../core/ir/model/ir.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import {
  canonical,
  makeSymbol,
  mapChildren,
  mapStmt,
  pointerTo,
  substitute,
} from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { compound, declare, deref, freshSymbol, ident } from "../../../core/lang/tree/build.ts";
import type { KernelFunction } from "../device/device.ts";
import { deviceDeclaration } from "./declarations.ts";
import { arraysAsPointers, type Parameters } from "./parameters.ts";
import { sequentialNest } from "./sequential.ts";

interface Clone {
  readonly sym: Symbol;
  readonly globals: readonly { readonly global: Symbol; readonly argument: Argument; readonly sym: Symbol }[];
}

/**
 * `functions`: callees before callers. The region's body passes its own parameters for the variables;
 * clones pass theirs on. A variable the region has by value stays a value, a mapped one a pointer.
 */
export function cloneFunctions(
  functions: ReadonlyMap<Symbol, DeviceFunction>,
  args: readonly Argument[],
  parameters: Parameters,
): { functions: readonly KernelFunction[]; rewriteCalls: (body: Stmt) => Stmt } {
  const clones = new Map<DeviceFunction, Clone>();
  const all = new Set(functions.values());
  for (const f of all) {
    const globals = [...f.globals.keys()].flatMap((global) => {
      const argument = args.find((a) => a.sym === global && a.how !== "extent");
      if (!argument) return [];
      const type = argument.how === "object" ? pointerTo(global.type) : parameters.typeOf(argument);
      return [{ global, argument, sym: freshSymbol(global.name, type) }];
    });
    const sym = makeSymbol(f.def.sym.name, "function", f.def.sym.type, "file");
    // Or it would pass for a library function of the name.
    sym.definition = f.def;
    clones.set(f, { sym, globals });
  }

  const calls = (body: Stmt, passed: (argument: Argument) => Expr): Stmt =>
    mapStmt(body, {
      expr: (e) => {
        if (e.kind !== "call") return e;
        const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
        const called = callee.kind === "ident" ? functions.get(callee.sym) : undefined;
        const clone = called && clones.get(called);
        if (!clone) return e;
        return {
          ...e,
          callee: ident(clone.sym),
          args: [...e.args, ...clone.globals.map((g) => passed(g.argument))],
        };
      },
    });

  const result = [...all].map((f): KernelFunction => {
    const clone = clones.get(f) as Clone;
    const replace = new Map<Symbol, Expr>(
      clone.globals.map((g) => [g.global, g.argument.how === "object" ? deref(ident(g.sym)) : ident(g.sym)]),
    );
    const own = (argument: Argument): Expr =>
      ident((clone.globals.find((g) => g.argument === argument) as (typeof clone.globals)[number]).sym);
    const arrays = clone.globals.filter((g) => g.argument.how === "buffer").map((g) => g.global);
    const plain = arraysAsPointers(f.def.body, new Set(arrays));
    const body = sequentialLoops(calls(substitute(plain, replace), own));
    return {
      sym: clone.sym,
      params: [
        ...f.def.params.map((p) => ({ sym: p, pointer: canonical(p.type).kind === "pointer" })),
        ...clone.globals.map((g) => ({ sym: g.sym, pointer: g.argument.how !== "value" })),
      ],
      def: f.def,
      body,
    };
  });

  const fromRegion = (argument: Argument): Expr => {
    parameters.use(argument);
    return ident(parameters.symbolOf(argument));
  };
  return { functions: result, rewriteCalls: (body) => calls(body, fromRegion) };
}

/** Inside functions every loop runs in order: the caller's items are all taken. */
function sequentialLoops(s: Stmt): Stmt {
  if (s.kind === "decl") return deviceDeclaration(s);
  const loop = asNode(s, "loop");
  if (!loop)
    return asNode(s, "cache") || asNode(s, "sync")
      ? { kind: "expr", span: s.span }
      : mapChildren(s, sequentialLoops);
  return sequentialNest(
    loop.headers,
    compound([...loop.privates.map((p) => declare(p)), sequentialLoops(loop.body)]),
  );
}
