/** The C front end: text to a typed tree and back. */
export type * from "./ast.ts";
export * as build from "./build.ts";
export { tgmathFunction } from "./builtins.ts";
export * from "./children.ts";
export { ExprParser, parseExpr } from "./clause-parser.ts";
export { hasInclude, lastingDirectives, unbalancedConditionals } from "./conditionals.ts";
export * from "./consteval.ts";
export { brokenConstraints } from "./constraints.ts";
export { diagnostic, isDiagnostic, nearestName } from "./diagnostics.ts";
export * from "./initializer-places.ts";
export * from "./integers.ts";
export * from "./layout.ts";
export { type Lexed, lex } from "./lexer.ts";
export { codeUnits, excess } from "./literals.ts";
export * from "./map.ts";
export {
  DIRECTIVE_NAMESPACES,
  type HeadStart,
  type Parsed,
  type ParseOptions,
  parse,
  startParse,
} from "./parse.ts";
export {
  type PrintOptions,
  print,
  printDecl,
  printExpr,
  printExternal,
  printPragma,
  printStmt,
  type RecordBody,
  spellTokens,
} from "./print.ts";
export { type Extent, type RawConstruct, rawExtents, rawSpan, registerWords } from "./raw.ts";
export { LexicalScope, makeSymbol, NOWHERE, visibleNames } from "./scope.ts";
export * from "./substitute.ts";
export * from "./types.ts";
export * from "./walk.ts";
