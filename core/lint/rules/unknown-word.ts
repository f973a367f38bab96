/** Directives and clauses that their language does not have. */
import { isAcc, parseDirective } from "../../ir/acc/parse.ts";
import { clauses, directives, refusedClauses } from "../../ir/omp/directive/grammar.ts";
import * as ompss from "../../ir/ompss/grammar.ts";
import { misspelledDirective } from "../../ir/read/misspelled.ts";
import { walkStmt } from "../../lang/index.ts";
import type { Diagnostic, FunctionDef, Pragma } from "../../lang/tree/ast.ts";
import { nearestName } from "../../lang/tree/diagnostics.ts";
import type { Finding, Rule } from "../model/finding.ts";
import { readDirective } from "../read/directive.ts";

const name = "unknown-word";

/** What the compiler calls such words. */
const codes: ReadonlySet<string> = new Set(["unknown-directive", "unknown-clause", "misplaced-clause"]);

export const unknownWord: Rule = {
  name,
  severity: "error",
  summary: "a directive or clause is misspelled, or the directive has no such clause",
  page: {
    why: "Compilers that do not know a directive may drop it without a word, and the loop then runs on one thread of the host.",
    bad: `void fill(double *a, int n) {
#pragma acc paralel loop copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
    good: `void fill(double *a, int n) {
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
  },
  check: ({ functions, pragmas }) =>
    [...pragmas, ...functions.flatMap(pragmasOf)].flatMap((pragma) =>
      isAcc(pragma) ? inOpenAcc(pragma) : [...misspelledDirective(pragma).map(finding), ...inOpenMp(pragma)],
    ),
};

const inOpenAcc = (pragma: Pragma): readonly Finding[] =>
  parseDirective(pragma)
    .diagnostics.filter(({ code }) => codes.has(code))
    .map(finding);

const finding = (found: Diagnostic): Finding => ({
  ...found,
  severity: "error",
  code: name,
  certainty: "proved",
});

function pragmasOf({ body, pragmas = [] }: FunctionDef): readonly Pragma[] {
  const inside: Pragma[] = [];
  walkStmt(body, { stmt: (s) => void inside.push(...(s.pragmas ?? [])) });
  return [...pragmas, ...inside];
}

/** Those for the host's threads, too, which the compiler leaves to the C compiler. */
function inOpenMp(pragma: Pragma): readonly Finding[] {
  const directive = readDirective(pragma);
  if (directive?.language !== "omp" || !(directive.name in directives)) return [];
  const known = directive.name in ompss.directives ? ofTasks : ofOpenMp;
  return directive.clauses
    .filter((clause) => !known.has(clause.name) && !clause.name.startsWith(extensions))
    .map((clause) => {
      const guess = nearestName(clause.name, known);
      return finding({
        severity: "error",
        code: name,
        loc: clause.loc,
        message: `'${clause.name}' is not a clause of '${directive.name}'`,
        ...(guess !== undefined && { remedy: `did you mean '${guess}'?` }),
      });
    });
}

const wordsOf = (...tables: readonly object[]): ReadonlySet<string> => new Set(tables.flatMap(Object.keys));
const ofOpenMp = wordsOf(clauses, refusedClauses);
/** OmpSs has directives of the same names, with clauses of its own. */
const ofTasks = wordsOf(clauses, refusedClauses, ompss.clauses, ompss.refusedClauses);

/** OpenMP's prefix for clauses of a compiler's own. */
const extensions = "ompx_";
