/**
 * Outlines a program's tasks. A task's statement becomes a function that receives the variables it uses: values as
 * copies, shared variables by address. The statement is replaced by the task's creation.
 *
 *     #pragma omp task in(a[0;n])          =>  arguments: n, a; addresses: sum
 *     { *sum += first(a, n); }                 creation of task 1 with them
 *
 * Nested tasks are outlined first: the outer task then only has to pass on what they need.
 */

import { parametersOf } from "../../../core/ir/analysis/parameters.ts";
import type {
  ExplicitTask,
  IrNode,
  Reduction,
  Site,
  TaskAccess,
  TaskTraits,
} from "../../../core/ir/model/ir.ts";
import type { Program, TaskFunction } from "../../../core/ir/model/program.ts";
import { canonical, isVariablyModified, mapStmt, substitute, walkStmt } from "../../../core/lang/index.ts";
import type {
  DeclStmt,
  Expr,
  ExtNode,
  ExtShape,
  FunctionDef,
  Stmt,
  Symbol,
} from "../../../core/lang/tree/ast.ts";
import { addressOf, deref, freshSymbol, ident } from "../../../core/lang/tree/build.ts";
import type { HostNames } from "./host-names.ts";
import { localTypes } from "./local-types.ts";

/** What a task's function receives. */
export interface Captured {
  readonly name: string;
  /** The symbol that stands for it in the body. */
  readonly sym: Symbol;
  readonly how: "value" | "array" | "address";
}

/** An outlined statement. */
export interface Outlined {
  readonly id: string;
  readonly site: Site;
  readonly label: string;
  readonly captured: readonly Captured[];
  /** Of the function around, to be declared in the task's function. */
  readonly types: readonly DeclStmt[];
  readonly privates: readonly Symbol[];
  /** Private copies, and the originals that they are combined with at the end of the body. */
  readonly reductions: readonly { readonly own: Symbol; readonly op: Reduction["op"]; readonly into: Expr }[];
  readonly body: Stmt;
}

/** Replaces a task's statement. */
export interface TaskCreation extends ExtNode, TaskTraits {
  readonly kind: "task-creation";
  readonly id: string;
  readonly site: Site;
  /** In the order of the function's captures. */
  readonly values: readonly Expr[];
  readonly captured: readonly Captured[];
  /** Whether what it receives is declared again where the task is created: its types are local there. */
  readonly local: boolean;
  readonly reductions: readonly Reduction[];
  readonly reduced: readonly Expr[];
  /** Private variables of the task: no use of the function's own must remain. */
  readonly privates: readonly Expr[];
}

/** The function that creates a task in place of a call. */
export interface Creator {
  readonly of: TaskFunction;
  readonly sym: Symbol;
  readonly params: readonly Symbol[];
  /** Its other versions, with clauses in terms of its own parameters. */
  readonly versions: readonly TaskFunction[];
}

export interface OutlinedProgram {
  readonly program: Program;
  /** Functions to be inserted before each function. */
  readonly before: ReadonlyMap<
    Symbol,
    { readonly creators: readonly Creator[]; readonly tasks: readonly Outlined[] }
  >;
  /** Symbols that replace those of task functions in calls, with the task functions' names. */
  readonly creators: ReadonlyMap<Symbol, string>;
}

export function outlineTasks(program: Program, names: HostNames): OutlinedProgram {
  const creators = new Map<Symbol, Creator>();
  for (const of of program.taskFunctions?.values() ?? [])
    creators.set(of.sym, {
      of,
      sym: freshSymbol(names(`task_${of.sym.name}`), of.sym.type),
      params: allParameters(of.sym),
      versions: [...(program.taskFunctions?.values() ?? [])].filter((v) => v.implements === of.sym),
    });
  const before = new Map<Symbol, { creators: Creator[]; tasks: Outlined[] }>();
  const placed = new Set<Creator>();
  let count = 0;
  const externals = program.unit.externals.map((e) => {
    if (e.kind !== "function") return e;
    const own: Creator[] = [];
    const tasks: Outlined[] = [];
    const call = (expr: Expr): Expr => {
      if (expr.kind !== "call" || expr.callee.kind !== "ident") return expr;
      const creator = creators.get(expr.callee.sym);
      if (!creator) return expr;
      if (!placed.has(creator)) own.push(creator);
      placed.add(creator);
      return { ...expr, callee: { ...expr.callee, sym: creator.sym } };
    };
    const types = localTypes(e.body);
    const stmt = (s: Stmt): Stmt => {
      if (s.kind !== "ext" || s.ext.kind !== "explicit-task") return s;
      const n = s.ext as ExplicitTask;
      const made = outline(n, names(`task_${++count}`), names, types.get(n.site) ?? []);
      tasks.push(made.outlined);
      return { ...s, ext: made.creation };
    };
    const body = outsideRegions(e.body, { expr: call, stmt });
    if (own.length > 0 || tasks.length > 0) before.set(e.sym, { creators: own, tasks });
    return body === e.body ? e : ({ ...e, body } as FunctionDef);
  });
  return {
    program: { ...program, unit: { ...program.unit, externals } },
    before,
    creators: new Map([...creators.values()].map((c) => [c.sym, c.of.sym.name])),
  };
}

