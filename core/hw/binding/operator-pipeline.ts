/**
 * An operator as a pipeline: its graph is divided into stages that fit the clock. The scheduler places the registers,
 * so that the number of stages follows from the clock period and the device.
 */

import { entryOf, itemAt } from "../../checked/access.ts";
import { Ranges } from "../dfg/ranges.ts";
import { type Pipeline, SHORT_ADDRESS } from "../dfg/region.ts";
import { analyseWidths } from "../dfg/widths.ts";
import type { Arc, Operation } from "../modulo/constraints.ts";
import { withShortLifetimes } from "../modulo/register-minimisation.ts";
import { schedule } from "../modulo/schedule.ts";
import type { OperatorKind } from "../operators/lowering.ts";
import {
  type FloatOperator,
  nameOfOperator,
  type OperatorGraph,
  operatorGraph,
} from "../operators/operator.ts";
import { type LogicTiming, timingOf } from "../operators/timing.ts";
import type { OperatorPipeline } from "./process.ts";

const pipelines = new WeakMap<LogicTiming, Map<string, OperatorPipeline>>();

/** `choice`: levels of lookup tables in front of its inputs that select the operands of one of several users. */
export function operatorPipeline(
  operator: FloatOperator,
  logic: LogicTiming,
  period: number,
  choice = 0,
): OperatorPipeline {
  const known = pipelines.get(logic) ?? new Map<string, OperatorPipeline>();
  pipelines.set(logic, known);
  const name = `${nameOfOperator(operator)}${choice > 0 ? `_after${choice}` : ""}`;
  const key = `${name} ${period}`;
  const makePipeline = () => {
    const rows = pipelined(operatorGraph(operator), operator.op, name, logic, { period, choice });
    return isMultiplied(operator, logic) ? multiplied(rows, operator, logic, choice) : rows;
  };
  const pipeline = known.get(key) ?? makePipeline();
  known.set(key, pipeline);
  return pipeline;
}

/** Products with constants consist of few rows and need no multiplier. */
function isMultiplied({ op, from, second = from, constants }: FloatOperator, logic: LogicTiming): boolean {
  const most = Math.max(from.bits, second.bits);
  return op === "mul" && constants.every((c) => c === undefined) && most <= (logic.multiplier ?? 0);
}

/**
 * Uses a multiplier of the part. Its factors wait in registers and its result ends in one, so the clock period around
 * it is not shared with other logic.
 */
function multiplied(
  rows: OperatorPipeline,
  { from, second = from }: FloatOperator,
  logic: LogicTiming,
  choice: number,
): OperatorPipeline {
  const latency = 2;
  const timing = { delay: choice * logic.lut, cycles: latency, registered: logic.register };
  return { ...rows, latency, timing, multiplier: [from.signed, second.signed] };
}

function pipelined(
  operatorGraph: OperatorGraph,
  op: OperatorKind,
  name: string,
  logic: LogicTiming,
  { period, choice }: { readonly period: number; readonly choice: number },
): OperatorPipeline {
  const { graph, inputs, output } = operatorGraph;
  const pipeline: Pipeline = { kind: "pipeline", name, graph, loc: { file: "", line: 0, col: 0 } };
  const region = { name, arguments: inputs, control: pipeline, notes: [], addressBits: SHORT_ADDRESS };
  const widths = analyseWidths(region, new Ranges(region), [output]);
  const values = graph.values.filter((v) => v.op !== "const" && widths.isNeeded(v));
  const number = new Map(values.map((v, k) => [v, k]));
  const arcs = values.flatMap((v, to) =>
    v.args.flatMap((a): Arc[] => {
      const from = number.get(a);
      return from === undefined ? [] : [{ from, to, distance: 0 }];
    }),
  );
  const bits = values.map((v) => widths.of(v).bits);
  /** Divides the operator into stages; with `apart`, the first stage only selects the operands. */
  const staged = (apart: boolean) => {
    const read: Operation = apart
      ? { delay: 0, cycles: 1, at: 0, registered: 0 }
      : { delay: choice * logic.lut, cycles: 0, at: 0 };
    const operations = values.map((v) => (v.op === "read" ? read : timingOf(v, (x) => widths.of(x), logic)));
    // Every stage begins and ends at a register.
    const problem = { operations, arcs, period: period - logic.register - logic.setup };
    const asap = schedule(problem, 1, 1);
    if (!asap) throw new Error(`no schedule for ${name}`);
    return { operations, ...withShortLifetimes(problem, asap, bits) };
  };
  const result = entryOf(graph.updates, output);
  const last = number.get(result);
  const latencyOf = (cycles: readonly number[]) => (last === undefined ? 0 : itemAt(cycles, last));
  const first = staged(false);
  // Without a register inside, results would lead back to operands through combinational logic.
  const { operations, cycles, offsets } = choice > 0 && latencyOf(first.cycles) === 0 ? staged(true) : first;
  const latency = latencyOf(cycles);
  const end = (k: number) => itemAt(offsets, k) + itemAt(operations, k).delay;
  const atOnce = values.flatMap((_, k) => (cycles[k] === 0 ? [end(k)] : []));
  const times = new Map(values.map((v, k) => [v, itemAt(cycles, k)]));
  return {
    ...operatorGraph,
    name,
    op,
    widths,
    latency,
    timing: {
      delay: Math.max(0, ...atOnce),
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
      writes: [],
      copies: new Map(),
      sends: [],
      updates: new Map([[output, [{ holds: true, value: result }]]]),
      start: times,
      ready: times,
      when: new Map([[output, latency]]),
      slack: new Map(),
      delayed: new Map(),
      depth: latency,
    },
  };
}
