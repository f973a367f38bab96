/** `metadirective`: the directive that its clauses select where it stands (OpenMP 5.2, section 7.4). */
import type { Diagnostic, Pragma, PragmaToken } from "../../lang/tree/ast.ts";
import { parsed } from "../directives/parser.ts";
import { best, type Context, ContextParser, type Selected } from "./context.ts";

interface Alternative {
  readonly selected: Selected;
  readonly tokens: readonly PragmaToken[];
}

export const isMetadirective = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" && tokens[1]?.text === "metadirective";

/** The pragma that is meant, which is the same one if it is no metadirective; none: no directive is. */
export function meant(pragma: Pragma, context: Context): { pragma?: Pragma; diagnostics: Diagnostic[] } {
  if (!isMetadirective(pragma)) return { pragma, diagnostics: [] };
  const { directive: tokens, diagnostics } = parsed((found) =>
    new MetadirectiveParser(pragma, found).parse(context),
  );
  const [omp] = pragma.tokens;
  if (!tokens || !omp || tokens.length === 0 || tokens[0]?.text === "nothing") return { diagnostics };
  return { pragma: { ...pragma, tokens: [omp, ...tokens] }, diagnostics };
}

/** A directive of the host without which a statement computes the same. */
const isPlain = (tokens: readonly PragmaToken[]): boolean =>
  /^(|nothing|simd\b.*|for\b.*|parallel for\b.*)$/.test(tokens.map(({ text }) => text).join(" ")) &&
  !tokens.some(({ text }) => text === "private" || text === "firstprivate");

class MetadirectiveParser extends ContextParser {
  protected override readonly ofRun = true;

  /** "metadirective" { [","] "when" "(" selector ":" [directive] ")" | "otherwise" "(" [directive] ")" } */
  parse(context: Context): readonly PragmaToken[] {
    this.p.next();
    const alternatives: Alternative[] = [];
    let otherwise: readonly PragmaToken[] = [];
    while (!this.p.atEnd()) {
      if (this.p.accept(",")) continue;
      const name = this.word(["when", "otherwise", "default"]);
      this.punctuation("(");
      if (name === "when") {
        const selected = this.selector(context);
        this.punctuation(":");
        alternatives.push({ selected, tokens: this.untilClosed() });
      } else otherwise = this.untilClosed();
      this.closes(name);
    }
    const first = best(alternatives);
    if (!first?.selected.condition) return first?.tokens ?? otherwise;
    const next = best(alternatives.filter((one) => one !== first));
    return this.ifHolds(first.tokens, first.selected.condition, next, otherwise);
  }

  /**
   * A construct for a device, where the condition of the run holds; else its statement is plain C, as the other directive
   * would have it.
   */
  private ifHolds(
    tokens: readonly PragmaToken[],
    condition: readonly PragmaToken[],
    next: Alternative | undefined,
    otherwise: readonly PragmaToken[],
  ): readonly PragmaToken[] {
    const [target] = tokens;
    const other = next?.tokens ?? otherwise;
    const hasIf = tokens.some(({ text }, i) => text === "if" && tokens[i + 1]?.text === "(");
    if (target?.text !== "target" || hasIf || next?.selected.condition || !isPlain(other))
      return this.refuse(
        "unknown-context",
        condition[0]?.loc ?? this.pragma.span.start,
        "whether 'condition' holds here is not known when arc compiles",
        "write an 'if' around two statements, each with its directive",
      );
    const punct = (text: string): PragmaToken => ({ kind: "punct", text, loc: target.loc });
    const when: PragmaToken = { kind: "ident", text: "if", loc: target.loc };
    return [...tokens, when, punct("("), ...condition, punct(")")];
  }
}
