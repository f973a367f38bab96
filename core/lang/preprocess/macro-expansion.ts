/**
 * Expands macros in pragmas (C11 6.10.3 with GNU variadics); all other text is already
 * expanded by the preprocessor.
 *
 * The standard leaves open whether a macro may expand again in a call that begins in its replacement
 * and ends after it. As in gcc and clang, replacements are read from a stack, a macro is disabled as
 * long as its replacement is on the stack, and a name read while its macro is disabled never expands.
 */
import type { Macro, MacroView } from "./macro.ts";
import { type Item, isName, relocate, substitute } from "./macro-substitution.ts";
import type { Token } from "./token.ts";

/**
 * Expands every macro in `tokens`; results get the location of the invocation. `report` is called for
 * invocations that a compiler rejects.
 */
export function expandMacros(tokens: readonly Token[], macros: MacroView, report: Report): Token[] {
  const expansion = new Expansion(tokens, macros, report);
  const expanded: Token[] = [];
  for (let item = expansion.next(); item; item = expansion.next()) expanded.push(item.token);
  return expanded;
}

type Report = (name: Token, fault: string) => void;

/**
 * Expands `tokens` one by one. `consumed`: the number of tokens consumed; absent while part of a
 * replacement remains.
 */
export function* expandStepwise(
  tokens: readonly Token[],
  macros: MacroView,
): Generator<{ readonly token: Token; readonly consumed?: number }> {
  const expansion = new Expansion(tokens, macros);
  for (let item = expansion.next(); item; item = expansion.next()) {
    const { consumed } = expansion;
    yield { token: item.token, ...(consumed !== undefined && { consumed }) };
  }
}

/** Tokens being read: the input, a macro's replacement, or an argument. */
interface Source {
  readonly items: readonly Item[];
  at: number;
  /** The macro whose replacement this is. */
  readonly macro?: string;
  /** Reading stops at its end and does not continue with the source below. */
  readonly closed?: true;
}

class Expansion {
  private readonly input: Source;
  private readonly sources: Source[];
  /** Macros whose replacements are in `sources`, fully read or not. */
  private readonly off = new Set<string>();
  private readonly macros: MacroView;
  private readonly report: Report | undefined;

  constructor(tokens: readonly Token[], macros: MacroView, report?: Report) {
    this.input = { items: tokens.map((token) => ({ token })), at: 0, closed: true };
    this.sources = [this.input];
    this.macros = macros;
    this.report = report;
  }

  /** Number of input tokens consumed; undefined while part of a replacement remains. */
  get consumed(): number | undefined {
    const { sources, input } = this;
    return sources.every((source) => source === input || isRead(source)) ? input.at : undefined;
  }

  /** The next fully expanded token; undefined at the end of a closed source. */
  next(): Item | undefined {
    for (let item = this.read(); item; item = this.read()) {
      if (item.final || !isName(item.token) || !this.enter(item.token)) return item;
    }
    return undefined;
  }

  /**
   * The next unexpanded token. Whether its macro may expand is decided here: after the end of a replacement the macro
   * is enabled again.
   */
  private read(): Item | undefined {
    for (;;) {
      const top = this.sources[this.sources.length - 1] as Source;
      const item = top.items[top.at];
      if (item) {
        top.at++;
        return this.off.has(item.token.text) ? { token: item.token, final: true } : item;
      }
      if (top.closed) return undefined;
      this.sources.pop();
      if (top.macro !== undefined) this.off.delete(top.macro);
    }
  }

  /** Pushes the replacement of `name`; false if `name` is not replaced. */
  private enter(name: Token): boolean {
    const { macros } = this;
    if (name.text === "__LINE__" || name.text === "__FILE__") {
      const text = name.text === "__LINE__" ? String(name.loc.line) : JSON.stringify(name.loc.file);
      const items = relocate(macros.relex(text, name.loc), name).map((token) => ({ token }));
      this.sources.push({ items, at: 0 });
      return true;
    }
    const macro = macros.table.lookup(name.text, macros.version, macros.relex);
    if (!macro || (macro.params && !this.hasCall(name))) return false;
    const args = macro.params ? this.arguments(macro) : [];
    const expectedCount = macro.params?.length ?? 0;
    if (args.length < expectedCount || (args.length > expectedCount && !macro.rest)) {
      const count = `${expectedCount} argument${expectedCount === 1 ? "" : "s"}${macro.rest ? " at least" : ""}`;
      this.report?.(name, `macro \`${name.text}\` takes ${count} and is given ${args.length}`);
    }
    const items = substitute(macro, args, name, macros.relex, (argument) => this.expanded(argument));
    this.sources.push({ items, at: 0, macro: macro.name });
    this.off.add(macro.name);
    return true;
  }

  /** Whether a complete argument list of `name` follows, wherever it ends. */
  private hasCall(name: Token): boolean {
    let depth = 0;
    for (let i = this.sources.length - 1; i >= 0; i--) {
      const { items, at, closed } = this.sources[i] as Source;
      for (const { token } of items.slice(at)) {
        if (isPunct(token, "(")) depth++;
        else if (isPunct(token, ")")) depth--;
        if (depth <= 0) return depth === 0 && isPunct(token, ")");
      }
      if (closed) break;
    }
    if (depth > 0) this.report?.(name, `the arguments of macro \`${name.text}\` do not end`);
    return false;
  }

  /** arguments = "(" (argument ("," argument)*)? ")" */
  private arguments(macro: Macro): Item[][] {
    const args: Item[][] = [[]];
    const fixed = macro.params?.length ?? 0;
    let depth = 0;
    for (let item = this.read(); item; item = this.read()) {
      const { token } = item;
      if (isPunct(token, "(") && depth++ === 0) continue;
      if (isPunct(token, ")") && --depth === 0) break;
      const inRest = macro.rest !== undefined && args.length > fixed;
      if (isPunct(token, ",") && depth === 1 && !inRest) args.push([]);
      else args[args.length - 1]?.push(item);
    }
    return args.length === 1 && args[0]?.length === 0 && fixed === 0 ? [] : args;
  }

  /** Expands an argument on its own, without the tokens after it. */
  private expanded(argument: readonly Item[]): Item[] {
    this.sources.push({ items: argument, at: 0, closed: true });
    const items: Item[] = [];
    for (let item = this.next(); item; item = this.next()) items.push(item);
    this.sources.pop();
    return items;
  }
}

const isRead = ({ items, at }: Source): boolean => at >= items.length;

const isPunct = (token: Token, text: string): boolean => token.kind === "punct" && token.text === text;
