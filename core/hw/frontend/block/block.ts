/**
 * Translates C statements to one dataflow graph. Choices become predicates and multiplexers, small loops with constant
 * trip counts are unrolled, calls are inlined. Code that cannot be one graph throws `NotStraight`.
 */
import type { Accumulate } from "../../../ir/model/idioms.ts";
import type { Expr, Stmt } from "../../../lang/tree/ast.ts";
import type { Graph } from "../../dfg/graph.ts";
import { BIT, type Value, type Variable } from "../../dfg/value.ts";
import type { Scope } from "../scope/scope.ts";
import { endTurn, takeTurn } from "./accumulators.ts";
import { effect } from "./assignments.ts";
import { truth } from "./conversions.ts";
import { value } from "./expressions.ts";
import { Path } from "./path.ts";
import { statement } from "./statements.ts";

export class Block {
  readonly graph: Graph;
  /** After `iteration`: one bit, whether a `break` has ended the loop. */
  returned: Value;
  /** After `iteration`: only its condition ends the loop. */
  complete = true;
  private readonly path: Path;

  constructor(scope: Scope) {
    this.path = new Path(scope, { statement, value });
    this.graph = this.path.graph;
    this.returned = this.graph.constant(0, BIT);
  }

  /** Straight-line code. */
  straight(statements: readonly Stmt[]): this {
    for (const s of statements) this.path.statement(s, this.path.yes);
    return this;
  }

  /**
   * One iteration of a loop: the body `copies` times, each but the first only while `more` holds. If `counter`, a copy
   * implies those before it. `stepsOn`: every copy executes the loop's step, since the counter is not used after the
   * loop.
   */
  iteration(
    body: Stmt,
    step: Expr | undefined,
    copies: number,
    more: (copy: number) => Value,
    counter?: { readonly stepsOn: boolean },
  ): void {
    const { path, graph } = this;
    const level = path.enter("loop");
    let byCount = path.no;
    for (let k = 0; k < copies; k++) {
      level.passed = path.no;
      if (k > 0) {
        const over = graph.not(more(k));
        const only = counter && level.returned === byCount;
        byCount = only ? over : graph.or(byCount, over);
        level.returned = only ? over : graph.or(level.returned, over);
      }
      path.statement(body, path.yes);
      level.passed = path.no;
      if (step) effect(path, step, path.yes, counter?.stepsOn);
    }
    this.returned = level.returned;
    this.complete = level.returned === byCount;
    path.leave();
  }

  /** What comes before or after the body of a step of partial results that is not one graph. */
  turn(step: Accumulate, part: "start" | "end"): this {
    if (part === "start") takeTurn(this.path, step);
    else endTurn(this.path, step, this.path.yes);
    this.graph.distances.clear();
    return this;
  }

  /** At the start of each iteration it is the turn of the first partial result. */
  settle(selectors: readonly Variable[]): void {
    for (const selector of selectors) this.path.settled.add(selector);
  }

  /** The value of a condition for the present variables. */
  test(test: Expr): Value {
    return truth(this.path, test, this.path.yes);
  }

  /** The present value of an expression. */
  now(e: Expr): Value {
    return this.path.value(e, this.path.yes);
  }

  set(variable: Variable, value: Value): void {
    this.path.set(variable, value);
  }

  get(variable: Variable): Value {
    return this.path.get(variable);
  }

  /** Records the variables' final values. */
  finish(): Graph {
    return this.path.finish();
  }
}
