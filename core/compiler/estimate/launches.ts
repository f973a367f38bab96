/**
 * How often a program launches its regions, and with which sizes: interprets the host code from `main` with a run's
 * command-line arguments. Values are followed if they are plain scalars; a loop is interpreted once for all its
 * iterations, with its variable at the average. Assumptions are reported.
 */

import { usesOf } from "../../ir/analysis/access.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { hasEffects } from "../../ir/analysis/purity.ts";
import { asNode } from "../../ir/model/ir.ts";
import type { Program } from "../../ir/model/program.ts";
import { regionName } from "../../ir/model/region.ts";
import { isArray, walkExpr } from "../../lang/index.ts";
import type { Expr, ForStmt, FunctionDef, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { binary, ident, intLit } from "../../lang/tree/build.ts";
import { commandLine, converted, type Known, numberOf, type Value, valueOf } from "./numbers.ts";

export interface Launch {
  readonly region: string;
  readonly count: number;
  readonly values: ReadonlyMap<Symbol, number>;
  /** What was unknown, and what was assumed instead. */
  readonly assumed: readonly string[];
}

/** How many statements are interpreted before giving up. */
const LONGEST_WALK = 100_000;
const DEEPEST = 64;

/** Launches in the order of their first one. `args`: the run's arguments, without the program's name. */
export function launchesOf(programs: readonly Program[], args: readonly string[]): readonly Launch[] {
  return new Walk(programs).run(args);
}

const lineOf = (loc: Loc): string => `${loc.file}:${loc.line}`;

class Walk {
  /** By symbol, and by name for those that another unit can call. */
  private readonly functions = new Map<Symbol | string, FunctionDef>();
  private readonly programs: readonly Program[];
  /** Variables that what a pointer leads to may be. */
  private readonly pointed = new Set<Symbol>();
  private readonly found: Launch[] = [];
  private values = new Map<Symbol | string, Value>();
  private count = 1;
  private assumed: readonly string[] = [];
  private steps = 0;
  private depth = 0;
  /** Number of enclosing constructs that may not be executed: their effect on control flow is uncertain. */
  private uncertain = 0;
  private left = false;
  private returned: Value | undefined;

  constructor(programs: readonly Program[]) {
    this.programs = programs;
    for (const { unit } of programs)
      for (const e of unit.externals)
        if (e.kind === "function") {
          this.functions.set(e.sym, e);
          for (const [sym, use] of usesOf(e.body).of) if (use.addressTaken) this.pointed.add(sym);
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

  /** Forgets the values of variables that `code` may change. */
  private forget(...code: (Stmt | Expr)[]): void {
    for (const [sym, use] of usesOf(...code).of)
      if (use.written || use.addressTaken) this.set(sym, undefined);
  }

  // ---------------------------------------------------------------- expressions

  /** Executes side effects and returns the value. */
  private expr(e: Expr): Value | undefined {
    switch (e.kind) {
      case "assign": {
        const right = this.expr(e.right);
        const left = e.left;
        if (left.kind !== "ident") {
          if (!isInArray(left)) for (const sym of this.pointed) this.set(sym, undefined);
          return right;
        }
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
        if (typeof test === "number")
          return test === 0 ? this.expr(e.else) : e.then ? this.expr(e.then) : test;
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
      return e.kind === "cast" ? converted(values[0], e.type) : undefined;
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
        const counted = this.counted(s);
        if (counted) return this.taking(undefined, counted.trips, s, counted);
        if (s.init?.kind === "decl") this.stmt(s.init);
        else if (s.init) this.expr(s.init);
        return this.repeated(s);
      }
      case "while":
      case "do":
        return this.repeated(s);
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

  /** A loop whose iterations cannot be counted. */
  private repeated(s: RepeatedStmt): void {
    this.taking(`the loop at ${lineOf(s.span.start)} is taken to run once`, 1, s);
  }

  /**
   * Trip count of a loop whose variable starts at a known value and has a constant step: until its condition, of any
   * form, is first false.
   */
  private counted(loop: ForStmt): Counted | undefined {
    const variable = variableOf(loop);
    if (!variable || !loop.test) return undefined;
    // Only the start and the step matter here; the condition may have any form.
    const header = countedHeader({ ...loop, test: binary("<", ident(variable), intLit(0)) });
    if ("severity" in header) return undefined;
    const [lower, step] = [header.lower, header.step].map((e) => numberOf(e, this.known));
    const before = new Map(this.values);
    this.forget(loop.body);
    const { test } = loop;
    const holds = (trip: number): boolean | undefined => {
      this.set(variable, (lower as number) + trip * (step as number));
      const value = numberOf(test, this.known);
      return value === undefined ? undefined : value !== 0;
    };
    const use = usesOf(loop.body).of.get(variable);
    const writes = use?.written || use?.addressTaken;
    const trips =
      lower === undefined || step === undefined || step === 0 || writes ? undefined : firstFalse(holds);
    this.values = before;
    return trips === undefined
      ? undefined
      : { variable, trips, average: (lower as number) + ((step as number) * Math.max(0, trips - 1)) / 2 };
  }

  private taking(assumption: string | undefined, times: number, loop: RepeatedStmt, counted?: Counted): void {
    this.forget(loop);
    if (times > 0) {
      const [count, assumed] = [this.count, this.assumed];
      this.count *= times;
      if (assumption !== undefined) this.assumed = [...assumed, assumption];
      if (counted) this.set(counted.variable, counted.average);
      this.uncertain++;
      this.stmt(loop.body);
      this.uncertain--;
      this.count = count;
      this.assumed = assumed;
    }
    this.forget(loop);
    if (counted) this.set(counted.variable, undefined);
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
    this.found.push({ region: regionName(task), count: this.count, values, assumed: this.assumed });
    this.forget(task.body);
  }
}

type RepeatedStmt = Stmt & { readonly kind: "for" | "while" | "do" };

/** An element of an array's own memory, or a member of a variable: nothing that a pointer leads to. */
function isInArray(e: Expr): boolean {
  if (e.kind === "member") return !e.arrow && isInArray(e.base);
  if (e.kind === "index") return isArray(e.base.type) && isInArray(e.base);
  return e.kind === "ident" || (e.kind === "cast" && isInArray(e.arg));
}

interface Counted {
  readonly variable: Symbol;
  readonly trips: number;
  /** Average of the variable over all iterations. */
  readonly average: number;
}

function variableOf({ init }: ForStmt): Symbol | undefined {
  if (init?.kind === "decl") return init.decls.length === 1 ? init.decls[0]?.sym : undefined;
  return init?.kind === "assign" && init.left.kind === "ident" ? init.left.sym : undefined;
}

/** Longer loops are considered endless. */
const LONGEST_LOOP = 2 ** 50;

/** The first number from 0 on for which `holds` is false, assuming that it stays false. */
function firstFalse(holds: (n: number) => boolean | undefined): number | undefined {
  let high = 0;
  for (; ; high = 2 * high + 1) {
    const now = holds(high);
    if (now === undefined || high > LONGEST_LOOP) return undefined;
    if (!now) break;
  }
  let low = high === 0 ? 0 : (high - 1) / 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
