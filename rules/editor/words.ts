/** The word of a directive under the cursor: its meaning, and the candidates for the next word. */
import { directives as accGrammar } from "../../core/ir/acc/grammar.ts";
import { directives as ompGrammar } from "../../core/ir/omp/directive/grammar.ts";
import { accClauses, accDirectives, ompClauses, ompDirectives } from "./clause-docs.ts";

export interface Meaning {
  readonly title: string;
  readonly text: string;
}

export interface Candidate extends Meaning {
  readonly word: string;
  readonly kind: "directive" | "clause";
}

interface Language {
  readonly space: string;
  readonly grammar: Readonly<Record<string, { readonly clauses: readonly string[] }>>;
  readonly directives: Readonly<Record<string, string>>;
  readonly clauses: Readonly<Record<string, string>>;
}

const languages: readonly Language[] = [
  { space: "acc", grammar: accGrammar, directives: accDirectives, clauses: accClauses },
  { space: "omp", grammar: ompGrammar, directives: ompDirectives, clauses: ompClauses },
];

interface Split {
  readonly language: Language;
  /** The longest directive that the line begins with. */
  readonly directive: string | undefined;
  /** Where the text after the directive begins, counted from 0. */
  readonly behind: number;
  /** Where its words begin. */
  readonly start: number;
}

/** `line` includes the continued lines before it. */
function split(line: string): Split | undefined {
  const head = /^\s*#\s*pragma\s+(\w+)\s*/.exec(line);
  const language = languages.find(({ space }) => space === head?.[1]);
  if (head === null || language === undefined) return undefined;
  const start = head[0].length;
  const words = [...line.slice(start).matchAll(/[A-Za-z_]+|\S/g)];
  for (let count = Math.min(words.length, 7); count > 0; count--) {
    const name = words
      .slice(0, count)
      .map(([word]) => word)
      .join(" ");
    const last = words[count - 1];
    if (language.grammar[name] && last)
      return { language, directive: name, behind: start + last.index + last[0].length, start };
  }
  return { language, directive: undefined, behind: start, start };
}

/** For a combined directive, the descriptions of its constructs. */
function directiveText({ directives }: Language, name: string): string {
  const whole = directives[name];
  if (whole !== undefined) return whole;
  return name
    .split(" ")
    .flatMap((leaf) => (directives[leaf] === undefined ? [] : [`- \`${leaf}\`: ${directives[leaf]}`]))
    .join("\n");
}

/** Meaning of the word at a column (from 0), if the line is a directive and the word is not the program's own. */
export function meaningAt(line: string, column: number): Meaning | undefined {
  const found = split(line);
  const word = wordAt(line, column);
  if (found === undefined || word === undefined || word.start < found.start) return undefined;
  const { language, directive } = found;
  if (directive !== undefined && word.start < found.behind)
    return { title: `${language.space} ${directive}`, text: directiveText(language, directive) };
  const text = language.clauses[word.text];
  return depthAt(line.slice(found.start), word.start - found.start) === 0 && text !== undefined
    ? { title: word.text, text }
    : undefined;
}

/** Words that may stand at the column. */
export function candidatesAt(line: string, column: number): readonly Candidate[] {
  const before = line.slice(0, column);
  const found = split(before);
  if (found === undefined || depthAt(before.slice(found.start), before.length - found.start) > 0) return [];
  const { language, directive, start } = found;
  const typed = before.slice(start).replace(/\w*$/, "").trim().replace(/\s+/g, " ");
  const further = Object.keys(language.grammar).flatMap((name): Candidate[] => {
    if (typed !== "" && !name.startsWith(`${typed} `)) return [];
    const word = name.slice(typed === "" ? 0 : typed.length + 1);
    return [
      { word, kind: "directive", title: `${language.space} ${name}`, text: directiveText(language, name) },
    ];
  });
  const clauses = directive === undefined ? [] : (language.grammar[directive]?.clauses ?? []);
  const own = clauses.flatMap((word): Candidate[] => {
    const text = language.clauses[word];
    return text === undefined ? [] : [{ word, kind: "clause", title: word, text }];
  });
  return [...further, ...own];
}

/** Number of open parentheses. */
function depthAt(text: string, column: number): number {
  let depth = 0;
  for (const character of text.slice(0, column)) {
    if (character === "(") depth++;
    if (character === ")") depth--;
  }
  return depth;
}

function wordAt(line: string, column: number): { readonly text: string; readonly start: number } | undefined {
  for (const match of line.matchAll(/[A-Za-z_]\w*/g))
    if (match.index <= column && column <= match.index + match[0].length)
      return { text: match[0], start: match.index };
  return undefined;
}
