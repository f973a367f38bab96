/**
 * `private` of `simd` for C compilers that are not asked to read OpenMP: each iteration has a copy, so that code behind
 * the loop sees the variable as it was.
 *
 *     simd private(t)                            simd
 *     for (i ...) { t = a[i]; ... }      =>      for (i ...) { double t_own; t_own = a[i]; ... }
 */
import { evaluateInteger, parseExpr } from "../../../lang/index.ts";
import type { FunctionDef, Pragma, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { stripBlocks } from "../../../lang/tree/build.ts";
import { usesIn } from "../../analysis/access.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import { ownOf, withOwn } from "../../directives/own-of-one-thread.ts";
import { clausesOf } from "./clauses.ts";

/** Undefined: nobody can tell the copies from the variables. */
export function simdWithCopies(s: Stmt, def: FunctionDef): Stmt | undefined {
  const pragma = s.pragmas?.at(-1);
  if (pragma?.tokens[0]?.text !== "omp" || pragma.tokens[1]?.text !== "simd") return undefined;
  const seen = [...ownOf(pragma).keys()].filter((sym) => isUsedBeside(sym, s, def));
  if (seen.length === 0) return undefined;
  const inner = within(s, depthOf(pragma), seen);
  if (!inner) return undefined;
  const tokens = clausesOf(pragma.tokens).flatMap((c) => (c[0]?.text === "private" ? [] : c));
  return { ...inner, pragmas: [...(s.pragmas ?? []).slice(0, -1), { ...pragma, tokens, added: "clauses" }] };
}

function within(s: Stmt, depth: number, seen: readonly Symbol[]): Stmt | undefined {
  const loop = stripBlocks(s);
  if (loop.kind !== "for") return undefined;
  const header = countedHeader(loop);
  if ("severity" in header) return undefined;
  const own = seen.filter((sym) => sym !== header.var);
  const body =
    depth > 1
      ? within(loop.body, depth - 1, own)
      : withOwn(new Map(own.map((sym) => [sym, false])), loop.body);
  return body && { ...loop, body };
}

function depthOf(pragma: Pragma): number {
  const collapse = clausesOf(pragma.tokens).find(([word]) => word?.text === "collapse");
  const count = collapse && parseExpr(collapse.slice(2, -1), pragma.scope);
  return Number((count && !("severity" in count) && evaluateInteger(count)) || 1n);
}

const isUsedBeside = (sym: Symbol, s: Stmt, { body }: FunctionDef): boolean =>
  usesIn(body, sym) > usesIn(s, sym);
