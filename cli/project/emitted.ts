/** Findings in text that arc made itself, told at the place of the user's own text that it was made from. */
import type { Action } from "../../core/build/model/action.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";

/** A compiler that meets no kernel of ours would never complain: whose fault it is must be said. */
const why =
  "this is in code that arc made for the region: a mistake in arc, or something this compiler lacks";

/** As they are, unless the action is about a place of the user's. */
export function atSite(
  diagnostics: readonly Diagnostic[],
  action: Action | undefined,
): readonly Diagnostic[] {
  const site = action?.site;
  if (site === undefined) return diagnostics;
  return diagnostics.map((diagnostic) => {
    const { file, line, col: column } = diagnostic.loc;
    if (site.verbatim) {
      const [, from, at] = site.lines?.find(([k]) => k === line) ?? [];
      return from === undefined || at === undefined || emittedLine(action, file, line) === undefined
        ? diagnostic
        : { ...diagnostic, loc: { file: from, line: at, col: column } };
    }
    // A finding about the region as a whole.
    if (file === site.file && line === site.line) return diagnostic;
    const text = emittedLine(action, file, line);
    const where = { message: `${file}:${line}${text === undefined ? "" : `: ${text.trim()}`}` };
    const { end: _, ...rest } = diagnostic;
    const place = text === undefined ? undefined : site.lines?.find(([k]) => k === line);
    const [, from, at, col] = place ?? [line, site.file, site.line, 1];
    return {
      ...rest,
      loc: { file: from, line: at, col },
      why,
      notes: [where, ...(diagnostic.notes ?? []).map(({ message }) => ({ message }))],
    };
  });
}

/** A line of a text that the action was given. */
function emittedLine(action: Action | undefined, file: string, line: number): string | undefined {
  const input = action?.inputs.find((one) => one.name === file);
  return input !== undefined && "text" in input.from ? input.from.text.split("\n")[line - 1] : undefined;
}
