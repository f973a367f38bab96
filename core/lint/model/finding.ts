/** Findings, and the definition of a rule. */

import type { Diagnostic, FunctionDef, Loc, Pragma, TranslationUnit } from "../../lang/tree/ast.ts";

/** Replaces the text between two positions of one line by another; equal positions: inserts it. */
export interface Edit {
  readonly loc: Loc;
  readonly end: Loc;
  readonly text: string;
  /** The text between them; absent: both positions are the end of the line. */
  readonly replaces?: string;
}

/** `code` is the rule's name. */
export interface Finding extends Diagnostic {
  /** `maybe`: it looks wrong, but may be right because of something that the analysis cannot see. */
  readonly certainty: "proved" | "maybe";
  /** The rule gives advice. */
  readonly advice?: true;
  /** Edits that fix it; present only if they certainly do. */
  readonly fix?: readonly Edit[];
}

/** Input of the rules. */
export interface Subject {
  /** As parsed, with pragmas. */
  readonly unit: TranslationUnit;
  readonly functions: readonly FunctionDef[];
  /** Pragmas between functions. */
  readonly pragmas: readonly Pragma[];
  /** Findings that may be wrong are wanted, too. */
  readonly doubts: boolean;
}

/** A rule's section of the manual. */
interface Page {
  /** Why it matters, in one or two sentences. */
  readonly why: string;
  /** A program that breaks the rule, and the corrected program. */
  readonly bad: string;
  readonly good: string;
  /** The section of the standard. */
  readonly source?: string;
}

export interface Rule {
  /** Stable, kebab-case. */
  readonly name: string;
  readonly summary: string;
  readonly severity: "error" | "warning";
  /** The code is correct, but slow or without effect: reported only on request. */
  readonly advice?: true;
  readonly page: Page;
  check(subject: Subject): readonly Finding[];
}
