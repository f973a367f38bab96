/**
 * Prototypes of system headers that nothing mentions. A unit has hundreds of them, and a reader who prints nothing of the
 * unit never looks at them.
 *
 *     extern double acos (double __x) __attribute__ ((__nothrow__));
 */
import type { Lexed } from "../preprocess/lexer.ts";
import type { Token } from "../preprocess/token.ts";

/** What a declaration of a system header is, by its first token: units that read the same header share its tokens. */
interface Known {
  readonly last: Token;
  readonly count: number;
  /** Of what nothing need mention; absent: another declaration. */
  readonly prototype?: string | undefined;
  readonly mentions: readonly string[];
}
const declarations = new WeakMap<Token, Known>();

/** By the index of a declaration's first token, the index behind its `;`. */
export function unusedPrototypes({
  tokens,
  systemFiles,
}: Pick<Lexed, "tokens" | "systemFiles">): ReadonlyMap<number, number> {
  const found: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  const mentioned = new Set<string>();
  let file = "";
  let isSystem = false;
  /** Where the declaration of the file begins that the token belongs to. */
  let begin = 0;
  let depth = 0;
  /** In parentheses alone. */
  let name: string | undefined;
  let isPrototype = true;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const declaration = at === begin ? declarations.get(token) : undefined;
    if (declaration && tokens[at + declaration.count - 1] === declaration.last) {
      begin = at + declaration.count;
      at = begin - 1;
      const { prototype } = declaration;
      if (prototype !== undefined)
        found.push({ name: prototype, from: begin - declaration.count, to: begin });
      else for (const word of declaration.mentions) mentioned.add(word);
      continue;
    }
    const { kind, text } = token;
    if (token.loc.file !== file) {
      file = token.loc.file;
      isSystem = systemFiles.has(file);
    }
    if (!isSystem) isPrototype = false;
    if (token.pragmas) {
      isPrototype &&= at === begin;
      for (const line of token.pragmas) for (const word of line.tokens) mentioned.add(word.text);
    }
    if (kind === "punct") {
      if (text === "(") depth++;
      else if (text === ")") depth--;
      else if (text === "{" || text === "[" || text === "=") isPrototype &&= text === "[" && depth > 0;
      else if (text === "," && depth === 0) isPrototype = false;
      if (text === "{") depth++;
      if (text === "}") depth--;
      const ends = depth === 0 && (text === ";" || text === "}");
      if (!ends) continue;
      const isLeftOut = isPrototype && text === ";" && isExtern(tokens, begin);
      const prototype = isLeftOut ? name : undefined;
      const named = prototype === undefined ? identifiers(tokens, begin, at) : [];
      if (prototype !== undefined) found.push({ name: prototype, from: begin, to: at + 1 });
      for (const word of named) mentioned.add(word);
      const first = tokens[begin] as Token;
      // Words of pragmas belong to the unit.
      if (isSystem && systemFiles.has(first.loc.file) && !first.pragmas)
        declarations.set(first, { last: token, count: at + 1 - begin, prototype, mentions: named });
      begin = at + 1;
      name = undefined;
      isPrototype = true;
    } else if (kind === "ident" && depth === 0 && name === undefined) {
      const next = tokens[at + 1];
      if (next?.kind === "punct" && next.text === "(") name = text;
    }
  }
  for (const word of identifiers(tokens, begin, tokens.length - 1)) mentioned.add(word);
  return new Map(found.flatMap(({ name: own, from, to }) => (mentioned.has(own) ? [] : [[from, to]])));
}

/** Not what a declaration of several names begins with, and no definition: these have no storage, or another one. */
function isExtern(tokens: readonly Token[], begin: number): boolean {
  const [first, second] = [tokens[begin]?.text, tokens[begin + 1]?.text];
  return first === "extern" || (first === "__extension__" && second === "extern");
}

function identifiers(tokens: readonly Token[], from: number, to: number): readonly string[] {
  const words: string[] = [];
  for (let at = from; at <= to; at++) {
    const token = tokens[at] as Token;
    if (token.kind === "ident") words.push(token.text);
  }
  return words;
}
