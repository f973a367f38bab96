/** A project, or sources, with errors: the findings say all there is to say. */
import type { Diagnostic } from "../schema/diagnostic.ts";

export class InvalidProject extends Error {
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super(`${diagnostics.length} findings`);
    this.name = "InvalidProject";
    this.diagnostics = diagnostics;
  }
}
