/**
 * How often a program launches its regions, and with which sizes: a walk through the host code from `main`
 * with the command line's words for a run. Values are followed as far as they are plain scalars; a loop is walked once
 * for all its iterations with its variable at the average. What cannot be known is said.
 */

import { usesOf } from "../../core/ir/access.ts";
import { countedHeader } from "../../core/ir/counted.ts";
import type { LoopHeader } from "../../core/ir/ir.ts";
import { asNode } from "../../core/ir/ir.ts";
import { tripsBetween } from "../../core/ir/pipeline/trips.ts";
import type { Program } from "../../core/ir/program.ts";
import type { Expr, ForStmt, FunctionDef, Loc, Stmt, Symbol } from "../../core/lang/ast.ts";
import { walkExpr } from "../../core/lang/index.ts";
import { commandLine, type Known, numberOf, type Value, valueOf } from "./numbers.ts";

export interface Launch {
  readonly region: string;
  readonly count: number;
  readonly values: ReadonlyMap<Symbol, number>;
  /** What was not known and what was taken instead. */
  readonly assumed: readonly string[];
}

/** Statements that a walk looks at before it gives up. */
const LONGEST_WALK = 100_000;
const DEEPEST = 64;

/** Launches in the order of their first one. `args`: of the run, without the program's name. */
export function launchesOf(programs: readonly Program[], args: readonly string[]): readonly Launch[] {
  return new Walk(programs).run(args);
}

const place = (loc: Loc): string => `${loc.file}:${loc.line}`;

class Walk {
  /** By symbol, and by name where another unit can call it. */
  private readonly functions = new Map<Symbol | string, FunctionDef>();
  private readonly programs: readonly Program[];
  private readonly found: Launch[] = [];
  private values = new Map<Symbol | string, Value>();
  private count = 1;
  private assumed: readonly string[] = [];
  private steps = 0;
  private depth = 0;
  /** Constructs around that may not run: what they do to control flow is not certain. */
  private uncertain = 0;
  private left = false;
  private returned: Value | undefined;

  constructor(programs: readonly Program[]) {
    this.programs = programs;
    for (const { unit } of programs)
      for (const e of unit.externals)
        if (e.kind === "function") {
          this.functions.set(e.sym, e);
          if (e.sym.storage !== "static") this.functions.set(e.sym.name, e);
        }
  }

  run(args: readonly string[]): readonly Launch[] {
    for (const { unit } of this.programs) for (const e of unit.externals) if (e.kind === "decl") this.stmt(e);
    const main = this.functions.get("main");
    if (main) {
      const [argc, argv] = main.params;
      if (argc) this.set(argc, args.length + 1);
      if (argv) this.set(argv, commandLine(["program", ...args]));
      this.stmt(main.body);
    }
    return this.found;
  }

  // ---------------------------------------------------------------- values

  private keyOf(sym: Symbol): Symbol | string {
    return sym.scope === "file" && sym.storage !== "static" ? sym.name : sym;
  }
  private set(sym: Symbol, value: Value | undefined): void {
    if (value === undefined) this.values.delete(this.keyOf(sym));
    else this.values.set(this.keyOf(sym), value);
  }
  private readonly known: Known = {
    value: (sym) => this.values.get(this.keyOf(sym)),
    call: (e) => this.call(e),
  };

  /** What `code` may change is not known behind it. */
  private forget(...code: (Stmt | Expr)[]): void {
    for (const [sym, use] of usesOf(...code).of)
      if (use.written || use.addressTaken) this.set(sym, undefined);
  }

  // ---------------------------------------------------------------- expressions

  /** Effects and value. */
  private expr(e: Expr): Value | undefined {
    switch (e.kind) {
      case "assign": {
        const right = this.expr(e.right);
        const left = e.left;
        if (left.kind !== "ident") return right;
        const value = e.op === "=" ? right : undefined;
        this.set(left.sym, value);
        return value;
      }
      case "incdec":
        if (e.arg.kind === "ident") {
          const before = this.known.value(e.arg.sym);
          this.set(e.arg.sym, typeof before === "number" ? before + (e.op === "++" ? 1 : -1) : undefined);
        }
        return undefined;
      case "comma":
        this.expr(e.left);
        return this.expr(e.right);
      case "cond": {
        const test = this.expr(e.test);
        if (typeof test === "number") return this.expr(test !== 0 && e.then ? e.then : e.else);
        this.maybe([e.else, ...(e.then ? [e.then] : [])]);
        return undefined;
      }
      case "binary":
        if (e.op !== "&&" && e.op !== "||") break;
        if (!hasEffects(e)) break;
        this.expr(e.left);
        this.maybe([e.right]);
        return undefined;
      default:
        break;
    }
    if (hasEffects(e) && e.kind !== "call") {
      const inner: Expr[] = [];
      walkExpr(e, {
        expr(x) {
          if (x === e) return undefined;
          inner.push(x);
          return false;
        },
      });
      const values = inner.map((x) => this.expr(x));
      return e.kind === "cast" ? values[0] : undefined;
    }
    return valueOf(e, this.known);
  }

