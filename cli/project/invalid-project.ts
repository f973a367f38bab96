/** A project, or sources, with errors: the findings say all there is to say. */
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import type { Loaded } from "../../schema/load.ts";

export type Looked = Pick<Loaded, "read" | "named">;

export class InvalidProject extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** What was looked at to find that; undefined: not known. */
  readonly looked: Looked | undefined;
  constructor(diagnostics: readonly Diagnostic[], looked?: Looked) {
    super(`${diagnostics.length} findings`);
    this.name = "InvalidProject";
    this.diagnostics = diagnostics;
    this.looked = looked;
  }
}
