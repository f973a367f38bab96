/** Displays a build as lines of text: for logs, pipes and terminals that cannot redraw. */
import { Lines } from "./lines.ts";
import { PhaseLines } from "./phases.ts";
import type { Ui, UiContext } from "./ui.ts";

/** How long lines are collected before a write, in ms: a write for each would cost as much as a small action. */
const TOGETHER_MS = 25;

export function plainUi(context: UiContext): Ui {
  const lines = new Lines(context);
  const phases = new PhaseLines();
  let kept = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (kept !== "") context.write(kept);
    kept = "";
  };
  return {
    onEvent: (event) => {
      kept += phases.of(event) + lines.of(event);
      if (kept !== "") timer ??= setTimeout(flush, TOGETHER_MS);
    },
    finish: async (result) => {
      kept += lines.summary(result);
      flush();
    },
    abandon: flush,
  };
}
