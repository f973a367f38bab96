/** The engine's events, one JSON object per line. */
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { placedFindings } from "../show/findings.ts";
import type { Ui } from "./ui.ts";

/** `root`: what relative file names in diagnostics are relative to. */
export function jsonUi(write: (text: string) => void, root: string): Ui {
  return {
    onEvent(event) {
      const found =
        "diagnostics" in event && Array.isArray(event.diagnostics) ? event.diagnostics : undefined;
      const diagnostics = found && placedFindings(found as unknown as readonly Diagnostic[], root);
      write(`${JSON.stringify(diagnostics ? { ...event, diagnostics } : event)}\n`);
    },
    finish: async () => {},
    abandon: () => {},
  };
}
