/**
 * Binding: which circuit computes a large operation, one of its own or a shared one. Operations of a loop take turns on
 * a given number of circuits: each cycle of the interval feeds the operands of another one. Pipelines of which only one
 * runs at a time share their large circuits.
 */

import type { Pipeline } from "../dfg/region.ts";
import type { BinaryOperation, Value } from "../dfg/value.ts";
import type { Widths } from "../dfg/widths.ts";
import { dividerFor, type IntegerOperator, multiplierFor, timingOfInteger } from "../operators/integer.ts";
import { isElementary } from "../operators/lowering.ts";
import { type FloatOperator, nameOfOperator, operatorOf } from "../operators/operator.ts";
import type { LogicTiming, OperatorTiming } from "../operators/timing.ts";
import { operatorPipeline } from "./operator-pipeline.ts";
import type { OperatorPipeline } from "./process.ts";

/**
 * Operators that take more cells than the selection of their operands. `function`: all elementary functions; `mul` and
 * `div`: of integers, including remainders.
 */
type Shareable = "fadd" | "fmul" | "fdiv" | "fsqrt" | "function" | "mul" | "div";

/** Number of circuits of an operator that a loop's operations share; absent: each operation has its own. */
export type Units = Readonly<Partial<Record<Shareable, number>>>;

interface Circuit {
  readonly operator: OperatorPipeline | IntegerOperator;
  readonly timing: OperatorTiming;
  /** Set if operations of a loop share this many circuits; `resource` is their name in the reservation table. */
  readonly shared?: { readonly resource: string; readonly units: number };
  /** Shared with other pipelines: one operation of each uses it. */
  readonly across?: true;
}

/** Inputs of the choice of circuits, besides the operations. */
interface CircuitContext {
  readonly widths: Widths;
  readonly logic: LogicTiming;
  /** In nanoseconds. */
  readonly period: number;
  /** Subnormal numbers are treated as 0. */
  readonly flush: boolean;
}

export function shareable(op: Value["op"]): Shareable | undefined {
  switch (op) {
    case "fadd":
    case "fmul":
    case "fdiv":
    case "fsqrt":
    case "mul":
    case "div":
      return op;
    case "xdiv":
      return "fdiv";
    case "xsqrt":
      return "fsqrt";
    case "rem":
      return "div";
    default:
      return isElementary(op) ? "function" : undefined;
  }
}

/**
 * The circuit of each operation in pipelines that run one after the other; undefined for values that have none, and for
 * integer operations with circuits of their own.
 */
export class Circuits {
  private readonly context: CircuitContext;
  private readonly units: Units;
  private readonly freeSharing: ReadonlyMap<Value, number>;
  /** Names of the operators that several pipelines have. */
  private readonly across: ReadonlySet<string>;
  /** By name of a shared operator: the number of operations that its busiest circuit serves. */
  private readonly users = new Map<string, number>();
  private readonly integers: ReadonlyMap<"mul" | "div", FloatOperator | IntegerOperator>;

  /** `freeSharing`: additional operations that take turns with equal operators in their loop, on this many circuits. */
  constructor(
    pipelines: readonly Pipeline[],
    context: CircuitContext,
    units: Units,
    freeSharing: ReadonlyMap<Value, number>,
  ) {
    this.context = context;
    this.units = units;
    this.freeSharing = freeSharing;
    this.integers = this.integersOf(pipelines);
    const names: string[] = [];
    for (const { graph } of pipelines) {
      const counts = new Map<string, { readonly most: number; n: number }>();
      const unshared = new Set<string>();
      for (const value of graph.values) {
        if (shareable(value.op) === undefined || !context.widths.isNeeded(value)) continue;
        const limited = this.limited(value);
        const operator = this.operatorOf(value);
        if (limited === undefined && operator && operator.op !== "mul")
          unshared.add(nameOfOperator(operator));
        else if (limited !== undefined) {
          const name = nameOf(limited.operator);
          const count = counts.get(name) ?? { most: limited.most, n: 0 };
          count.n++;
          counts.set(name, count);
        }
      }
      names.push(...unshared);
      for (const [name, { most, n }] of counts)
        this.users.set(name, (this.users.get(name) ?? 0) + Math.ceil(n / most));
    }
    this.across = new Set(names.filter((name, k) => names.indexOf(name) !== k));
  }

