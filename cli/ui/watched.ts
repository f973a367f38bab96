/** What the live view is given to show. */
import type { Progress } from "./progress.ts";
import type { Entry, Screen } from "./screen.ts";

/** What the view shows; `subscribe` tells when it changed. */
export interface LiveModel {
  readonly lines: readonly string[];
  readonly progress: Progress;
  /** Milliseconds since the epoch, when the build began. */
  readonly since: number;
  /** What the one at the keyboard looks at; absent where there are no keys. */
  readonly screen?: Screen;
  /** What waits for a place to run in, as far as it is listed. */
  readonly queued?: readonly Entry[];
  /** What the panel of a log shows. */
  readonly log?: { readonly title: string; readonly text: string };
}

export interface LiveSource {
  /** The same object until something changed. */
  readonly model: () => LiveModel;
  readonly subscribe: (changed: () => void) => () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
