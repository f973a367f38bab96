/** `metadirective`: selects one of several directives by context (OpenMP 5.2, section 7.4). */
import { firstOf, itemAt } from "../../../checked/access.ts";
import type { Diagnostic, Pragma, PragmaToken, Stmt } from "../../../lang/tree/ast.ts";
import { compound, ifStmt } from "../../../lang/tree/build.ts";
import { clause } from "../../directives/directive.ts";
import { parsed } from "../../directives/parser.ts";
import { parseDirective } from "../directive/parse.ts";
import { type Condition, type Context, ContextParser, ranked, type Selected } from "./context.ts";

interface Alternative {
  readonly selected: Selected;
  readonly tokens: readonly PragmaToken[];
}

/** A directive, and the condition under which it applies at run time. */
interface Choice {
  readonly condition?: Condition;
  readonly tokens: readonly PragmaToken[];
}

const begins = ({ tokens }: Pragma, ...words: readonly string[]): boolean =>
  ["omp", ...words].every((word, i) => tokens[i]?.text === word);

export const isMetadirective = (pragma: Pragma): boolean => begins(pragma, "metadirective");
const isBegin = (pragma: Pragma): boolean => begins(pragma, "begin", "metadirective");
const isEnd = (pragma: Pragma): boolean => begins(pragma, "end", "metadirective");

/** The selected pragma, which is the same one if it is not a metadirective; undefined if none is selected. */
export function meant(pragma: Pragma, context: Context): { pragma?: Pragma; diagnostics: Diagnostic[] } {
  if (!isMetadirective(pragma)) return { pragma, diagnostics: [] };
  const { choices, diagnostics } = choicesOf(pragma, context);
  const [first] = choices;
  const tokens = first && asOne(first, choices);
  const selected = tokens && directive(pragma, tokens);
  return { ...(selected && { pragma: selected }), diagnostics };
}

function choicesOf(
  pragma: Pragma,
  context: Context,
): { readonly choices: readonly Choice[]; readonly diagnostics: Diagnostic[] } {
  const found = parsed((list) => new MetadirectiveParser(pragma, list).parse(context));
  return { choices: found.directive ?? [], diagnostics: found.diagnostics };
}

/** No directive if nothing is selected, or `nothing` is. */
function directive(pragma: Pragma, tokens: readonly PragmaToken[]): Pragma | undefined {
  const [omp] = pragma.tokens;
  if (!omp || tokens.length === 0 || tokens[0]?.text === "nothing") return undefined;
  return { ...pragma, tokens: [omp, ...tokens] };
}

/** A host directive without which a statement computes the same. */
const isPlain = (tokens: readonly PragmaToken[]): boolean =>
  /^(|nothing|simd\b.*|for\b.*|parallel for\b.*)$/.test(tokens.map(({ text }) => text).join(" ")) &&
  !tokens.some(({ text }) => text === "private" || text === "firstprivate");

/**
 * A device construct if its condition holds, and otherwise plain C in the form of the other directive, merged into one
 * directive with an `if` clause.
 */
function asOne(
  { tokens, condition }: Choice,
  choices: readonly Choice[],
): readonly PragmaToken[] | undefined {
  if (!condition) return tokens;
  const [target] = tokens;
  const [, other] = choices;
  const hasIf = tokens.some(({ text }, i) => text === "if" && tokens[i + 1]?.text === "(");
  const isWritten = condition.tokens.length > 0;
  if (target?.text !== "target" || hasIf || !isWritten || !other || other.condition || !isPlain(other.tokens))
    return undefined;
  const punct = (text: string): PragmaToken => ({ kind: "punct", text, loc: target.loc });
  const when: PragmaToken = { kind: "ident", text: "if", loc: target.loc };
  return [...tokens, when, punct("("), ...condition.tokens, punct(")")];
}

const leaves = ["target", "teams", "distribute", "parallel", "for", "simd"];

/** The context within a construct that stands before the metadirective, at the same statement. */
function within(context: Context, pragma: Pragma): Context {
  const words = begins(pragma) ? pragma.tokens.slice(1).map(({ text }) => text) : [];
  const end = words.findIndex((word) => !leaves.includes(word));
  const constructs = end < 0 ? words : words.slice(0, end);
  const isDevice = constructs[0] === "target" && !/^(data|enter|exit|update)$/.test(words[1] ?? "");
  if (!isDevice && !context.device) return context;
  return { device: true, constructs: [...context.constructs, ...constructs] };
}

/**
 * A statement whose metadirective depends on conditions evaluated at run time, where no `if` clause can express that:
 * one copy of the statement for each condition.
 *
 *     metadirective when(user={condition(e)}: A) otherwise(B)      =>    if (e) A STATEMENT else B STATEMENT
 */
