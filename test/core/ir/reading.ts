/** Short ways to read C with directives in tests. */
import { expect } from "vitest";
import { asNode, type IrNode, type Loop, type Task } from "../../../core/ir/model/ir.ts";
import type { Program } from "../../../core/ir/model/program.ts";
import { spmdOf } from "../../../core/ir/model/region.ts";
import { normalise, tasksOf } from "../../../core/ir/normalise/normalise.ts";
import { readDirectives } from "../../../core/ir/read/read.ts";
import {
  type Diagnostic,
  type FunctionDef,
  mapChildren,
  parse,
  type Stmt,
  type Symbol,
  walkStmt,
} from "../../../core/lang/index.ts";

/** Parses C that must be right and reads its directives, whatever they are. */
export function read(text: string): Program {
  const { unit, diagnostics } = parse(text, { file: "test.c" });
  expect(diagnostics.map(described)).toEqual([]);
  return readDirectives(unit);
}

/** Reads directives that must be valid. Notes about pointers are allowed. */
export function accepted(text: string): Program {
  const program = read(text);
  const errors = program.diagnostics.filter((d) => !["extent-taken", "implicit-extent"].includes(d.code));
  expect(errors.map(described)).toEqual([]);
  return program;
}

/** Reads and normalises; neither may find an error. */
export function normalised(text: string): Program {
  const program = normalise(accepted(text));
  expect(program.diagnostics.filter((d) => d.severity !== "note").map(described)).toEqual([]);
  return program;
}

/** The program with another task in place of each. */
export function mapTasks(program: Program, f: (task: Task) => Task): Program {
  const visit = (s: Stmt): Stmt => {
    const task = asNode(s, "task");
    return task && s.kind === "ext" ? { ...s, ext: f(task) } : mapChildren(s, visit);
  };
  const externals = program.unit.externals.map((e) =>
    e.kind === "function" ? { ...e, body: visit(e.body) as typeof e.body } : e,
  );
  return { ...program, unit: { ...program.unit, externals } };
}

/** A function around statements, with something of every kind to name in clauses. */
export function inFunction(statements: string): string {
  return [
    "struct pair { double first; double *list; };",
    "double table[100]; extern int whatever(void);",
    "void f(int n, double *x, double *restrict y, struct pair p, double (*rows)[20])",
    "{ double a[100], b[100], m[10][10]; int i, j, k, s; double t; float r;",
    statements,
    "}",
  ].join("\n");
}

export function described(d: Diagnostic): string {
  return `${d.loc.line}:${d.loc.col} ${d.severity}[${d.code}] ${d.message}`;
}

/** `line:col code` of every diagnostic. */
export function places(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map((d) => `${d.loc.line}:${d.loc.col} ${d.code}`);
}

/** What reading statements complains about; lines count from the first statement. */
export function complaints(statements: string): string[] {
  const { diagnostics } = read(inFunction(statements));
  return diagnostics.map((d) => `${d.loc.line - 4}:${d.loc.col} ${d.code}`);
}

export function functionOf(program: Program, name = "f"): FunctionDef {
  const found = program.unit.externals.find((e) => e.kind === "function" && e.sym.name === name);
  if (found?.kind !== "function") throw new Error(`no function ${name}`);
  return found;
}

/** Every node of a kind in a statement, outermost first. */
export function nodes<K extends IrNode["kind"]>(s: Stmt, kind: K): Extract<IrNode, { kind: K }>[] {
  const found: Extract<IrNode, { kind: K }>[] = [];
  walkStmt(s, {
    stmt: (inner) => {
      const node = asNode(inner, kind);
      if (node) found.push(node);
    },
    expr: () => false,
  });
  return found;
}

/** The nodes that reading statements gives. */
export function nodesIn<K extends IrNode["kind"]>(
  statements: string,
  kind: K,
): Extract<IrNode, { kind: K }>[] {
  return nodes(functionOf(accepted(inFunction(statements))).body, kind);
}

/** The first node of a kind that reading statements gives. */
export function nodeIn<K extends IrNode["kind"]>(statements: string, kind: K): Extract<IrNode, { kind: K }> {
  const [first] = nodesIn(statements, kind);
  if (!first) throw new Error(`no ${kind} node`);
  return first;
}

/** The tasks of normalised text, in source order. */
export function tasks(text: string): Task[] {
  return tasksOf(normalised(text)).map((t) => t.task);
}

export function taskIn(statements: string): Task {
  const [first] = tasks(inFunction(statements));
  if (!first) throw new Error("no compute construct");
  return first;
}

export function loopsOf(task: Task): Loop[] {
  return nodes(spmdOf(task).body, "loop");
}

/** A variable or parameter of a function. */
export function variable(def: FunctionDef, name: string): Symbol {
  let found = def.params.find((p) => p.name === name);
  walkStmt(def.body, {
    stmt: (s) => {
      if (s.kind === "decl") found ??= s.decls.find((d) => d.sym.name === name)?.sym;
    },
  });
  if (!found) throw new Error(`no variable ${name}`);
  return found;
}
