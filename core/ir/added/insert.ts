/** Converts additions to edits of a preprocessed text. */
import type { Parsed } from "../../lang/index.ts";
import { markText } from "../../lang/index.ts";
import type { Loc, Pragma } from "../../lang/tree/ast.ts";
import type { Found } from "./anchors.ts";
import type { Addition } from "./model.ts";
import { rankOf, standsAlone } from "./words.ts";

export interface Edit {
  readonly at: number;
  readonly text: string;
  /** Edits at one offset are ordered by rank. */
  readonly rank: number;
}

type Token = Parsed["source"]["tokens"][number];
type Line = NonNullable<Token["pragmas"]>[number];

export class Insertion {
  readonly #text: string;
  /** Keyed by location object, which tokens share with their statements. */
  readonly #tokens: ReadonlyMap<Loc, Token>;
  readonly #pragmas: ReadonlyMap<Loc, Line>;

  constructor(text: string, { source }: Parsed) {
    this.#text = text;
    this.#tokens = new Map(source.tokens.map((token) => [token.loc, token]));
    const lines = source.tokens.flatMap((token) => token.pragmas ?? []);
    this.#pragmas = new Map(lines.map((line) => [line.start, line]));
  }

  /** Clauses appended to a directive; undefined if a macro produces the directive. */
  clauses({ text, at }: Addition, of: Pragma): Edit | undefined {
    const line = this.#pragmas.get(of.span.start);
    if (!line || line.operator) return undefined;
    return { at: line.stop, text: at ? ` ${markText(at.text)}${text}` : ` ${text}`, rank: 0 };
  }

  /** A directive before the statement, or before those of its directives that must follow it. */
  directive(addition: Addition, found: Found, rank: number): Edit | undefined {
    const { construct, pragmas, start } = found;
    const behind = pragmas.slice(1 + pragmas.findLastIndex((pragma) => standsAlone(pragma)));
    const next = construct ?? behind.find((pragma) => rankOf(pragma) > rank);
    const line = next && this.#pragmas.get(next.span.start);
    if (next && !line) return undefined;
    const offset = line?.offset ?? this.#tokens.get(start)?.offset;
    if (offset === undefined) return undefined;
    return { ...this.#line(offset, line?.start ?? start, addition.text, addition.at), rank };
  }

  /** The text as a directive line before an offset; the code after it keeps its location. */
  #line(offset: number, { file, line, col }: Loc, text: string, at: Addition["at"]): Omit<Edit, "rank"> {
    const begin = this.#text.lastIndexOf("\n", offset - 1) + 1;
    const isFirst = this.#text.slice(begin, offset).trim() === "";
    const pragma = `#pragma ${at ? markText(at.text) : ""}${text}\n# ${line} ${JSON.stringify(file)}\n`;
    if (isFirst) return { at: begin, text: pragma };
    return { at: offset, text: `\n${pragma}${" ".repeat(col - 1)}` };
  }
}
