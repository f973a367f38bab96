/**
 * `fuse` and `stripe` (OpenMP 6.0, chapter 11):
 *
 *     fuse {                                      for (long k = 0; k < the longer's count; k++) {
 *       for (int i = 0; i < n; i++) A               for (long r = k; r < min(k + 1, n); r++) { int i = r; A }
 *       for (int j = 2; j < m; j++) B      =>       for (long r = k; r < min(k + 1, m - 2); r++) { int j = 2 + r; B }
 *     }                                           }
 *
 *     stripe sizes(4)                             for (long o = 0; o < 4; o++)
 *     for (int i = 0; i < n; i++) A        =>       for (long r = o; r < n; r += 4) { int i = r; A }
 *
 * The loops of one round are there because `continue` ends an iteration.
 */
import { itemAt } from "../../../checked/access.ts";
import type { Expr, ForStmt, Pragma, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  forStmt,
  freshSymbol,
  ident,
  intLit,
} from "../../../lang/tree/build.ts";
import { LONG } from "../../../lang/tree/types.ts";
import { usesOf } from "../../analysis/access.ts";
import { combine } from "../../model/combine.ts";
import { type LogicalLoop, logical } from "./logical-loops.ts";

/** The numbers of a directive's clause; undefined if one is no constant that stands there. */
export function numbersOf({ tokens }: Pragma, clause: string): readonly number[] | undefined {
  const at = tokens.findIndex(({ text }) => text === clause);
  if (at < 0) return [];
  const list = tokens.slice(
    at + 2,
    tokens.findIndex(({ text }, i) => i > at && text === ")"),
  );
  const isList = list.every(({ kind, text }, i) => (i % 2 === 0 ? kind === "number" : text === ","));
  const numbers = list.filter((_, i) => i % 2 === 0).map(({ text }) => Number(text));
  return isList && numbers.every((n) => Number.isInteger(n) && n > 0) ? numbers : undefined;
}

export function fused(s: Stmt, pragma: Pragma, shared: boolean): Stmt | undefined {
  if (s.kind !== "compound") return undefined;
  const range = numbersOf(pragma, "looprange");
  if (!range) return undefined;
  const [from = 1, count = s.body.length] = range;
  const [before, rest] = [s.body.slice(0, from - 1), s.body.slice(from - 1 + count)];
  const loops = s.body.slice(from - 1, from - 1 + count).map((one) => plainLoop(one, shared));
  const known = loops.filter((loop) => loop !== undefined);
  if (known.length !== loops.length || known.length !== count || count < 1) return undefined;
  const round = freshSymbol("fused", LONG);
  const most = known.map(({ trips }) => trips).reduce((a, b) => combine("max", a, b));
  const parts = known.map((loop) => once(loop, ident(round)));
  const result = counting(round, intLit(0, LONG), most, 1, compound(parts, s.span));
  return before.length + rest.length > 0 ? { ...s, body: [...before, result, ...rest] } : result;
}

function plainLoop(s: Stmt, shared: boolean): LogicalLoop | undefined {
  const found = logical(s, shared);
  return found && !s.pragmas && !found.loop.pragmas ? found : undefined;
}

function once({ header, trips, begin, loop: { body } }: LogicalLoop, round: Expr): Stmt {
  const own = freshSymbol(`${header.var.name}_round`, LONG);
  const next = binary("+", round, intLit(1, LONG));
  const begun = compound([begin(ident(own)), body], body.span);
  return counting(own, round, combine("min", next, trips), 1, begun);
}

/** The loops of a nest that a directive is for, if their bounds do not depend on each other; and what they run. */
function nestOf(
  s: Stmt,
  depth: number,
  shared: boolean,
): { readonly loops: readonly LogicalLoop[]; readonly body: Stmt } | undefined {
  const loops: LogicalLoop[] = [];
  let at: Stmt = s;
  while (loops.length < depth) {
    const found = logical(at, shared);
    if (!found || found.loop.pragmas) return undefined;
    loops.push(found);
    at = found.loop.body;
  }
  const bounds = usesOf(...loops.flatMap(({ header: { lower, bound } }) => [lower, bound])).of;
  return loops.some(({ header }) => bounds.has(header.var)) ? undefined : { loops, body: at };
}

const counting = (sym: Symbol, from: Expr, to: Expr, by: number, body: Stmt): ForStmt => ({
  ...(forStmt(
    declare(sym, from),
    binary("<", ident(sym), to),
    assign(ident(sym), intLit(by, LONG), "+="),
    body,
  ) as ForStmt),
  span: body.span,
});

/** Two loops for each of a nest: the outer ones, in whose iterations the inner ones run. */
function inTwo(
  s: Stmt,
  sizes: readonly number[],
  shared: boolean,
  outer: (sym: Symbol, loop: LogicalLoop, size: number, body: Stmt) => Stmt,
  inner: (sym: Symbol, around: Symbol, loop: LogicalLoop, size: number, body: Stmt) => Stmt,
): Stmt | undefined {
  const nest = sizes.length > 0 ? nestOf(s, sizes.length, shared) : undefined;
  if (!nest) return undefined;
  const { loops, body } = nest;
  const named = (suffix: string) =>
    loops.map(({ header }) => freshSymbol(`${header.var.name}_${suffix}`, LONG));
  const [arounds, rounds] = [named("part"), named("round")];
  const begun = compound([...loops.map((loop, k) => loop.begin(ident(itemAt(rounds, k)))), body], s.span);
  const within = loops.reduceRight<Stmt>(
    (at, loop, k) => inner(itemAt(rounds, k), itemAt(arounds, k), loop, itemAt(sizes, k), at),
    begun,
  );
  return loops.reduceRight<Stmt>(
    (at, loop, k) => outer(itemAt(arounds, k), loop, itemAt(sizes, k), at),
    within,
  );
}

export const striped = (s: Stmt, pragma: Pragma, shared: boolean): Stmt | undefined =>
  inTwo(
    s,
    numbersOf(pragma, "sizes") ?? [],
    shared,
    (sym, _, size, body) => counting(sym, intLit(0, LONG), intLit(size, LONG), 1, body),
    (sym, offset, { trips }, size, body) => counting(sym, ident(offset), trips, size, body),
  );

/** What `tile` makes, or `unroll partial` of one loop. */
export const inTiles = (s: Stmt, sizes: readonly number[], shared: boolean): Stmt | undefined =>
  inTwo(
    s,
    sizes,
    shared,
    (sym, { trips }, size, body) => counting(sym, intLit(0, LONG), trips, size, body),
    (sym, tile, { trips }, size, body) => {
      const end = binary("+", ident(tile), intLit(size, LONG));
      return counting(sym, ident(tile), combine("min", end, trips), 1, body);
    },
  );
