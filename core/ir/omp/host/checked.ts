/**
 * Clauses of host directives. C compilers look at those of directives that they know; arc looks at the others, and at those
 * that mean more than an older compiler can say.
 */
import { itemAt } from "../../../checked/access.ts";
import { nearestName } from "../../../lang/index.ts";
import type { Diagnostic, Pragma, PragmaToken } from "../../../lang/tree/ast.ts";
import { directives, refusedApply } from "../directive/grammar.ts";
import { newestRemedy } from "../directive/newest.ts";
import { nameOf } from "../directive/parse.ts";
import { clausesOf } from "./clauses.ts";

/** Directives that arc writes out as loops. */
const loopOrders: Readonly<Record<string, readonly string[]>> = {
  fuse: ["apply", "depth", "looprange"],
  interchange: ["apply", "permutation"],
  reverse: ["apply"],
  split: ["apply", "counts"],
  stripe: ["apply", "sizes"],
};

/** Directives that arc carries out or leaves out itself, and that C compilers may drop without a word. */
const notForCompilers = /^(tile|unroll|nothing|assume|allocate|taskgraph)$/;

/** `honoured`: the C compiler implements OpenMP's directives for the host's threads. */
export function checkedOnHost(pragma: Pragma, honoured: boolean): readonly Diagnostic[] {
  if (pragma.tokens[0]?.text !== "omp") return [];
  const found = wordsOf(pragma);
  return found ? found.clauses.flatMap((clause) => checked(found, clause, honoured)) : [];
}

interface Words {
  readonly name: string;
  readonly allowed: readonly string[];
  readonly newest: readonly string[];
  readonly clauses: readonly (readonly PragmaToken[])[];
}

function wordsOf(pragma: Pragma): Words | undefined {
  const first = pragma.tokens[1]?.text ?? "";
  const name = first in loopOrders ? first : nameOf(pragma);
  const rule = name === undefined ? undefined : directives[name];
  const allowed = loopOrders[first] ?? rule?.clauses;
  if (name === undefined || !allowed) return undefined;
  const clauses = clausesOf(pragma.tokens)
    .slice(1 + name.split(" ").length)
    .filter(([word]) => word?.text !== ",");
  return { name, allowed, newest: rule?.newest ?? [], clauses };
}

function checked(
  { name, allowed, newest }: Words,
  [word, ...rest]: readonly PragmaToken[],
  honoured: boolean,
): readonly Diagnostic[] {
  if (!word || word.text.startsWith("ompx_")) return [];
  const text = word.text;
  const error = (code: string, message: string, remedy: string, severity: "error" | "warning" = "error") => [
    { severity, code, loc: word.loc, message, remedy },
  ];
  const refused = (section: string, remedy: string, what = `'${text}' of '${name}'`) =>
    error("unsupported-clause", `${what} is not carried out (OpenMP ${section})`, remedy);
  if (!allowed.includes(text)) {
    // What is said where there are fewer threads is left out with a warning of its own.
    if (newest.includes(text))
      return /^(message|severity)$/.test(text) ? [] : refused("6.0", newestRemedy(name, text));
    const isArcs = name in loopOrders || notForCompilers.test(name);
    // The C compiler says so of its own.
    if (honoured && !isArcs) return [];
    const guess = nearestName(text, allowed);
    return error(
      "misplaced-clause",
      `'${text}' is not a clause of '${name}'`,
      guess ? `did you mean '${guess}'?` : `allowed here: ${allowed.join(", ") || "none"}`,
      isArcs ? "error" : "warning",
    );
  }
  if (text === "apply")
    return error(
      "unsupported-clause",
      `'apply' of '${name}' is not carried out (${refusedApply.section})`,
      refusedApply.remedy,
    );
  if (text === "transparent")
    return refused("6.0", "write the dependences on a task that waits for those inside, by taskgroup");
  if (!honoured)
    return text === "at" && itemAt(rest, 1).text === "execution"
      ? error(
          "host-threads",
          "'error at(execution)' is left out of host code",
          "give -fopenmp to `arc cc`",
          "warning",
        )
      : [];
  if (text === "if" && name.startsWith("teams") && !isOfParallel(rest))
    return refused("5.2", "write num_teams(condition ? number : 1)", "'if' of 'teams'");
  if (text === "nowait" && name === "taskwait")
    return refused("5.1", "write an empty task with these dependences: '#pragma omp task depend(...)'");
  if (text === "memscope" && itemAt(rest, 1).text === "all")
    return refused("6.0", "write memscope(device), and let the program wait for other devices");
  return [];
}

/** `if(parallel: ...)`, and `if(simd: ...)`. */
const isOfParallel = (argument: readonly PragmaToken[]): boolean =>
  argument[2]?.text === ":" && argument[1]?.text !== "teams";
