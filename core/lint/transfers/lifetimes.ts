/** Data that `enter data` puts on the device and `exit data` removes, in one function: an unstructured data region. */
import type { Symbol } from "../../lang/tree/ast.ts";
import { clauseOf } from "../read/directive.ts";
import type { Construct, Mapped, Motion, Move } from "./trace.ts";

/** `foreign`: variables that other functions also put there or remove. */
export function lifetimesOf(moves: readonly Move[], foreign: (sym: Symbol) => boolean): readonly Construct[] {
  const found: Construct[] = [];
  for (const enter of moves.filter((m) => m.motion === "enter"))
    for (const entered of enter.items) {
      const { sym } = entered;
      const all = moves.filter((m) => (m.motion === "enter" || m.motion === "exit") && m.syms.includes(sym));
      const last = all.at(-1);
      const whole = all.every((m) => m.items.filter((i) => i.sym === sym).every(isWhole));
      const once = all.slice(0, -1).every((m) => m.motion === "enter" && sameBlock(enter, m));
      if (!whole || !once || all[0] !== enter || last?.motion !== "exit" || foreign(sym)) continue;
      const left = last.items.find((i) => i.sym === sym);
      // Each `enter data` counts, and data that others still hold is not copied back.
      const counted = all.length > 2 && !ends(last, left);
      const motion = left && between(entered, counted ? { ...left, motion: "release" } : left);
      if (!motion || !sameBlock(enter, last)) continue;
      found.push({
        directive: enter.directive,
        compute: false,
        begin: enter.at,
        end: last.at,
        mapped: [{ ...entered, motion, until: left, ...(counted && { counted }) }],
        conditional: false,
      });
    }
  return found;
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

/** Both run whenever one of them does, and all device operations have taken place. */
function sameBlock(enter: Move, exit: Move): boolean {
  const [a, b] = [enter.at, exit.at];
  return (
    [enter, exit].every(({ directive, queue }) => queue === undefined && !clauseOf(directive, "if")) &&
    a.frame === b.frame &&
    same(a.guards, b.guards) &&
    same(a.loops, b.loops)
  );
}

const same = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((x, i) => x === b[i]);
