/** The compiler's diagnostics about the user's files, in the form in which the engine stores and repeats them. */

/** `line` and `col` count from 1; `col` in bytes. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly col: number;
}

export interface Finding {
  readonly severity: "error" | "warning" | "note";
  /** Stable, kebab-case: `unknown-directive`. */
  readonly code: string;
  readonly message: string;
  readonly loc: SourceLocation;
  readonly end?: SourceLocation;
  /** Why the rule exists, in one sentence. */
  readonly why?: string;
  /** What to write instead. */
  readonly remedy?: string;
  readonly notes?: readonly { readonly message: string; readonly loc?: SourceLocation }[];
}