  /** `alone`: the operation cannot share, because it cannot be delayed. */
  of(value: Value, alone: boolean): Circuit | undefined {
    const limited = alone ? undefined : this.limited(value);
    const users = limited === undefined ? 0 : (this.users.get(nameOf(limited.operator)) ?? 0);
    if (limited !== undefined && users > 1) return this.shared(limited, users);
    const operator = this.operatorOf(value);
    if (!operator) return undefined;
    const { logic, period } = this.context;
    const pipeline = operatorPipeline(operator, logic, period);
    if (alone || !this.across.has(pipeline.name)) return { operator: pipeline, timing: pipeline.timing };
    // The selection between the operands of several pipelines comes first.
    const timing = { ...pipeline.timing, delay: pipeline.timing.delay + logic.lut };
    return { operator: pipeline, timing, across: true };
  }

  private shared({ operator, most }: Limited, users: number): Circuit {
    const { logic, period } = this.context;
    const choice = levelsOfChoice(users, logic);
    if ("latency" in operator) {
      const timing = timingOfInteger(operator, choice, logic);
      return { operator, timing, shared: { resource: operator.name, units: most } };
    }
    const pipeline = operatorPipeline(operator, logic, period, choice);
    return { operator: pipeline, timing: pipeline.timing, shared: { resource: pipeline.name, units: most } };
  }

  /** The circuit that an operation shares with others of its loop; undefined if it has its own. */
  private limited(value: Value): Limited | undefined {
    const kind = shareable(value.op);
    if (kind === undefined) return undefined;
    const requested = this.units[kind];
    if (kind === "mul" || kind === "div") {
      const operator = this.integers.get(kind);
      return requested === undefined || operator === undefined ? undefined : { operator, most: requested };
    }
    const operator = this.operatorOf(value) as FloatOperator;
    if (requested !== undefined) return { operator: general(operator), most: requested };
    const most = this.freeSharing.get(value);
    return most === undefined ? undefined : { operator, most };
  }

  /** Integer operators wide enough for all operations. */
  private integersOf(
    pipelines: readonly Pipeline[],
  ): ReadonlyMap<"mul" | "div", FloatOperator | IntegerOperator> {
    const { widths } = this.context;
    const values = pipelines.flatMap(({ graph }) => graph.values).filter((v) => widths.isNeeded(v));
    const of = (kind: "mul" | "div") => values.filter((v): v is BinaryOperation => shareable(v.op) === kind);
    const operators = new Map<"mul" | "div", FloatOperator | IntegerOperator>();
    const shapeOf = (v: Value) => widths.of(v);
    if (of("mul").length > 0) operators.set("mul", multiplierFor(of("mul"), shapeOf));
    if (of("div").length > 0) operators.set("div", dividerFor(of("div"), shapeOf));
    return operators;
  }

  private operatorOf(value: Value): FloatOperator | undefined {
    return operatorOf(value, (v) => this.context.widths.of(v), this.context.flush);
  }
}

interface Limited {
  readonly operator: FloatOperator | IntegerOperator;
  readonly most: number;
}

const nameOf = (operator: FloatOperator | IntegerOperator): string =>
  "latency" in operator ? operator.name : nameOfOperator(operator);

/** The operator for any operands, not specialised to constants. */
const general = (operator: FloatOperator): FloatOperator => ({
  ...operator,
  constants: operator.constants.map(() => undefined),
});

/** Levels of lookup tables in a one-hot multiplexer for the operands of several operations. */
function levelsOfChoice(operations: number, { inputs }: LogicTiming): number {
  if (operations <= 2) return 1;
  const pairs = Math.ceil(operations / 2);
  return 1 + Math.max(1, Math.ceil(Math.log(pairs) / Math.log(inputs)));
}
