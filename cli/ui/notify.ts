/** Notifies the user of the end of a long build, by the desktop or else the terminal. */
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Call } from "../call/call.ts";
import { plural, seconds } from "../show/words.ts";
import type { Ui } from "./ui.ts";

/** Builds shorter than this (in seconds) send no notification. */
const LONG = 60;

/** The text; undefined for a short or interrupted build. */
export function notice(
  project: string,
  took: number,
  { ok, interrupted, counts }: BuildResult,
): string | undefined {
  if (took < LONG || interrupted) return undefined;
  const end = ok ? "is built" : `failed: ${plural(counts.failed, "action")}`;
  return `${project} ${end}, after ${seconds(took)}`;
}

/** Wraps a view and adds the notification. `now`: in ms. */
export function notifying(ui: Ui, call: Call, project: string, now: () => number = Date.now): Ui {
  const begin = now();
  return {
    onEvent: (event) => ui.onEvent(event),
    async finish(result) {
      await ui.finish(result);
      const text = notice(project, (now() - begin) / 1000, result);
      if (text !== undefined) {
        // Loaded on demand: hardly any build takes so long.
        const { notify } = await import("./desktop.ts");
        await notify(call, text);
      }
    },
    abandon: () => ui.abandon(),
    again: () => ui.again?.() ?? [],
  };
}
