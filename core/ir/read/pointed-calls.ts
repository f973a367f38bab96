/**
 * Calls through pointers in device code. Functions have other addresses on devices, so a pointer keeps its value from the
 * host, wherever it is stored, and is compared with the addresses that the functions have there:
 *
 *     f(x)      =>      arc_call_1((unsigned long)f, x)
 *
 *     static unsigned long arc_address_of_add = (unsigned long)add;
 *     static int arc_call_1(unsigned long to, int a1) {
 *       if (to == arc_address_of_add) return add(a1);
 *       ...
 *     }
 */
import {
  calleeType,
  canonical,
  compatibleUnqualified,
  define,
  INT,
  makeSymbol,
  mapChildren,
  mapStmt,
  NOWHERE,
  pointerTo,
  ULONG,
  unqualified,
  VOID,
  walkInit,
  walkStmt,
  withBody,
} from "../../lang/index.ts";
import type {
  CType,
  Declared,
  Diagnostic,
  Expr,
  External,
  FunctionDef,
  FunctionType,
  Loc,
  Stmt,
  Symbol,
} from "../../lang/tree/ast.ts";
import {
  assigned,
  binary,
  call,
  cast,
  compound,
  declare,
  exprStmt,
  ident,
  ifStmt,
  returnStmt,
  stripImplicit,
} from "../../lang/tree/build.ts";
import { namesFunction } from "../analysis/named-functions.ts";
import { isBuiltin } from "../analysis/routines.ts";
import { nodesIn } from "../model/nodes.ts";
import { dispatcherName, type Pointed } from "../model/pointed.ts";
import type { Program } from "../model/program.ts";

/** The program with calls of known functions in place of calls through pointers, where devices run them. */
export function withPointedCalls(program: Program): Program {
  const code = new DeviceCode(program);
  if (code.called.length + code.values.size === 0) return program;
  return new Rewriting(program, code).result();
}

// ---------------------------------------------------------------- what device code calls and names

type Call = Expr & { readonly kind: "call" };

/** The function that a call names, or the pointer that it calls through. */
function calleeOf(e: Call): { readonly sym: Symbol; readonly named: Expr } | { readonly pointer: Expr } {
  let at: Expr = e.callee;
  for (;;) {
    if (at.kind === "ident" && at.sym.kind === "function") return { sym: at.sym, named: at };
    if (at.kind === "cast" && at.implicit) at = at.arg;
    else if (at.kind === "unary" && (at.op === "&" || at.op === "*") && calleeType(at.arg.type)) at = at.arg;
    else return { pointer: at };
  }
}

/** The type of the functions that a call through a pointer may reach. */
function typeCalled(e: Call, pointer: Expr): FunctionType {
  const type = calleeType(pointer.type) ?? { kind: "function", ret: e.type, params: [], variadic: false };
  if (!type.unprototyped) return type;
  const { unprototyped: _, ...rest } = type;
  return { ...rest, params: e.args.map((arg) => ({ type: unqualified(arg.type) })) };
}

interface Seen {
  call?(e: Call, callee: ReturnType<typeof calleeOf>): void;
  value?(sym: Symbol, at: Expr): void;
}

/** Visits calls, and names of functions that stand for their addresses. */
function visitor(seen: Seen): Parameters<typeof walkStmt>[1] {
  const named = new Set<Expr>();
  return {
    stmt: (s) => !namesFunction(s),
    expr(e) {
      if (e.kind === "call") {
        const callee = calleeOf(e);
        if ("sym" in callee) named.add(callee.named);
        // The functions among its arguments are those that it chooses from.
        if ("sym" in callee && callee.sym.name === "__builtin_tgmath")
          for (const arg of e.args) named.add(stripImplicit(arg));
        seen.call?.(e, callee);
      }
      if (e.kind === "ident" && e.sym.kind === "function" && !named.has(e)) seen.value?.(e.sym, e);
    },
  };
}

class DeviceCode {
  /** Types of the functions called through pointers. */
  readonly called: FunctionType[] = [];
  /** Functions whose addresses device code names. */
  readonly values = new Set<Symbol>();
  /** Functions that run on a device. */
  readonly functions = new Set<FunctionDef>();
  private readonly program: Program;
  private readonly bodies = new Map<Symbol, FunctionDef>();
  /** Functions whose addresses the unit takes anywhere. */
  private readonly addressed = new Set<Symbol>();

