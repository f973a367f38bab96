/** Displays a build as lines of text: for logs, pipes and terminals that cannot redraw. */
import { Lines } from "./lines.ts";
import { PhaseLines, ShareLines } from "./phases.ts";
import type { Ui, UiContext } from "./ui.ts";

/** How long lines are collected before a write, in ms: a write for each would cost as much as a small action. */
const TOGETHER_MS = 25;

export function plainUi(context: UiContext): Ui {
  const lines = new Lines(context);
  const progress = context.quiet === "unless-failed" ? new ShareLines() : new PhaseLines();
  let pending = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending !== "") context.write(pending);
    pending = "";
  };
  return {
    onEvent: (event) => {
      pending += progress.of(event) + lines.of(event);
      if (pending !== "") timer ??= setTimeout(flush, TOGETHER_MS);
    },
    finish: async (result) => {
      pending += lines.summary(result);
      flush();
    },
    abandon: flush,
  };
}
