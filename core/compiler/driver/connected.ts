/**
 * Regions of a function that run at the same time, connected by channels: they follow each other directly, pass arrays
 * on according to `pipe`, `pipeout` and `pipein`, and their data stays on the device. Libarcrt delays the launches of
 * the first ones until the last is launched, so nothing in between may use their results.
 */
import { entryOf, itemAt } from "../../checked/access.ts";
import type { Task } from "../../ir/model/ir.ts";
import type { Program } from "../../ir/model/program.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import { type Channel, findChannels } from "../passes/channels.ts";
import { isSingle } from "../passes/rewrite/region.ts";
import { apart, regionCounts, runsIn } from "./adjacent.ts";

export interface Connected {
  /** The tasks as in the program. */
  readonly origins: readonly Task[];
  /** In source order, after the choice of model; the launch of the last one starts all. */
  readonly tasks: readonly Task[];
  /** Their ends are indexes into `tasks`. */
  readonly channels: readonly Channel[];
}

export interface Connections {
  /** By the task as in the program. */
  readonly groups: ReadonlyMap<Task, Connected>;
  readonly diagnostics: readonly Diagnostic[];
}

/** `chosen`: the task after the choice of model. `images`: images of tasks that are not in the common image. */
export function connections(
  program: Program,
  chosen: (task: Task) => Task,
  images: ReadonlyMap<Task, string> = new Map(),
): Connections {
  const groups = new Map<Task, Connected>();
  const diagnostics: Diagnostic[] = [];
  const names = regionCounts(program);
  const channelNames = new Set<string>();
  for (const external of program.unit.externals) {
    if (external.kind !== "function") continue;
    const runs = runsIn(external.body);
    const tasks = runs.flatMap((run) => run.tasks);
    const piped = tasks.filter((task) => task.items.some((i) => i.mapping.pipe));
    if (piped.length === 0) continue;
    const models = new Map(tasks.map((task) => [task, chosen(task)]));
    // Work-items have no order: arrays stay buffers, as on a target without channels.
    if (!piped.every((task) => isSingle(entryOf(models, task)))) continue;
    const found = findChannels(tasks.map((task) => entryOf(models, task)));
    diagnostics.push(...found.diagnostics);
    for (const [first, last] of spans(found.channels)) {
      const members = tasks.slice(first, last + 1);
      const why =
        new Set(members.map((task) => images.get(task))).size > 1
          ? "the regions are in different images"
          : apart(members, runs, names);
      const channels = found.channels.filter((c) => c.producer >= first && c.consumer <= last);
      if (why !== undefined) {
        for (const { array, producer } of channels)
          diagnostics.push({
            severity: "note",
            code: "pipe-as-buffer",
            loc: itemAt(tasks, producer).site.loc,
            message: `'${array.name}' could be a channel, but stays a buffer: ${why}`,
          });
        continue;
      }
      const group: Connected = {
        origins: members,
        tasks: members.map((task) => entryOf(models, task)),
        channels: channels.map((c) => ({
          ...c,
          name: unique(c.name, channelNames),
          producer: c.producer - first,
          consumer: c.consumer - first,
        })),
      };
      for (const task of members) groups.set(task, group);
    }
  }
  return { groups, diagnostics };
}

/** Makes a name unique, as one text may contain all of them. */
function unique(name: string, used: Set<string>): string {
  const free = used.has(name) ? `${name}_${used.size}` : name;
  used.add(free);
  return free;
}

/** Ranges of regions that channels span, with overlapping ranges merged. */
function spans(channels: readonly Channel[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const { producer, consumer } of [...channels].sort((a, b) => a.producer - b.producer)) {
    const last = ranges.at(-1);
    if (last && producer <= last[1]) last[1] = Math.max(last[1], consumer);
    else ranges.push([producer, consumer]);
  }
  return ranges;
}
