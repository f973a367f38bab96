/** A macro's replacement with its arguments in place of its parameters (C11 6.10.3.1 to 6.10.3.3). */
import type { Macro, Relex } from "./macro.ts";
import { Token } from "./token.ts";

export interface Item {
  readonly token: Token;
  /** A name read inside its macro's replacement: it never expands again. */
  readonly final?: true;
}

export const isName = ({ kind }: Token): boolean => kind === "ident" || kind === "keyword";

/**
 * The replacement of `macro`, called at `at`. `#` and `##` use arguments as written; elsewhere
 * `expanded` expands them. Absent arguments are missing in `args`.
 */
export function substitute(
  macro: Macro,
  args: readonly (readonly Item[])[],
  at: Token,
  relex: Relex,
  expanded: (argument: readonly Item[]) => Item[],
): Item[] {
  const rest = macro.rest === undefined ? -1 : (macro.params?.length ?? 0);
  const parameter = (token: Token | undefined): number => {
    if (!token || !macro.params || !isName(token)) return -1;
    return token.text === macro.rest ? rest : macro.params.indexOf(token.text);
  };
  const own = (token: Token): Item => ({ token: moved(token, at) });

  /** The replacement of the operand at `start` of `body`, and the index of the next operand. */
  const operand = (
    body: readonly Token[],
    start: number,
    pasted: boolean,
  ): { items: Item[]; next: number } => {
    const token = body[start] as Token;
    const follower = body[start + 1];
    if (token.text === "#" && parameter(follower) >= 0) {
      const text = stringize(args[parameter(follower)] ?? []);
      const stringized = new Token("string", text, at.loc, at.length, token.spaced);
      return { items: [{ token: stringized }], next: start + 2 };
    }
    if (token.text === "__VA_OPT__" && rest >= 0 && follower?.text === "(") {
      const close = matching(body, start + 1);
      const given = expanded(args[rest] ?? []).length > 0;
      return { items: given ? replaced(body.slice(start + 2, close)) : [], next: close + 1 };
    }
    const param = parameter(token);
    if (param < 0) return { items: [own(token)], next: start + 1 };
    const argument = args[param] ?? [];
    const isRaw = pasted || follower?.text === "##";
    // The argument takes the parameter's position, including the white space before it.
    return { items: respacedFirst(isRaw ? argument : expanded(argument), token), next: start + 1 };
  };

  const replaced = (body: readonly Token[]): Item[] => {
    const out: Item[] = [];
    // Whether the previous operand is empty: `##` then ignores it.
    let isEmpty = true;
    for (let i = 0; i < body.length; ) {
      const pastes = body[i]?.text === "##" && i > 0 && i + 1 < body.length;
      const { items, next } = operand(body, pastes ? i + 1 : i, pastes);
      const left = out[out.length - 1];
      if (!pastes || isEmpty || !left) {
        out.push(...items);
        isEmpty = items.length === 0;
      } else if (left.token.text === "," && rest >= 0 && parameter(body[i + 1]) === rest) {
        // GNU: `, ## __VA_ARGS__` drops the comma if there are no variable arguments.
        if (args[rest] === undefined) out.pop();
        out.push(...items);
      } else if (items[0]) {
        out.pop();
        const tokens = relocate(relex(left.token.text + items[0].token.text, at.loc), at);
        const pasted = tokens.map((token) => ({ token }));
        out.push(...respacedFirst(pasted, left.token), ...items.slice(1));
      }
      i = next;
    }
    return out;
  };

  // The replacement takes the position of the macro's name, including its white space.
  return respacedFirst(replaced(macro.body), at);
}

function matching(body: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < body.length; i++) {
    if (body[i]?.text === "(") depth++;
    if (body[i]?.text === ")" && --depth === 0) return i;
  }
  return body.length;
}

function stringize(argument: readonly Item[]): string {
  let text = "";
  argument.forEach(({ token }, i) => {
    const shown =
      token.kind === "string" || token.kind === "char" ? token.text.replace(/[\\"]/g, "\\$&") : token.text;
    text += i > 0 && token.spaced ? ` ${shown}` : shown;
  });
  return `"${text}"`;
}

/** `tokens` with the location of `at` and their own spelling. */
export function relocate(tokens: readonly Token[], at: Token): Token[] {
  return tokens.map((token) => moved(token, at));
}

const moved = (token: Token, at: Token): Token =>
  new Token(token.kind, token.text, at.loc, at.length, token.spaced);

function respacedFirst(items: readonly Item[], { spaced }: Token): Item[] {
  const [first, ...others] = items;
  if (!first) return [];
  const { kind, text, loc, length } = first.token;
  return [{ ...first, token: new Token(kind, text, loc, length, spaced) }, ...others];
}
