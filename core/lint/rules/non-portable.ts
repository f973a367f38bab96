/** Spellings that one compiler accepts and another does not. */
import { lastOf } from "../../checked/access.ts";
import type { FunctionDef, Pragma } from "../../lang/tree/ast.ts";
import type { Edit, Finding, Rule } from "../model/finding.ts";
import { refusedShape } from "../portable/shapes.ts";
import { type Spelling, spellingsOf } from "../portable/spellings.ts";
import { placed } from "../read/constructs.ts";
import { type Clause, type Directive, readDirective } from "../read/directive.ts";

const name = "non-portable";

export const nonPortable: Rule = {
  name,
  severity: "warning",
  advice: true,
  summary: "one compiler takes what is written, and another one refuses it or leaves it out",
  page: {
    why: "What each entry says of gcc 12 and clang 15 was tried with them; the table is `core/lint/portable/spellings.ts`.",
    bad: `#pragma omp begin declare target
int table[100];
#pragma omp end declare target
void fill(int *a) {
#pragma acc parallel loop copyout(zero: a[0:100])
  for (int i = 0; i < 100; i++)
    a[i] = table[i];
}`,
    good: `#pragma omp declare target
int table[100];
#pragma omp end declare target
void fill(int *a) {
#pragma acc parallel loop copyout(a[0:100])
  for (int i = 0; i < 100; i++)
    a[i] = table[i];
}`,
  },
  check: ({ functions, pragmas }) => [
    ...pragmas.flatMap(ofPragma),
    ...functions.flatMap((def) => [...ofFunction(def)]),
  ],
};

const ofPragma = (pragma: Pragma): readonly Finding[] => {
  const d = readDirective(pragma);
  return d ? spelled(d) : [];
};

function* ofFunction(def: FunctionDef): Generator<Finding> {
  for (const pragma of def.pragmas ?? []) yield* ofPragma(pragma);
  for (const { directive, stmt } of placed(def)) {
    yield* spelled(directive);
    const shape = refusedShape(directive, stmt);
    if (shape)
      yield {
        ...common,
        loc: directive.loc,
        message: `gcc 12 refuses ${shape.what}`,
        why: shape.source,
        remedy: shape.instead,
      };
  }
}

const common = { severity: "warning", code: name, certainty: "proved", advice: true } as const;

function spelled(d: Directive): readonly Finding[] {
  return spellingsOf(d).map(({ spelling, clause }) => {
    const written = clause ? `'${clause.name}' of '${d.name}'` : `'${d.name}'`;
    const many = spelling.refusedBy.length > 1;
    const verb = spelling.ignored ? (many ? "leave out" : "leaves out") : many ? "refuse" : "refuses";
    const fix = renamed(d, clause, spelling);
    return {
      ...common,
      loc: clause?.loc ?? d.loc,
      message: `${spelling.refusedBy.join(" and ")} ${verb} ${clause?.argument ? `${written}, as it is written here` : written}`,
      why: `it is from ${spelling.source}`,
      remedy: spelling.instead,
      ...(fix && { fix }),
    };
  });
}

/** Replaces a spelling, if all of it is on one line outside of macros. */
function renamed(
  d: Directive,
  clause: Clause | undefined,
  { rename }: Spelling,
): readonly Edit[] | undefined {
  if (!rename || d.pragma.operator) return undefined;
  const [from, to] = rename;
  const words = from.split(" ");
  const tokens = d.pragma.tokens;
  const first = tokens.findIndex((t) => t.loc === (clause?.loc ?? d.loc));
  const last = tokens[first + words.length - 1];
  const begin = tokens[first];
  if (!begin || !last || !words.every((w, k) => tokens[first + k]?.text === w)) return undefined;
  if (begin.loc.line !== last.loc.line) return undefined;
  const lastWord = lastOf(words);
  return [
    { loc: begin.loc, end: { ...last.loc, col: last.loc.col + lastWord.length }, text: to, replaces: from },
  ];
}
