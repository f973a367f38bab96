/** What goes into a translation between the languages of directives, and what comes out of it. */
import type { Program } from "../../ir/model/program.ts";
import type { Parsed } from "../../lang/index.ts";
import type { Diagnostic, Loc } from "../../lang/tree/ast.ts";

export const languages = ["openacc", "openmp"] as const;
export type Language = (typeof languages)[number];

/** Versions of OpenMP whose words may be used. */
export const openMpVersions = ["5.0", "5.1"] as const;
export type OpenMpVersion = (typeof openMpVersions)[number];

export interface Source {
  /** As messages name it, and as the places in its tree do. */
  readonly file: string;
  /** As the user wrote it. */
  readonly text: string;
  /** After preprocessing: the tree in which directives are pragmas of statements. */
  readonly parsed: Parsed;
  /** Its directives read and every implicit rule made explicit; of no use where it has errors. */
  readonly program: Program;
}

/** What became of one directive or call, and what had to be decided for it. */
export interface Decision {
  readonly loc: Loc;
  /** As written, on one line. */
  readonly was: string;
  /** What stands there now, line by line; empty where nothing does. */
  readonly now: readonly string[];
  /** Why it is not word for word. */
  readonly because: readonly string[];
}

export interface TranslatedSource {
  /** The whole file; the user's own where there are errors. */
  readonly text: string;
  readonly decisions: readonly Decision[];
  /** Errors are what the other language cannot say: then nothing was changed. */
  readonly diagnostics: readonly Diagnostic[];
}