  private call(e: Expr & { readonly kind: "call" }): Value | undefined {
    const values = e.args.map((arg) => this.expr(arg));
    const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
    const sym = callee.kind === "ident" ? callee.sym : undefined;
    const def = sym && (this.functions.get(sym) ?? this.functions.get(sym.name));
    for (const arg of e.args) {
      const target = arg.kind === "cast" ? arg.arg : arg;
      if (target.kind === "unary" && target.op === "&" && target.arg.kind === "ident")
        this.set(target.arg.sym, undefined);
    }
    if (sym?.name === "exit" || sym?.name === "abort") this.leave(undefined);
    if (!def || this.depth >= DEEPEST) return undefined;
    def.params.forEach((p, i) => {
      this.set(p, values[i]);
    });
    const [left, returned, uncertain] = [this.left, this.returned, this.uncertain];
    this.left = false;
    this.returned = undefined;
    this.uncertain = 0;
    this.depth++;
    this.stmt(def.body);
    this.depth--;
    const result = this.returned;
    this.left = left;
    this.returned = returned;
    this.uncertain = uncertain;
    return result;
  }

  private leave(value: Value | undefined): void {
    if (this.uncertain > 0) return;
    this.left = true;
    this.returned = value;
  }

  // ---------------------------------------------------------------- statements

  private maybe(code: readonly (Stmt | Expr)[]): void {
    this.uncertain++;
    const before = this.values;
    const after = code.map((c) => {
      this.values = new Map(before);
      if ("type" in c) this.expr(c);
      else this.stmt(c);
      return this.values;
    });
    this.uncertain--;
    this.values = new Map(
      [...before].filter(([key, value]) => after.every((values) => values.get(key) === value)),
    );
  }

  private stmt(s: Stmt): void {
    if (this.left || ++this.steps > LONGEST_WALK) return;
    switch (s.kind) {
      case "expr":
        if (s.expr) this.expr(s.expr);
        return;
      case "decl":
        for (const { sym, init } of s.decls)
          this.set(sym, init?.kind === "expr" ? this.expr(init.expr) : undefined);
        return;
      case "compound":
        for (const child of s.body) this.stmt(child);
        return;
      case "if": {
        const test = this.expr(s.test);
        if (typeof test === "number") return test !== 0 ? this.stmt(s.then) : s.else && this.stmt(s.else);
        const none: Stmt = { kind: "expr", span: s.span };
        this.maybe([s.then, s.else ?? none]);
        return;
      }
      case "for": {
        const header = this.header(s);
        if (header === undefined) {
          if (s.init?.kind === "decl") this.stmt(s.init);
          else if (s.init) this.expr(s.init);
          return this.repeated(s, s.body);
        }
        return this.counted(header, s.body, s);
      }
      case "while":
      case "do":
        return this.repeated(s, s.body);
      case "switch":
        this.forget(s.body);
        return this.maybe([s.body]);
      case "case":
      case "label":
        return this.stmt(s.body);
      case "return":
        return this.leave(s.value && this.expr(s.value));
      case "ext":
        return this.node(s);
      default:
        return;
    }
  }

  /** Of a loop that counts, also where its condition says something else besides that holds now. */
  private header(loop: ForStmt): LoopHeader | undefined {
    for (const [test, ...others] of tests(loop.test)) {
      const header = countedHeader({ ...loop, ...(test && { test }) });
      if (!("severity" in header) && others.every((e) => e && numberOf(e, this.known))) return header;
    }
    return undefined;
  }

  /** A loop whose iterations cannot be counted. */
  private repeated(s: Stmt, body: Stmt): void {
    this.forget(s);
    this.taking(`the loop at ${place(s.span.start)} is taken to run once`, 1, body);
    this.forget(s);
  }

  private counted(h: LoopHeader, body: Stmt, at: Stmt): void {
    const [lower, bound, step] = [h.lower, h.bound, h.step].map((e) => numberOf(e, this.known));
    this.forget(body);
    if (lower === undefined || bound === undefined || step === undefined) {
      this.set(h.var, undefined);
      this.taking(`the loop at ${place(at.span.start)} is taken to run once`, 1, body);
    } else {
      const trips = tripsBetween(lower, bound, step, h.relation);
      this.set(h.var, lower + (step * Math.max(0, trips - 1)) / 2);
      this.taking(undefined, trips, body);
    }
    this.forget(at);
    this.set(h.var, undefined);
  }

  private taking(assumption: string | undefined, times: number, body: Stmt): void {
    if (times === 0) return;
    const [count, assumed] = [this.count, this.assumed];
    this.count *= times;
    if (assumption !== undefined) this.assumed = [...assumed, assumption];
    this.uncertain++;
    this.stmt(body);
    this.uncertain--;
    this.count = count;
    this.assumed = assumed;
  }

  private node(s: Stmt & { readonly kind: "ext" }): void {
    const task = asNode(s, "task");
    if (!task) {
      for (const child of s.ext.shape.parts(s.ext).stmts) this.stmt(child);
      return;
    }
    const values = new Map<Symbol, number>();
    for (const [sym] of usesOf(task.body).of) {
      const value = this.known.value(sym);
      if (typeof value === "number") values.set(sym, value);
    }
    this.found.push({ region: task.region as string, count: this.count, values, assumed: this.assumed });
    this.forget(task.body);
  }
}

/** Each of the conditions that `&&` joins, before the others. */
function tests(e: Expr | undefined): readonly (readonly (Expr | undefined)[])[] {
  const parts = e ? conjuncts(e) : [undefined];
  return parts.map((part, i) => [part, ...parts.filter((_, k) => k !== i)]);
}

const conjuncts = (e: Expr): readonly Expr[] =>
  e.kind === "binary" && e.op === "&&" ? [...conjuncts(e.left), ...conjuncts(e.right)] : [e];

function hasEffects(e: Expr): boolean {
  let found = false;
  walkExpr(e, {
    expr(x) {
      if (x.kind === "assign" || x.kind === "incdec" || x.kind === "call") found = true;
      return !found;
    },
  });
  return found;
}
