/** Data that `enter data` puts on the device and `exit data` removes, in one function: an unstructured data region. */
import { lastOf } from "../../checked/access.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { clauseOf } from "../read/directive.ts";
import type { Construct, Mapped, Motion, Move } from "./trace.ts";

/** `foreign`: variables that other functions also put there or remove. */
export function lifetimesOf(moves: readonly Move[], foreign: (sym: Symbol) => boolean): readonly Construct[] {
  const held = moves.filter((m) => m.motion === "enter" || m.motion === "exit");
  return held.flatMap((enter) =>
    enter.motion === "enter"
      ? enter.items.flatMap((entered) => lifetime(enter, entered, held, foreign) ?? [])
      : [],
  );
}

function lifetime(
  enter: Move,
  entered: Mapped,
  held: readonly Move[],
  foreign: (sym: Symbol) => boolean,
): Construct | undefined {
  const { sym } = entered;
  const all = held.filter((m) => m.syms.includes(sym));
  const whole = all.every((m) => m.items.filter((i) => i.sym === sym).every(isWhole));
  if (!whole || all[0] !== enter || foreign(sym)) return undefined;
  const made = { directive: enter.directive, compute: false, begin: enter.at, conditional: false };
  const last = lastOf(all);
  if (last === enter) {
    const stays = (entered.motion === "to" || entered.motion === "alloc") && isAlways(enter);
    return stays
      ? { ...made, end: { ...enter.at, order: Number.POSITIVE_INFINITY }, mapped: [entered] }
      : undefined;
  }
  const once = all.slice(0, -1).every((m) => m.motion === "enter" && sameBlock(enter, m, entered));
  if (!once || last.motion !== "exit") return undefined;
  const left = last.items.find((i) => i.sym === sym);
  // Each `enter data` counts, and data that others still hold is not copied back.
  const counted = all.length > 2 && !ends(last, left);
  const motion = left && between(entered, counted ? { ...left, motion: "release" } : left);
  if (!motion || !sameBlock(enter, last, entered)) return undefined;
  const mapped = { ...entered, motion, until: left, ...(counted && { counted }) };
  return { ...made, end: last.at, mapped: [mapped] };
}

/** Whatever the counter says, the data is gone. */
const ends = ({ directive }: Move, left: Mapped | undefined): boolean =>
  clauseOf(directive, "finalize") !== undefined || left?.deleted === true;

/** A member is a separate object from its record. */
const isWhole = ({ text }: Mapped, _: number, all: readonly Mapped[]): boolean =>
  all.length === 1 && !/->|\./.test(text);

function between(entered: Mapped, left: Mapped): Motion | undefined {
  const back = left.motion === "from";
  if (!back && left.motion !== "release") return undefined;
  if (entered.motion === "to") return back ? "tofrom" : "to";
  return entered.motion === "alloc" ? (back ? "from" : "alloc") : undefined;
}

/** Both run whenever one of them does, for the same variable, and all device operations have taken place. */
function sameBlock(enter: Move, other: Move, { sym, home }: Mapped): boolean {
  return (
    [enter, other].every(isDone) &&
    other.items.every((item) => item.sym !== sym || item.home === home) &&
    same(enter.at.guards, other.at.guards) &&
    same(enter.at.loops, other.at.loops)
  );
}

/** The program waits for it, and no clause may leave it out. */
const isDone = ({ directive, queue }: Move): boolean => queue === undefined && !clauseOf(directive, "if");

/** It runs in each run of its function, and once. */
const isAlways = (move: Move): boolean =>
  isDone(move) && move.at.guards.length === 0 && move.at.loops.length === 0;

const same = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((x, i) => x === b[i]);
