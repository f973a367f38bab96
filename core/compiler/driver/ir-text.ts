/** The IR of sources as text: normalised, without what their headers declare and they do not use. */

import { trimmed } from "../../ir/model/trim.ts";
import { programText } from "../../ir/text/print.ts";
import { frontEnd } from "./front-end.ts";
import type { Preprocessed } from "./read-source.ts";

/** Of the sources of a program, which must be right. */
export function irTexts(sources: readonly Preprocessed[]): readonly string[] {
  return sources.map((source) => {
    const others = { kind: "whole", others: sources.filter((other) => other !== source) } as const;
    return programText(trimmed(frontEnd(source, others).program));
  });
}
