/**
 * One iteration of a pipelined loop for display: its operations by cycle, with slack, and those that limit the
 * interval.
 */
import type { Event, Process, ScheduledPipeline } from "../../core/hw/binding/process.ts";
import type { LoopSchedule, ScheduledStep } from "../shared/kind/report.ts";
import { nameOf, sourceLineOf } from "./operation-words.ts";

/** Longer schedules leave out the operations with most slack. */
const MOST = 250;

/** Wires and registers, which are not operations of the program. */
const SILENT = new Set(["const", "resize", "concat", "delay", "not", "read", "receive", "load"]);

export function loopSchedule({ ii, limit, processes }: ScheduledPipeline): LoopSchedule {
  const limiting = new Set<Event>(limit?.through);
  const all = processes.flatMap((process) => stepsOf(process, limiting));
  const shownSteps = [...all]
    .sort((a, b) => Number(b.limits ?? false) - Number(a.limits ?? false) || a.slack - b.slack)
    .slice(0, MOST);
  const stepSet = new Set(shownSteps);
  const steps = all
    .filter((step) => stepSet.has(step))
    .sort((a, b) => a.stage - b.stage || a.start - b.start);
  return { interval: ii, steps, ...(all.length > MOST && { more: all.length - MOST }) };
}

function stepsOf(process: Process, limiting: ReadonlySet<Event>): readonly ScheduledStep[] {
  const { values, inputs, requests, stores, writes, sends, updates, start, ready, when, slack, level } =
    process;
  const step = (of: Event, name: string, from: number | undefined, until = from): ScheduledStep[] => {
    const loc = sourceLineOf(of);
    return from === undefined || until === undefined
      ? []
      : [
          {
            what: name,
            ...(loc && loc.line > 0 && { source: { file: loc.file, line: loc.line } }),
            stage: level,
            start: from,
            cycles: until - from,
            slack: slack.get(of) ?? 0,
            ...(limiting.has(of) && { limits: true as const }),
          },
        ];
  };
  const event = (of: Event, name: string) => step(of, name, when.get(of));
  return [
    ...inputs.flatMap((what) => step(what, inputName(what), start.get(what))),
    ...values.flatMap((what) =>
      SILENT.has(what.op)
        ? []
        : step(what, what.fetch ? `read ${nameOf(what)}` : nameOf(what), start.get(what), ready.get(what)),
    ),
    ...requests.flatMap((what) => event(what, `ask for ${what.memory?.name ?? ""}`)),
    ...stores.flatMap((port) => port.stores.flatMap((what) => event(what, `store ${nameOf(what)}`))),
    ...writes.flatMap((what) => event(what, `write ${nameOf(what)}`)),
    ...sends.flatMap((what) => event(what, `send to ${nameOf(what)}`)),
    ...[...updates.keys()].flatMap((what) => event(what, `set ${what.name}`)),
  ];
}

const inputName = ({ channel, memory }: Process["inputs"][number]): string =>
  channel === undefined ? `take ${memory?.name ?? ""}` : `take from channel ${channel}`;
