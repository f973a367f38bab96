/** Cycles that a design takes under an ideal memory, from its schedule and what it ran. */
import type { Value } from "./graph.ts";
import type { HardwarePlan, Process, ScheduledPipeline } from "./process.ts";

/** Answers every port in every cycle, each command so many cycles after it was taken. */
export interface IdealMemory {
  readonly latency: number;
}

export interface PipelineRun {
  /** Index into the plan's pipelines. */
  readonly pipeline: number;
  readonly iterations: number;
  /** Whether a load asked memory at all, where it may not. */
  readonly loads: (load: Value) => boolean;
}

/** Cycles from the cycle of `start` to that of `done`. */
export function predictCycles(plan: HardwarePlan, runs: readonly PipelineRun[], memory: IdealMemory): number {
  const each = runs.map((run) =>
    pipelineCycles(plan.pipelines[run.pipeline] as ScheduledPipeline, run, memory),
  );
  return 1 + each.reduce((sum, cycles) => sum + cycles, 0);
}

/** From the cycle in which a pipeline starts to the one in which the next may. */
function pipelineCycles(
  { pipeline, processes, ii }: ScheduledPipeline,
  { iterations, loads }: PipelineRun,
  { latency }: IdealMemory,
): number {
  if (iterations === 0) return 3;
  const last = processes.at(-1) as Process;
  // When the first iteration enters each process, counted from the start.
  const arrival = new Map<Value, number>();
  const { streams } = pipeline.graph;
  let entered = 1;
  let held = 0;
  for (const process of processes) {
    entered = Math.max(1, ...process.inputs.flatMap((load) => arrival.get(load) ?? []));
    for (const load of process.inputs) {
      // The port asks in the cycle after it is told where to start.
      const stream = streams.get(load);
      if (stream && (stream.first ?? 0) < iterations)
        held = Math.max(held, 2 + latency + 2 - (entered + ii * (stream.first ?? 0)));
    }
    for (const load of process.requests) {
      const asked = entered + (process.when.get(load) as number);
      // Its order is known a cycle after it was asked, its data after the queue, the memory and the FIFO.
      arrival.set(load, loads(load) ? asked + 1 + latency + 2 : asked + 1);
    }
  }
  // Iterations that need what others store enter in groups; a group starts when the last one has settled.
  const group = pipeline.loop?.memory?.distance ?? iterations;
  const before = Math.ceil(iterations / group) - 1;
  const settled = quiet(last, entered + ii * (Math.min(group, iterations) - 1), latency);
  const final = entered + held + before * settled + ii * (iterations - before * group - 1);
  return Math.max(quiet(last, final, latency), final + (pipeline.loop ? ii + 1 : 1)) + 1;
}

/** The first cycle in which nothing of an iteration that entered in cycle `entered` is under way. */
function quiet(process: Process, entered: number, latency: number): number {
  // A word passes the FIFO in two cycles; the cycle after the memory's answer it is counted.
  const stores = process.stores.flatMap((port) =>
    port.stores.map((s) => entered + (process.when.get(s) as number) + 2 + latency + 1),
  );
  return Math.max(entered + process.depth + 1, ...stores);
}
