/** Translation units: preprocessed text to a typed tree. */

import { type Lexed, lex, lexHead } from "../preprocess/lexer.ts";
import { type PragmaLine, Token } from "../preprocess/token.ts";
import type { CType, Diagnostic, External, Pragma, TranslationUnit } from "../tree/ast.ts";
import { diagnostic } from "../tree/diagnostics.ts";
import { freshId, LexicalScope, makeSymbol, NOWHERE } from "../tree/scope.ts";
import { arrayOf, CHAR_POINTER, intType, UINT, VOID_POINTER } from "../tree/types.ts";
import { StatementParser } from "./statements.ts";
import { orderPragma } from "./tagged-types.ts";
import { unusedPrototypes } from "./unused-prototypes.ts";

export interface ParseOptions {
  /** File name for positions before the first line marker. */
  readonly file: string;
  /** Pragma namespaces whose tokens are macro-expanded; misplaced ones are reported. */
  readonly expandPragmas?: readonly string[];
  /**
   * Leaves out the prototypes of system headers whose names stand nowhere else: most of what these declare. What
   * `source` has of system headers may be another unit's, with offsets in its text.
   */
  readonly usedPrototypes?: boolean;
}

export interface Parsed {
  readonly unit: TranslationUnit;
  readonly diagnostics: readonly Diagnostic[];
  /** For finding constructs in the user's own text (raw.ts). */
  readonly source: Pick<Lexed, "tokens" | "macrosAt">;
}

export const DIRECTIVE_NAMESPACES: readonly string[] = ["acc", "omp", "oss", "openarc", "unroll"];

/** Never throws for bad input: errors are diagnostics, and the tree holds what could be parsed. */
export function parse(text: string, options: ParseOptions): Parsed {
  const expandPragmas = options.expandPragmas ?? DIRECTIVE_NAMESPACES;
  const sharesHeaders = options.usedPrototypes === true;
  const lexed = lex(text, options.file, { expandPragmas, sharesHeaders });
  const unused = options.usedPrototypes ? unusedPrototypes(lexed) : undefined;
  return parsed(lexed, new UnitParser(lexed, new Set(expandPragmas), unused));
}

function parsed(lexed: Lexed, parser: UnitParser): Parsed {
  const { tokens, macrosAt, mainFile } = lexed;
  const externals = parser.unit();
  return {
    unit: { externals, scope: parser.topScope, file: mainFile },
    diagnostics: [...lexed.diagnostics, ...parser.diagnostics],
    source: { tokens, macrosAt },
  };
}

/**
 * The beginning of a unit, parsed before the rest is known. It serves one unit only: the rest completes its symbols in
 * place and appends to its lists.
 */
export interface HeadStart {
  readonly text: string;
  /** `parse` of a text that begins with `text`. */
  readonly finish: (text: string) => Parsed;
}

/** No declaration's parse looks further ahead than this many tokens past its end. */
const LOOKAHEAD = 16;

/**
 * Undefined where the rest of the text might change the result: inside a line or a declaration, or after an error,
 * which more text may turn into something else.
 */
export function startParse(head: string, options: ParseOptions): HeadStart | undefined {
  if (!head.endsWith("\n") || head.endsWith("\\\n")) return undefined;
  const expandPragmas = options.expandPragmas ?? DIRECTIVE_NAMESPACES;
  const lexed = lexHead(head, options.file, { expandPragmas });
  const { tokens } = lexed;
  const stop = lastDeclarationEnd(tokens, tokens.length - LOOKAHEAD);
  if (stop === undefined || lexed.diagnostics.length > 0) return undefined;
  tokens.push(new Token("end", "", NOWHERE.start, 0, true));
  const parser = new UnitParser(lexed, new Set(expandPragmas));
  const isWhole = parser.unitTo(stop);
  tokens.pop();
  if (!isWhole || parser.diagnostics.length > 0) return undefined;
  return {
    text: head,
    finish: (text) => {
      const complete = lexed.finish(text);
      parser.tokensAdded();
      return parsed(complete, parser);
    },
  };
}

