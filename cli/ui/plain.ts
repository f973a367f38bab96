/** A build as lines of text: for logs, pipes and terminals that cannot redraw. */
import { Lines } from "./lines.ts";
import type { Ui, UiContext } from "./ui.ts";

export function plainUi(context: UiContext): Ui {
  const lines = new Lines(context);
  return {
    onEvent: (event) => {
      const text = lines.of(event);
      if (text !== "") context.write(text);
    },
    finish: async (result) => context.write(lines.summary(result)),
    abandon: () => {},
  };
}
