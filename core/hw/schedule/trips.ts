/** What is known of a design's runs before it runs: trips of loops, its cycles, what a loop pays each time it starts. */

import type { HardwarePlan, ScheduledPipeline } from "../binding/process.ts";
import type { Control, Pipeline } from "../dfg/region.ts";
import { type IdealMemory, type PipelineRun, predictCycles } from "./predict.ts";

/** Iterations of a pipeline's loop; undefined where only the run tells, and where the last one is a part of one. */
export function tripsOf({ loop }: Pipeline): number | undefined {
  if (!loop) return 1;
  const { counter } = loop;
  if (counter?.trips.op !== "const") return undefined;
  const iterations = Number(counter.trips.constant) / counter.copies;
  return Number.isInteger(iterations) ? iterations : undefined;
}

/** The pipelines in the order in which they run once each; undefined where control chooses or repeats. */
function straight(control: Control): readonly Pipeline[] | undefined {
  if (control.kind === "pipeline") return [control];
  if (control.kind !== "sequence") return undefined;
  const parts = control.body.map(straight);
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part as readonly Pipeline[]);
}

/** Cycles of a launch; undefined where they depend on what it is given. */
export function knownCycles(plan: HardwarePlan, memory: IdealMemory): number | undefined {
  const order = straight(plan.region.control);
  const runs = order?.map((pipeline): PipelineRun | undefined => {
    const iterations = tripsOf(pipeline);
    const index = plan.pipelines.findIndex((p) => p.pipeline === pipeline);
    return iterations === undefined ? undefined : { pipeline: index, iterations, loads: () => true };
  });
  if (!runs || runs.includes(undefined)) return undefined;
  return predictCycles(plan, runs as readonly PipelineRun[], memory);
}

/** Cycles that a loop's run takes beyond an interval per iteration: until it is full, and until it is empty. */
export function fillAndDrain(plan: HardwarePlan, scheduled: ScheduledPipeline, memory: IdealMemory): number {
  const iterations = 4096;
  const pipeline = plan.pipelines.indexOf(scheduled);
  const cycles = predictCycles(plan, [{ pipeline, iterations, loads: () => true }], memory) - 1;
  return cycles - iterations * cyclesPerIteration(plan, scheduled, memory);
}

/** The interval, or what iterations take that wait for each other's stores. */
export function cyclesPerIteration(
  plan: HardwarePlan,
  scheduled: ScheduledPipeline,
  memory: IdealMemory,
): number {
  const dependence = scheduled.pipeline.loop?.memory;
  if (!dependence || (dependence.unlessApart && memory.apart)) return scheduled.ii;
  const { distance } = dependence;
  const pipeline = plan.pipelines.indexOf(scheduled);
  const of = (iterations: number) =>
    predictCycles(plan, [{ pipeline, iterations, loads: () => true }], memory);
  return (of(3 * distance) - of(2 * distance)) / distance;
}

/** Pipelines that run again and again, below a loop that is none: each of their runs fills and drains. */
export function repeated(control: Control, below = false): ReadonlySet<Pipeline> {
  switch (control.kind) {
    case "pipeline":
      return new Set(below ? [control] : []);
    case "sequence":
      return new Set(control.body.flatMap((part) => [...repeated(part, below)]));
    case "if":
      return new Set(
        [control.then, ...(control.else ? [control.else] : [])].flatMap((c) => [...repeated(c, below)]),
      );
    case "loop":
      return repeated(control.body, true);
  }
}
