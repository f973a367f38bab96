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

class MetadirectiveParser extends ContextParser {
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
    return best(alternatives)?.tokens ?? otherwise;
  }
}
