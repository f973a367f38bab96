/** Additions of a project to a source's directives, from arc.yaml or a file beside the source; the source is unchanged. */
import type { Diagnostic, Loc } from "../../lang/tree/ast.ts";

/** An anchor in a source: regions and loops are counted from 1; without a number there must be only one. */
export interface Anchor {
  readonly function: string;
  readonly of: "function" | "loop" | "region";
  readonly number?: number;
}

export interface Addition {
  readonly anchor: Anchor;
  /** The text after `#pragma` of a new directive, or clauses for an existing one. */
  readonly is: "directive" | "clauses";
  readonly text: string;
  /** Locations of the anchor's name and of the text, if messages refer to these. */
  readonly at?: { readonly location: Loc; readonly text: Loc };
  /** The origin of the addition, if messages have no such location. */
  readonly by?: string;
}

/** Why an addition is refused. */
export interface Refusal {
  readonly of: Addition;
  /** The part of it that is wrong. */
  readonly is: "place" | "text";
  readonly diagnostic: Omit<Diagnostic, "loc" | "severity">;
}

/** For an anchor that does not exist. */
export const noAnchor = (of: Addition, message: string, remedy: string): Refusal => ({
  of,
  is: "place",
  diagnostic: { code: "no-such-place", message, remedy },
});

/** For text that is not allowed there. */
export const refusal = (of: Addition, diagnostic: Refusal["diagnostic"]): Refusal => ({
  of,
  is: "text",
  diagnostic,
});

/** Refusals of additions with a location, as errors there. */
export const errorsOf = (refused: readonly Refusal[]): readonly Diagnostic[] =>
  refused.flatMap(({ of: { at, text }, is, diagnostic }) => {
    if (!at) return [];
    const loc = is === "place" ? at.location : firstWord(at.text, text);
    return [{ severity: "error" as const, loc, ...diagnostic }];
  });

/** The location of the first word of a text that begins at `at`. */
export const firstWord = (at: Loc, text: string): Loc => ({
  ...at,
  col: at.col + text.length - text.trimStart().length,
});

/** In the syntax of directive files: `blur loop 2`. */
export const headOf = ({ function: name, of, number }: Anchor): string =>
  [name, ...(of === "function" ? [] : [of]), ...(number === undefined ? [] : [number])].join(" ");

/** In messages: `loop 2 of blur`. */
export function anchorName({ function: name, of, number }: Anchor): string {
  if (of === "function") return name;
  return number === undefined ? `the ${of} of ${name}` : `${of} ${number} of ${name}`;
}
