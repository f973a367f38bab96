/** Additions as edits of a preprocessed text. */
import type { Parsed } from "../../lang/index.ts";
import { markText } from "../../lang/index.ts";
import type { Loc, Pragma } from "../../lang/tree/ast.ts";
import type { Addition } from "./model.ts";
import type { Found } from "./places.ts";
import { standsAlone } from "./words.ts";

export interface Edit {
  readonly at: number;
  readonly text: string;
  /** It stands behind others at its place. */
  readonly last?: true;
}

type Token = Parsed["source"]["tokens"][number];
type Line = NonNullable<Token["pragmas"]>[number];

export class Insertion {
  readonly #text: string;
  /** By their place, which is one object of token and statement. */
  readonly #tokens: ReadonlyMap<Loc, Token>;
  readonly #pragmas: ReadonlyMap<Loc, Line>;

  constructor(text: string, { source }: Parsed) {
    this.#text = text;
    this.#tokens = new Map(source.tokens.map((token) => [token.loc, token]));
    const lines = source.tokens.flatMap((token) => token.pragmas ?? []);
    this.#pragmas = new Map(lines.map((line) => [line.start, line]));
  }

  /** Clauses behind those of a directive; undefined where a macro makes it. */
  clauses({ text, at }: Addition, of: Pragma): Edit | undefined {
    const line = this.#pragmas.get(of.span.start);
    if (!line || line.operator) return undefined;
    return { at: line.stop, text: at ? ` ${markText(at.text)}${text}` : ` ${text}` };
  }

  /** A directive in front of a function or of a loop, behind the directives that it has. */
  directlyBefore({ text, at }: Addition, { start }: Found): Edit | undefined {
    const token = this.#tokens.get(start);
    return token && { ...this.#line(token.offset, start, text, at), last: true };
  }

  /** A directive in front of a statement's other directives, or of one of them. */
  beforeDirectives(addition: Addition, found: Found): Edit | undefined {
    const { pragmas, construct } = found;
    const alone = pragmas.findLastIndex((pragma) => standsAlone(pragma));
    const first = construct ?? pragmas[alone + 1];
    const line = first && this.#pragmas.get(first.span.start);
    if (first && !line) return undefined;
    const offset = line?.offset ?? this.#tokens.get(found.start)?.offset;
    const start = line?.start ?? found.start;
    return offset === undefined ? undefined : this.#line(offset, start, addition.text, addition.at);
  }

  /** The text in front of an offset as a directive, and what follows at its place again. */
  #line(offset: number, { file, line, col }: Loc, text: string, at: Addition["at"]): Edit {
    const begin = this.#text.lastIndexOf("\n", offset - 1) + 1;
    const isFirst = this.#text.slice(begin, offset).trim() === "";
    const pragma = `#pragma ${at ? markText(at.text) : ""}${text}\n# ${line} ${JSON.stringify(file)}\n`;
    if (isFirst) return { at: begin, text: pragma };
    return { at: offset, text: `\n${pragma}${" ".repeat(col - 1)}` };
  }
}
