/** Input and output of a translation between directive languages. */
import type { Program } from "../../ir/model/program.ts";
import type { Parsed } from "../../lang/index.ts";
import type { Diagnostic, Loc } from "../../lang/tree/ast.ts";

export const languages = ["openacc", "openmp"] as const;
export type Language = (typeof languages)[number];

/** OpenMP versions that may be targeted. */
export const openMpVersions = ["5.0", "5.1"] as const;
export type OpenMpVersion = (typeof openMpVersions)[number];

export interface Source {
  /** Its name in messages and in locations of the tree. */
  readonly file: string;
  /** The original text. */
  readonly text: string;
  /** After preprocessing: the tree in which directives are pragmas of statements. */
  readonly parsed: Parsed;
  /** The tree with directives read and implicit rules made explicit; unusable if it has errors. */
  readonly program: Program;
  /** Whether a file that it includes is a source of the same translation, so that its directives are its own matter. */
  readonly isBeside?: (file: string) => boolean;
}

/** The translation of one directive or call, and the reasons for it. */
export interface Decision {
  readonly loc: Loc;
  /** It does not stand in the source: its place is in another file. */
  readonly added?: true;
  /** The original on one line. */
  readonly was: string;
  /** The replacement, line by line; empty if it was removed. */
  readonly now: readonly string[];
  /** Why it is not a literal translation. */
  readonly because: readonly string[];
}

export interface TranslatedSource {
  /** The whole file; unchanged if there are errors. */
  readonly text: string;
  readonly decisions: readonly Decision[];
  /**
   * Errors are constructs that the other language cannot express: then nothing was changed. Warnings are what stays and
   * other compilers do not know.
   */
  readonly diagnostics: readonly Diagnostic[];
}
