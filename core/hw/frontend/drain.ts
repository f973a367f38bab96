/**
 * How the partial results of a reduction are combined. If the operator takes one cycle, each is combined with the
 * variable in turn, the oldest first. Float sums and products, which take several cycles, are combined in pairs: the
 * variable and the partial results form a queue, the oldest in front; the two in front are combined and the result goes
 * to the end, until one is left.
 *
 * In hardware the places of partial results are visited in turn, as in the loop before, so that each is read as long
 * after it was set, and an iteration starts in every cycle. The first of a pair waits in a register for the second,
 * whose place takes their sum; places whose values were moved are skipped.
 */
import { combine } from "../../ir/model/combine.ts";
import { type Accumulate, type Accumulator, idiom } from "../../ir/model/idioms.ts";
import { arrayOf, canonical, INT, ULLONG } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  ifStmt,
  incdec,
  index,
  intLit,
} from "../../lang/tree/build.ts";

/** The bits of an integer say which places hold a partial result. */
const MOST_PLACES = 63;

const inPairs = ({ op, type, depth }: Accumulator): boolean =>
  canonical(type).kind === "float" && (op === "+" || op === "*") && depth <= MOST_PLACES;

/** The hardware's loop, which uses the operator that made the partial results. */
export function draining(node: Accumulator, at: Stmt): readonly Stmt[] {
  const { op, type, depth, register, drain } = node;
  const partial = freshSymbol("arc_partial", type);
  const total = freshSymbol("arc_total", type);
  const pairs = inPairs(node) ? pairing(node, partial, total) : undefined;
  const body = pairs?.body ?? take(total, combine(op, ident(total), ident(partial)));
  const step = idiom<Accumulate>({ kind: "accumulate", register, depth, partial, body }, at);
  return [
    declare(total, drain),
    ...(pairs?.before ?? []),
    counting(freshSymbol("arc_drained", INT), pairs ? turnsOfPairs(depth) : depth, step),
    exprStmt(assign(drain, ident(total))),
  ];
}

/** The same computation in C, after the loop: `register` holds the oldest partial result first. */
export function drained(node: Accumulator): readonly Stmt[] {
  const { op, type, depth, register, drain } = node;
  const k = freshSymbol("arc_k", INT);
  const partial = index(register, ident(k));
  if (!inPairs(node)) return [counting(k, depth, exprStmt(assign(drain, combine(op, drain, partial))))];
  const queue = freshSymbol("arc_queue", arrayOf(type, 2 * depth + 1));
  const place = (of: Expr) => index(ident(queue), of);
  const after = (places: number) => place(binary("+", intLit(places), ident(k)));
  const front = binary("*", intLit(2), ident(k));
  const pair = combine(op, place(front), place(binary("+", front, intLit(1))));
  return [
    declare(queue),
    exprStmt(assign(place(intLit(0)), drain)),
    counting(k, depth, exprStmt(assign(after(1), partial))),
    counting(k, depth, exprStmt(assign(after(depth + 1), pair))),
    exprStmt(assign(drain, place(intLit(2 * depth)))),
  ];
}

/** The processing of the oldest place, `partial`; the last sum is the result. */
function pairing({ op, type, depth, drain }: Accumulator, partial: Symbol, total: Symbol) {
  const first = freshSymbol("arc_first", type);
  const other = freshSymbol("arc_other", type);
  const waits = freshSymbol("arc_waits", ULLONG);
  const holds = freshSymbol("arc_holds", ULLONG);
  const queued = freshSymbol("arc_held", ULLONG);
  const one = intLit(1, ULLONG);
  const pair = binary("<<", binary("&", ident(queued), ident(waits)), intLit(depth - 1));
  return {
    before: [
      declare(first, drain),
      declare(waits, one),
      declare(holds, intLit((1n << BigInt(depth)) - 1n, ULLONG)),
    ],
    body: compound([
      declare(other, ident(first)),
      declare(queued, binary("&", ident(holds), one)),
      ifStmt(ident(queued), take(first, ident(partial))),
      take(partial, combine(op, ident(other), ident(partial))),
      take(total, ident(partial)),
      take(holds, binary("|", binary(">>", ident(holds), one), pair)),
      take(waits, binary("^", ident(waits), ident(queued))),
    ]),
  };
}

/**
 * Number of turns until one value is left, starting with this many places and the variable, which waits for the first.
 */
function turnsOfPairs(depth: number): number {
  const holds = Array.from({ length: depth }, () => true);
  let turn = 0;
  let waits = true;
  for (let pairs = 0; pairs < depth; turn++) {
    const place = turn % depth;
    if (!holds[place]) continue;
    if (waits) pairs++;
    holds[place] = waits;
    waits = !waits;
  }
  return turn;
}

const take = (variable: Symbol, value: Expr): Stmt => exprStmt(assign(ident(variable), value));

const counting = (counter: Symbol, times: number, body: Stmt): Stmt =>
  forStmt(
    declare(counter, intLit(0)),
    binary("<", ident(counter), intLit(times)),
    incdec("++", false, ident(counter)),
    body,
  );
