/**
 * State while code is built: the variables' values on this path, and where control may have left. Choices are
 * predicates: code after control has left is built nevertheless, but changes nothing.
 */
import { itemAt } from "../../../checked/access.ts";
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { Graph } from "../../dfg/graph.ts";
import { BIT, type Value, type Variable } from "../../dfg/value.ts";
import type { Line, Scope } from "../scope/scope.ts";

/** A construct that control may leave early. Each iteration, copy or call is a level of its own. */
interface Level {
  readonly kind: "loop" | "switch" | "function";
  /** One bit each: control has left this pass through the level; all further passes. */
  passed: Value;
  returned: Value;
  result?: Value;
}

/** A delay line after its step in this iteration: the newest values, lane by lane. */
export interface LineState {
  readonly line: Line;
  readonly lanes: readonly Value[];
  /** Registers of the places that the body writes: before an iteration they hold the values after the previous one. */
  readonly written: ReadonlyMap<number, Variable>;
}

/** Statements contain expressions and expressions contain statements: this interface connects the two modules. */
interface Code {
  statement(path: Path, s: Stmt, base: Value): void;
  value(path: Path, e: Expr, guard: Value, discarded: boolean): Value;
}

export class Path {
  readonly graph: Graph;
  readonly scope: Scope;
  readonly lines = new Map<Line, LineState>();
  readonly levels: Level[] = [];
  /** Local arrays bound to parameters of inlined functions. */
  readonly arrays = new Map<Symbol, Symbol>();
  /** How often partial results have taken turns in this block. */
  readonly steps = new Map<Variable, number>();
  /** Turn variables that are at their first place when an iteration starts. */
  readonly settled = new Set<Variable>();
  /** How many addresses of loads have been compared with those of stores before them. */
  comparisons = 0;
  /** The step of an unrolled loop happens in every copy, as its counter must stay constant. */
  ignoringExits = false;
  readonly yes: Value;
  readonly no: Value;
  private readonly code: Code;
  private current = new Map<Variable, Value | "undefined">();

  constructor(scope: Scope, code: Code) {
    this.scope = scope;
    this.code = code;
    this.graph = new Graph((a, b) => scope.pointers.mayAlias(a, b), scope.bounds);
    this.yes = this.graph.constant(1, BIT);
    this.no = this.graph.constant(0, BIT);
  }

  /** Builds a statement; `base`: one bit, whether control comes here, not considering levels that it left. */
  statement(s: Stmt, base: Value): void {
    this.code.statement(this, s, base);
  }

  /** The value of an expression, whose side effects happen only if `guard` holds. */
  value(e: Expr, guard: Value, discarded = false): Value {
    return this.code.value(this, e, guard, discarded);
  }

  // ---------------------------------------------------------------- variables

  set(variable: Variable, value: Value): void {
    this.current.set(variable, value);
    if (!this.graph.names.has(value)) this.graph.names.set(value, variable.name);
  }

  /** The variable is set before it is read again. */
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

  /** Records the variables' final values. */
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
    const level: Level = { kind, passed: this.no, returned: this.no };
    this.levels.push(level);
    return level;
  }

  leave(): void {
    this.levels.pop();
  }

  /** The innermost level of one of these kinds within the same function. */
  innermost(...kinds: readonly Level["kind"][]): Level | undefined {
    for (let k = this.levels.length - 1; k >= 0; k--) {
      const level = itemAt(this.levels, k);
      if (kinds.includes(level.kind)) return level;
      if (level.kind === "function") return undefined;
    }
    return undefined;
  }

  /** Whether `base` holds and control has not left. */
  effective(base: Value): Value {
    let guard = base;
    for (const level of this.levels) {
      guard = this.graph.and(guard, this.graph.not(level.passed));
      guard = this.graph.and(guard, this.graph.not(level.returned));
    }
    return guard;
  }

  /** Builds both sides of a choice with variables of their own; afterwards the test selects between them. */
  branch<T>(test: Value, then: () => T, otherwise: () => T): { then: T; otherwise: T } {
    const before = this.current;
    this.current = new Map(before);
    const a = then();
    const thenValues = this.current;
    this.current = new Map(before);
    const b = otherwise();
    const passed = this.current;
    for (const variable of new Set([...thenValues.keys(), ...passed.keys()])) {
      const [x, y] = [thenValues.get(variable), passed.get(variable)];
      if (x === y) continue;
      const valueOf = (v: Value | "undefined" | undefined) =>
        v === undefined || v === "undefined" ? this.graph.read(variable) : v;
      // On a path where it is not set yet, it is not read before it is set.
      const merged =
        y === "undefined" ? x : x === "undefined" ? y : this.graph.mux(test, valueOf(x), valueOf(y));
      if (merged) this.current.set(variable, merged);
      else this.current.delete(variable);
    }
    return { then: a, otherwise: b };
  }
}