/** Index after the last `;` at file level among the first `count` tokens. */
function lastDeclarationEnd(tokens: readonly Token[], count: number): number | undefined {
  let depth = 0;
  let found: number | undefined;
  for (let at = 0; at < count; at++) {
    const { kind, text } = tokens[at] as Token;
    if (kind !== "punct") continue;
    if (text === "(" || text === "[" || text === "{") depth++;
    else if (text === ")" || text === "]" || text === "}") depth--;
    else if (text === ";" && depth === 0) found = at + 1;
  }
  return found;
}

const variantMark = "_arc_variant_";
const variantSuffix = (block: number): string => `${variantMark}${block}`;

/** The name in the source of a function between `begin declare variant` and its end. */
export function baseOfVariant(name: string): string | undefined {
  const at = name.lastIndexOf(variantMark);
  return at < 0 ? undefined : name.slice(0, at);
}

type UnitTokens = Pick<Lexed, "tokens" | "afterPragmas" | "systemFiles">;

class UnitParser extends StatementParser {
  private readonly directives: ReadonlySet<string>;
  private readonly afterPragmas: readonly number[];
  private readonly externals: External[] = [];
  /** Number of `begin declare variant` blocks so far. */
  private blocks = 0;
  /** By the index of its first token, the index behind a declaration that is left out. */
  private readonly unused: ReadonlyMap<number, number> | undefined;

  constructor(
    { tokens, afterPragmas, systemFiles }: UnitTokens,
    directives: ReadonlySet<string>,
    unused?: ReadonlyMap<number, number>,
  ) {
    super({ tokens, scope: predeclared(), systemFiles });
    this.unused = unused;
    this.directives = directives;
    this.afterPragmas = afterPragmas;
    this.packAt = packTracker(tokens, afterPragmas);
    this.orderAt = orderTracker(tokens, afterPragmas);
  }

  get topScope(): LexicalScope {
    return this.fileScope;
  }

  /** translation-unit = (pragma | declaration | asm | static-assert | ";")* */
  unit(): readonly External[] {
    this.read(this.tokens.length);
    this.reportMisplaced();
    return this.externals;
  }

  /** Parses externals up to a token; returns whether one ends exactly there. */
  unitTo(stop: number): boolean {
    this.read(stop);
    return this.pos === stop;
  }

  /** Call after tokens at the end were replaced. */
  tokensAdded(): void {
    this.packAt = packTracker(this.tokens, this.afterPragmas);
    this.orderAt = orderTracker(this.tokens, this.afterPragmas);
    this.seek(this.pos);
  }

  private read(stop: number): void {
    const { externals } = this;
    while (this.pos < stop) {
      const pragmas = this.takePragmas();
      if (pragmas) externals.push(...pragmas);
      for (const pragma of pragmas ?? []) this.inBlock(pragma);
      if (this.token.kind === "end") break;
      const start = this.pos;
      const behind = this.unused?.get(start);
      if (behind !== undefined) {
        this.seek(behind);
        continue;
      }
      this.recovering(
        () => {
          const external = this.external();
          if (external) externals.push(external);
        },
        () => this.skipExternal(start),
      );
    }
  }

  /**
   * A function between `begin declare variant` and its end is a second body under the same name, so it gets a unique
   * one.
   */
  private inBlock({ tokens }: Pragma): void {
    const words = tokens.slice(0, 4).map(({ text }) => text);
    if (words.join(" ") === "omp begin declare variant") this.definitionSuffix = variantSuffix(++this.blocks);
    if (words.join(" ") === "omp end declare variant") this.definitionSuffix = "";
  }

  private external(): External | undefined {
    const { loc } = this.token;
    if (this.accept(";")) return undefined;
    if (this.at("__asm__")) return { kind: "asm", text: this.asmText(), span: this.spanFrom(loc) };
    if (this.keywordAt(0) === "_Static_assert")
      return { kind: "static-assert", text: this.staticAssertion(), span: this.spanFrom(loc) };
    return this.declaration();
  }

  /** Skips past the next `;` or closing brace at file level. */
  private skipExternal(start: number): void {
    this.seek(start);
    let depth = 0;
    let opened = false;
    while (this.token.kind !== "end") {
      const token = this.next();
      if (token.kind !== "punct") continue;
      if (token.text === "{") {
        depth++;
        opened = true;
      } else if (token.text === "}") depth--;
      if (depth > 0) continue;
      // After a function body the next external begins; after the braces of a struct its declarators may follow.
      if (
        token.text === ";" ||
        (opened && token.text === "}" && !this.at(";") && this.token.kind !== "ident")
      )
        return;
      if (opened && token.text === "}" && this.token.kind === "ident" && this.startsDeclaration()) return;
    }
  }

