/** The last build as reports show it: which action ran when and why, what the cache saved, and the critical path. */
import type { Address } from "../../../core/build/model/action.ts";
import type { Counts } from "../../../core/build/model/event.ts";

export interface BuildRecord {
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly seconds: number;
  readonly ok: boolean;
  readonly counts: Counts;
  /** Seconds that the actions taken from the cache needed when they ran. */
  readonly saved: number;
  /** In the order of their start; in very large builds only the longest. */
  readonly actions: readonly RecordedAction[];
}

export interface RecordedAction {
  readonly address: Address;
  readonly title: string;
  readonly step: string;
  /** Seconds since the build began. */
  readonly start: number;
  readonly seconds: number;
  /** Row of the timeline; bars in a row do not overlap. */
  readonly lane: number;
  readonly why: string;
  /** Recorded actions that it waited for. */
  readonly needs: readonly Address[];
  readonly failed?: string;
}

/** Where builds store the record, below the project's folder. */
export const recordFile = ".arc/last-build.json";

/** The longest chain of actions that waited for each other: more processors would not shorten it. */
export function criticalPath(actions: readonly RecordedAction[]): readonly RecordedAction[] {
  const best = new Map<Address, { readonly length: number; readonly before?: Address }>();
  // Sorted by start, so that an action comes after everything it needs.
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
