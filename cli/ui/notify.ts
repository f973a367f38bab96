/** Tells of the end of a build that took so long that its user looks elsewhere: by the desktop, else by the terminal. */
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Call } from "../call/call.ts";
import { plural, seconds } from "../show/words.ts";
import type { Ui } from "./ui.ts";

/** Seconds: who waits for less is still there. */
const LONG = 60;

/** What is said, undefined of a build that was short or stopped. */
export function notice(
  project: string,
  took: number,
  { ok, interrupted, counts }: BuildResult,
): string | undefined {
  if (took < LONG || interrupted) return undefined;
  const end = ok ? "is built" : `failed: ${plural(counts.failed, "action")}`;
  return `${project} ${end}, after ${seconds(took)}`;
}

/** The same view, which tells of the end besides. `now`: milliseconds. */
export function notifying(ui: Ui, call: Call, project: string, now: () => number = Date.now): Ui {
  const begin = now();
  return {
    onEvent: (event) => ui.onEvent(event),
    async finish(result) {
      await ui.finish(result);
      const text = notice(project, (now() - begin) / 1000, result);
      if (text !== undefined) {
        // Loaded when it is used: hardly any build takes so long.
        const { notify } = await import("./desktop.ts");
        await notify(call, text);
      }
    },
    abandon: () => ui.abandon(),
    again: () => ui.again?.() ?? [],
  };
}
