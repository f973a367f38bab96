/**
 * The functions that a region calls, and the file-scope variables they need. Device code has its own
 * copy of neither, so functions are cloned and variables passed down to them (the global variable
 * propagation of S. Lee and J. S. Vetter, OpenARC, WACCPD 2014, Algorithm 1, made safe: recursion and
 * calls through pointers are refused).
 */
import type { Diagnostic, Expr, FunctionDef, Stmt, Symbol } from "../lang/ast.ts";
import { type Use, usesOf } from "./access.ts";
import type { Program, Routine } from "./program.ts";
import { isPureMath } from "./purity.ts";

export interface DeviceFunction {
  readonly def: FunctionDef;
  /** File-scope variables that it and its callees use, in order of first use. */
  readonly globals: ReadonlyMap<Symbol, Use>;
  /** Defined in another unit. */
  readonly external: boolean;
}

/**
 * The program's other units, where routines may be defined. `whole`: all are known while each is
 * translated. `separate`: host code is translated alone, before the others are known (absent), and device
 * code when the program is linked; the two must agree on regions and their arguments.
 */
export type Linkage =
  | { readonly kind: "whole"; readonly others: readonly Program[] }
  | { readonly kind: "separate"; readonly others?: readonly Program[] };

/** Functions that device code has by itself. */
export function isBuiltin(sym: Symbol): boolean {
  return (
    isPureMath(sym) ||
    sym.name.startsWith("__builtin_") ||
    ["printf", "acc_on_device", "abort", "memcpy", "memset"].includes(sym.name)
  );
}

/** Callees before callers. */
export function deviceFunctions(
  program: Program,
  body: Stmt,
  linkage: Linkage,
): { functions: ReadonlyMap<Symbol, DeviceFunction>; diagnostics: Diagnostic[] } {
  const functions = new Map<Symbol, DeviceFunction>();
  const diagnostics: Diagnostic[] = [];
  const active: Symbol[] = [];
  const { others = [] } = linkage;

  const visit = (sym: Symbol, call: Expr): void => {
    if (functions.has(sym) || isBuiltin(sym)) return;
    const bound = routineOf(sym, [program, ...others])?.bind ?? sym.name;
    if (active.includes(sym)) {
      const cycle = [...active.slice(active.indexOf(sym)), sym].map((s) => s.name).join(" -> ");
      diagnostics.push({
        severity: "error",
        code: "recursive-routine",
        loc: call.span.start,
        message: `device code calls itself: ${cycle}`,
        why: "a device has no call stack that grows with the data",
        remedy: "write the recursion as a loop",
      });
      return;
    }
    const own = definitionOf(sym, bound, [program]);
    const def = own ?? definitionOf(sym, bound, others);
    if (!def) {
      const declared = program.routines.has(sym);
      if (declared && !linkage.others) return;
      diagnostics.push({
        severity: "error",
        code: "no-device-code",
        loc: call.span.start,
        message: `'${sym.name}' has no definition that device code could call`,
        why: declared
          ? "its routine directive promises one in another source"
          : "only its declaration is visible here",
        remedy: declared
          ? "add the source that defines it to the program"
          : "define it in this file, or mark it '#pragma acc routine seq' where it is declared and defined",
      });
      return;
    }
    active.push(sym);
    const uses = usesOf(def.body);
    if (uses.indirectCall) diagnostics.push(indirect(uses.indirectCall));
    const globals = new Map<Symbol, Use>();
    for (const [callee, at] of uses.calls) {
      visit(callee, at);
      for (const [g, use] of functions.get(callee)?.globals ?? []) merge(globals, g, use);
    }
    for (const [g, use] of uses.of) if (isGlobal(g)) merge(globals, g, use);
    active.pop();
    const [used] = globals.keys();
    if (!own && used && linkage.kind === "separate") {
      diagnostics.push(globalElsewhere(sym, used, call));
      globals.clear();
    }
    functions.set(sym, { def, globals, external: !own });
  };

  const uses = usesOf(body);
  if (uses.indirectCall) diagnostics.push(indirect(uses.indirectCall));
  for (const [sym, at] of uses.calls) visit(sym, at);
  return { functions, diagnostics };
}

function routineOf(sym: Symbol, programs: readonly Program[]): Routine | undefined {
  for (const p of programs)
    for (const r of p.routines.values()) if (r.sym === sym || r.sym.name === sym.name) return r;
  return undefined;
}

/**
 * The function that device code calls for `sym`: itself, or the one its routine directive binds. A static
 * function is known by its symbol alone: another unit may have one of the same name.
 */
function definitionOf(sym: Symbol, name: string, programs: readonly Program[]): FunctionDef | undefined {
  const bound = name !== sym.name;
  for (const { unit } of programs)
    for (const e of unit.externals) {
      if (e.kind !== "function") continue;
      const linked = e.sym.storage !== "static" && sym.storage !== "static";
      if (bound ? e.sym.name === name : e.sym === sym || (linked && e.sym.name === name)) return e;
    }
  return undefined;
}

function merge(into: Map<Symbol, Use>, sym: Symbol, use: Use): void {
  const known = into.get(sym);
  into.set(
    sym,
    known
      ? {
          read: known.read || use.read,
          written: known.written || use.written,
          addressTaken: known.addressTaken || use.addressTaken,
          elementsRead: known.elementsRead || use.elementsRead,
          elementsWritten: known.elementsWritten || use.elementsWritten,
          at: known.at,
        }
      : use,
  );
}

/** Static storage: file scope, or `static` in a function. */
export function isGlobal(sym: Symbol): boolean {
  return sym.kind === "var" && (sym.scope === "file" || sym.storage === "static" || sym.storage === "extern");
}

function globalElsewhere(sym: Symbol, used: Symbol, call: Expr): Diagnostic {
  return {
    severity: "error",
    code: "global-of-another-file",
    loc: call.span.start,
    message: `'${sym.name}' of another file uses the variable '${used.name}'`,
    why: "this file was compiled without the other one, and does not bring the variable to the device",
    remedy: `pass '${used.name}' to '${sym.name}' as an argument`,
  };
}

function indirect(call: Expr): Diagnostic {
  return {
    severity: "error",
    code: "indirect-call",
    loc: call.span.start,
    message: "device code cannot call through a function pointer",
    why: "functions have other addresses on the device",
    remedy: "call the functions by name, chosen with if or switch",
  };
}