  constructor(program: Program) {
    this.program = program;
    for (const e of program.unit.externals) if (e.kind === "function") this.bodies.set(e.sym, e);
    for (const { sym, bind } of program.routines.values()) this.reach(this.bound(sym, bind));
    for (const def of this.bodies.values())
      for (const task of nodesIn(def.body, "task")) this.look(task.body);
    if (this.called.length > 0) this.findAddressed();
    // What is called through a pointer may itself call through one, or name functions.
    for (let known = -1; known < this.functions.size + this.called.length; ) {
      known = this.functions.size + this.called.length;
      for (const type of this.called) for (const sym of this.targets(type)) this.reach(this.bodies.get(sym));
    }
  }

  private bound(sym: Symbol, bind: string | undefined): FunctionDef | undefined {
    if (bind === undefined) return this.bodies.get(sym);
    return [...this.bodies.values()].find((def) => def.sym.name === bind);
  }

  private reach(def: FunctionDef | undefined): void {
    if (!def || this.functions.has(def)) return;
    this.functions.add(def);
    this.look(def.body);
  }

  private look(code: Stmt): void {
    walkStmt(
      code,
      visitor({
        call: (e, callee) => {
          if ("sym" in callee) this.reach(this.bodies.get(callee.sym));
          else if (!this.called.some((t) => compatibleUnqualified(t, typeCalled(e, callee.pointer))))
            this.called.push(typeCalled(e, callee.pointer));
        },
        value: (sym) => void this.values.add(sym),
      }),
    );
  }

  private findAddressed(): void {
    const visit = visitor({ value: (sym) => void this.addressed.add(sym) });
    for (const e of this.program.unit.externals) {
      if (e.kind === "function") walkStmt(e.body, visit);
      if (e.kind === "decl") for (const { init } of e.decls) if (init) walkInit(init, visit);
    }
  }

  /** Functions of this type whose addresses the program takes, and that device code does not call through pointers. */
  passedOver(type: FunctionType): readonly Symbol[] {
    const called = this.targets(type);
    return [...this.addressed].filter(
      (sym) => compatibleUnqualified(sym.type, type) && !called.includes(sym),
    );
  }

  /**
   * The functions of this type that a pointer may lead to in device code: those that the program says are for devices, and
   * those that device code names; if it says so of none of them, all whose addresses are taken. And those for devices that
   * another file defines, which may take their address.
   */
  targets(type: FunctionType): readonly Symbol[] {
    const fits = (sym: Symbol) => compatibleUnqualified(sym.type, type) && this.runs(sym);
    const { routines } = this.program;
    const addressed = [...this.addressed].filter(fits);
    const indirect = [...routines.values()].flatMap((r) => (r.indirect && fits(r.sym) ? [r.sym] : []));
    const said = [...indirect, ...addressed.filter((sym) => routines.has(sym))];
    const here = said.length > 0 ? [...said, ...addressed.filter((s) => this.values.has(s))] : addressed;
    const elsewhere = [...routines.values()].flatMap(({ sym, bind }) =>
      fits(sym) && bind === undefined && !this.bodies.has(sym) && !isBuiltin(sym) ? [sym] : [],
    );
    return [...new Set([...here, ...elsewhere])];
  }

  private runs(sym: Symbol): boolean {
    return this.bodies.has(sym) || isBuiltin(sym) || this.program.routines.has(sym);
  }
}

// ---------------------------------------------------------------- the rewriting

interface Dispatcher {
  /** Of the functions that it may call. */
  readonly type: FunctionType;
  readonly prototype: FunctionType;
  readonly def: FunctionDef;
}

class Rewriting {
  private readonly program: Program;
  private readonly code: DeviceCode;
  private readonly addresses = new Map<Symbol, Symbol>();
  private readonly dispatchers: Dispatcher[] = [];
  private readonly onHost = new Map<Symbol, FunctionDef>();
  private readonly warnings: Diagnostic[] = [];
  /** Where variables and prototypes have to be declared. */
  private first: External | undefined;

