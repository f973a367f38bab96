/**
 * Inserts a project's additions to a source into its preprocessed text, so that every later reader treats them as part of
 * the program. Marks in the text give their real location (core/lang/preprocess/mark.ts).
 */
import { lexPragma, type Parsed, parse } from "../../lang/index.ts";
import type { Diagnostic, Loc, Pragma } from "../../lang/tree/ast.ts";
import { Anchors, type Found } from "./anchors.ts";
import { contradiction } from "./contradictions.ts";
import { type Edit, Insertion } from "./insert.ts";
import { type Addition, anchorName, firstWord, headOf, type Refusal, refusal } from "./model.ts";
import { rankOf, sharesLoop } from "./words.ts";

export interface Added {
  readonly text: string;
  /** Reports what was inserted and where. */
  readonly notes: readonly Diagnostic[];
}

/** `file`: the source's name in messages. */
export function withAdded(
  text: string,
  file: string,
  additions: readonly Addition[],
): Added | { readonly refused: readonly Refusal[] } {
  const adding = new Adding(text, file, parse(text, { file }));
  for (const addition of additions) adding.add(addition);
  const { refused, edits, notes } = adding;
  return refused.length > 0 ? { refused } : { text: applied(text, edits), notes };
}

type Words = Pick<Pragma, "tokens"> & { readonly at: Loc };

class Adding {
  readonly refused: Refusal[] = [];
  readonly edits: Edit[] = [];
  readonly notes: Diagnostic[] = [];
  readonly #places: Anchors;
  readonly #insertion: Insertion;
  /** Directives inserted before a statement, by the location of its first token. */
  readonly #beside = new Map<Loc, readonly Words[]>();

  constructor(text: string, file: string, parsed: Parsed) {
    this.#places = new Anchors(parsed, file);
    this.#insertion = new Insertion(text, parsed);
  }

  add(addition: Addition): void {
    const found = this.#places.find(addition);
    const result =
      "diagnostic" in found
        ? found
        : addition.is === "clauses"
          ? this.#clauses(addition, found)
          : this.#directive(addition, found);
    if ("diagnostic" in result) this.refused.push(result);
    else this.edits.push(result);
  }

  #clauses(addition: Addition, found: Found): Edit | Refusal {
    const { anchor } = addition;
    const of = found.construct ?? found.pragmas.findLast(sharesLoop);
    if (!of)
      return refusal(addition, {
        code: "no-directive",
        message: `${anchorName(anchor)} has no directive that takes clauses`,
        remedy: `write the whole directive: \`${headOf(anchor)}: #pragma ...\``,
      });
    const { file, line } = of.span.start;
    this.#note(addition, `behind the directive at ${file}:${line}`);
    return (
      this.#insertion.clauses(addition, of) ??
      refusal(addition, {
        code: "directive-in-macro",
        message: `clauses cannot be added to a directive that a macro makes, at ${file}:${line}`,
        remedy: "write the directive out, or the clauses into the macro",
      })
    );
  }

  #directive(addition: Addition, found: Found): Edit | Refusal {
    const at = addition.at?.text ?? found.start;
    const words = { tokens: lexPragma(addition.text, at), at };
    const beside = this.#beside.get(found.start) ?? found.pragmas.map((p) => ({ ...p, at: p.span.start }));
    const wrong = contradiction(addition, words, found, beside);
    if (wrong) return wrong;
    this.#beside.set(found.start, [...beside, words]);
    const { file, line } = found.construct?.span.start ?? found.start;
    this.#note(addition, `in front of ${file}:${line}`);
    return (
      this.#insertion.directive(addition, found, rankOf(words)) ??
      refusal(addition, {
        code: "directive-in-macro",
        message: `no directive can be put in front of ${file}:${line}, which a macro makes`,
        remedy: "write the code out, or the directive into the macro",
      })
    );
  }

  #note({ at, is, anchor, text }: Addition, where: string): void {
    if (!at) return;
    const what = is === "directive" ? `'#pragma ${text.trim()}'` : `'${text}'`;
    const message = `${what} is read ${where}: ${anchorName(anchor)}`;
    this.notes.push({ severity: "note", code: "added-directive", message, loc: firstWord(at.text, text) });
  }
}

/** Edits at one offset are applied by rank, then in the order in which they were added. */
function applied(text: string, edits: readonly Edit[]): string {
  const ordered = edits
    .map((edit, i) => ({ ...edit, i }))
    .sort((a, b) => a.at - b.at || a.rank - b.rank || a.i - b.i);
  let result = "";
  let done = 0;
  for (const { at, text: put } of ordered) {
    result += text.slice(done, at) + put;
    done = at;
  }
  return result + text.slice(done);
}
