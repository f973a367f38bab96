/** Prints the normalised IR of sources as text, without unused declarations from headers. */

import { trimmed } from "../../ir/model/trim.ts";
import { programText } from "../../ir/text/print.ts";
import { frontEnd } from "./front-end.ts";
import type { Preprocessed } from "./read-source.ts";

/** The sources of one program, which must have no errors. */
export function irTexts(sources: readonly Preprocessed[]): readonly string[] {
  return sources.map((source) => {
    const others = { kind: "whole", others: sources.filter((other) => other !== source) } as const;
    return programText(trimmed(frontEnd(source, others).program));
  });
}
