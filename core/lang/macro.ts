/**
 * The macros in force at a line, and their expansion in pragmas (C11 6.10.3 with GNU variadics).
 * Everything outside pragmas was expanded by the preprocessor already.
 */
import type { Loc } from "./ast.ts";
import { Token } from "./token.ts";

type Relex = (text: string, at: Loc) => Token[];

interface Macro {
  readonly name: string;
  /** Absent: object-like. */
  readonly params?: readonly string[];
  /** Name of the variable argument (`__VA_ARGS__` or GNU `args...`). */
  readonly rest?: string;
  readonly body: readonly Token[];
}

const HEAD = /^([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)(\(([^)]*)\))?/;

interface Definition {
  /** How many definitions and undefinitions came before. */
  readonly version: number;
  /** What follows `#define`; absent: `#undef`. */
  readonly text?: string;
  readonly loc?: Loc;
  /** Parsed on first use: headers define thousands of macros that nobody asks for. */
  macro?: Macro | undefined;
}

/** Every definition of every macro of a unit, in order. */
export class MacroTable {
  private readonly history = new Map<string, Definition[]>();
  private readonly saved = new Map<string, (Definition | undefined)[]>();
  private changes = 0;

  /** Names the macros in force now, for `lookup` later. */
  get version(): number {
    return this.changes;
  }

  /** `text` is what follows `#define`. */
  define(text: string, loc: Loc): void {
    this.add(text.slice(0, nameEnd(text)), { version: ++this.changes, text, loc });
  }

  undefine(name: string): void {
    this.add(name, { version: ++this.changes });
  }

  private add(name: string, definition: Definition): void {
    const known = this.history.get(name);
    if (known) known.push(definition);
    else this.history.set(name, [definition]);
  }

  private at(name: string, version: number): Definition | undefined {
    return this.history.get(name)?.findLast((definition) => definition.version <= version);
  }

  /** `#pragma push_macro("name")`. */
  push(name: string): void {
    const stack = this.saved.get(name) ?? [];
    stack.push(this.at(name, this.changes));
    this.saved.set(name, stack);
  }

  /** `#pragma pop_macro("name")`. */
  pop(name: string): void {
    const stack = this.saved.get(name);
    if (!stack || stack.length === 0) return;
    this.add(name, { ...stack.pop(), version: ++this.changes });
  }

  /** The macro as of `version`. */
  lookup(name: string, version: number, relex: Relex): Macro | undefined {
    const definition = this.at(name, version);
    if (definition?.text === undefined || !definition.loc) return undefined;
    definition.macro ??= parseDefinition(definition.text, definition.loc, relex);
    return definition.macro;
  }
}

function nameEnd(text: string): number {
  let end = 0;
  while (end < text.length && /[\w$\u0080-\uffff]/.test(text[end] ?? "")) end++;
  return end;
}

/** definition = name ("(" params ")")? replacement */
function parseDefinition(text: string, loc: Loc, relex: Relex): Macro | undefined {
  const head = HEAD.exec(text);
  if (!head?.[1]) return undefined;
  const body = relex(text.slice(head[0].length), loc);
  if (head[2] === undefined) return { name: head[1], body };
  const names = (head[3] ?? "")
    .split(",")
    .map((param) => param.trim())
    .filter((param) => param !== "");
  const last = names[names.length - 1];
  if (!last?.endsWith("...")) return { name: head[1], params: names, body };
  const rest = last.slice(0, -3).trim() || "__VA_ARGS__";
  return { name: head[1], params: names.slice(0, -1), rest, body };
}

