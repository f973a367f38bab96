/**
 * The IR as text: C with one `#pragma upir` line before the statement of each node, with every attribute explicit.
 * `parse.ts` parses it. Source locations are not included, so a parsed node has those of the text.
 */

import { INT, type PrintOptions, print, printDecl, printExpr, printStmt } from "../../lang/index.ts";
import type { BinaryOp, Expr, FunctionDef, Span, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound, declare } from "../../lang/tree/build.ts";
import { defaultTargetIs, onDevice, targetIs } from "../model/device-questions.ts";
import type { Accumulate, ChannelRead, Idiom } from "../model/idioms.ts";
import type { Atomic, IrNode, Loop, LoopHeader, Shuffle, Task } from "../model/ir.ts";
import type { Program } from "../model/program.ts";
import { ownVariables } from "../verify/name-scopes.ts";
import { type Draft, type Speller, valueAt } from "./clause.ts";
import { namesOf } from "./names.ts";
import { forms, type NodeForm, routineForm, taskFunctionForm } from "./nodes.ts";

/** A whole unit with its directives, as input for `parseProgram`. */
export function programText(program: Program): string {
  const names = new Map<Symbol, string>();
  for (const e of program.unit.externals)
    if (e.kind === "function") for (const [sym, name] of namesOf(e, program.unit.scope)) names.set(sym, name);
  const { options, spell } = printing("all", (sym) => names.get(sym));
  const routines = [...program.routines.values()].map((r) => pragma("routine", routineForm, { ...r }, spell));
  const declares = program.declares.map((d) => pragma("declare", forms.declare, draft(d), spell));
  const tasks = [...(program.taskFunctions?.values() ?? [])].map((t) =>
    pragma("task-function", taskFunctionForm, { ...t }, spell),
  );
  const unit = print(program.unit, options);
  const lines = [...asked(program, unit), unit, ...routines, ...tasks, ...declares];
  return lines.join("\n").replace(/\n*$/, "\n");
}

/** Choices between images and devices call functions that the program itself need not have declared. */
function asked({ unit }: Program, text: string): readonly string[] {
  return [onDevice, defaultTargetIs, targetIs].flatMap((sym) => {
    const isDeclared = unit.externals.some(
      (e) => e.kind === "decl" && e.decls.some((d) => d.sym.name === sym.name),
    );
    return isDeclared || !text.includes(`${sym.name}(`) ? [] : [`${printDecl(sym.type, sym.name)};`];
  });
}

/** A task in a form independent of its location, of when it runs, and of its directive's spelling. */
export function regionText(task: Task, functions: readonly FunctionDef[] = []): string {
  const { options, spell } = printing("kernel");
  const text = (s: Stmt) => printStmt(s, options);
  const types = task.items.map((i) => printDecl(i.sym.type, i.sym.name));
  const callees = functions.map((f) => [printDecl(f.sym.type, f.sym.name), text(f.body)].join("\n"));
  const lines = nodeLines(task, task.body.span, spell, (s) => text(s).split("\n"));
  return [...callees, ...types, ...lines].join("\n");
}

export function irText(s: Stmt): string {
  return printStmt(s, printing("all").options);
}

function printing(
  detail: Speller["detail"],
  name?: (sym: Symbol) => string | undefined,
): { readonly options: PrintOptions; readonly spell: Speller } {
  const options: PrintOptions = {
    ...(name && { name }),
    stmt: (s, printStmt) =>
      s.kind === "ext" ? nodeLines(s.ext as IrNode | Idiom, s.span, spell, printStmt) : undefined,
  };
  const spell: Speller = {
    // The pragma ends at the line break.
    expr: (e) => printExpr(e, options).replace(/\s*\n\s*/g, " "),
    name: (sym) => name?.(sym) ?? sym.name,
    detail,
  };
  return { options, spell };
}

function nodeLines(
  n: IrNode | Idiom,
  span: Span,
  spell: Speller,
  print: (s: Stmt) => readonly string[],
): string[] {
  const form = forms[n.kind];
  return [pragma(n.kind, form, draft(n), spell), ...print(following(n, form, span))];
}

const draft = (n: IrNode | Idiom): Draft =>
  n.kind === "loop" && n.headers.length > 1 ? { ...n, nest: n.headers.length } : { ...n };

function pragma(kind: string, form: NodeForm, node: Draft, spell: Speller): string {
  const all = spell.detail === "all";
  const words = form.words.filter((w) => all || !w.host).map((w) => valueAt(node, w.path) as string);
  const clauses = form.clauses.filter((c) => all || !c.host).flatMap((c) => c.print(node, spell));
  const { extensions = [] } = node as Pick<IrNode, "extensions">;
  const extra = all
    ? extensions.map(({ key, value }) => (value === undefined ? key : `${key}(${value})`))
    : [];
  return ["#pragma upir", kind, ...words, ...clauses, ...extra].join(" ");
}

