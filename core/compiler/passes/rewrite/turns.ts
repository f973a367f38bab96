/**
 * Elements that a sweep does not set, if steps alternate between two arrays: after each step they are those of the
 * array that the step has written. A second stream therefore carries each element's value in the other array beside the
 * stages, and each stage that performs a step exchanges the two:
 *
 *     other = position is no iteration ? b[place] : 0;       for the first stage; a delay line for the others
 *     value = active ? other : own;  other = active ? own : other;
 *     position is an iteration ? value = f(...)
 */
import { type DelayLine, idiom } from "../../../ir/model/idioms.ts";
import { arrayOf } from "../../../lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
  unary,
} from "../../../lang/tree/build.ts";
import { conj, constant } from "./folding.ts";

/** A stage's result for an element that it does not set. */
export interface Turn {
  readonly before: readonly Stmt[];
  readonly code: readonly Stmt[];
  readonly value: Expr;
  /** The element in the other array, for the next stage. */
  readonly other: Symbol;
}

/** `own`: the element as the stage receives it; `active`: whether it performs a step, undefined if it always does. */
function changingPlaces(
  name: string,
  type: CType,
  own: Expr,
  other: Expr,
  active: Expr | undefined,
): Pick<Turn, "code" | "value" | "other"> {
  const passedOn = freshSymbol(name, type);
  return {
    value: active ? cond(active, other, own) : other,
    other: passedOn,
    code: [declare(passedOn, active ? cond(active, own, other) : own)],
  };
}

/** The first stage loads elements of the other array: those at `place` that exist and that no iteration sets. */
export function firstTurn(
  {
    array,
    place,
    exists,
    iteration,
  }: {
    readonly array: Symbol;
    readonly place: Expr;
    readonly exists: Expr | undefined;
    readonly iteration: Expr;
  },
  type: CType,
  own: Expr,
  active: Expr | undefined,
): Turn {
  const loaded = freshSymbol(`arc_${array.name}_unset`, type);
  const take = exprStmt(assign(ident(loaded), index(ident(array), place)));
  const exchange = changingPlaces(`arc_${array.name}_other_1`, type, own, ident(loaded), active);
  const needed = conj([exists, unary("!", iteration)]) as Expr;
  return {
    ...exchange,
    before: [],
    code: [declare(loaded, intLit(0)), ifStmt(needed, take), ...exchange.code],
  };
}

/** A later stage is `skew` positions behind the one before it. */
export function nextTurn(
  k: number,
  before: Turn,
  skew: bigint,
  type: CType,
  own: Expr,
  active: Expr | undefined,
  at: Stmt,
): Turn {
  const length = Number(skew) + 1;
  const stem = before.other.name.replace(/_\d+$/, "");
  const line = freshSymbol(`${stem}_line_${k + 1}`, arrayOf(type, length));
  const exchange = changingPlaces(`${stem}_${k + 1}`, type, own, index(ident(line), constant(0n)), active);
  const move = idiom<DelayLine>(
    { kind: "delayline", line: ident(line), type, length, shift: 1, taps: [0], value: ident(before.other) },
    at,
  );
  return { ...exchange, before: [declare(line)], code: [move, ...exchange.code] };
}
