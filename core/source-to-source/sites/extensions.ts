/** Directives of the target language that the source already has and other compilers do not know. */

import { hasShuffle } from "../../ir/omp/parallel/shuffle.ts";
import { functionTasks } from "../../ir/ompss/functions.ts";
import { pragmasIn } from "../../lang/index.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import type { Source } from "../model/source.ts";

/** In a source that becomes OpenMP: `shuffle`, which only arc and REX know, and tasks of OmpSs on functions. */
export function extensionsLeft(source: Source): readonly Diagnostic[] {
  return [...shufflesLeft(source), ...tasksLeft(source)];
}

function tasksLeft({ parsed }: Source): readonly Diagnostic[] {
  const tasks = new Map(
    [...functionTasks(parsed.unit.externals).values()].map(({ sym, task }) => [sym, task]),
  );
  return [...tasks].map(([{ name }, pragma]) => ({
    severity: "warning",
    code: "ompss-left",
    loc: pragma.tokens[1]?.loc ?? pragma.span.start,
    message: `the task '${name}' stays: a task on a function is OmpSs, and OpenMP has none`,
    why: "gcc and clang refuse the directive; they leave it out without -fopenmp, and calls run in their order",
    remedy: "compile the result with arc cc, or write '#pragma omp task depend(...)' before each call",
  }));
}

function shufflesLeft({ parsed }: Source): readonly Diagnostic[] {
  return pragmasIn(parsed.unit.externals)
    .filter((pragma) => pragma.tokens[0]?.text === "omp")
    .flatMap((pragma) => {
      const isDirective = pragma.tokens[1]?.text === "shuffle";
      if (!isDirective && !hasShuffle(pragma)) return [];
      const at = pragma.tokens.find(({ text }) => text === "shuffle");
      return [
        {
          severity: "warning" as const,
          code: "shuffle-left",
          loc: at?.loc ?? pragma.span.start,
          message: `the ${isDirective ? "directive" : "clause"} 'shuffle' stays: it is an extension of OpenMP that arc and REX know`,
          why: "a compiler that does not know it refuses it, or leaves the exchange out and computes something else",
          remedy: "compile the result with arc cc, or exchange the values through an array and barriers",
        },
      ];
    });
}