  constructor(program: Program, code: DeviceCode) {
    this.program = program;
    this.code = code;
  }

  result(): Program {
    const { unit } = this.program;
    const externals = unit.externals.map((e) => (e.kind === "function" ? this.function(e) : e));
    const before = [
      ...[...this.addresses.values()].map((sym) => declaredHere(sym)),
      ...this.dispatchers.map(({ def, prototype }) => declaredHere(def.sym, undefined, prototype)),
    ];
    const behind = [
      ...[...this.addresses].map(([sym, held]) => declaredHere(held, cast(ULONG, ident(sym)))),
      ...this.dispatchers.map(({ def }) => def),
    ];
    const at = this.first ? externals.indexOf(this.first) : 0;
    const pointed: Pointed = { addresses: this.addresses, onHost: this.onHost };
    return {
      ...this.program,
      pointed,
      diagnostics: [...this.program.diagnostics, ...this.warnings],
      unit: { ...unit, externals: [...externals.slice(0, at), ...before, ...externals.slice(at), ...behind] },
    };
  }

  private function(def: FunctionDef): FunctionDef {
    const body = this.code.functions.has(def) ? this.rewritten(def.body) : this.inRegions(def.body);
    if (body === def.body) return def;
    const result = withBody(def, body);
    this.first ??= result;
    return result;
  }

  private inRegions(body: Stmt): Stmt {
    if (nodesIn(body, "task").next().done) return body;
    const inside = (s: Stmt): Stmt =>
      s.kind === "ext" && s.ext.kind === "task" ? this.rewritten(s) : mapChildren(s, inside);
    return inside(body);
  }

  private rewritten(code: Stmt): Stmt {
    const values = new Map<Expr, Symbol>();
    const pointers = new Set<Expr>();
    walkStmt(code, visitor({ value: (sym, at) => void values.set(at, sym) }));
    return mapStmt(code, {
      expr: (e) => {
        const value = values.get(e);
        if (value) {
          const pointer = cast(pointerTo(withoutNames(value.type)), ident(this.address(value)), e.span);
          pointers.add(pointer);
          return pointer;
        }
        // What converted the function to a pointer.
        if (e.kind === "cast" && e.implicit && pointers.has(e.arg)) return e.arg;
        if (e.kind === "cond" && e.then && pointers.has(e.then) && pointers.has(e.else)) {
          const chosen: Expr = { ...e, type: e.then.type };
          pointers.add(chosen);
          return chosen;
        }
        if (e.kind !== "call") return e;
        const callee = calleeOf(e);
        return "sym" in callee ? e : this.called(e, callee.pointer);
      },
    });
  }

  private called(e: Call, pointer: Expr): Expr {
    const type = typeCalled(e, pointer);
    if (type.variadic || this.code.targets(type).length === 0) return e;
    const { def, prototype } = this.dispatcher(type, e.span.start);
    const callee: Expr = { ...ident(def.sym), type: prototype };
    return { ...e, callee, args: [cast(ULONG, pointer), ...e.args] };
  }

  private address(sym: Symbol): Symbol {
    const known = this.addresses.get(sym);
    if (known) return known;
    const held = makeSymbol(`arc_address_of_${sym.name}`, "var", ULONG, "file", NOWHERE, "static");
    held.attrs = [{ name: "unused" }];
    this.addresses.set(sym, held);
    return held;
  }

