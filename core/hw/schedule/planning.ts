/** Plans a region: binds and schedules the processes of its pipelines. */

import { entryOf, itemAt } from "../../checked/access.ts";
import { widened } from "../binding/operator-notes.ts";
import type {
  Event,
  HardwarePlan,
  Limit,
  OperatorUse,
  Process,
  ScheduledPipeline,
} from "../binding/process.ts";
import { Circuits, type Units } from "../binding/sharing.ts";
import { copiesOf } from "../dfg/rams.ts";
import type { HardwareRegion, Pipeline } from "../dfg/region.ts";
import { pipelinesOf, testsOf } from "../dfg/region.ts";
import type { Ram, Value, Variable } from "../dfg/value.ts";
import type { Widths } from "../dfg/widths.ts";
import type { Arc, Problem } from "../modulo/constraints.ts";
import { binding, type Schedule, schedule } from "../modulo/schedule.ts";
import { slackOf } from "../modulo/slack.ts";
import type { LogicTiming } from "../operators/timing.ts";
import { type Draft, draftsOf } from "./access-execute.ts";
import { lateDelays, type Use } from "./delay-sinking.ts";
import { withFreeSharing } from "./free-sharing.ts";
import { type DraftProblem, problemOf, type Target } from "./problem.ts";

/** `units`: the number of circuits on which the operations of a loop take turns. */
export function planHardware(
  region: HardwareRegion,
  widths: Widths,
  logic: LogicTiming,
  megahertz: number,
  units: Units = {},
): HardwarePlan {
  const period = 1000 / megahertz;
  const pipelines = pipelinesOf(region.control);
  const tests = new Set(testsOf(region.control));
  const { flush = false } = region;
  const fetches = pipelines.flatMap((p) => p.graph.values.filter((v) => v.fetch && widths.isNeeded(v)));
  const fetched = new Set(fetches.flatMap(({ fetch }) => (fetch ? [fetch.ram] : [])));
  const scheduled = withFreeSharing((sharing) => {
    const circuits = new Circuits(pipelines, { widths, logic, period, flush }, units, sharing);
    return pipelines.map((pipeline) => {
      const elsewhere = (variable: Variable) =>
        tests.has(variable) ||
        pipelines.some(
          (other) =>
            // A step may run again and read its own updates.
            (other !== pipeline || !pipeline.loop) &&
            other.graph.values.some((v) => v.op === "read" && v.variable === variable && widths.isNeeded(v)),
        );
      return schedulePipeline(pipeline, elsewhere, { widths, logic, period, circuits, fetched });
    });
  });
  const notes = [...region.notes, ...widened(scheduled.flatMap((p) => p.processes))];
  return { region: { ...region, notes }, widths, pipelines: scheduled, period };
}

function schedulePipeline(
  pipeline: Pipeline,
  elsewhere: (variable: Variable) => boolean,
  target: Target,
): ScheduledPipeline {
  const drafts = draftsOf(pipeline, elsewhere, target.fetched);
  const problems = drafts.map((draft) => problemOf(draft, pipeline, target, pipeline.loop ? 1 : ONCE));
  const first = problems.map(({ problem }) => scheduleOf(pipeline, problem));
  const bounds = {
    recurrence: Math.max(...first.map((s) => s.bounds.recurrence)),
    resource: Math.max(...first.map((s) => s.bounds.resource)),
  };
  let schedules = first;
  const slowest = () => Math.max(...schedules.map((s) => s.ii));
  // All processes of a pipeline start iterations at the same interval; code that runs once has none.
  while (pipeline.loop && schedules.some((s) => s.ii !== slowest())) {
    const ii = slowest();
    schedules = problems.map(({ problem }) => scheduleOf(pipeline, problem, ii));
  }
  const ii = pipeline.loop ? slowest() : 1;
  // Processes run at the same time, so each reads its own copies.
  const copiesUsed = new Map<Ram, number>();
  const processes = drafts.map((draft, k): Process => {
    const fewer = ii > 1 ? problemOf(draft, pipeline, target, ii) : undefined;
    const saving = fewer && schedule(fewer.problem, ii, ii);
    const problem = (saving ? fewer : problems[k]) as DraftProblem;
    const process = placed(draft, problem, saving ?? itemAt(schedules, k));
    const cycle = (v: Value) => entryOf(process.start, v);
    const copies = copiesOf(
      problem.ports,
      cycle,
      pipeline.loop ? ii : ONCE,
      (ram) => copiesUsed.get(ram) ?? 0,
    );
    for (const [{ fetch }, copy] of copies)
      if (fetch) copiesUsed.set(fetch.ram, Math.max(copiesUsed.get(fetch.ram) ?? 0, copy + 1));
    return { ...process, copies };
  });
  const limit = limitOf(bounds, problems, first);
  return { pipeline, ii, bounds, ...(limit && { limit }), processes };
}

