/** What the readers of directives share: what they found, and where the directive at hand stands. */
import type { Diagnostic, Loc } from "../lang/ast.ts";
import type { Declare, Task } from "./ir.ts";

/** What the constructs around a statement decide for it. */
export interface Around {
  readonly construct?: Task["construct"];
  readonly defaultData?: "none" | "present";
}

export class Reading {
  readonly diagnostics: Diagnostic[] = [];
  /** Declare directives at file scope. */
  readonly declares: Declare[] = [];
  around: Around = {};

  report(code: string, loc: Loc, message: string, remedy?: string): void {
    this.diagnostics.push({ severity: "error", code, loc, message, ...(remedy && { remedy }) });
  }
}
