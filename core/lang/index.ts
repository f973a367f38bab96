/** The C front end: text to a typed tree and back. */

export { ExprParser, parseExpr } from "./parse/clause-parser.ts";
export { brokenConstraints } from "./parse/constraints.ts";
export * from "./parse/initializer-places.ts";
export {
  baseOfVariant,
  DIRECTIVE_NAMESPACES,
  type HeadStart,
  type Parsed,
  type ParseOptions,
  parse,
  startParse,
} from "./parse/parse.ts";
export { type Extent, rawExtents, rawSpan, registerWords } from "./parse/raw.ts";
export { hasInclude, lastingDirectives, unbalancedConditionals } from "./preprocess/conditionals.ts";
export { lex, lexPragma } from "./preprocess/lexer.ts";
export { codeUnits, excess } from "./preprocess/literals.ts";
export { markText } from "./preprocess/mark.ts";
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
} from "./print/print.ts";
export type * from "./tree/ast.ts";
export * as build from "./tree/build.ts";
export { tgmathFunction } from "./tree/builtins.ts";
export * from "./tree/children.ts";
export * from "./tree/constant-evaluation.ts";
export { isDiagnostic, nearestName } from "./tree/diagnostics.ts";
export { define, symbolOfCopy, withBody } from "./tree/functions.ts";
export { halfBits } from "./tree/half.ts";
export * from "./tree/integers.ts";
export * from "./tree/layout.ts";
export * from "./tree/map.ts";
export * from "./tree/pragmas.ts";
export { LexicalScope, makeSymbol, NOWHERE, outermostScope, visibleNames } from "./tree/scope.ts";
export * from "./tree/substitute.ts";
export * from "./tree/types.ts";
export * from "./tree/walk.ts";
