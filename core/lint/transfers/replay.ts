/**
 * A function's operations in the order in which they run, loops turn by turn where pointers change in them. It follows
 * which object each pointer leads to: the memory that a variable, a parameter or an allocation has at first.
 */
import { itemAt } from "../../checked/access.ts";
import { canonical, evaluateInteger, isPointer } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Access, Around, Frame, Guard } from "../memory/access.ts";
import type { Moment } from "../races/recording-walk.ts";
import type { Construct, Move, PointerSetting, Trace, Unfollowed } from "./trace.ts";

export type Operation =
  | { readonly is: "set"; readonly setting: PointerSetting }
  | { readonly is: "access"; readonly access: Access }
  | { readonly is: "move"; readonly move: Move }
  | { readonly is: "begin" | "end"; readonly construct: Construct }
  | { readonly is: "call"; readonly call: Unfollowed };

/** Memory that pointers lead to: named by the variable that leads there at first, or by the call that allocates it. */
export type Place = Symbol | Expr;

interface Placed {
  readonly operation: Operation;
  readonly order: number;
  readonly loops: readonly Around[];
  readonly guards: readonly Guard[];
}

/** Something is not followed, so that nothing is known. */
export class Unknown extends Error {}

/** How often loops of unknown length run: `few` times. */
const fewest = 2;
/** Turns in which two, three or four pointers have changed places back and forth are left out. */
const cycle = 12;
const most = 20_000;
const allocators = /^(malloc|calloc|aligned_alloc)$/;

/** Calls `visit` for each operation; `odd`: loops of unknown length have an odd number of turns. */
export function replay(
  trace: Trace,
  odd: boolean,
  visit: (operation: Operation, where: Where, guards: readonly Guard[]) => void,
): void {
  const pointers = new Map<Symbol, Place | undefined>();
  const where = (sym: Symbol, frame: Frame): Place => placeOf(sym, frame, pointers);
  let steps = 0;
  const run = (list: readonly Placed[], depth: number): void => {
    for (let k = 0; k < list.length; ) {
      const { operation, loops, guards } = itemAt(list, k);
      const loop = loops[depth];
      if (loop) {
        let end = k + 1;
        while (end < list.length && itemAt(list, end).loops[depth] === loop) end++;
        const inside = list.slice(k, end);
        const turns = inside.some(({ operation: { is } }) => is === "set") ? turnsOf(loop, odd) : 1;
        for (let turn = 0; turn < turns; turn++) run(inside, depth + 1);
        k = end;
        continue;
      }
      if (++steps > most) throw new Unknown();
      if (operation.is === "set") {
        const { pointer, value, at } = operation.setting;
        pointers.set(pointer, value && valueOf(value, at.frame, pointers));
      }
      visit(operation, where, guards);
      k++;
    }
  };
  run(operationsOf(trace), 0);
}

export type Where = (sym: Symbol, frame: Frame) => Place;

function operationsOf({ walked, constructs, moves, calls, settings }: Trace): readonly Placed[] {
  const placed = (operation: Operation, { order, loops, guards }: Omit<Moment, "frame">): Placed => ({
    operation,
    order,
    loops,
    guards,
  });
  return [
    ...settings.map((setting) => {
      const region = constructs.find(
        (c) => c.compute && setting.at.order > c.begin.order && setting.at.order < c.end.order,
      );
      // Each turn of a region's loops may have another one.
      const { pointer, at } = setting;
      const unknown = region && {
        pointer,
        at: { ...at, loops: region.begin.loops, guards: region.begin.guards },
      };
      return placed({ is: "set", setting: unknown ?? setting }, unknown?.at ?? at);
    }),
    ...walked.accesses.map((access) =>
      placed(
        { is: "access", access },
        { order: access.order, loops: access.context.loops, guards: access.context.guards },
      ),
    ),
    ...moves.map((move) => placed({ is: "move", move }, move.at)),
    ...calls.map((call) => placed({ is: "call", call }, call.at)),
    ...constructs.flatMap((construct) => [
      placed({ is: "begin", construct }, construct.begin),
      placed({ is: "end", construct }, construct.end),
    ]),
  ].sort((a, b) => a.order - b.order);
}

function turnsOf({ header }: Around, odd: boolean): number {
  const [first, end, by] = header
    ? [header.lower, header.bound, header.step].map((e) => evaluateInteger(e))
    : [];
  if (!header || first === undefined || end === undefined || by === undefined || by === 0n)
    return fewest + (odd ? 1 : 0);
  const distance = Number(end - first) / Number(by);
  const closed = header.relation === "<=" || header.relation === ">=";
  const turns = Math.max(0, closed ? Math.floor(distance) + 1 : Math.ceil(distance));
  return turns > 2 * cycle ? cycle + (turns % cycle) : turns;
}

/** Whether how often a loop with changing pointers runs is known before the program runs. */
export const isCounted = ({ header }: Around): boolean =>
  header !== undefined &&
  [header.lower, header.bound, header.step].every((e) => evaluateInteger(e) !== undefined);

function placeOf(sym: Symbol, frame: Frame, pointers: ReadonlyMap<Symbol, Place | undefined>): Place {
  if (pointers.has(sym)) {
    const place = pointers.get(sym);
    if (!place) throw new Unknown();
    return place;
  }
  const given = frame.arguments.get(sym);
  const place = given ? valueOf(given.expr, given.frame, pointers) : sym;
  if (!place) throw new Unknown();
  return place;
}

/** What a pointer's value leads to; undefined: unknown. */
function valueOf(
  value: Expr,
  frame: Frame,
  pointers: ReadonlyMap<Symbol, Place | undefined>,
): Place | undefined {
  let e = value;
  while (e.kind === "cast") e = e.arg;
  if (e.kind === "call") {
    const callee = stripImplicit(e.callee);
    return callee.kind === "ident" && allocators.test(callee.sym.name) ? e : undefined;
  }
  if (e.kind !== "ident") return undefined;
  if (canonical(e.sym.type).kind === "array") return e.sym;
  if (!isPointer(e.sym.type)) return undefined;
  if (pointers.has(e.sym)) return pointers.get(e.sym);
  return placeOf(e.sym, frame, pointers);
}
