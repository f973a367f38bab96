/** What is known about a design's runs in advance: trip counts, cycles, and the overhead of each start of a loop. */

import type { HardwarePlan, ScheduledPipeline } from "../binding/process.ts";
import type { Control, Pipeline } from "../dfg/region.ts";
import { type IdealMemory, type PipelineRun, predictCycles } from "./predict.ts";

/** Iterations of a pipeline's loop; undefined if they are known only at run time, or the last one is incomplete. */
export function tripsOf({ loop }: Pipeline): number | undefined {
  if (!loop) return 1;
  const { counter } = loop;
  if (counter?.trips.op !== "const") return undefined;
  const iterations = Number(counter.trips.constant) / counter.copies;
  return Number.isInteger(iterations) ? iterations : undefined;
}

/** The pipelines in order if each runs exactly once; undefined if control branches or repeats. */
function straight(control: Control): readonly Pipeline[] | undefined {
  if (control.kind === "pipeline") return [control];
  if (control.kind !== "sequence") return undefined;
  const parts = control.body.map(straight);
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part as readonly Pipeline[]);
}

/** Cycles of a launch; undefined if they depend on its arguments. */
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

/** Cycles of a loop's execution beyond one interval per iteration: for filling and draining. */
export function fillAndDrain(plan: HardwarePlan, scheduled: ScheduledPipeline, memory: IdealMemory): number {
  const iterations = 4096;
  const pipeline = plan.pipelines.indexOf(scheduled);
  const cycles = predictCycles(plan, [{ pipeline, iterations, loads: () => true }], memory) - 1;
  return cycles - iterations * cyclesPerIteration(plan, scheduled, memory);
}

/** The interval, or the cycles per iteration if iterations wait for each other's stores. */
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

/** Pipelines that are executed repeatedly, inside a loop that is not pipelined: each execution fills and drains. */
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
