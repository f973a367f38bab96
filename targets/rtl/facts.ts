/** Facts about a design that are known before any tool runs, for reports. */

import type { HardwarePlan, Limit, ScheduledPipeline } from "../../core/hw/binding/process.ts";
import {
  cyclesPerIteration,
  fillAndDrain,
  knownCycles,
  repeated,
  tripsOf,
} from "../../core/hw/schedule/trips.ts";
import type { Loc } from "../../core/lang/tree/ast.ts";
import type { DesignFacts, LoopReport, SourceLine } from "../shared/kind/report.ts";
import { estimatedCells } from "./cell-estimate.ts";
import type { Design } from "./design/design.ts";
import { loopSchedule } from "./loop-schedule.ts";
import { lineOf, wordOf } from "./operation-words.ts";

/** The simulator's default memory. */
const memory = { latency: 4, apart: true };

export function factsOf({ plans, kernel }: Design): DesignFacts {
  const [only, ...more] = plans;
  // Kernels that run at the same time wait for each other: only a run shows how long.
  const cycles = only && more.length === 0 ? knownCycles(only, memory) : undefined;
  return {
    loops: plans.flatMap((plan) => [...loopsOf(plan), ...sequentialLoops(plan)]),
    ...(cycles !== undefined && { cycles }),
    cells: plans.reduce((sum, plan) => sum + estimatedCells(plan), 0),
    signals: [...kernel.locations].map(([signal, { file, line }]) => [signal, file, line] as const),
  };
}

function loopsOf(plan: HardwarePlan): readonly LoopReport[] {
  const repeatedPipelines = repeated(plan.region.control);
  const loops = plan.pipelines.filter(({ pipeline }) => pipeline.loop && !pipeline.fills);
  return loops.map((scheduled): LoopReport => {
    const { pipeline } = scheduled;
    const trips = tripsOf(pipeline);
    return {
      name: pipeline.name,
      pipelined: true,
      ii: cyclesPerIteration(plan, scheduled, memory),
      details: limitOf(scheduled),
      source: sourceLineOf(pipeline.loc),
      ...(trips !== undefined && { trips }),
      fill: fillAndDrain(plan, scheduled, memory),
      ...(repeatedPipelines.has(pipeline) && { repeated: true as const }),
      schedule: loopSchedule(scheduled),
    };
  });
}

/** Innermost loops whose iterations run one after the other. */
function sequentialLoops({ region }: HardwarePlan): readonly LoopReport[] {
  return region.notes.flatMap(({ message, loc, loop }): LoopReport[] =>
    loop === undefined
      ? []
      : [{ name: "", pipelined: false, source: sourceLineOf(loop), details: `${message}${lineOf(loc)}` }],
  );
}

const sourceLineOf = ({ file, line }: Loc): SourceLine => ({ file, line });

/** What prevents an iteration per cycle, with source lines. */
function limitOf({ ii, bounds, limit, pipeline }: ScheduledPipeline): string {
  const memory = pipeline.loop?.memory;
  if (memory && !memory.unlessApart) return `memory: ${memory.reason} (line ${memory.loc.line})`;
  if (ii === 1) return "an iteration per cycle";
  if (ii > Math.max(bounds.recurrence, bounds.resource) || !limit) return "the schedule";
  switch (limit.kind) {
    case "recurrence":
      return `recurrence: ${wayOf(limit)}`;
    case "port":
      return `one port: ${wayOf(limit)}`;
    case "operators":
      return `operators: ${turnsOf(limit)}`;
  }
}

/** The steps of a recurrence with lines, and how often each occurs. */
function wayOf({ through }: Limit): string {
  const words = through.map((event) => wordOf(event)).filter((word) => word !== "");
  const steps = words.filter((word, k) => word !== words[k - 1]);
  // The path is a cycle: its end sets what its start reads.
  if (steps.length > 1 && steps.at(-1) === steps[0]) steps.pop();
  const counts = new Map<string, number>();
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1);
  return [...counts].map(([step, n]) => (n > 1 ? `${step} x ${n}` : step)).join(", ");
}

/** `fadd x 9 on 1 (lines 12, 14)` */
function turnsOf({ through, units }: Limit): string {
  const [first] = through;
  const name = first && "op" in first ? first.op : "";
  const lines = [...new Set(through.map((event) => ("loc" in event ? (event.loc?.line ?? 0) : 0)))];
  const knownLines = lines.filter((line) => line > 0).sort((a, b) => a - b);
  const lineText =
    knownLines.length > 0 ? ` (line${knownLines.length > 1 ? "s" : ""} ${knownLines.join(", ")})` : "";
  return `${name} x ${through.length} on ${units}${lineText}`;
}
