/** What the last build did, as the report shows it: who ran when and why, what the cache saved, which chain was the longest. */
import type { Address } from "../../../core/build/model/action.ts";
import type { Counts } from "../../../core/build/model/event.ts";

export interface BuildRecord {
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly seconds: number;
  readonly ok: boolean;
  readonly counts: Counts;
  /** What the actions that did not have to run took when they ran. */
  readonly saved: number;
  /** In the order of their start; of very large builds the longest. */
  readonly actions: readonly RecordedAction[];
}

export interface RecordedAction {
  readonly address: Address;
  readonly title: string;
  readonly step: string;
  /** Seconds since the build began. */
  readonly start: number;
  readonly seconds: number;
  /** One of the rows in which nothing overlaps. */
  readonly lane: number;
  readonly why: string;
  /** Those of the other actions that it waited for. */
  readonly needs: readonly Address[];
  readonly failed?: string;
}

/** Where builds leave it, below the project's folder. */
export const recordFile = ".arc/last-build.json";

/** The chain of actions, each waiting for the one before it, that took longest: no number of processors shortens it. */
export function criticalPath(actions: readonly RecordedAction[]): readonly RecordedAction[] {
  const best = new Map<Address, { readonly length: number; readonly before?: Address }>();
  // Whatever an action needs has started before it.
  for (const { address, seconds, needs } of [...actions].sort((a, b) => a.start - b.start)) {
    let longest: { length: number; before?: Address } = { length: 0 };
    for (const need of needs) {
      const length = best.get(need)?.length ?? 0;
      if (length > longest.length) longest = { length, before: need };
    }
    best.set(address, { ...longest, length: longest.length + seconds });
  }
  const byAddress = new Map(actions.map((action) => [action.address, action]));
  let [at] = [...best].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  const path: RecordedAction[] = [];
  while (at !== undefined) {
    const action = byAddress.get(at);
    if (action !== undefined) path.unshift(action);
    at = best.get(at)?.before;
  }
  return path;
}
