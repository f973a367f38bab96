/**
 * What the code that is being built has done so far: the variables' values on this path, and where control may
 * have left. Choices are predicates: code that control has left is built all the same, and changes nothing.
 */
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { BIT, Graph, type Value, type Variable } from "../../dfg/graph.ts";
import type { Line, Scope } from "../scope/scope.ts";

/** A construct that control may leave early: its iterations, copies or calls are separate levels. */
export interface Level {
  readonly kind: "loop" | "switch" | "function";
  /** One bit each: control has left this pass through the level; and all passes to come. */
  passed: Value;
  ended: Value;
  result?: Value;
}

/** What a delay line holds after its step in this iteration: the newest values, lane by lane. */
export interface LineState {
  readonly line: Line;
  readonly lanes: readonly Value[];
  /** Registers of the places that the body writes: before an iteration they hold what they held after the last. */
  readonly written: ReadonlyMap<number, Variable>;
}

/** Statements hold expressions, and expressions statements: the two meet here. */
export interface Code {
  statement(path: Path, s: Stmt, base: Value): void;
  value(path: Path, e: Expr, guard: Value, discarded: boolean): Value;
}

export class Path {
  readonly graph: Graph;
  readonly scope: Scope;
  readonly lines = new Map<Line, LineState>();
  readonly levels: Level[] = [];
  /** Local arrays that parameters of inlined functions stand for. */
  readonly arrays = new Map<Symbol, Symbol>();
  /** How often partial results have taken turns in this block. */
  readonly steps = new Map<Variable, number>();
  /** Those that stand at their first place when an iteration starts. */
  readonly settled = new Set<Variable>();
  /** The step of an unrolled loop happens in every copy: its counter must stay constant. */
  ignoringExits = false;
  readonly yes: Value;
  readonly no: Value;
  private readonly code: Code;
  private current = new Map<Variable, Value | "undefined">();

  constructor(scope: Scope, code: Code) {
    this.scope = scope;
    this.code = code;
    this.graph = new Graph((a, b) => scope.pointers.mayAlias(a, b));
    this.yes = this.graph.constant(1, BIT);
    this.no = this.graph.constant(0, BIT);
  }

  /** Builds a statement; `base`: one bit, whether control comes here, levels left aside. */
  statement(s: Stmt, base: Value): void {
    this.code.statement(this, s, base);
  }

  /** The value of an expression, whose effects happen where `guard` holds. */
  value(e: Expr, guard: Value, discarded = false): Value {
    return this.code.value(this, e, guard, discarded);
  }

  // ---------------------------------------------------------------- variables

  set(variable: Variable, value: Value): void {
    this.current.set(variable, value);
    if (!this.graph.names.has(value)) this.graph.names.set(value, variable.name);
  }

  /** No one reads the variable before it is set. */
  forget(variable: Variable): void {
    this.current.set(variable, "undefined");
  }

  isForgotten(variable: Variable): boolean {
    return this.current.get(variable) === "undefined";
  }

  get(variable: Variable): Value {
    const value = this.current.get(variable);
    return value === undefined || value === "undefined" ? this.graph.read(variable) : value;
  }

  /** Settles what the variables are afterwards. */
  finish(): Graph {
    for (const [variable, value] of this.current) {
      if (value === "undefined" || (value.op === "read" && value.variable === variable))
        this.graph.updates.delete(variable);
      else this.graph.updates.set(variable, value);
    }
    return this.graph;
  }

  // ---------------------------------------------------------------- control

  enter(kind: Level["kind"]): Level {
    const level: Level = { kind, passed: this.no, ended: this.no };
    this.levels.push(level);
    return level;
  }

  leave(): void {
    this.levels.pop();
  }

  /** The level of one of these kinds that control is in, within the same function. */
  innermost(...kinds: readonly Level["kind"][]): Level | undefined {
    for (let k = this.levels.length - 1; k >= 0; k--) {
      const level = this.levels[k] as Level;
      if (kinds.includes(level.kind)) return level;
      if (level.kind === "function") return undefined;
    }
    return undefined;
  }

  /** `base`, and control has not left. */
  effective(base: Value): Value {
    let guard = base;
    for (const level of this.levels) {
      guard = this.graph.and(guard, this.graph.not(level.passed));
      guard = this.graph.and(guard, this.graph.not(level.ended));
    }
    return guard;
  }

  /** Both ways of a choice, each on variables of its own; afterwards the test chooses between them. */
  branch<T>(test: Value, then: () => T, otherwise: () => T): { then: T; otherwise: T } {
    const before = this.current;
    this.current = new Map(before);
    const a = then();
    const taken = this.current;
    this.current = new Map(before);
    const b = otherwise();
    const passed = this.current;
    for (const variable of new Set([...taken.keys(), ...passed.keys()])) {
      const [x, y] = [taken.get(variable), passed.get(variable)];
      if (x === y) continue;
      const here = (v: Value | "undefined" | undefined) =>
        v === undefined || v === "undefined" ? this.graph.read(variable) : v;
      // A path on which it is not set yet is one on which no one reads it.
      const merged = y === "undefined" ? x : x === "undefined" ? y : this.graph.mux(test, here(x), here(y));
      if (merged) this.current.set(variable, merged);
      else this.current.delete(variable);
    }
    return { then: a, otherwise: b };
  }
}
