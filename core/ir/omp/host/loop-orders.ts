/**
 * `reverse` and `interchange` (OpenMP 6.0, chapter 11): loops are written in the order that they say, for
 * the C compiler too, which may drop such directives without a word.
 *
 *     reverse                                     for (long r = n - 1; r >= 0; r--) {
 *     for (int i = 0; i < n; i++) BODY      =>      int i = 0 + r; BODY
 *                                                 }
 *
 *     interchange
 *     for (i ...) for (j ...) BODY          =>    for (j ...) for (i ...) BODY
 */
import { itemAt } from "../../../checked/access.ts";
import { evaluateInteger, mapStmt, pragmasIn, sizeOf, unqualified, withBody } from "../../../lang/index.ts";
import type { Diagnostic, ForStmt, Loc, Pragma, Stmt, TranslationUnit } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  incdec,
  intLit,
  stripBlocks,
} from "../../../lang/tree/build.ts";
import { isPointer, LONG } from "../../../lang/tree/types.ts";
import { usesOf } from "../../analysis/access.ts";
import { tripCount } from "../../analysis/last-values.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import type { LoopHeader } from "../../model/ir.ts";

interface Reordered {
  readonly unit: TranslationUnit;
  /** Of the first such directive. */
  readonly at?: Loc;
  readonly diagnostics: readonly Diagnostic[];
}

const named = (pragma: Pragma, words: RegExp): boolean =>
  pragma.tokens[0]?.text === "omp" && words.test(pragma.tokens[1]?.text ?? "");

const isOrder = (pragma: Pragma): boolean => named(pragma, /^(reverse|interchange)$/);
/** Those that change an order, but that arc does not carry out. */
const isKept = (pragma: Pragma): boolean => named(pragma, /^(fuse|stripe)$/);

export function inTheirOrder(unit: TranslationUnit): Reordered {
  const pragmas = pragmasIn(unit.externals);
  const diagnostics = pragmas.filter(isKept).map(kept);
  const first = pragmas.find(isOrder);
  if (!first) return { unit, diagnostics };
  const complain = (problem: Diagnostic): void => void diagnostics.push(problem);
  const externals = unit.externals.map((e) =>
    e.kind === "function"
      ? withBody(e, mapStmt(e.body, { stmt: (s) => (s.pragmas?.some(isOrder) ? ordered(s, complain) : s) }))
      : e,
  );
  return { unit: { ...unit, externals }, at: first.span.start, diagnostics };
}

const kept = ({ tokens, span }: Pragma): Diagnostic => ({
  severity: "warning",
  code: "loop-order-kept",
  loc: tokens[1]?.loc ?? span.start,
  message: `'${tokens[1]?.text}' is left to the C compiler, and those that do not know it run the loops as they are written`,
  remedy: "write the loops in the order in which they are to run",
});

/** The directive next to the loop comes first. */
function ordered(s: Stmt, complain: (problem: Diagnostic) => void): Stmt {
  const pragmas = s.pragmas ?? [];
  const at = pragmas.findLastIndex(isOrder);
  if (at < 0) return s;
  const pragma = itemAt(pragmas, at);
  const { pragmas: _, ...plain } = s;
  const isNext = at === pragmas.length - 1;
  const result = isNext && (named(pragma, /^reverse$/) ? reversed(plain) : interchanged(plain, pragma));
  if (!result)
    complain({
      severity: "error",
      code: "loop-order",
      loc: pragma.span.start,
      message: `'${pragma.tokens[1]?.text}' does not stand before loops that arc can run in another order`,
      why: "it takes loops with bounds of integers and constant steps, those of a nest with nothing between them and with bounds that do not depend on each other",
      remedy: "write the loops in the order in which they are to run",
    });
  return ordered({ ...(result || plain), pragmas: pragmas.slice(0, at) }, complain);
}

function reversed(s: Stmt): Stmt | undefined {
  const loop = stripBlocks(s);
  if (loop.kind !== "for") return undefined;
  const header = countedHeader(loop);
  const by = "severity" in header ? undefined : evaluateInteger(header.step);
  if ("severity" in header || by === undefined || isPointer(header.var.type)) return undefined;
  if (!isCounted(header, by)) return undefined;
  const { var: sym, lower, declares } = header;
  const count = freshSymbol(`${sym.name}_reversed`, LONG);
  const type = unqualified(sym.type);
  const value = cast(type, binary("+", cast(LONG, lower), binary("*", ident(count), intLit(by, LONG))));
  const first = declares ? declare(sym, value) : exprStmt(assign(ident(sym), value));
  const { pragmas: _, ...plain } = loop;
  return {
    ...plain,
    init: declare(count, binary("-", tripCount(header), intLit(1, LONG))),
    test: binary(">=", ident(count), intLit(0, LONG)),
    step: incdec("--", false, ident(count)),
    body: compound([first, loop.body], loop.span),
  };
}

/** Whether the variable goes towards the bound, and meets it where nothing else ends the loop. */
function isCounted({ var: sym, relation }: LoopHeader, by: bigint): boolean {
  const isNarrow = (sizeOf(sym.type) ?? 8) < 4;
  if (by === 0n || (isNarrow && relation === "!=")) return false;
  return (by > 0n ? ["<", "<=", "!="] : [">", ">=", "!="]).includes(relation);
}

function interchanged(s: Stmt, pragma: Pragma): Stmt | undefined {
  const order = permutationOf(pragma);
  const loops: ForStmt[] = [];
  const headers: LoopHeader[] = [];
  let at: Stmt = s;
  for (const _ of order) {
    const loop: Stmt = stripBlocks(at);
    const header = loop.kind === "for" ? countedHeader(loop) : undefined;
    if (loop.kind !== "for" || !header || "severity" in header || loop.pragmas) return undefined;
    loops.push(loop);
    headers.push(header);
    at = loop.body;
  }
  const bounds = usesOf(...headers.flatMap(({ lower, bound, step }) => [lower, bound, step])).of;
  const isPermutation = loops.every((_, i) => order.includes(i));
  if (!isPermutation || headers.some((header) => bounds.has(header.var))) return undefined;
  return order.reduceRight<Stmt>((body, from) => ({ ...itemAt(loops, from), body }), at);
}

/** From 0; the two outermost loops if the directive does not say. */
function permutationOf({ tokens }: Pragma): readonly number[] {
  const numbers = tokens.filter(({ kind }) => kind === "number").map(({ text }) => Number(text) - 1);
  return numbers.length > 0 ? numbers : [1, 0];
}
