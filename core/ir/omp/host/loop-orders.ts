/**
 * `reverse`, `interchange`, `fuse`, `stripe` and `split` (OpenMP 6.0, chapter 11): loops are written in the order that
 * they say, for the C compiler too, which may drop such directives without a word.
 *
 *     reverse                                     for (long r = n - 1; r >= 0; r--) {
 *     for (int i = 0; i < n; i++) BODY      =>      int i = 0 + r; BODY
 *                                                 }
 *
 *     interchange
 *     for (i ...) for (j ...) BODY          =>    for (j ...) for (i ...) BODY
 */
import { itemAt } from "../../../checked/access.ts";
import { mapStmt, pragmasIn, withBody } from "../../../lang/index.ts";
import type { Diagnostic, ForStmt, Loc, Pragma, Stmt, TranslationUnit } from "../../../lang/tree/ast.ts";
import {
  binary,
  compound,
  declare,
  freshSymbol,
  ident,
  incdec,
  intLit,
  stripBlocks,
} from "../../../lang/tree/build.ts";
import { LONG } from "../../../lang/tree/types.ts";
import { usesOf } from "../../analysis/access.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import type { LoopHeader } from "../../model/ir.ts";
import { logical } from "./logical-loops.ts";
import { fused, inTiles, numbersOf, striped } from "./loop-sequences.ts";

interface Reordered {
  readonly unit: TranslationUnit;
  /** Of the first such directive. */
  readonly at?: Loc;
  readonly diagnostics: readonly Diagnostic[];
}

const named = (pragma: Pragma, words: RegExp): boolean =>
  pragma.tokens[0]?.text === "omp" && words.test(pragma.tokens[1]?.text ?? "");

const isOrder = (pragma: Pragma): boolean => named(pragma, /^(reverse|interchange|fuse|stripe|split)$/);

export function inTheirOrder(unit: TranslationUnit): Reordered {
  const pragmas = pragmasIn(unit.externals);
  const diagnostics: Diagnostic[] = [];
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

/** The directive next to the loop comes first. */
function ordered(s: Stmt, complain: (problem: Diagnostic) => void): Stmt {
  const pragmas = s.pragmas ?? [];
  const at = pragmas.findLastIndex(isOrder);
  if (at < 0) return s;
  const pragma = itemAt(pragmas, at);
  const { pragmas: _, ...plain } = s;
  const nest = transformed(plain, pragmas.slice(at + 1), at > 0);
  const result = nest && (isApplied(pragma) ? undefined : inOrder(nest, pragma, at > 0));
  if (!result)
    complain({
      severity: "error",
      code: "loop-order",
      loc: pragma.span.start,
      message: `'${pragma.tokens[1]?.text}' does not stand before loops that arc can run in another order`,
      why: isApplied(pragma)
        ? "'apply' is not carried out"
        : "it takes loops with bounds of integers and constant steps, those of a nest with nothing between them and with bounds that do not depend on each other, and sizes that are numbers",
      remedy: "write the loops in the order in which they are to run",
    });
  return ordered({ ...(result || plain), pragmas: pragmas.slice(0, at) }, complain);
}

/** Directives for the loops that the directive makes. */
const isApplied = ({ tokens }: Pragma): boolean => tokens.some(({ text }) => text === "apply");

function inOrder(s: Stmt, pragma: Pragma, shared: boolean): Stmt | undefined {
  switch (pragma.tokens[1]?.text) {
    case "reverse":
      return reversed(s, shared);
    case "interchange":
      return interchanged(s, pragma);
    case "fuse":
      return fused(s, pragma, shared);
    case "stripe":
      return striped(s, pragma, shared);
    default:
      // The parts of `split` follow each other as the iterations do.
      return logical(s) && s;
  }
}

function reversed(s: Stmt, shared: boolean): Stmt | undefined {
  const found = logical(s, shared);
  if (!found) return undefined;
  const { loop, header, trips, begin } = found;
  const count = freshSymbol(`${header.var.name}_reversed`, LONG);
  const { pragmas: _, ...plain } = loop;
  return {
    ...plain,
    init: declare(count, binary("-", trips, intLit(1, LONG))),
    test: binary(">=", ident(count), intLit(0, LONG)),
    step: incdec("--", false, ident(count)),
    body: compound([begin(ident(count)), loop.body], loop.span),
  };
}

/** The loops that `tile` and `unroll partial` make, of which a directive in front of them speaks. */
function transformed(s: Stmt, inner: readonly Pragma[], shared: boolean): Stmt | undefined {
  return inner.reduceRight<Stmt | undefined>((loop, pragma) => {
    const clause = named(pragma, /^tile$/) ? "sizes" : named(pragma, /^unroll$/) ? "partial" : undefined;
    return loop && clause && inTiles(loop, numbersOf(pragma, clause) ?? [], shared);
  }, s);
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
