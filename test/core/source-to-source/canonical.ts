/** Regions as text in which the two languages of directives agree: what only one of them can say is left out. */
import type { Program } from "../../../core/ir/model/program.ts";
import { tasksOf } from "../../../core/ir/normalise/normalise.ts";
import { regionText } from "../../../core/ir/text/print.ts";

export const regionsOf = (program: Program): readonly string[] =>
  tasksOf(program).map(({ task }) => {
    const items = task.items.map((i) => `${i.written} ${i.mapping.is} ${i.sharing.is}`).sort();
    return `${canonical(regionText(task, []))}\n${items.join("; ")}`;
  });

/**
 * Loops in order have no directive in OpenMP; sizes stand at other constructs; workers and lanes of one loop are threads;
 * copies of scalars are said by clauses that OpenACC's rules make superfluous.
 */
function canonical(text: string): string {
  const lines = text
    .replace(/^ *#pragma upir loop seq.*\n/gm, "")
    .replace(/ (units|lanes|teams|workers|gangs|firstprivate)\([^()]*\)/g, "")
    .replace(/^( *#pragma upir loop .*) free\b/gm, "$1")
    .replace(/levels\((gang, )?(worker, vector|worker)\)/g, "levels($1vector)")
    .split("\n")
    .map((line) =>
      line.includes("upir task")
        ? line
            .split(/(?= data\()/)
            .sort()
            .join("")
        : line,
    );
  const at = lines.findIndex((line) => line.includes("#pragma"));
  return [...lines.slice(0, at).sort(), ...lines.slice(at)].join("\n");
}
