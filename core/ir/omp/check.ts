/** What the clauses of one directive must be together (OpenMP 5.0, the restrictions of chapter 2). */
import type { Directive } from "../directive.ts";
import type { Reading } from "../reading.ts";
import { needsMap } from "./data.ts";
import { checkDevice, noteHints } from "./hints.ts";

export function checkDirective(reading: Reading, d: Directive): void {
  checkDevice(reading, d);
  noteHints(reading, d);
  if (needsMap(d))
    reading.report(
      "data-without-clause",
      d.loc,
      `'${d.name}' has none of the clauses that say what to do`,
      "add map",
    );
}
