/** `#pragma HLS ...` as a statement: HLS reads these inside the block that they apply to. */

import { NOWHERE } from "../../core/lang/index.ts";
import type { ExtNode, ExtShape, Stmt, Symbol } from "../../core/lang/tree/ast.ts";

interface Directive extends ExtNode {
  readonly kind: "hls";
  /** The text after `#pragma HLS`, up to the variable. */
  readonly text: string;
  readonly variable?: Symbol;
  /** The text directly after the variable's name. */
  readonly suffix?: string;
  /** The rest of the line. */
  readonly rest?: string;
}

const shape: ExtShape<Directive> = { parts: () => ({ stmts: [], exprs: [] }), withParts: (n) => n };

export function directive(text: string, variable?: Symbol, rest?: string, suffix?: string): Stmt {
  const ext: Directive = {
    kind: "hls",
    shape,
    text,
    ...(variable && { variable }),
    ...(suffix !== undefined && { suffix }),
    ...(rest !== undefined && { rest }),
  };
  return { kind: "ext", ext, span: NOWHERE };
}

export const asDirective = (s: Stmt): Directive | undefined =>
  s.kind === "ext" && s.ext.kind === "hls" ? (s.ext as Directive) : undefined;

export function directiveLine(s: Stmt, name: (sym: Symbol) => string): string | undefined {
  const found = asDirective(s);
  if (found === undefined) return undefined;
  const { text, variable, rest, suffix = "" } = found;
  return [
    `#pragma HLS ${text}`,
    ...(variable ? [`variable=${name(variable)}${suffix}`] : []),
    ...(rest ? [rest] : []),
  ].join(" ");
}