/** Device code creates no tasks, so its calls stay calls. */
function outsideRegions(s: Stmt, mapper: { expr(e: Expr): Expr; stmt(s: Stmt): Stmt }): Stmt {
  const inRegions = new Set<Expr>();
  walkStmt(s, {
    stmt(inner) {
      if (inner.kind !== "ext" || inner.ext.kind !== "task") return;
      walkStmt((inner.ext as IrNode & { readonly body: Stmt }).body, { expr: (e) => void inRegions.add(e) });
    },
  });
  return mapStmt(s, { stmt: mapper.stmt, expr: (e) => (inRegions.has(e) ? e : mapper.expr(e)) });
}

/** Parameters of a declaration may be unnamed. */
function allParameters(sym: Symbol): readonly Symbol[] {
  if (sym.definition) return parametersOf(sym);
  const type = canonical(sym.type);
  if (type.kind !== "function") return [];
  return type.params.map((p, i) => p.sym ?? freshSymbol(`arc_argument_${i + 1}`, p.type));
}

function outline(
  n: ExplicitTask,
  id: string,
  names: HostNames,
  types: readonly DeclStmt[],
): { readonly outlined: Outlined; readonly creation: TaskCreation } {
  const captured: Captured[] = [];
  const values: Expr[] = [];
  const inside = new Map<Symbol, Expr>();
  const add = (sym: Symbol, how: Captured["how"], value: Expr) => {
    const name = `${sym.name}_${captured.length}`;
    if (how === "value") captured.push({ name, sym, how });
    else {
      const pointer = freshSymbol(names(`own_${name}`), { kind: "pointer", to: sym.type });
      captured.push({ name, sym: pointer, how });
      inside.set(sym, deref(ident(pointer)));
    }
    values.push(value);
  };
  const variably = (sym: Symbol) => (isVariablyModified(sym.type) ? 1 : 0);
  // Sizes in types come before the variables that have these types.
  for (const sym of [...n.firstprivates].sort((a, b) => variably(a) - variably(b)))
    add(sym, canonical(sym.type).kind === "array" ? "array" : "value", ident(sym));
  for (const sym of n.shareds) add(sym, "address", addressOf(ident(sym)));
  const reductions = n.reductions.map(({ op, sym }) => ({
    own: freshSymbol(names(`own_${sym.name}`), sym.type),
    op,
    into: inside.get(sym) ?? ident(sym),
  }));
  const reduced = new Map(n.reductions.map(({ sym }, i) => [sym, ident(reductions[i]?.own as Symbol)]));
  const { accesses, condition, final, priority, label } = n;
  return {
    outlined: {
      id,
      site: n.site,
      label: label ?? n.site.what,
      captured,
      types,
      privates: n.privates,
      reductions,
      body: throughout(n.body, new Map([...inside, ...reduced])),
    },
    creation: {
      kind: "task-creation",
      shape: creationShape,
      id,
      site: n.site,
      values,
      captured,
      local: types.length > 0,
      accesses,
      ...(condition && { condition }),
      ...(final && { final }),
      ...(priority && { priority }),
      reductions: n.reductions,
      reduced: n.reductions.map(({ sym }) => ident(sym)),
      privates: n.privates.map((sym) => ident(sym)),
    },
  };
}

/** Also in the statement that the host runs instead of a region. */
function throughout(body: Stmt, by: ReadonlyMap<Symbol, Expr>): Stmt {
  if (by.size === 0) return body;
  return mapStmt(substitute(body, by), {
    stmt(s) {
      if (s.kind !== "ext" || !("site" in s.ext)) return s;
      const site = s.ext.site as Site;
      return site.stmt
        ? { ...s, ext: { ...s.ext, site: { ...site, stmt: substitute(site.stmt, by) } } as ExtNode }
        : s;
    },
  });
}

type Parts = Pick<
  TaskCreation,
  "values" | "reduced" | "privates" | "accesses" | "condition" | "final" | "priority"
>;

const expressionsOf = (n: Parts): readonly Expr[] => [
  ...n.values,
  ...n.reduced,
  ...n.privates,
  ...n.accesses.flatMap((a) => [
    a.object,
    ...a.section.flatMap((d) => [d.start ?? [], d.length ?? []].flat()),
  ]),
  ...[n.condition, n.final, n.priority].flatMap((e) => e ?? []),
];

const creationShape: ExtShape<TaskCreation> = {
  parts: (n) => ({ stmts: [], exprs: expressionsOf(n) }),
  withParts(n, _, exprs) {
    const queue = [...exprs];
    const next = () => queue.shift() as Expr;
    const values = n.values.map(next);
    const reduced = n.reduced.map(next);
    const privates = n.privates.map(next);
    const accesses = n.accesses.map((a): TaskAccess => {
      const object = next();
      const section = a.section.map((d) => ({
        ...(d.start && { start: next() }),
        ...(d.length && { length: next() }),
      }));
      return { ...a, object, section };
    });
    return {
      ...n,
      values,
      reduced,
      privates,
      accesses,
      ...(n.condition && { condition: next() }),
      ...(n.final && { final: next() }),
      ...(n.priority && { priority: next() }),
    };
  },
};
