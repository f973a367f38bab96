/** The engine's events as they are, one JSON object per line. */
import type { Ui } from "./ui.ts";

export function jsonUi(write: (text: string) => void): Ui {
  return {
    onEvent: (event) => write(`${JSON.stringify(event)}\n`),
    finish: async () => {},
    abandon: () => {},
  };
}
