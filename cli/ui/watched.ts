/** The interface between the live view and its data. */
import type { Progress } from "./progress.ts";
import type { Entry, Screen } from "./screen.ts";

/** The displayed state. */
export interface LiveModel {
  readonly lines: readonly string[];
  readonly progress: Progress;
  /** Start of the build in ms since the epoch. */
  readonly since: number;
  /** What the user looks at; absent where keys are not read. */
  readonly screen?: Screen;
  /** The queued actions that are listed. */
  readonly queued?: readonly Entry[];
  /** Content of the log panel. */
  readonly log?: { readonly title: string; readonly text: string };
}

export interface LiveSource {
  /** Returns the same object until something changes. */
  readonly model: () => LiveModel;
  readonly subscribe: (changed: () => void) => () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
