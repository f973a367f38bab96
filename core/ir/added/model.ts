/** What a project adds to the directives of a source without touching it, by arc.yaml or by a file beside the source. */
import type { Diagnostic, Loc } from "../../lang/tree/ast.ts";

/** Where in a source: regions and loops are counted from 1, without a number there is one alone. */
export interface Place {
  readonly function: string;
  readonly of: "function" | "loop" | "region";
  readonly number?: number;
}

export interface Addition {
  readonly place: Place;
  /** What stands behind `#pragma` of a directive of its own, or clauses for one that the source has. */
  readonly is: "directive" | "clauses";
  readonly text: string;
  /** Where its place and its text stand, if messages are to name these. */
  readonly at?: { readonly place: Loc; readonly text: Loc };
  /** Who adds it, where messages have no such place. */
  readonly by?: string;
}

/** Why something cannot be added. */
export interface Refusal {
  readonly of: Addition;
  /** What is wrong with it. */
  readonly is: "place" | "text";
  readonly diagnostic: Omit<Diagnostic, "loc" | "severity">;
}

/** Where an addition finds no place. */
export const noPlace = (of: Addition, message: string, remedy: string): Refusal => ({
  of,
  is: "place",
  diagnostic: { code: "no-such-place", message, remedy },
});

/** Where it finds one and cannot stand there. */
export const refusal = (of: Addition, diagnostic: Refusal["diagnostic"]): Refusal => ({
  of,
  is: "text",
  diagnostic,
});

/** Refusals of additions that have places, as errors there. */
export const errorsOf = (refused: readonly Refusal[]): readonly Diagnostic[] =>
  refused.flatMap(({ of: { at, text }, is, diagnostic }) => {
    if (!at) return [];
    const loc = is === "place" ? at.place : firstWord(at.text, text);
    return [{ severity: "error" as const, loc, ...diagnostic }];
  });

/** Where the first word of a text stands that begins at a place. */
export const firstWord = (at: Loc, text: string): Loc => ({
  ...at,
  col: at.col + text.length - text.trimStart().length,
});

/** As a directive file writes it: `blur loop 2`. */
export const headOf = ({ function: name, of, number }: Place): string =>
  [name, ...(of === "function" ? [] : [of]), ...(number === undefined ? [] : [number])].join(" ");

/** For messages: `loop 2 of blur`. */
export function placeName({ function: name, of, number }: Place): string {
  if (of === "function") return name;
  return number === undefined ? `the ${of} of ${name}` : `${of} ${number} of ${name}`;
}