/** The statement after a node's line. */
function following(n: IrNode | Idiom, { follows }: NodeForm, span: Span): Stmt {
  const body = (n as { readonly body?: Stmt }).body ?? { kind: "expr", span };
  switch (follows) {
    case "nothing":
    case "body":
      return body;
    case "region": {
      const own = ownVariables(n);
      return own.length > 0 ? compound([...own.map((sym) => declare(sym)), body], span) : body;
    }
    case "nest":
      return (n as Loop).headers.reduceRight((inner, h) => forLoop(h, inner), body);
    case "access":
      return atomicStatement(n as Atomic, span);
    case "assignment":
      return { kind: "expr", expr: (n as Shuffle).assignment, span };
    case "partial":
      return compound([declare((n as Accumulate).partial), body], span);
    case "declaration":
      return declare((n as ChannelRead).into);
  }
}

// Conversions are not printed, so these nodes need only the types of their parts.

const ident = (sym: Symbol, span: Span): Expr => ({ kind: "ident", sym, type: sym.type, span });

type AssignedOp = Exclude<Atomic["op"], undefined | "=" | "==" | "max" | "min" | "&&" | "||">;

function assignment(left: Expr, right: Expr, op: (Expr & { kind: "assign" })["op"] = "="): Expr {
  return { kind: "assign", op, left, right, type: left.type, span: left.span };
}

/** The operand of `++`, which no conversion changes. */
const isOne = (e: Expr): boolean => e.kind === "int" && e.value === 1n && e.type === INT;

const stepped = (op: "++" | "--", arg: Expr): Expr => ({
  kind: "incdec",
  op,
  prefix: false,
  arg,
  type: arg.type,
  span: arg.span,
});

/** `target op= value` */
function changed(target: Expr, op: AssignedOp, value: Expr): Expr {
  if ((op === "+" || op === "-") && isOne(value)) return stepped(op === "+" ? "++" : "--", target);
  return assignment(target, value, `${op}=`);
}

export function forLoop(h: LoopHeader, body: Stmt): Stmt {
  const at = ident(h.var, h.span);
  const init: (Stmt & { kind: "for" })["init"] = h.declares
    ? {
        kind: "decl",
        decls: [{ sym: h.var, init: { kind: "expr", expr: h.lower }, span: h.span }],
        defines: [],
        span: h.span,
      }
    : assignment(at, h.lower);
  return {
    kind: "for",
    init,
    test: { kind: "binary", op: h.relation, left: at, right: h.bound, type: h.var.type, span: h.span },
    step:
      h.step.kind === "unary" && h.step.op === "-" && isOne(h.step.arg)
        ? changed(at, "-", h.step.arg)
        : changed(at, "+", h.step),
    body,
    span: h.span,
  };
}

/** The C statement that is executed atomically. */
export function atomicStatement(n: Atomic, span: Span): Stmt {
  const { target, captured, value, expected } = n;
  const stmt = (expr: Expr): Stmt => ({ kind: "expr", expr, span });
  const update = (): Expr => {
    const operand = value as Expr;
    const op = n.op as Exclude<Atomic["op"], undefined>;
    if (op === "=") return assignment(target, operand);
    const two = (op: BinaryOp, left: Expr, right: Expr): Expr => ({
      kind: "binary",
      op,
      left,
      right,
      type: target.type,
      span,
    });
    if (op === "==") {
      const test = two("==", target, expected as Expr);
      return assignment(target, { kind: "cond", test, then: operand, else: target, type: target.type, span });
    }
    if (op === "&&" || op === "||") return assignment(target, two(op, target, operand));
    if (op === "max" || op === "min") {
      const test = two(op === "max" ? ">" : "<", target, operand);
      return assignment(target, { kind: "cond", test, then: target, else: operand, type: target.type, span });
    }
    if (!n.reversed) return changed(target, op, operand);
    return assignment(target, two(op, operand, target));
  };
  switch (n.what) {
    case "read":
      return stmt(assignment(captured as Expr, target));
    case "write":
      return stmt(assignment(target, value as Expr));
    case "update":
      return stmt(update());
    case "capture": {
      const captureStmt = assignment(captured as Expr, target);
      const pair = n.captureNew ? [update(), captureStmt] : [captureStmt, update()];
      return compound(pair.map(stmt), span);
    }
  }
}
