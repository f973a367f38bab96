/**
 * A finding about arc.yaml. It has the shape of the compiler's diagnostics (core/lang), so that one printer serves
 * both; it is declared again because this room imports no other.
 */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  /** Stable, kebab-case: `unknown-key`. */
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

/** `line` and `col` count from 1; `col` in bytes. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly col: number;
}
