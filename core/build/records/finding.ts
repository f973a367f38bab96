/**
 * Parses the diagnostics of a result: what steps report about the sources, in the form known to the compiler and the
 * printers.
 */
import type { Finding } from "../model/finding.ts";
import { list, object, oneOf, type Parser, text, upTo } from "./schema.ts";

const MOST_FINDINGS = 100_000;

/** Printers allocate this many characters for a line; longer lines cannot be genuine. */
const LONGEST_LINE = 2 ** 24;

const place = object({ file: text, line: upTo(2 ** 31), col: upTo(LONGEST_LINE) }, {});
const note = object({ message: text }, { loc: place });
const finding = object(
  { severity: oneOf("error", "warning", "note"), code: text, message: text, loc: place },
  { end: place, why: text, remedy: text, notes: list(note, MOST_FINDINGS) },
);

export const findings: Parser<readonly Finding[]> = list(finding, MOST_FINDINGS);
