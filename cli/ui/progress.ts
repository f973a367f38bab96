/** What is going on in a build: a pure fold over the engine's events. */
import type { Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import { oneLine } from "../show/words.ts";

export interface Running {
  readonly address: Address;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Seconds, from earlier runs. */
  readonly expected?: number;
  /** Seconds of what waits for it. */
  readonly behind?: number;
  readonly phase?: string;
  readonly fraction?: number;
}

export interface Progress {
  readonly total: number;
  readonly finished: number;
  readonly cached: number;
  /** From a cache shared with others. */
  readonly shared: number;
  readonly failed: number;
  /** In the order in which they started. */
  readonly running: readonly Running[];
  readonly ended: boolean;
}

/** Characters of a title: far more than any terminal shows, which cuts it where it is told from others still. */
const LONGEST = 1000;

export const noProgress: Progress = {
  total: 0,
  finished: 0,
  cached: 0,
  shared: 0,
  failed: 0,
  running: [],
  ended: false,
};

export function advance(progress: Progress, event: Event): Progress {
  switch (event.type) {
    case "start":
    case "expanded":
      return { ...progress, total: event.total };
    case "running": {
      const { address, title, time, expected, behind } = event;
      const started: Running = {
        address,
        title: oneLine(title, LONGEST),
        since: time,
        ...(expected === undefined ? {} : { expected }),
        ...(behind === undefined ? {} : { behind }),
      };
      return { ...progress, running: [...without(progress, address), started] };
    }
    case "progress":
      return {
        ...progress,
        running: progress.running.map((one) =>
          one.address !== event.address
            ? one
            : {
                ...one,
                phase: event.phase,
                ...(event.fraction === undefined ? {} : { fraction: event.fraction }),
              },
        ),
      };
    case "done":
      return {
        ...finish(progress, event.address),
        cached: progress.cached + (event.how === "cached" ? 1 : 0),
        shared: progress.shared + (event.how === "remote" ? 1 : 0),
      };
    case "failed":
      return { ...finish(progress, event.address), failed: progress.failed + 1 };
    case "skipped":
      return finish(progress, event.address);
    case "end":
      return { ...progress, running: [], ended: true };
    default:
      return progress;
  }
}

/**
 * Seconds until what runs now and what waits for it is done, as far as earlier runs tell: the longest that is left
 * of any; undefined if nothing is known, or all is overdue.
 */
export function secondsLeft(progress: Progress, now: number): number | undefined {
  const left = progress.running
    .map(({ expected, behind = 0, since }) =>
      expected === undefined ? 0 : Math.max(0, expected - (now - since) / 1000) + behind,
    )
    .filter((seconds) => seconds > 0);
  return left.length === 0 ? undefined : Math.max(...left);
}

const without = (progress: Progress, address: Address): readonly Running[] =>
  progress.running.filter((one) => one.address !== address);

const finish = (progress: Progress, address: Address): Progress => ({
  ...progress,
  finished: progress.finished + 1,
  running: without(progress, address),
});
