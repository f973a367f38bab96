/**
 * An operator as a pipeline: its graph in stages that fit the clock. The scheduler places the registers, so that
 * the number of stages follows from the period and the device.
 */

import type { FloatOp, Value } from "../graph.ts";
import { withShortLifetimes } from "../lifetimes.ts";
import type { Process } from "../process.ts";
import { Ranges } from "../ranges.ts";
import type { Pipeline } from "../region.ts";
import { type Arc, type Operation, schedule } from "../schedule.ts";
import { type LogicTiming, type OperatorTiming, timingOf } from "../timing.ts";
import { analyseWidths, type Widths } from "../widths.ts";
import { type FloatOperator, nameOfOperator, type OperatorGraph, operatorGraph } from "./operator.ts";

export interface OperatorPipeline extends OperatorGraph {
  readonly name: string;
  readonly op: FloatOp;
  readonly widths: Widths;
  /** Cycles from operands to result. */
  readonly latency: number;
  readonly timing: OperatorTiming;
  readonly pipeline: Pipeline;
  readonly process: Process;
}

const made = new WeakMap<LogicTiming, Map<string, OperatorPipeline>>();

export function operatorPipeline(
  operator: FloatOperator,
  logic: LogicTiming,
  period: number,
): OperatorPipeline {
  const known = made.get(logic) ?? new Map<string, OperatorPipeline>();
  made.set(logic, known);
  const key = `${nameOfOperator(operator)} ${period}`;
  const found = known.get(key) ?? pipelined(operator, logic, period);
  known.set(key, found);
  return found;
}

function pipelined(operator: FloatOperator, logic: LogicTiming, period: number): OperatorPipeline {
  const whole = operatorGraph(operator);
  const { graph, inputs, output } = whole;
  const name = nameOfOperator(operator);
  const pipeline: Pipeline = { kind: "pipeline", name, graph, loc: { file: "", line: 0, col: 0 } };
  const region = { name, arguments: inputs, control: pipeline, notes: [] };
  const widths = analyseWidths(region, new Ranges(region), [output]);
  const values = graph.values.filter((v) => v.op !== "const" && widths.isNeeded(v));
  const number = new Map(values.map((v, k) => [v, k]));
  const operations = values.map(
    (v): Operation =>
      v.op === "read" ? { delay: 0, cycles: 0, at: 0 } : timingOf(v, (x) => widths.of(x), logic),
  );
  const arcs = values.flatMap((v, to) =>
    v.args.flatMap((a): Arc[] => {
      const from = number.get(a);
      return from === undefined ? [] : [{ from, to, distance: 0 }];
    }),
  );
  // Every stage begins and ends at a register.
  const problem = { operations, arcs, period: period - logic.register - logic.setup };
  const asap = schedule(problem, 1, 1);
  if (!asap) throw new Error(`no schedule for ${name}`);
  const bits = values.map((v) => widths.of(v).bits);
  const { cycles, offsets } = withShortLifetimes(problem, asap, bits);
  const end = (k: number) => (offsets[k] as number) + (operations[k] as Operation).delay;
  const result = graph.updates.get(output) as Value;
  const last = number.get(result);
  const latency = last === undefined ? 0 : (cycles[last] as number);
  const first = values.flatMap((_, k) => (cycles[k] === 0 ? [end(k)] : []));
  const times = new Map(values.map((v, k) => [v, cycles[k] as number]));
  return {
    ...whole,
    name,
    op: operator.op,
    widths,
    latency,
    timing: {
      delay: Math.max(0, ...first),
      cycles: latency,
      ...(latency > 0 && last !== undefined && { registered: logic.register + end(last) }),
    },
    pipeline,
    process: {
      level: 0,
      computes: true,
      values,
      inputs: [],
      operators: new Map(),
      requests: [],
      stores: [],
      sends: [],
      updates: new Map([[output, [{ holds: true, value: result }]]]),
      start: times,
      ready: times,
      when: new Map([[output, latency]]),
      delayed: new Map(),
      depth: latency,
    },
  };
}
