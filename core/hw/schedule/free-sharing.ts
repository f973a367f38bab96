/**
 * Shares circuits without being asked: in a loop whose iterations are several cycles apart anyway, because of a
 * recurrence or a port, floating-point operations can take turns.
 */

import { entryOf, itemAt, lastOf } from "../../checked/access.ts";
import { mapTuple } from "../../checked/tuples.ts";
import type { ScheduledPipeline } from "../binding/process.ts";
import { shareable } from "../binding/sharing.ts";
import type { Value } from "../dfg/value.ts";

/** For an operation: the number of circuits that it shares with equal operators of its loop. */
type Sharing = ReadonlyMap<Value, number>;

/**
 * The schedules of `plan` with as many turns as cost nothing: no interval gets longer, and no iteration by more than an
 * interval.
 */
export function withFreeSharing(
  plan: (sharing: Sharing) => readonly ScheduledPipeline[],
): readonly ScheduledPipeline[] {
  const unshared = plan(new Map());
  /** For each pipeline, the choices still to be tried, the best first. */
  const choices = unshared.map((scheduled) => choicesOf(scheduled));
  while (choices.some(([first]) => first && first.size > 0)) {
    const shared = plan(new Map(choices.flatMap(([first]) => [...(first ?? [])])));
    const dearer = shared.flatMap((now, k) => (isFree(itemAt(unshared, k), now) ? [] : [k]));
    if (dearer.length === 0) return shared;
    for (const k of dearer) choices[k]?.shift();
  }
  return unshared;
}

function isFree(before: ScheduledPipeline, now: ScheduledPipeline): boolean {
  const [was, is] = mapTuple([before, now], ({ processes }) => processes.at(-1)?.depth ?? 0);
  return now.ii <= before.ii && is <= was + before.ii;
}

/** Choices with the operations that limit the interval, and without them. */
function choicesOf({ pipeline, processes, ii, limit }: ScheduledPipeline): Sharing[] {
  // If iterations wait for stores of others, each cycle of an iteration counts.
  if (!pipeline.loop || pipeline.loop.memory || ii === 1) return [];
  const { operators } = lastOf(processes);
  const candidates = [...operators].flatMap(([value, { operator, unit }]) => {
    const isLarge = value.shape.float !== undefined && shareable(value.op) !== undefined;
    return isLarge && unit === undefined ? [[value, operator.name] as const] : [];
  });
  const sharingOf = (uses: typeof candidates): Sharing => {
    const counts = new Map<string, number>();
    for (const [, name] of uses) counts.set(name, (counts.get(name) ?? 0) + 1);
    return new Map(
      uses.flatMap(([value, name]): [Value, number][] => {
        const n = entryOf(counts, name);
        return n > 1 ? [[value, Math.ceil(n / ii)]] : [];
      }),
    );
  };
  const waits = new Set<unknown>(limit?.kind === "recurrence" ? limit.through : []);
  return [sharingOf(candidates), sharingOf(candidates.filter(([value]) => !waits.has(value)))];
}
