/**
 * The functions that a region calls, and the file-scope variables they need. Device code has its own copy of neither,
 * so functions are cloned and variables passed down to them. This is the global variable propagation of S. Lee and J.
 * S. Vetter, OpenARC, WACCPD 2014, Algorithm 1, made safe: calls through pointers are refused, and functions
 * that call each other in turn.
 */

import { canonical, sizeOf, substitute } from "../../lang/index.ts";
import type { CType, Diagnostic, Expr, FunctionDef, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { ident } from "../../lang/tree/build.ts";
import { reversedRecords } from "../model/byte-order.ts";
import { libraryFunction } from "../model/c-library.ts";
import { isDeviceRoutine, refusedRoutine } from "../model/device-routines.ts";
import type { Program, Routine } from "../model/program.ts";
import { type Use, type Uses, usesOf } from "./access.ts";
import { withoutNamedFunctions } from "./named-functions.ts";
import { ownCounters } from "./own-counters.ts";
import { isPureMath, leavesResult } from "./purity.ts";

export interface DeviceFunction {
  /** A variable shared by several units is one symbol in all bodies: this unit's, if it declares the variable. */
  readonly def: FunctionDef;
  /** File-scope variables that it and its callees use, in order of first use. */
  readonly globals: ReadonlyMap<Symbol, Use>;
  /** Defined in another unit. */
  readonly external: boolean;
  /** Of its routine directive. */
  readonly level?: Routine["level"];
  /** Where it calls itself. */
  readonly recursion?: Expr;
  /** Its source forbids to make one operation of a product and a sum. */
  readonly apart?: true;
  /** Options of its source's C compiler that change what it means. */
  readonly dialect?: readonly string[];
}

/** A variable that functions of other units bring into a region. */
export interface Elsewhere {
  readonly use: Use;
  /** The key under which the other unit's host code registers the variable; undefined if it does not. */
  readonly key?: string;
  /** Name of the function that uses it. */
  readonly by: string;
  /** The call in the region's own unit that reaches the use. */
  readonly call: Expr;
}

interface DeviceCode {
  /** By the symbol named in the call; callees before callers. */
  readonly functions: ReadonlyMap<Symbol, DeviceFunction>;
  /** File-scope variables used by functions of this unit that are called from this unit. */
  readonly own: ReadonlyMap<Symbol, Use>;
  /** File-scope variables used by functions of other units. */
  readonly elsewhere: ReadonlyMap<Symbol, Elsewhere>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The program's other units that define a function of this name, in their order. */
export type OtherUnits = (name: string) => readonly Program[];

export const noOtherUnits: OtherUnits = () => [];

/**
 * The program's other units, which may define routines. `whole`: all of them are known while each is translated.
 * `separate`: host code is translated alone, before the others are known (absent), and device code when the program is
 * linked; the two must agree on regions and their arguments.
 */
export type Linkage =
  | { readonly kind: "whole"; readonly others: OtherUnits }
  | { readonly kind: "separate"; readonly others?: OtherUnits };

/** Functions that are built into device code. */
export function isBuiltin(sym: Symbol): boolean {
  return (
    isPureMath(sym) ||
    leavesResult(sym) ||
    isDeviceRoutine(sym) ||
    sym.name.startsWith("__builtin_") ||
    ["acc_on_device", "printf", "__assert_fail", "malloc", "free", "memcpy", "memset"].includes(sym.name) ||
    (!sym.definition && /^(abort|exit|omp_get_wti(me|ck))$/.test(sym.name))
  );
}

/** Builtins that do more than return a value. */
export const hasEffects = (sym: Symbol): boolean =>
  /^(__builtin_)?(printf|abort|exit|trap|__assert_fail|malloc|free|mem\w+|omp_get_wtime)$/.test(sym.name);

/** A function as found, before the needs of its callees are known. */
interface Found {
  readonly program: Program;
  readonly def: FunctionDef;
  readonly direct: ReadonlyMap<Symbol, Use>;
  readonly callees: readonly Found[];
  readonly function: DeviceFunction;
}

/** A function that the region calls, and where. */
interface Called {
  readonly found: Found;
  readonly call: Expr;
}

/** The functions and variables that a region's code uses from outside. */
export function deviceFunctions(program: Program, body: Stmt, linkage: Linkage): DeviceCode {
  const callees = new Callees(program, linkage);
  const called = callees.of(body);
  const { functions, diagnostics } = callees;
  return { functions, ...variablesReached(called, program, callees.sameVariable), diagnostics };
}

/** Finds the functions behind calls, each once and after its own callees. */
class Callees {
  readonly functions = new Map<Symbol, DeviceFunction>();
  readonly diagnostics: Diagnostic[] = [];
  readonly sameVariable: SharedVariables;
  private readonly program: Program;
  private readonly linkage: Linkage;
  private readonly found = new Map<FunctionDef, Found>();
  /** Functions that are being searched, outermost first. */
  private readonly active: FunctionDef[] = [];
  /** Calls by which functions call themselves, by the names there. */
  private readonly recursion = new Map<FunctionDef, Map<Symbol, Expr>>();

  constructor(program: Program, linkage: Linkage) {
    this.program = program;
    this.linkage = linkage;
    this.sameVariable = new SharedVariables(program);
  }

  /** The region's direct calls. */
  of(body: Stmt): readonly Called[] {
    const uses = this.usesOf(body);
    this.diagnostics.push(...statics(uses.statics));
    return [...uses.calls].flatMap(([sym, call]) => {
      const found = this.find(sym, call, this.program);
      return found ? [{ found, call }] : [];
    });
  }

  private usesOf(body: Stmt): Uses {
    const uses = usesOf(body);
    if (uses.indirectCall) this.diagnostics.push(indirect(uses.indirectCall));
    this.diagnostics.push(...reversedRecords(body));
    return uses;
  }

  /** `from`: the unit that contains the call. */
  private find(sym: Symbol, call: Expr, from: Program): Found | undefined {
    if (isBuiltin(sym)) return undefined;
    const at = this.definition(sym, [from, this.program]);
    if (!at) {
      const declared = from.routines.has(sym);
      if (!declared || this.linkage.others || from !== this.program)
        this.diagnostics.push(undefinedRoutine(sym, call, declared));
      return undefined;
    }
    if (this.active.at(-1) === at.def) {
      const known = this.recursion.get(at.def);
      if (known) known.set(sym, call);
      else this.recursion.set(at.def, new Map([[sym, call]]));
      return undefined;
    }
    if (this.active.includes(at.def)) {
      const cycle = [...this.active.slice(this.active.indexOf(at.def)), at.def];
      this.diagnostics.push(
        recursive(cycle, call, "functions that call each other in turn are for no device"),
      );
      return undefined;
    }
    const found = this.found.get(at.def) ?? this.read(at.def, at.program);
    this.functions.set(sym, found.function);
    return found;
  }

  /** Other units are searched only for functions that the nearer ones do not define. */
  private definition(sym: Symbol, near: readonly Program[]): Definition | undefined {
    const found = definitionOf(sym, routineOf(sym, near)?.bind ?? sym.name, near);
    const { others } = this.linkage;
    if (found) return found;
    // A routine directive promises a definition of the program's own.
    const ofLibrary = routineOf(sym, near) ? undefined : libraryFunction(sym);
    if (!others) return ofLibrary;
    const bound = routineOf(sym, [...near, ...others(sym.name)])?.bind ?? sym.name;
    return definitionOf(sym, bound, [...near, ...others(bound)]) ?? ofLibrary;
  }

  private read(written: FunctionDef, owner: Program): Found {
    this.active.push(written);
    // A file-scope variable is shared by all; a local variable belongs to the loop alone.
    const { body, diagnostics } = ownCounters(withoutNamedFunctions(written.body), isGlobal);
    const def = body === written.body ? written : { ...written, body: body as FunctionDef["body"] };
    this.diagnostics.push(...diagnostics);
    const uses = this.usesOf(def.body);
    const callees = [...uses.calls].flatMap(([callee, place]) => this.find(callee, place, owner) ?? []);
    this.active.pop();
    this.diagnostics.push(...statics(uses.statics), ...variadic(def));
    const direct = new Map([...uses.of].filter(([g]) => isGlobal(g) && !uses.declared.has(g)));
    const external = owner !== this.program;
    const renamed = external ? this.sameVariable.renaming(direct.keys()) : new Map<Symbol, Symbol>();
    const globals = new Map<Symbol, Use>();
    for (const callee of callees) for (const [g, use] of callee.function.globals) merge(globals, g, use);
    for (const [g, use] of direct) merge(globals, renamed.get(g) ?? g, use);
    const level = owner.routines.get(written.sym)?.level;
    const own = this.recursion.get(written);
    const [recursion] = own?.values() ?? [];
    const found: Found = {
      program: owner,
      def,
      direct,
      callees,
      function: {
        def: withSymbols(def, renamed),
        globals,
        external,
        ...(level && { level }),
        ...(recursion && { recursion }),
        ...(owner.apart && { apart: true }),
        ...(owner.dialect && { dialect: owner.dialect }),
      },
    };
    for (const sym of own?.keys() ?? []) this.functions.set(sym, found.function);
    this.found.set(written, found);
    return found;
  }
}

/** File-scope variables by the unit whose functions use them. */
function variablesReached(
  called: readonly Called[],
  program: Program,
  sameVariable: SharedVariables,
): Pick<DeviceCode, "own" | "elsewhere"> {
  const own = new Map<Symbol, Use>();
  const elsewhere = new Map<Symbol, Elsewhere>();
  const reached = new Set<Found>();
  /** Functions reached through a function of another unit. */
  const outside = new Set<Found>();
  const reachOutside = (f: Found, call: Expr): void => {
    if (outside.has(f)) return;
    outside.add(f);
    const keys = exportedVariables(f.program);
    for (const [g, use] of f.direct) {
      const sym = f.program === program ? g : sameVariable.canonical(g);
      const before = elsewhere.get(sym);
      const key = before?.key ?? keys.get(g);
      elsewhere.set(sym, {
        use: before ? either(before.use, use) : use,
        ...(key !== undefined && { key }),
        by: f.def.sym.name,
        call,
      });
    }
    for (const callee of f.callees) reachOutside(callee, call);
  };
  const reach = (f: Found, call: Expr): void => {
    if (f.program !== program) return reachOutside(f, call);
    if (reached.has(f)) return;
    reached.add(f);
    for (const [g, use] of f.direct) merge(own, g, use);
    for (const callee of f.callees) reach(callee, call);
  };
  for (const { found, call } of called) reach(found, call);
  return { own, elsewhere };
}

/** One symbol per variable that several units declare: the current unit's, if it declares the variable. */
class SharedVariables {
  private readonly program: Program;
  private readonly first = new Map<string, Symbol>();

  constructor(program: Program) {
    this.program = program;
  }

  canonical(sym: Symbol): Symbol {
    if (sym.storage === "static") return sym;
    const own = this.program.unit.scope.lookup(sym.name);
    if (own?.kind === "var" && own.scope === "file" && own.storage !== "static") return own;
    const known = this.first.get(sym.name) ?? sym;
    this.first.set(sym.name, known);
    return known;
  }

  renaming(symbols: Iterable<Symbol>): ReadonlyMap<Symbol, Symbol> {
    return new Map(
      [...symbols].map((s) => [s, this.canonical(s)] as const).filter(([from, to]) => from !== to),
    );
  }
}

function withSymbols(def: FunctionDef, renaming: ReadonlyMap<Symbol, Symbol>): FunctionDef {
  if (renaming.size === 0) return def;
  const replace = new Map([...renaming].map(([from, to]) => [from, ident(to)] as const));
  return { ...def, body: substitute(def.body, replace) as FunctionDef["body"] };
}

function undefinedRoutine(sym: Symbol, call: Expr, declared: boolean): Diagnostic {
  return {
    severity: "error",
    code: "no-device-code",
    loc: call.span.start,
    message: `'${sym.name}' has no definition that device code could call`,
    ...((!declared && refusedRoutine(sym)) || missing(declared)),
  };
}

function missing(declared: boolean): Pick<Diagnostic, "why" | "remedy"> {
  return {
    why: declared
      ? "its routine directive promises one in another source"
      : "no source that is translated with this one defines it",
    remedy: declared
      ? "add the source that defines it to the program"
      : "define it in this file, or mark it '#pragma acc routine seq' or '#pragma omp declare target' where it is declared and defined",
  };
}

/** `cycle`: the functions from one to its next call. */
function recursive(cycle: readonly FunctionDef[], call: Expr, why: string): Diagnostic {
  return {
    severity: "error",
    code: "recursive-routine",
    loc: call.span.start,
    message: `device code calls itself: ${cycle.map((d) => d.sym.name).join(" -> ")}`,
    why,
    remedy: "write the recursion as a loop",
  };
}

/** Refuses functions that call themselves, for a device without a call stack that grows with the data. */
export const recursionRefused = (functions: DeviceCode["functions"]): readonly Diagnostic[] =>
  [...new Set(functions.values())].flatMap(({ def, recursion }) =>
    recursion
      ? [recursive([def, def], recursion, "this device has no call stack that grows with the data")]
      : [],
  );

function routineOf(sym: Symbol, programs: readonly Program[]): Routine | undefined {
  for (const p of programs) for (const r of p.routines.values()) if (isSame(r.sym, sym)) return r;
  return undefined;
}

/** A static function is identified by its symbol, since another unit may have one of the same name. */
function isSame(a: Symbol, b: Symbol): boolean {
  return a === b || (a.name === b.name && a.storage !== "static" && b.storage !== "static");
}

interface Definition {
  readonly program: Program;
  readonly def: FunctionDef;
}

/** The function that device code calls for `sym`: itself, or the one that its routine directive binds to it. */
function definitionOf(sym: Symbol, name: string, programs: readonly Program[]): Definition | undefined {
  const bound = name !== sym.name;
  for (const program of programs)
    for (const e of program.unit.externals)
      if (e.kind === "function" && (bound ? e.sym.name === name : isSame(e.sym, sym)))
        return { program, def: e };
  return undefined;
}

/**
 * The variables of this unit that functions of other units may need, because the unit's routines use them, and their
 * names in the whole program.
 */
export function exportedVariables(program: Program): ReadonlyMap<Symbol, string> {
  const keys = new Map<Symbol, string>();
  const seen = new Set<FunctionDef>();
  const visit = (sym: Symbol, name: string): void => {
    const def = definitionOf(sym, name, [program])?.def;
    if (!def || seen.has(def)) return;
    seen.add(def);
    const uses = usesOf(def.body);
    for (const callee of uses.calls.keys()) visit(callee, routineOf(callee, [program])?.bind ?? callee.name);
    for (const g of uses.of.keys())
      if (g.scope === "file" && isGlobal(g) && !g.threadLocal && sizeOf(g.type) !== undefined)
        keys.set(g, g.storage === "static" ? `${g.name}@${program.identity ?? ""}` : g.name);
  };
  for (const { sym, bind } of program.routines.values()) visit(sym, bind ?? sym.name);
  return keys;
}

function merge(into: Map<Symbol, Use>, sym: Symbol, use: Use): void {
  const known = into.get(sym);
  into.set(sym, known ? either(known, use) : use);
}

/** The union of two uses of a variable. */
export function either(a: Use, b: Use): Use {
  return {
    read: a.read || b.read,
    written: a.written || b.written,
    addressTaken: a.addressTaken || b.addressTaken,
    elementsRead: a.elementsRead || b.elementsRead,
    elementsWritten: a.elementsWritten || b.elementsWritten,
    at: a.at,
  };
}

/** Static storage: file scope, or `static` in a function. */
export function isGlobal(sym: Symbol): boolean {
  return sym.kind === "var" && (sym.scope === "file" || sym.storage === "static" || sym.storage === "extern");
}

/**
 * Static variables of blocks: constants can be copied to every stack. Others are at file scope by now
 * (read/moved-statics.ts), except those that cannot be declared there.
 */
function statics(declared: readonly Symbol[]): Diagnostic[] {
  return declared
    .filter((sym) => !isConstant(sym.type))
    .map((sym) => ({
      severity: "error",
      code: "static-local",
      loc: sym.span.start,
      message: `'${sym.name}' is static in device code`,
      why:
        canonical(sym.type).kind === "pointer"
          ? "each region begins with the place on the device that the host's pointer leads to, so what it was set to would be lost"
          : "its type or its first value has a name of its block, each thread has one, or its file does not say that devices run the function",
      remedy:
        canonical(sym.type).kind === "pointer"
          ? "count with an integer instead"
          : "make it const if it never changes, or move it to file scope and declare it for devices",
    }));
}

function variadic({ sym, span }: FunctionDef): readonly Diagnostic[] {
  const type = canonical(sym.type);
  if (type.kind !== "function" || !type.variadic) return [];
  return [
    {
      severity: "error",
      code: "variadic-routine",
      loc: span.start,
      message: `'${sym.name}' takes a variable number of arguments, and device code calls it`,
      why: "devices hand on arguments one by one, as they are declared",
      remedy: "write a function for each number of arguments, or pass an array",
    },
  ];
}

/** Nothing may change an object of the type. */
export function isConstant(type: CType): boolean {
  const c = canonical(type);
  return c.kind === "array" ? isConstant(c.of) : c.quals?.const === true;
}

function indirect(call: Expr): Diagnostic {
  return {
    severity: "error",
    code: "indirect-call",
    loc: call.span.start,
    message: "this call through a pointer may reach no function that arc knows",
    why: "functions have other addresses on the device, and this file takes the address of none of this type and declares none 'indirect'",
    remedy:
      "write '#pragma omp declare target enter(f) indirect' for the functions, or call them by name, chosen with switch",
  };
}
