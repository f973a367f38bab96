/** The state of a build: a pure fold over the engine's events. */
import type { Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import { oneLine } from "../show/words.ts";

export interface Running {
  readonly address: Address;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Expected duration in seconds, from earlier runs. */
  readonly expected?: number;
  /** It never ran: `expected` is the typical duration of its kind. */
  readonly isGuess?: true;
  /** Seconds of the chain of work that waits for it. */
  readonly behind?: number;
  readonly phase?: string;
  readonly fraction?: number;
}

export interface Progress {
  readonly total: number;
  readonly finished: number;
  readonly cached: number;
  /** Results taken from a shared cache. */
  readonly shared: number;
  readonly failed: number;
  /** In the order in which they started. */
  readonly running: readonly Running[];
  /** In the order in which they failed. */
  readonly failures: readonly Failure[];
  /** Seconds of all remaining work if only the number of processors limited it, and when that was computed. */
  readonly work?: { readonly seconds: number; readonly at: number };
  readonly ended: boolean;
}

export interface Failure {
  readonly address: Address;
  readonly title: string;
  readonly message: string;
  readonly seconds: number;
}

/** Titles are cut to this many characters: more than any terminal shows, and enough to tell them apart. */
const LONGEST = 1000;

export const noProgress: Progress = {
  total: 0,
  finished: 0,
  cached: 0,
  shared: 0,
  failed: 0,
  running: [],
  failures: [],
  ended: false,
};

export function advance(progress: Progress, event: Event): Progress {
  switch (event.type) {
    case "start":
      return { ...noProgress, total: event.total };
    case "expanded":
      return { ...progress, total: event.total };
    case "running": {
      const { address, title, time, expected, behind, guess, work } = event;
      const started: Running = {
        address,
        title: oneLine(title, LONGEST),
        since: time,
        ...(expected === undefined ? {} : { expected }),
        ...(behind === undefined ? {} : { behind }),
        ...(guess === undefined ? {} : { isGuess: guess }),
      };
      return {
        ...progress,
        running: [...without(progress, address), started],
        ...(work === undefined ? {} : { work: { seconds: work, at: time } }),
      };
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
    case "failed": {
      const { address, title, message, seconds } = event;
      const failure = {
        address,
        title: oneLine(title, LONGEST),
        message: oneLine(message, LONGEST),
        seconds,
      };
      return {
        ...finish(progress, address),
        failed: progress.failed + 1,
        failures: [...progress.failures, failure],
      };
    }
    case "retried":
      return {
        ...progress,
        finished: progress.finished - 1 - event.freed.length,
        failed: progress.failed - 1,
        failures: progress.failures.filter(({ address }) => address !== event.address),
      };
    case "skipped":
      return finish(progress, event.address);
    case "end":
      return { ...progress, running: [], ended: true };
    default:
      return progress;
  }
}

/**
 * Estimated seconds until the end: the longest remaining chain, or all work divided by the processors, whichever is
 * longer. Undefined if nothing is known, or everything is overdue.
 */
export function secondsLeft(progress: Progress, now: number): number | undefined {
  const left = progress.running
    .map(({ expected, behind = 0, since }) =>
      expected === undefined ? 0 : Math.max(0, expected - (now - since) / 1000) + behind,
    )
    .filter((seconds) => seconds > 0);
  const { work } = progress;
  if (work !== undefined && work.seconds > (now - work.at) / 1000)
    left.push(work.seconds - Math.max(0, now - work.at) / 1000);
  return left.length === 0 ? undefined : Math.max(...left);
}

const without = (progress: Progress, address: Address): readonly Running[] =>
  progress.running.filter((one) => one.address !== address);

const finish = (progress: Progress, address: Address): Progress => ({
  ...progress,
  finished: progress.finished + 1,
  running: without(progress, address),
});
