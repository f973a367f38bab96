/**
 * Rough estimate of a design's lookup tables and flip-flops: one lookup table per bit of an operation, one flip-flop
 * per bit and cycle that a value waits. It orders designs by size before any tool runs; logic optimisation is not
 * considered.
 */
import type { HardwarePlan, Process } from "../../core/hw/binding/process.ts";
import type { Value } from "../../core/hw/dfg/value.ts";
import type { Widths } from "../../core/hw/dfg/widths.ts";

/** Cells of a memory port: its address counter, and its queue's counters and words. */
const PORT = 130;

export function estimatedCells({ pipelines, widths }: HardwarePlan): number {
  const circuits = new Set<object>();
  let cells = 0;
  for (const { processes } of pipelines)
    for (const process of processes) {
      cells += PORT * (process.requests.length + process.stores.length);
      for (const value of process.values) {
        const use = process.operators.get(value);
        if (use === undefined) cells += logicOf(value, widths);
        else if (use.unit === undefined || !circuits.has(use.operator)) {
          circuits.add(use.operator);
          if ("process" in use.operator)
            for (const inner of use.operator.process.values) cells += logicOf(inner, use.operator.widths);
          else cells += widths.of(value).bits ** 2;
        }
      }
      cells += waiting(process, widths);
    }
  return Math.round(cells);
}

function logicOf(value: Value, widths: Widths): number {
  const { bits } = widths.of(value);
  const operand = Math.max(0, ...value.args.map((arg) => widths.of(arg).bits));
  const [, second] = value.args;
  switch (value.op) {
    case "add":
    case "sub":
    case "mux":
    case "and":
    case "or":
    case "xor":
      return bits;
    case "lt":
    case "eq":
      return operand;
    case "mul":
      return bits * operand;
    case "div":
    case "rem":
      return bits * operand;
    case "shl":
    case "shr":
      return second?.op === "const" ? 0 : bits * Math.ceil(Math.log2(operand + 1));
    default:
      return 0;
  }
}

/** Bits kept in registers until their last use. */
function waiting({ values, inputs, start, ready, when, stores, updates }: Process, widths: Widths): number {
  const last = new Map<Value, number>();
  const use = (value: Value | undefined, cycle: number | undefined): void => {
    if (value !== undefined && cycle !== undefined) last.set(value, Math.max(last.get(value) ?? 0, cycle));
  };
  for (const value of values) for (const arg of value.args) use(arg, start.get(value));
  for (const port of stores)
    for (const store of port.stores)
      for (const value of [store.address, store.data, store.guard]) use(value, when.get(store));
  let bits = 0;
  for (const [variable, cases] of updates) {
    bits += variable.shape.bits;
    for (const { guard, value } of cases) {
      use(value, when.get(variable));
      use(guard, when.get(variable));
    }
  }
  for (const [value, cycle] of last) {
    if (value.op === "const") continue;
    const from = ready.get(value) ?? (inputs.includes(value) ? 0 : cycle);
    bits += Math.max(0, cycle - from) * widths.of(value).bits;
  }
  return bits;
}