  /** A directive inside an expression, initialiser or struct applies to nothing. */
  private reportMisplaced(): void {
    for (const at of this.afterPragmas) {
      for (const line of this.tokens[at]?.pragmas ?? []) {
        if (!this.placed.has(line) && this.directives.has(line.tokens[0]?.text ?? "")) {
          this.diagnostics.push(
            diagnostic(
              "warning",
              "misplaced-pragma",
              "this directive stands where no statement can follow; it is ignored",
              line.start,
              {
                end: line.end,
                why: "a directive applies to the statement or declaration after it",
                remedy: "move it before a statement",
              },
            ),
          );
        }
      }
    }
  }
}

/** What the compiler declares itself: `__builtin_va_list`, `__int128_t`, `__uint128_t`. */
function predeclared(): LexicalScope {
  const scope = new LexicalScope("file");
  const field = (name: string, type: CType) => ({ name, type, span: NOWHERE });
  const element: CType = {
    kind: "record",
    decl: {
      kind: "record-decl",
      id: freshId(),
      union: false,
      fields: [
        field("gp_offset", UINT),
        field("fp_offset", UINT),
        field("overflow_arg_area", VOID_POINTER),
        field("reg_save_area", VOID_POINTER),
      ],
      span: NOWHERE,
    },
  };
  const types: readonly (readonly [string, CType])[] = [
    ["__builtin_va_list", arrayOf(element, 1)],
    ["__builtin_sysv_va_list", arrayOf(element, 1)],
    ["__builtin_ms_va_list", CHAR_POINTER],
    ["__int128_t", intType("int128")],
    ["__uint128_t", intType("uint128")],
  ];
  for (const [name, type] of types)
    scope.names.set(name, makeSymbol(name, "typedef", type, "file", NOWHERE, "typedef"));
  return scope;
}

/** What the pragmas of a name have in force at a token; positions must not decrease much between calls. */
function tracker<T>(
  name: string,
  tokens: readonly Token[],
  afterPragmas: readonly number[],
  read: (line: PragmaLine, current: T | undefined) => T | undefined,
): (position: number) => T | undefined {
  const changes: { readonly at: number; readonly value: T | undefined }[] = [];
  let value: T | undefined;
  for (const at of afterPragmas) {
    for (const line of tokens[at]?.pragmas ?? []) {
      if (line.tokens[0]?.text !== name) continue;
      value = read(line, value);
      changes.push({ at, value });
    }
  }
  return (position) => {
    let found: T | undefined;
    for (const change of changes) {
      if (change.at > position) break;
      found = change.value;
    }
    return found;
  };
}

/** The `#pragma pack` in force at a token. */
function packTracker(
  tokens: readonly Token[],
  afterPragmas: readonly number[],
): (position: number) => number | undefined {
  const stack: (number | undefined)[] = [];
  return tracker("pack", tokens, afterPragmas, (line, pack: number | undefined) =>
    packPragma(line, pack, stack),
  );
}

/** The `#pragma scalar_storage_order` in force at a token: `big-endian`, `little-endian`. */
const orderTracker = (
  tokens: readonly Token[],
  afterPragmas: readonly number[],
): ((position: number) => string | undefined) =>
  tracker(orderPragma, tokens, afterPragmas, (line) => {
    const order = line.tokens[1]?.text;
    return order === "default" ? undefined : `"${order}-endian"`;
  });

/** pack = "pack" "(" (("push" | "pop") ("," number)? | number)? ")" */
function packPragma(
  line: PragmaLine,
  current: number | undefined,
  stack: (number | undefined)[],
): number | undefined {
  const words = line.tokens.slice(1).map((token) => token.text);
  const value = words.find((word) => /^[0-9]+$/.test(word));
  if (words.includes("push")) stack.push(current);
  if (words.includes("pop")) return stack.pop();
  if (value !== undefined) return Number(value) || undefined;
  return words.includes("push") ? current : undefined;
}