export function chosenAtRun(s: Stmt, around: Context): Stmt | undefined {
  const pragmas = s.pragmas ?? [];
  const at = pragmas.findIndex(isMetadirective);
  const pragma = pragmas[at];
  if (!pragma) return undefined;
  const context = pragmas.slice(0, at).reduce(within, around);
  const inside = choicesOf(pragma, context).choices;
  const target = someAreTeams(inside) ? pragmas.slice(0, at).findLastIndex(isTarget) : -1;
  const outermost = pragmas[target];
  const choices = outermost ? choicesBefore(outermost, pragma, context) : inside;
  const from = outermost ? target : at;
  const [first] = choices;
  if (!first?.condition || (!context.device && asOne(first, choices))) return undefined;
  const one = ({ tokens }: Choice): Stmt => {
    const selected = directive(pragma, tokens);
    const own = [...pragmas.slice(from, at), ...(selected ? [selected] : []), ...pragmas.slice(at + 1)];
    const { pragmas: _, ...plain } = s;
    return compound([own.length > 0 ? { ...plain, pragmas: own } : plain], s.span);
  };
  const last = choices.at(-1);
  const selection = choices
    .filter((c): c is Choice & { condition: Condition } => c.condition !== undefined)
    .reduceRight<Stmt | undefined>(
      (otherwise, c) => ifStmt(c.condition.expr, one(c), otherwise),
      last && !last.condition ? one(last) : undefined,
    );
  return selection && { ...selection, span: s.span, ...(from > 0 && { pragmas: pragmas.slice(0, from) }) };
}

const isTarget = (pragma: Pragma): boolean =>
  begins(pragma, "target") && !/^(data|enter|exit|update)$/.test(pragma.tokens[2]?.text ?? "");

/** `teams` is all that its `target` construct holds (OpenMP 5.2, section 10.2): no `if` may stand between them. */
const someAreTeams = (choices: readonly Choice[]): boolean =>
  choices.length > 1 && choices.some(({ tokens }) => tokens[0]?.text === "teams");

/**
 * What the host chooses from, which has one copy of the region for each.
 *
 *     target metadirective when(device={arch("nvptx")}: teams A) otherwise(B)
 *         =>    if (the default device is one of NVIDIA's) target teams A STATEMENT else target B STATEMENT
 */
function choicesBefore(target: Pragma, pragma: Pragma, context: Context): readonly Choice[] {
  const { directive: construct } = parseDirective(target);
  const [number] = (construct && clause(construct, "device")?.exprs) ?? [];
  return choicesOf(pragma, { ...context, chooser: { number: number === "*" ? undefined : number } }).choices;
}

/**
 * Turns statements between `begin metadirective` and its end into one with a metadirective; undefined if there are
 * none.
 */
export function grouped(list: readonly Stmt[]): readonly Stmt[] | undefined {
  const from = list.findIndex((s) => s.pragmas?.some(isBegin));
  if (from < 0) return undefined;
  const to = list.findIndex((s, i) => i > from && s.pragmas?.some(isEnd));
  const first = itemAt(list, from);
  const behind = list[to];
  const before = first.pragmas ?? [];
  const at = before.findIndex(isBegin);
  const begin = before[at];
  if (!behind || !begin) return undefined;
  const after = behind.pragmas ?? [];
  const end = after.findIndex(isEnd);
  const [omp, , ...rest] = begin.tokens;
  if (!omp) return undefined;
  const meta: Pragma = { ...begin, tokens: [omp, ...rest] };
  const inner = [withPragmas(first, before.slice(at + 1)), ...list.slice(from + 1, to)];
  const block = inner.length === 1 ? firstOf(inner) : compound(inner, first.span);
  const combined = withPragmas(block, [...before.slice(0, at), meta, ...(block.pragmas ?? [])]);
  const left = withPragmas(behind, [...after.slice(0, end), ...after.slice(end + 1)]);
  const next = [...list.slice(0, from), combined, left, ...list.slice(to + 1)];
  return grouped(next) ?? next;
}

function withPragmas(s: Stmt, pragmas: readonly Pragma[]): Stmt {
  const { pragmas: _, ...plain } = s;
  return pragmas.length > 0 ? { ...plain, pragmas } : plain;
}

class MetadirectiveParser extends ContextParser {
  protected override readonly ofRun = true;

  /** "metadirective" { [","] "when" "(" selector ":" [directive] ")" | "otherwise" "(" [directive] ")" } */
  parse(context: Context): readonly Choice[] {
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
    const list = ranked(alternatives);
    const isLast = list.at(-1)?.selected.condition === undefined && list.length > 0;
    return [
      ...list.map(({ tokens, selected: { condition } }) => ({ tokens, ...(condition && { condition }) })),
      ...(isLast ? [] : [{ tokens: otherwise }]),
    ];
  }
}
