/** A build as lines of text: for logs, pipes and terminals that cannot redraw. */
import { Lines } from "./lines.ts";
import { PhaseLines } from "./phases.ts";
import type { Ui, UiContext } from "./ui.ts";

export function plainUi(context: UiContext): Ui {
  const lines = new Lines(context);
  const phases = new PhaseLines();
  return {
    onEvent: (event) => {
      const text = phases.of(event) + lines.of(event);
      if (text !== "") context.write(text);
    },
    finish: async (result) => context.write(lines.summary(result)),
    abandon: () => {},
  };
}
