/** A project or sources with errors; the findings describe them. */
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import type { Loaded } from "../../schema/load.ts";

export type Looked = Pick<Loaded, "read" | "named">;

export class InvalidProject extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** The files read to find the errors; undefined: not known. */
  readonly consulted: Looked | undefined;
  constructor(diagnostics: readonly Diagnostic[], consulted?: Looked) {
    super(`${diagnostics.length} findings`);
    this.name = "InvalidProject";
    this.diagnostics = diagnostics;
    this.consulted = consulted;
  }
}
