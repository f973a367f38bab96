/** What rules say, and what a rule is. */

import type { Program } from "../../ir/model/program.ts";
import type { Diagnostic, FunctionDef, Loc, Pragma, TranslationUnit } from "../../lang/tree/ast.ts";

/** Text put in the place of what stands between two places of one line; equal places: inserted. */
export interface Edit {
  readonly loc: Loc;
  readonly end: Loc;
  readonly text: string;
  /** What stands between them; absent: the places are the end of the line. */
  readonly replaces?: string;
}

/** `code` is the rule's name. */
export interface Finding extends Diagnostic {
  /** `maybe`: what was seen looks wrong, and is right if something holds that the analysis cannot see. */
  readonly certainty: "proved" | "maybe";
  /** Of a rule that gives advice. */
  readonly advice?: true;
  /** Edits that mend it, where they are sure to. */
  readonly fix?: readonly Edit[];
}

/** What rules look at. */
export interface Subject {
  /** As parsed, with pragmas. */
  readonly unit: TranslationUnit;
  readonly functions: readonly FunctionDef[];
  /** Pragmas between functions. */
  readonly pragmas: readonly Pragma[];
  /** The directives as the compiler reads them; absent where it refuses the file. */
  readonly program?: Program;
}

/** A rule's part of the manual. */
export interface Page {
  /** Why it matters, in one or two sentences. */
  readonly why: string;
  /** A program that breaks it, and the same mended. */
  readonly bad: string;
  readonly good: string;
  /** Where the language says so. */
  readonly source?: string;
}

export interface Rule {
  /** Stable, kebab-case. */
  readonly name: string;
  readonly summary: string;
  readonly severity: "error" | "warning";
  /** What it finds is right, and slow or without effect: told when asked for. */
  readonly advice?: true;
  readonly page: Page;
  check(subject: Subject): readonly Finding[];
}
