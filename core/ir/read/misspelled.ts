/** Pragmas of unknown languages that resemble one of arc's directive languages. */

import { nearestName } from "../../lang/index.ts";
import type { Diagnostic, Pragma, PragmaToken } from "../../lang/tree/ast.ts";
import { directives as accDirectives } from "../acc/grammar.ts";
import { directives as ompDirectives, refusedDirectives } from "../omp/directive/grammar.ts";

interface Language {
  readonly name: string;
  readonly longName: string;
  readonly directives: ReadonlySet<string>;
  readonly firstWords: ReadonlySet<string>;
}

const languages: readonly Language[] = [
  language("acc", "openacc", Object.keys(accDirectives)),
  language("omp", "openmp", [...Object.keys(ompDirectives), ...Object.keys(refusedDirectives)]),
];

/** OpenMP directives for host code alone, which the C compiler reads; it may know those of version 6.0. */
const ofHost = new Set(
  "assumes allocators begin declare depobj do end fuse interchange metadirective reverse split stripe taskgraph task_iteration".split(
    " ",
  ),
);

/** OpenMP's reserved prefix for compiler extensions. */
const extensions = "ompx";

function language(name: string, longName: string, directives: readonly string[]): Language {
  const firstWords = new Set(directives.map((directive) => directive.split(" ")[0] ?? ""));
  return { name, longName, directives: new Set(directives), firstWords };
}

/** A warning that suggests a similar directive; other unknown pragmas are left to the C compiler. */
export function misspelledDirective({ tokens }: Pragma): readonly Diagnostic[] {
  const [first, second] = tokens;
  if (first?.text === "omp" && second) return unknownToAll(second);
  if (!first || first.text === extensions || languages.some(({ name }) => name === first.text)) return [];
  const meant = languages.map((one) => intendedFor(one, first.text, second?.text)).find((words) => words);
  if (meant === undefined) return [];
  return [
    {
      severity: "warning",
      code: "misspelled-directive",
      loc: first.loc,
      message: `'#pragma ${first.text}' is ignored: it is no directive`,
      remedy: `did you mean '#pragma ${[meant, ...(second ? [second.text] : [])].join(" ")}'?`,
    },
  ];
}

/** C compilers may drop such a directive without a word. */
function unknownToAll({ text, loc }: PragmaToken): readonly Diagnostic[] {
  const known = [...(languages.find(({ name }) => name === "omp")?.firstWords ?? []), ...ofHost];
  if (known.includes(text)) return [];
  const guess = nearestName(text, known);
  return [
    {
      severity: "warning",
      code: "misspelled-directive",
      loc,
      message: `'#pragma omp ${text}' is ignored: it is no directive`,
      remedy: guess ? `did you mean '#pragma omp ${guess}'?` : "see OpenMP 5.0, chapter 2",
    },
  ];
}

/** The likely intended first word of a pragma. */
function intendedFor(
  { name, longName, directives, firstWords }: Language,
  first: string,
  second: string | undefined,
): string | undefined {
  const letters = first.toLowerCase().replaceAll("_", "");
  if (letters === name || letters === longName) return name;
  const behind = [name, longName].find((start) => letters.startsWith(start));
  const joined = [...firstWords].find((word) => `${behind}${word.replaceAll("_", "")}` === letters);
  if (joined !== undefined) return `${name} ${joined}`;
  // A single matching word may belong to another compiler's pragma; two matching words do not.
  if (second === undefined) return undefined;
  if (firstWords.has(second) && nearestName(letters, [name]) !== undefined) return name;
  return directives.has(`${first} ${second}`) ? `${name} ${first}` : undefined;
}
