/**
 * Variables that are static in a block of device code. Each device has one such object, with the value that it begins
 * with on the host (OpenMP 5.2, section 7.8): it is a variable at file scope that is declared for devices. Host code
 * keeps its own, where it is written.
 *
 *     int next(void) {                    static int arc_last_of_next = 3;     declare to(arc_last_of_next)
 *       static int last = 3;        =>    int next(void) {
 *       return ++last;                      return ++arc_last_of_next;
 *     }                                   }
 *
 * What cannot be declared at file scope stays, and is refused where a region uses it: types of the block, pointers
 * (regions begin with the place on the device that the host's pointer leads to), variables of each thread.
 */
import { canonical, mapStmt, withBody } from "../../lang/index.ts";
import type { DeclStmt, External, FunctionDef, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { ident } from "../../lang/tree/build.ts";
import { statementsIn } from "../../lang/tree/children.ts";
import { makeSymbol } from "../../lang/tree/scope.ts";
import { substitute } from "../../lang/tree/substitute.ts";
import { usesOf } from "../analysis/access.ts";
import { isConstant } from "../analysis/routines.ts";
import { dataItem } from "../directives/items.ts";
import type { Declare } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { nodesIn } from "../model/nodes.ts";
import type { Program } from "../model/program.ts";
import { mentionsOf } from "../model/trim.ts";

export function withMovedStatics(program: Program): Program {
  const hasStatics = program.unit.externals.some(
    (e) => e.kind === "function" && staticsIn(e.body).length > 0,
  );
  return (hasStatics && new Moving(program).result()) || program;
}

/** Declarations of static variables that may change. */
const staticsIn = (s: Stmt): readonly DeclStmt[] =>
  [...statementsIn(s)].filter((one): one is DeclStmt => one.kind === "decl" && one.decls.some(changes));

/** Functions with code for devices: of those that run there as a whole, the body; of others, the regions. */
type DeviceCode = ReadonlyMap<FunctionDef, readonly Stmt[]>;

/** Finds the functions that code calls, directly or not, and adds them to those that are found. */
function callees({ unit, routines }: Program) {
  const bodies = new Map(unit.externals.flatMap((e) => (e.kind === "function" ? [[e.sym, e] as const] : [])));
  const reach = (sym: Symbol, found: Map<FunctionDef, readonly Stmt[]>): void => {
    const bind = routines.get(sym)?.bind;
    const def = bind === undefined ? bodies.get(sym) : [...bodies.values()].find((d) => d.sym.name === bind);
    if (!def || found.has(def)) return;
    found.set(def, [def.body]);
    called(def.body, found);
  };
  const called = (code: Stmt, found: Map<FunctionDef, readonly Stmt[]>): void => {
    for (const sym of usesOf(code).calls.keys()) reach(sym, found);
  };
  return { reach, called };
}

function deviceCode(program: Program, { reach, called }: ReturnType<typeof callees>): DeviceCode {
  const found = new Map<FunctionDef, readonly Stmt[]>();
  for (const def of program.unit.externals) {
    if (def.kind !== "function") continue;
    const regions = [...nodesIn(def.body, "task")].map((task) => task.body);
    if (regions.length === 0) continue;
    found.set(def, regions);
    for (const region of regions) called(region, found);
  }
  for (const sym of program.routines.keys()) reach(sym, found);
  return found;
}

class Moving {
  private readonly program: Program;
  private readonly callees: ReturnType<typeof callees>;
  private readonly code: DeviceCode;
  /** What each variable is at file scope. */
  private readonly moved = new Map<Symbol, Symbol>();
  private readonly names = new Set<string>();
  private readonly before = new Map<Symbol, readonly DeclStmt[]>();
  private readonly onHost = new Map<Symbol, FunctionDef>();

  constructor(program: Program) {
    this.program = program;
    this.callees = callees(program);
    this.code = deviceCode(program, this.callees);
  }

  result(): Program | undefined {
    const { unit, declares } = this.program;
    const first = unit.externals.find((e) => e.kind === "function" && this.code.has(e));
    if (first?.kind !== "function") return undefined;
    // Regions in front of the function may call it: where types are not known before all of them, before the first that does.
    const early = knownBefore(unit.externals, first);
    const forward = new Map<FunctionDef, DeclStmt[]>();
    const announce = (at: FunctionDef, def: FunctionDef, here: readonly DeclStmt[]): void => {
      if (at !== def) forward.set(at, [...(forward.get(at) ?? []), ...here.map(withoutValues)]);
    };
    for (const [def, parts] of inOrder(unit.externals, this.code)) {
      const statics = parts.flatMap(staticsIn);
      if (statics.length === 0) continue;
      const caller = this.firstCaller(def);
      const known = knownBefore(unit.externals, caller);
      const here = this.declarations(def, statics, (named) => early(named) || known(named));
      if (here.length === 0) continue;
      this.before.set(def.sym, here);
      const moved = new Set<unknown>(this.moved.values());
      announce(
        here.every((s) => isKnownBy(s, (one) => early(one) || moved.has(one))) ? first : caller,
        def,
        here,
      );
    }
    if (this.before.size === 0) return undefined;
    for (const [at, decls] of forward)
      this.before.set(at.sym, [...decls, ...(this.before.get(at.sym) ?? [])]);
    const replacements = new Map([...this.moved].map(([from, to]) => [from, ident(to)] as const));
    const externals = unit.externals.flatMap((e): readonly External[] => {
      if (e.kind !== "function") return [e];
      const body = this.code.has(e) ? substitute(this.without(e), replacements) : e.body;
      if (body !== e.body && nodesIn(e.body, "task").next().done) this.onHost.set(e.sym, e);
      return [...(this.before.get(e.sym) ?? []), withBody(e, body)];
    });
    return {
      ...this.program,
      unit: { ...unit, externals },
      declares: [...declares, ...[...this.moved.values()].map(declared)],
      statics: { moved: this.moved, before: this.before, onHost: this.onHost },
    };
  }

  /** The function without the declarations that move. */
  private without({ body }: FunctionDef): Stmt {
    return mapStmt(body, {
      stmt: (s) => (s.kind === "decl" && this.moves(s) ? { kind: "expr", span: s.span } : s),
    });
  }

  private moves = ({ decls: [one] }: DeclStmt): boolean => one !== undefined && this.moved.has(one.sym);

  private declarations(
    def: FunctionDef,
    statics: readonly DeclStmt[],
    early: (named: unknown) => boolean,
  ): readonly DeclStmt[] {
    const ofThreads = threadprivate(def.body);
    return statics.flatMap((s) => {
      const isKnown = isKnownBy(s, (one) => early(one) || this.moved.has(one as Symbol));
      const isMovable = s.decls.every(({ sym }) => !isPointer(sym) && !ofThreads.has(sym.name));
      if (!isKnown || !isMovable || s.defines.length > 0) return [];
      for (const { sym } of s.decls) this.moved.set(sym, this.atFileScope(sym, def));
      const replacements = new Map([...this.moved].map(([from, to]) => [from, ident(to)] as const));
      const renamed = mapStmt(s, { declared: (sym) => this.moved.get(sym) ?? sym });
      return [substitute(renamed, replacements) as DeclStmt];
    });
  }

  /** The first function of the file whose device code is, or calls, the function. */
  private firstCaller(def: FunctionDef): FunctionDef {
    for (const [caller, parts] of inOrder(this.program.unit.externals, this.code)) {
      const found = new Map<FunctionDef, readonly Stmt[]>();
      for (const part of parts) this.callees.called(part, found);
      if (caller === def || found.has(def)) return caller;
    }
    return def;
  }

  private atFileScope(sym: Symbol, { sym: { name: of } }: FunctionDef): Symbol {
    const base = `arc_${sym.name}_of_${of}`;
    let name = base;
    for (let n = 2; this.names.has(name); n++) name = `${base}_${n}`;
    this.names.add(name);
    const result = makeSymbol(name, "var", sym.type, "file", sym.span, "static");
    result.attrs = [...(sym.attrs ?? []), { name: "unused" }];
    return result;
  }
}

/** All that a declaration names besides its own variables is known. */
function isKnownBy(s: DeclStmt, known: (named: unknown) => boolean): boolean {
  const own = new Set<unknown>(s.decls.map(({ sym }) => sym));
  return [...mentionsOf(s).mentioned].every((one) => own.has(one) || known(one));
}

const changes = ({ sym }: DeclStmt["decls"][number]): boolean =>
  sym.kind === "var" && sym.storage === "static" && !sym.threadLocal && !isConstant(sym.type);

const isPointer = ({ type }: Symbol): boolean => canonical(type).kind === "pointer";

/** Whether something that a declaration names is declared in front of an external. */
function knownBefore(externals: readonly External[], first: External): (named: unknown) => boolean {
  let known: Set<unknown> | undefined;
  return (named) => {
    known ??= new Set(
      externals.slice(0, externals.indexOf(first)).flatMap((e) => [...mentionsOf(e).declared]),
    );
    return known.has(named);
  };
}

function* inOrder(
  externals: readonly External[],
  code: DeviceCode,
): Generator<readonly [FunctionDef, readonly Stmt[]], undefined> {
  for (const e of externals) {
    const parts = e.kind === "function" ? code.get(e) : undefined;
    if (e.kind === "function" && parts) yield [e, parts];
  }
}

/** Names of the variables of which each thread of the host has its own. */
function threadprivate(body: Stmt): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { pragmas } of statementsIn(body))
    for (const { tokens } of pragmas ?? [])
      if (tokens[1]?.text === "threadprivate") for (const { text } of tokens.slice(2)) names.add(text);
  return names;
}

const withoutValues = (s: DeclStmt): DeclStmt => ({
  ...s,
  decls: s.decls.map(({ init: _, ...rest }) => rest),
});

function declared(sym: Symbol): Declare {
  const loc = sym.span.start;
  const item = dataItem({ sym, object: ident(sym), section: [], written: sym.name, loc }, "to", {});
  return node<Declare>({ kind: "declare", site: { loc, what: "static" }, items: [item] });
}