/** A token with the macros that must not expand it again. */
interface Hidden {
  readonly token: Token;
  readonly hide: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** The macros in force at one place. */
export interface MacroView {
  readonly table: MacroTable;
  readonly version: number;
  readonly relex: Relex;
}

/** Expands every macro in `tokens`; results stand at the place of the invocation. */
export function expandMacros(tokens: readonly Token[], macros: MacroView): Token[] {
  const input = tokens.map((token) => ({ token, hide: NONE }));
  return [...expand(input, macros)].map(({ hidden }) => hidden.token);
}

/**
 * Expands `tokens` one by one. `taken` says how many of them are used up, where nothing of a macro's
 * replacement is left over; it is absent in the middle of a replacement.
 */
export function* expandStepwise(
  tokens: readonly Token[],
  macros: MacroView,
): Generator<{ readonly token: Token; readonly taken?: number }> {
  const input = tokens.map((token) => ({ token, hide: NONE }));
  for (const { hidden, left } of expand(input, macros)) {
    yield { token: hidden.token, ...(left !== undefined && { taken: tokens.length - left }) };
  }
}

/** `left`: how many tokens of the input remain, where the next one is an input token. */
function* expand(
  tokens: readonly Hidden[],
  macros: MacroView,
): Generator<{ readonly hidden: Hidden; readonly left?: number }> {
  // A stack with the next token last: replacements are scanned again together with what follows.
  const todo = [...tokens].reverse();
  // Below this height the stack holds input only.
  let input = todo.length;
  const out = (hidden: Hidden) => (todo.length <= input ? { hidden, left: todo.length } : { hidden });
  for (let next = todo.pop(); next; next = todo.pop()) {
    input = Math.min(input, todo.length);
    const { token, hide } = next;
    const isName = token.kind === "ident" || token.kind === "keyword";
    if (!isName || hide.has(token.text)) {
      yield out(next);
      continue;
    }
    if (token.text === "__LINE__" || token.text === "__FILE__") {
      const text = token.text === "__LINE__" ? String(token.loc.line) : JSON.stringify(token.loc.file);
      for (const made of relocate(macros.relex(text, token.loc), token)) yield out({ token: made, hide });
      continue;
    }
    const macro = macros.table.lookup(token.text, macros.version, macros.relex);
    if (!macro) {
      yield out(next);
    } else if (!macro.params) {
      const hidden = new Set([...hide, macro.name]);
      push(todo, substitute(macro, [], token, hidden, macros));
    } else {
      const call = takeArguments(todo, macro);
      input = Math.min(input, todo.length);
      if (!call) {
        yield out(next);
        continue;
      }
      const both = [...hide].filter((name) => call.closeHide.has(name));
      push(todo, substitute(macro, call.args, token, new Set([...both, macro.name]), macros));
    }
  }
}

const expandAll = (tokens: readonly Hidden[], macros: MacroView): Hidden[] =>
  [...expand(tokens, macros)].map(({ hidden }) => hidden);

function push(stack: Hidden[], tokens: readonly Hidden[]): void {
  for (let i = tokens.length - 1; i >= 0; i--) stack.push(tokens[i] as Hidden);
}

/** Takes `( args )` from the stack; leaves it untouched when there is no complete argument list. */
function takeArguments(
  todo: Hidden[],
  macro: Macro,
): { args: Hidden[][]; closeHide: ReadonlySet<string> } | undefined {
  let at = todo.length - 1;
  if (todo[at]?.token.text !== "(") return undefined;
  const args: Hidden[][] = [[]];
  const fixed = macro.params?.length ?? 0;
  for (let depth = 0; at >= 0; at--) {
    const hidden = todo[at] as Hidden;
    const { text, kind } = hidden.token;
    const isPunct = kind === "punct";
    if (isPunct && text === "(" && depth++ === 0) continue;
    if (isPunct && text === ")" && --depth === 0) {
      todo.length = at;
      if (args.length === 1 && args[0]?.length === 0 && fixed === 0 && !macro.rest) args.pop();
      return { args, closeHide: hidden.hide };
    }
    const inRest = macro.rest !== undefined && args.length > fixed;
    if (isPunct && text === "," && depth === 1 && !inRest) args.push([]);
    else args[args.length - 1]?.push(hidden);
  }
  return undefined;
}

/** Replaces parameters in the body: `#` and `##` take the argument as written, the rest expanded. */
function substitute(
  macro: Macro,
  args: readonly Hidden[][],
  at: Token,
  hide: ReadonlySet<string>,
  macros: MacroView,
): Hidden[] {
  const { body } = macro;
  const indexOf = (token: Token | undefined): number => {
    if (!token || !macro.params || (token.kind !== "ident" && token.kind !== "keyword")) return -1;
    return token.text === macro.rest ? macro.params.length : macro.params.indexOf(token.text);
  };
  const own = (token: Token): Hidden => ({ token: relocateOne(token, at), hide: NONE });
  const out: Hidden[] = [];
  for (let i = 0; i < body.length; i++) {
    const token = body[i] as Token;
    const param = indexOf(token);
    const pastes = body[i + 1]?.text === "##";
    if (token.text === "#" && macro.params && indexOf(body[i + 1]) >= 0) {
      const text = stringize(args[indexOf(body[++i])] ?? []);
      out.push(own(new Token("string", text, at.loc, at.length, token.spaced)));
    } else if (token.text === "##" && i > 0 && i + 1 < body.length) {
      const next = body[++i] as Token;
      const right = indexOf(next);
      const operand = right >= 0 ? (args[right] ?? []) : [own(next)];
      // GNU: `, ## __VA_ARGS__` drops the comma when there are no variable arguments.
      const commaRest = right === macro.params?.length && out[out.length - 1]?.token.text === ",";
      if (commaRest) {
        if (operand.length === 0) out.pop();
        else out.push(...operand);
      } else if (operand.length > 0) {
        const left = out.pop();
        out.push(...paste(left, operand[0] as Hidden, at, macros.relex), ...operand.slice(1));
      }
    } else if (token.text === "__VA_OPT__" && macro.rest && body[i + 1]?.text === "(") {
      const close = matching(body, i + 1);
      const keep = (args[macro.params?.length ?? 0] ?? []).length > 0;
      if (keep) {
        const inner: Macro = { ...macro, body: body.slice(i + 2, close) };
        out.push(...substitute(inner, args, at, NONE, macros));
      }
      i = close;
    } else if (param >= 0) {
      const argument = args[param] ?? [];
      const [first, ...rest] = pastes ? argument : expandAll(argument, macros);
      // The argument stands where its parameter stood, the white space before it included.
      if (first) out.push({ ...first, token: respaced(first.token, token.spaced) }, ...rest);
    } else {
      out.push(own(token));
    }
  }
  return out.map(({ token, hide: own }, i) => ({
    // The replacement stands where the macro's name stood, its white space included.
    token: i === 0 ? respaced(token, at.spaced) : token,
    hide: new Set([...own, ...hide]),
  }));
}

function matching(body: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < body.length; i++) {
    if (body[i]?.text === "(") depth++;
    if (body[i]?.text === ")" && --depth === 0) return i;
  }
  return body.length;
}

function paste(left: Hidden | undefined, right: Hidden, at: Token, relex: Relex): Hidden[] {
  if (!left) return [right];
  const made = relocate(relex(left.token.text + right.token.text, at.loc), at);
  const hide = new Set([...left.hide].filter((name) => right.hide.has(name)));
  return made.map((token) => ({ token, hide }));
}

function stringize(argument: readonly Hidden[]): string {
  let text = "";
  argument.forEach(({ token }, i) => {
    const shown =
      token.kind === "string" || token.kind === "char" ? token.text.replace(/[\\"]/g, "\\$&") : token.text;
    text += i > 0 && token.spaced ? ` ${shown}` : shown;
  });
  return `"${text}"`;
}

function relocate(tokens: readonly Token[], at: Token): Token[] {
  return tokens.map((token) => relocateOne(token, at));
}

function respaced(token: Token, spaced: boolean): Token {
  return new Token(token.kind, token.text, token.loc, token.length, spaced);
}

function relocateOne(token: Token, at: Token): Token {
  return new Token(token.kind, token.text, at.loc, at.length, token.spaced);
}
