/** A directive as written: the text of each clause with the white space before it, macros unexpanded. */
import { itemAt } from "../../checked/access.ts";
import { spellTokens } from "../../lang/index.ts";
import type { Pragma } from "../../lang/tree/ast.ts";
import { argumentsAt, gapAt } from "./scan.ts";

export interface WrittenClause {
  /** White space, comments and continued lines before it, without the comma. */
  readonly gap: string;
  readonly name: string;
  /** The text in its parentheses. */
  readonly argument?: string;
  /** The argument split at commas outside of parentheses. */
  readonly list: readonly string[];
}

export interface Written {
  readonly name: string;
  /** The list directly after the name, as in `wait(1)`. */
  readonly argument?: string;
  readonly clauses: readonly WrittenClause[];
  /** All of it, from the name to the last clause. */
  readonly words: string;
  /** A comment after the last clause, with the white space before it. */
  readonly tail: string;
}

/**
 * `text`: the pragma in the file. Of clauses, or of all of it, that macros stand for, their expansion is used. `clauses`:
 * how many a parser of the language found, to verify the result.
 */
export function writtenOf(text: string, pragma: Pragma, name: string, clauses: number): Written | undefined {
  const content = pragmaContent(text);
  const own = content === undefined ? undefined : split(content, name);
  const expanded = split(spellTokens(pragma.tokens), name);
  if (expanded?.clauses.length !== clauses) return own?.clauses.length === clauses ? own : undefined;
  if (own?.clauses.length !== clauses) return expanded;
  const areAll = own.clauses.every((c, i) => c.name === itemAt(expanded.clauses, i).name);
  return {
    ...own,
    clauses: own.clauses.map((c, i) => {
      const meant = itemAt(expanded.clauses, i);
      return isMeant(c, meant, areAll) ? c : { ...meant, gap: c.gap };
    }),
  };
}

/** Whether a clause says what its expansion does. `areAll`: no macro stands for any clause, but some may stand inside. */
function isMeant(own: WrittenClause, meant: WrittenClause, areAll: boolean): boolean {
  if (own.name !== meant.name) return false;
  if (squeezed(own.argument) === squeezed(meant.argument)) return true;
  // A macro may be several items, or the words in front of them.
  const hasWords = ({ argument = "" }: WrittenClause): boolean => /^[^[(]*:/.test(argument);
  return areAll && own.list.length === meant.list.length && hasWords(own) === hasWords(meant);
}

const squeezed = (text: string | undefined): string | undefined => text?.replace(/\s+/g, "");

/** The text after `#pragma`, or in the string of `_Pragma`. */
function pragmaContent(text: string): string | undefined {
  const line = /^(?:#|%:)(?:\s|\\\r?\n|\/\*[\s\S]*?\*\/)*pragma\b/.exec(text);
  if (line) return text.slice(line[0].length);
  const operator = /^_Pragma\s*\(\s*"((?:\\[\s\S]|[^"\\])*)"\s*\)$/.exec(text);
  return operator?.[1]?.replace(/\\([\\"])/g, "$1");
}

const word = /^[A-Za-z_]\w*/;

function split(text: string, name: string): Written | undefined {
  let at = 0;
  const next = (): string | undefined => {
    at += gapAt(text, at).length;
    const found = word.exec(text.slice(at))?.[0];
    at += found?.length ?? 0;
    return found;
  };
  // The namespace, then the directive.
  next();
  const start = at;
  let stop = at;
  for (const one of name.split(" ")) if (next() !== one) return undefined;
  const argument = parenthesised(text, at);
  if (argument) at = argument.end;
  const clauses: WrittenClause[] = [];
  let tail = "";
  for (;;) {
    stop = at;
    let gap = gapAt(text, at);
    at += gap.length;
    if (text[at] === ",") {
      const more = gapAt(text, ++at);
      gap += more;
      at += more.length;
    }
    if (at >= text.length || text.startsWith("//", at)) {
      tail = /\/[/*]/.test(gap + text.slice(at)) ? gap + text.slice(at) : "";
      break;
    }
    const found = word.exec(text.slice(at))?.[0];
    if (found === undefined) return undefined;
    at += found.length;
    const inside = parenthesised(text, at);
    if (inside) at = inside.end;
    clauses.push({
      gap: gap === "" ? " " : gap,
      name: found,
      ...(inside && { argument: inside.text }),
      list: inside?.list ?? [],
    });
  }
  const words = text.slice(start, stop).trim();
  return { name, ...(argument && { argument: argument.text }), clauses, words, tail };
}

function parenthesised(
  text: string,
  from: number,
): { readonly text: string; readonly list: readonly string[]; readonly end: number } | undefined {
  const found = argumentsAt(text, from);
  if (!found) return undefined;
  const open = from + gapAt(text, from).length;
  return { text: text.slice(open + 1, found.end - 1).trim(), list: found.list, end: found.end };
}
