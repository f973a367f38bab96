/**
 * `omp_all_memory` in `depend` for C compilers that do not know it (OpenMP 5.2, section 15.9.5): a place that the tasks
 * with that word change, and that all other tasks of the file with dependences read.
 *
 *     task depend(out: omp_all_memory)      =>      task depend(out: *arc_all_memory())
 *     task depend(in: x)                            task depend(in: x) depend(in: *arc_all_memory())
 */
import type { Pragma, PragmaToken } from "../../../lang/tree/ast.ts";

const word = "omp_all_memory";

const names = (tokens: readonly PragmaToken[]): boolean => tokens.some((t) => t.text === word);

/** Constructs of which `depend` makes tasks wait for each other. */
const ordersTasks = /^(task|taskwait|target|parallel|master|masked)\b/;

/** What replaces the pragmas of a unit; undefined if none uses the word. */
export function allMemory(pragmas: readonly Pragma[]): ((pragma: Pragma) => Pragma) | undefined {
  if (!pragmas.some(({ tokens }) => tokens[0]?.text === "omp" && names(tokens))) return undefined;
  return (pragma) => {
    const { tokens } = pragma;
    if (tokens[0]?.text !== "omp") return pragma;
    const tied = names(tokens);
    const depends = tokens.some((t, i) => t.text === "depend" && tokens[i + 1]?.text === "(");
    if (!tied && !(depends && ordersTasks.test(tokens[1]?.text ?? ""))) return pragma;
    const [first] = tokens;
    const more = tied ? [] : ["depend", "(", "in", ":", ...place, ")"];
    const found = tokens.flatMap((t) => (t.text === word ? place.map((text) => token(text, t)) : [t]));
    return { ...pragma, tokens: [...found, ...more.map((text) => token(text, first))], added: "clauses" };
  };
}

/** A call, which `default(none)` around it need not name. */
const place = ["*", "arc_all_memory", "(", ")"];

const token = (text: string, { loc }: PragmaToken): PragmaToken => ({
  kind: /^\w/.test(text) ? "ident" : "punct",
  text,
  loc,
});
