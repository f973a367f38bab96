/**
 * Hardware idioms as C loops, in the patterns that OpenCL compilers for FPGAs recognise as shift registers. Every loop
 * of an idiom is fully unrolled; otherwise the array would become a memory.
 */

import { combine } from "../../../core/ir/model/combine.ts";
import { type Accumulate, type Accumulator, asIdiom, type DelayLine } from "../../../core/ir/model/idioms.ts";
import { INT } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
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
} from "../../../core/lang/tree/build.ts";
import { unrollPragma } from "../device/pragmas.ts";

/** The statements of an idiom; undefined for any other statement. Channels are language-specific. */
export function idiomCode(s: Stmt): readonly Stmt[] | undefined {
  const line = asIdiom(s, "delayline");
  if (line) return delayLine(line);
  const accumulator = asIdiom(s, "accumulator");
  if (accumulator) return accumulatorCode(accumulator);
  const step = asIdiom(s, "accumulate");
  return step && [accumulate(step)];
}

function delayLine({ line, length, shift, lane, guard, value }: DelayLine): readonly Stmt[] {
  const remaining = length - shift;
  const place = intLit(remaining);
  const top = lane ? (remaining === 0 ? ident(lane) : binary("+", place, ident(lane))) : place;
  const take = exprStmt(assign(index(line, top), value));
  const guarded = guard ? ifStmt(guard, take) : take;
  return [
    ...(remaining > 0 ? [moveDown(line, remaining, shift)] : []),
    lane ? unrolled(shift, guarded, lane) : guarded,
  ];
}

function accumulatorCode({ op, depth, register, init, drain, body }: Accumulator): readonly Stmt[] {
  const counter = freshSymbol("arc_k", INT);
  const partial = index(register, ident(counter));
  return [
    unrolled(depth + 1, exprStmt(assign(partial, init)), counter),
    body,
    unrolled(depth, exprStmt(assign(drain, combine(op, drain, partial))), counter),
  ];
}

function accumulate({ register, depth, partial, body }: Accumulate): Stmt {
  return compound([
    declare(partial, index(register, intLit(0))),
    body,
    exprStmt(assign(index(register, intLit(depth)), ident(partial))),
    moveDown(register, depth, 1),
  ]);
}

/** Each of the first `places` elements gets the value of the element `by` positions up. */
export function moveDown(array: Expr, places: number, by: number): Stmt {
  const counter = freshSymbol("arc_k", INT);
  const from = index(array, binary("+", ident(counter), intLit(by)));
  return unrolled(places, exprStmt(assign(index(array, ident(counter)), from)), counter);
}

/** `for (int counter = 0; counter < times; counter++) body`, fully unrolled. */
export function unrolled(times: number, body: Stmt, counter: Symbol): Stmt {
  const loop = forStmt(
    declare(counter, intLit(0)),
    binary("<", ident(counter), intLit(times)),
    incdec("++", false, ident(counter)),
    body,
  );
  return { ...loop, pragmas: [unrollPragma(0)] };
}