  /** `loc`: of a call. */
  private dispatcher(type: FunctionType, loc: Loc): Dispatcher {
    const known = this.dispatchers.find((one) => compatibleUnqualified(one.type, type));
    if (known) return known;
    const left = this.code.passedOver(type);
    if (left.length > 0) this.warnings.push(unmarked(loc, left, this.code.targets(type)));
    const to = makeSymbol("to", "param", ULONG, "block");
    const params = type.params.map((p, k) => makeSymbol(`a${k + 1}`, "param", unqualified(p.type), "block"));
    const own: FunctionType = {
      kind: "function",
      ret: type.ret,
      params: [to, ...params].map((sym) => ({ sym, name: sym.name, type: sym.type })),
      variadic: false,
    };
    // Calls stand behind a prototype, with names of its own, and before the definition.
    const prototype: FunctionType = {
      ...own,
      params: own.params.map((p) => ({
        ...p,
        ...(p.sym && { sym: makeSymbol(p.sym.name, "param", p.type, "prototype") }),
      })),
    };
    const sym = makeSymbol(
      dispatcherName(this.dispatchers.length + 1),
      "function",
      own,
      "file",
      NOWHERE,
      "static",
    );
    sym.attrs = [{ name: "unused" }];
    const give = (value: Expr): Stmt =>
      canonical(type.ret).kind === "void" ? compound([exprStmt(value), returnStmt()]) : returnStmt(value);
    const passed = params.map((p) => ident(p));
    const made = (body: readonly Stmt[]): FunctionDef => ({
      kind: "function",
      sym,
      params: [to, ...params],
      body: compound(body, NOWHERE),
      defines: [],
      span: NOWHERE,
      declared: { ...specifiersOf(sym), type: own },
    });
    const def = made([
      ...this.code
        .targets(type)
        .map((target) =>
          ifStmt(binary("==", ident(to), ident(this.address(target))), give(call(ident(target), passed))),
        ),
      exprStmt({ ...call(ident(abort), []), type: VOID }),
      ...(canonical(type.ret).kind === "void" ? [] : nothing(type.ret)),
    ]);
    define(def);
    const dispatcher = { type, prototype, def };
    this.dispatchers.push(dispatcher);
    this.onHost.set(sym, made([give(call(cast(pointerTo(type), ident(to)), passed))]));
    return dispatcher;
  }
}

function unmarked(loc: Loc, left: readonly Symbol[], called: readonly Symbol[]): Diagnostic {
  const names = (symbols: readonly Symbol[]) => symbols.map((sym) => `'${sym.name}'`).join(", ");
  return {
    severity: "warning",
    code: "unmarked-function",
    loc,
    message: `the call fails when the pointer leads to ${names(left)}`,
    why: `of the functions of this type, only ${names(called)} ${called.length > 1 ? "are" : "is"} for devices`,
    remedy:
      "if regions may call the others, mark them as well: '#pragma omp declare target', or '#pragma acc routine seq'",
  };
}

/** What each declaration of the symbol says: it has several. */
const specifiersOf = (sym: Symbol): Declared => ({
  type: sym.type,
  storage: sym.storage,
  ...(sym.attrs && { attrs: sym.attrs }),
});

/** A type of functions as casts have it. */
function withoutNames(type: CType): CType {
  const seen = canonical(type);
  if (seen.kind !== "function") return type;
  return { ...seen, params: seen.params.map((p) => ({ type: p.type })) };
}

function declaredHere(sym: Symbol, init?: Expr, type = sym.type): External {
  const plain = declare(sym, init);
  return { ...plain, decls: plain.decls.map((d) => ({ ...d, declared: { ...specifiersOf(sym), type } })) };
}

/** As the parser makes it where it is called. */
const abort = makeSymbol(
  "__builtin_abort",
  "function",
  { kind: "function", ret: INT, params: [], variadic: false, unprototyped: true },
  "file",
  NOWHERE,
  "extern",
);

/** What follows a call that does not return. */
function nothing(type: CType): readonly Stmt[] {
  const none = makeSymbol("none", "var", unqualified(type), "block");
  const zero: Expr = { kind: "int", value: 0n, text: "0", type: INT, span: NOWHERE };
  if (canonical(type).kind !== "record") return [declare(none, zero), returnStmt(ident(none))];
  const init = {
    kind: "list",
    items: [{ designators: [], init: { kind: "expr", expr: assigned(zero, firstScalar(type)) } }],
    span: NOWHERE,
  } as const;
  return [{ ...declare(none), decls: [{ sym: none, init, span: NOWHERE }] }, returnStmt(ident(none))];
}

/** The type of what the first number of a list in braces initialises. */
function firstScalar(type: CType): CType {
  const seen = canonical(type);
  if (seen.kind === "array") return firstScalar(seen.of);
  const [first] = seen.kind === "record" ? (seen.decl.fields ?? []) : [];
  return first ? firstScalar(first.type) : type;
}
