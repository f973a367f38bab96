/** Splits a kernel's tokens into statements, with only as much of C's grammar as their nesting needs. */
import { itemAt } from "../../checked/access.ts";
import { closing, type SourceLocations, type Token } from "./tokens.ts";

export interface Statement {
  readonly kind: "simple" | "declaration" | "block" | "if" | "for" | "while" | "do" | "switch";
  /** Token indices; `to` is one past the last. */
  readonly from: number;
  readonly to: number;
  /** Tokens between the parentheses of the head. */
  readonly head?: readonly [from: number, to: number];
  /** Nested statements; of an `if`, both branches. */
  readonly inside: readonly Statement[];
}

const words =
  /^(const|volatile|unsigned|signed|int|float|double|char|short|long|bool|size_t|struct|u?int\d+_t|uint|__shared__|static|register|extern)$/;

/** Statements of tokens `from` to `to`. */
export function statementsIn(
  tokens: readonly Token[],
  from: number,
  to: number,
  locations: SourceLocations,
): readonly Statement[] {
  const found: Statement[] = [];
  for (let at = from; at < to; ) {
    const one = statementAt(tokens, at, locations);
    found.push(one);
    at = one.to;
  }
  return found;
}

function statementAt(tokens: readonly Token[], from: number, locations: SourceLocations): Statement {
  const first = itemAt(tokens, from);
  const text = (k: number): string => tokens[k]?.text ?? "";
  switch (first.text) {
    case "{": {
      const end = closing(tokens, from);
      return { kind: "block", from, to: end + 1, inside: statementsIn(tokens, from + 1, end, locations) };
    }
    case "if":
    case "for":
    case "while":
    case "switch": {
      const close = closing(tokens, from + 1);
      const body = statementAt(tokens, close + 1, locations);
      const other =
        first.text === "if" && text(body.to) === "else"
          ? statementAt(tokens, body.to + 1, locations)
          : undefined;
      const last = other ?? body;
      const head = [from + 2, close] as const;
      return { kind: first.text, from, to: last.to, head, inside: other ? [body, other] : [body] };
    }
    case "do": {
      const body = statementAt(tokens, from + 1, locations);
      const close = closing(tokens, body.to + 1);
      return { kind: "do", from, to: close + 2, head: [body.to + 2, close], inside: [body] };
    }
    case "goto":
    case "case":
    case "default":
      if (first.text === "goto")
        locations.refuse(first, "'goto' in a kernel is not read", "write it with loops and conditions");
  }
  let at = from;
  for (; at < tokens.length && text(at) !== ";"; at++) if (/^[([{]$/.test(text(at))) at = closing(tokens, at);
  const kind = words.test(first.text) || isNamedType(tokens, from) ? "declaration" : "simple";
  return { kind, from, to: at + 1, inside: [] };
}

/** `T name`, `T *name =` */
function isNamedType(tokens: readonly Token[], from: number): boolean {
  const [first, second, third, fourth] = tokens.slice(from, from + 4);
  if (first?.kind !== "name" || first.text === "return") return false;
  if (second?.kind === "name") return true;
  return second?.text === "*" && third?.kind === "name" && fourth?.text === "=";
}

export interface Declared {
  readonly name: Token;
  /** As written, with its star: `const float *`. */
  readonly type: string;
  /** Tokens of `[n]...`, and of the part after `=`. */
  readonly dimensions: readonly Token[];
  readonly init: readonly Token[] | undefined;
}

/** The variables that a declaration declares. */
export function declaredBy(tokens: readonly Token[], { from, to }: Statement): readonly Declared[] {
  let at = from;
  // The type extends to the last word before a star or the first declared name.
  while (tokens[at]?.kind === "name" && (tokens[at + 1]?.kind === "name" || tokens[at + 1]?.text === "*"))
    at++;
  const specifiers = tokens.slice(from, at);
  const base = specifiers
    .map(({ text }) => text)
    .filter((text) => text !== "__shared__")
    .join(" ");
  const rest = tokens.slice(from + specifiers.length, to - 1);
  const declared: Declared[] = [];
  let depth = 0;
  let own: Token[] = [];
  const flush = (): void => {
    const name = own.find(
      ({ kind, text }) => kind === "name" && !/^(const|__restrict__|restrict)$/.test(text),
    );
    if (name === undefined) return;
    const k = own.indexOf(name);
    const equals = own.findIndex(({ text }, i) => i > k && text === "=");
    declared.push({
      name,
      type: `${base} ${own
        .slice(0, k)
        .map(({ text }) => text)
        .join("")}`.trim(),
      dimensions: own.slice(k + 1, equals < 0 ? undefined : equals),
      init: equals < 0 ? undefined : own.slice(equals + 1),
    });
    own = [];
  };
  for (const token of rest) {
    if (/^[([{]$/.test(token.text)) depth++;
    if (/^[)\]}]$/.test(token.text)) depth--;
    if (token.text === "," && depth === 0) flush();
    else own.push(token);
  }
  flush();
  return declared;
}

export const everyStatement = (list: readonly Statement[]): readonly Statement[] =>
  list.flatMap((one) => [one, ...everyStatement(one.inside)]);
