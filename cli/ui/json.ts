/** Prints the engine's events, one JSON object per line. */
import { placedFindings } from "../show/findings.ts";
import type { Ui } from "./ui.ts";

/** `root`: relative file names in diagnostics are relative to it. */
export function jsonUi(write: (text: string) => void, root: string): Ui {
  return {
    onEvent(event) {
      const found = "diagnostics" in event ? event.diagnostics : undefined;
      const diagnostics = found && placedFindings(found, root);
      write(`${JSON.stringify(diagnostics ? { ...event, diagnostics } : event)}\n`);
    },
    finish: async () => {},
    abandon: () => {},
  };
}
