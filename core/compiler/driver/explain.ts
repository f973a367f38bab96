/** Describes what the passes did to the regions of a source: the text of `arc translate --explain`. */
import { irText } from "../../ir/text/print.ts";
import type { Story } from "./region-units.ts";

/** Lines without colour; with `code`, includes the region after each pass that changed it. */
export function explain(stories: readonly Story[], { code = false } = {}): readonly string[] {
  return stories.flatMap(({ region, loc, remarks, steps, diagnostics }) => [
    `${loc.file}:${loc.line}: region ${region}`,
    ...steps.flatMap(({ pass, task }, k) => {
      const own = remarks.filter((r) => r.pass === pass);
      const lines = own.map(
        (r) =>
          `  ${pass}: ${r.applied ? "" : "not applied: "}${r.message} (${r.loc.file}:${r.loc.line}:${r.loc.col})`,
      );
      const changed = own.some((r) => r.applied) && task !== steps[k - 1]?.task;
      return code && changed
        ? [
            ...lines,
            ...irText(task.body)
              .split("\n")
              .map((line) => `    ${line}`),
          ]
        : lines;
    }),
    ...diagnostics.map((d) => `  refused: ${d.message} (${d.loc.file}:${d.loc.line}:${d.loc.col})`),
  ]);
}
