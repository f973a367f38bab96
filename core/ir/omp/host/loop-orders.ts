/**
 * `reverse`, `interchange`, `fuse`, `stripe` and `split` (OpenMP 6.0, chapter 11), and `tile` of host code: loops are
 * written in the order that they say, for the C compiler too, which may drop such directives without a word.
 *
 *     reverse                                     for (long r = n - 1; r >= 0; r--) {
 *     for (int i = 0; i < n; i++) BODY      =>      int i = 0 + r; BODY
 *                                                 }
 *
 *     interchange
 *     for (i ...) for (j ...) BODY          =>    for (j ...) for (i ...) BODY
 */
import { itemAt } from "../../../checked/access.ts";
import { mapStmt, pragmasIn, walkStmt, withBody } from "../../../lang/index.ts";
import type {
  Diagnostic,
  External,
  ForStmt,
  Loc,
  Pragma,
  Stmt,
  TranslationUnit,
} from "../../../lang/tree/ast.ts";
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
import { checkedOnHost } from "./checked.ts";
import { clausesOf } from "./clauses.ts";
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

/** Of regions, `tile` is read with their other directives. */
const isRegion = (pragma: Pragma): boolean => named(pragma, /^target$/) && pragma.tokens[2]?.text !== "data";

function tilesOfHost(externals: readonly External[]): ReadonlySet<Pragma> {
  const found = new Set<Pragma>();
  for (const e of externals)
    if (e.kind === "function")
      walkStmt(e.body, {
        stmt(s) {
          if (s.pragmas?.some(isRegion)) return false;
          for (const pragma of s.pragmas ?? []) if (named(pragma, /^tile$/)) found.add(pragma);
          return true;
        },
        expr: () => false,
      });
  return found;
}

type Complain = (problem: Diagnostic) => void;

export function inTheirOrder(unit: TranslationUnit): Reordered {
  const tiles = tilesOfHost(unit.externals);
  const isMeant = (pragma: Pragma): boolean => isOrder(pragma) || tiles.has(pragma);
  const pragmas = pragmasIn(unit.externals).filter(isMeant);
  const [first] = pragmas;
  if (!first) return { unit, diagnostics: [] };
  const diagnostics = pragmas.flatMap((pragma) => checkedOnHost(pragma, true));
  const complain: Complain = (problem) => void diagnostics.push(problem);
  const externals = unit.externals.map((e) =>
    e.kind === "function"
      ? withBody(
          e,
          mapStmt(e.body, { stmt: (s) => (s.pragmas?.some(isMeant) ? ordered(s, isMeant, complain) : s) }),
        )
      : e,
  );
  return { unit: { ...unit, externals }, at: first.span.start, diagnostics };
}

/** The directive next to the loop comes first. */
function ordered(s: Stmt, isMeant: (pragma: Pragma) => boolean, complain: Complain): Stmt {
  const pragmas = s.pragmas ?? [];
  const at = pragmas.findLastIndex(isMeant);
  if (at < 0) return s;
  const pragma = itemAt(pragmas, at);
  const { pragmas: _, ...plain } = s;
  const nest = transformed(plain, pragmas.slice(at + 1), at > 0);
  const result = nest && inOrder(nest, pragma, at > 0);
  if (!result) complain(notInOrder(pragma));
  const around = pragmas.slice(0, at).map((one) => joinedAtMost(one, pragma));
  return ordered({ ...(result || plain), pragmas: around }, isMeant, complain);
}

function notInOrder(pragma: Pragma): Diagnostic {
  const name = pragma.tokens[1]?.text;
  const found = { code: "loop-order", loc: pragma.span.start };
  const why =
    "it takes loops with bounds of integers and constant steps, those of a nest with nothing between them and with bounds that do not depend on each other, and sizes that are numbers";
  const remedy = "write the loops in the order in which they are to run";
  if (name === "tile")
    return {
      ...found,
      severity: "warning",
      message: "'tile' has no effect: iterations run in the order of the loops as they are written",
      why,
      remedy,
    };
  const message = `'${name}' does not stand before loops that arc can run in another order`;
  return { ...found, severity: "error", message, why, remedy };
}

/** C compilers join those of the loops that `tile` and `stripe` make whose bounds do not depend on each other. */
function joinedAtMost(outer: Pragma, pragma: Pragma): Pragma {
  const most = named(pragma, /^(tile|stripe)$/) ? (numbersOf(pragma, "sizes")?.length ?? 0) : 0;
  const collapse = clausesOf(outer.tokens).find(([word]) => word?.text === "collapse");
  const number = collapse?.[2];
  if (!number || most === 0 || Number(number.text) <= most || outer.tokens.some((t) => t.text === "target"))
    return outer;
  const tokens = outer.tokens.map((t) => (t === number ? { ...t, text: String(most) } : t));
  return { ...outer, tokens, added: "clauses" };
}

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
    case "tile":
      return inTiles(s, numbersOf(pragma, "sizes") ?? [], shared);
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