/** The interval of code that runs once, which may take any time. */
const ONCE = Number.POSITIVE_INFINITY;

function scheduleOf({ name, loop }: Pipeline, problem: Problem, least = 1): Schedule {
  // Code that runs once gets an interval so long that no two of its operations share a cycle of it.
  const apart = problem.operations.reduce((sum, { cycles }) => sum + cycles + 1, 1);
  const result = loop ? schedule(problem, least) : schedule(problem, apart, apart);
  if (!result) throw new Error(`no schedule for ${name}`);
  return result;
}

/** A process with the cycles of its schedule. */
function placed(
  draft: Draft,
  { problem, result, when, operators }: DraftProblem,
  schedule: Schedule,
): Omit<Process, "copies"> {
  const cycle = (op: number) => itemAt(schedule.cycles, op);
  const start = new Map<Value, number>([...result].map(([value, op]) => [value, cycle(op)]));
  for (const [delay, later] of lateDelays(draft.delayed, start, usesOf(draft, result, problem.arcs, cycle)))
    start.set(delay, later);
  const ready = new Map<Value, number>(
    [...result].map(([value, op]) => [value, entryOf(start, value) + itemAt(problem.operations, op).cycles]),
  );
  const times = new Map([...when].map(([what, op]) => [what, cycle(op)] as const));
  const slacks = slackOf(problem, schedule);
  const slack = new Map<Event, number>([...result, ...when].map(([what, op]) => [what, itemAt(slacks, op)]));
  const depth = Math.max(0, ...times.values(), ...start.values());
  const units = binding(problem, schedule);
  const bound = new Map(
    [...operators].map(([value, use]): [Value, OperatorUse] => {
      const unit = units[entryOf(result, value)];
      return [value, unit === undefined ? use : { ...use, unit }];
    }),
  );
  return {
    ...draft,
    operators: bound,
    start,
    ready,
    when: times,
    slack,
    depth,
    ...(takeTurns(bound) && { aligned: true }),
  };
}

/** Whether several operations use one circuit. */
function takeTurns(operators: ReadonlyMap<Value, OperatorUse>): boolean {
  const shared = [...operators.values()].flatMap(({ operator, unit }) =>
    unit === undefined ? [] : [`${operator.name} ${unit}`],
  );
  return new Set(shared).size < shared.length;
}

/** Cycles in which values are used, other than by places of delay lines. */
function usesOf(
  { delayed }: Draft,
  result: ReadonlyMap<Value, number>,
  arcs: readonly Arc[],
  cycle: (op: number) => number,
): readonly Use[] {
  const values = new Map([...result].map(([value, op]) => [op, value]));
  return arcs.flatMap(({ from, to, gap }) => {
    const [value, by] = [values.get(from), values.get(to)];
    return gap === undefined && value && !(by && delayed.has(by)) ? [{ value, cycle: cycle(to) }] : [];
  });
}

/** What causes the larger bound; undefined: an iteration may start in every cycle. */
function limitOf(
  { recurrence, resource }: ScheduledPipeline["bounds"],
  problems: readonly DraftProblem[],
  schedules: readonly Schedule[],
): Limit | undefined {
  if (recurrence === 1 && resource === 1) return undefined;
  for (const [k, { problem, result, when }] of problems.entries()) {
    const what = new Map<number, Limit["through"][number]>([...result, ...when].map(([of, op]) => [op, of]));
    const eventsOf = (ops: readonly number[]) => ops.flatMap((op) => what.get(op) ?? []);
    // Stores of one port stay in order, which is a recurrence as well.
    if (recurrence > resource) {
      const { bounds, against } = itemAt(schedules, k);
      const through = bounds.recurrence === recurrence ? eventsOf(against) : [];
      if (through.length > 0) return { kind: "recurrence", through };
    } else {
      const shared = new Map<string, number[]>();
      problem.operations.forEach((o, op) => {
        if (o.resource !== undefined) shared.set(o.resource, [...(shared.get(o.resource) ?? []), op]);
      });
      for (const [name, ops] of shared) {
        const units = problem.resources?.get(name);
        if (Math.ceil(ops.length / (units ?? 1)) < resource) continue;
        if (units === undefined) return { kind: "port", through: eventsOf(ops) };
        return { kind: "operators", through: eventsOf(ops), units };
      }
    }
  }
  return undefined;
}
