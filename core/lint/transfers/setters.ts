/** What may set the elements of an array on the device, and whether a read meets one that nothing sets. */
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Access, Guard } from "../memory/access.ts";
import type { Instance } from "../memory/instances.ts";
import { type Known, within } from "./known.ts";
import { type Construct, type Mapped, type Move, names } from "./trace.ts";

/** What may have set elements on the device. */
export interface Sets {
  readonly writes: readonly Access[];
  readonly moves: readonly Move[];
}

/**
 * Up to a position. In the first turns of the host's loops nothing behind it has run, which jumps may change: their
 * code runs in another order.
 */
export function until(known: Known, { begin, end }: Construct, { sym }: Mapped, position: number): Sets {
  const last = known.trace.walked.synchronised ? end.order : position;
  const isBefore = (order: number): boolean => order > begin.order && order < last;
  const writes = known
    .all(sym)
    .filter(
      (a) =>
        a.mode === "write" &&
        a.location.steps.length > 0 &&
        isBefore(a.order) &&
        known.computeOf(a) !== undefined,
    );
  const moves = known.trace.moves.filter(
    ({ motion, syms, at }) => motion === "to-device" && syms.includes(sym) && isBefore(at.order),
  );
  return { writes, moves };
}

/** Whether a clause inside, or a pointer that may lead to the same memory, may set elements. */
export function isSetOtherwise(known: Known, { begin, end }: Construct, { sym }: Mapped): boolean {
  const clauses = known.trace.constructs.some(
    (c) =>
      c.begin.order > begin.order &&
      c.end.order <= end.order &&
      c.mapped.some((m) => m.motion === "other" && m.clause !== "private" && names(m, sym)),
  );
  return (
    clauses ||
    known
      .inside(begin.order, end.order)
      .some(({ mode, location: { root } }) => mode === "write" && root !== sym && known.leadsTo(root, sym))
  );
}

/** What it depends on whether a run of a construct comes to an access: loops have turns. */
const ownGuards = (a: Access, { begin }: Construct): readonly Guard[] =>
  a.context.guards.filter((g) => !g.ofLoop && !begin.guards.includes(g));

/** The access in a run of a construct that comes to it, if its own conditions hold. */
export const inRun = (a: Access, construct: Construct): Access => {
  const guards = ownGuards(a, construct);
  return guards.length === a.context.guards.length ? a : { ...a, context: { ...a.context, guards } };
};

/** The access to a record, for one to a member: a record that is set as a whole sets its members. */
const ofWhole = (a: Access): Access => {
  const { steps } = a.location;
  const field = steps.findIndex((step) => step.is === "field");
  return field < 0 ? a : { ...a, location: { ...a.location, steps: steps.slice(0, field) } };
};

/** Which elements of those that a read meets count. */
interface Counted {
  /** Those that a clause names. */
  readonly named?: {
    readonly mapped: Mapped;
    readonly directive: Construct["directive"];
    readonly at: Construct["begin"];
  };
  /** Those of the first turns of so many loops. */
  readonly turns?: number;
}

/** Whether a read surely meets an element that nothing sets, for all sizes. */
export function meetsUnset(
  known: Known,
  access: Access,
  { writes, moves }: Sets,
  { named, turns = 0 }: Counted = {},
): boolean {
  const read = ofWhole(access);
  // What the other brackets leave out is not looked at.
  if (named?.mapped.section?.more) return false;
  let compared = 0;
  for (const s of known.sampled.samples.keys()) {
    const { list, uncertain } = known.instances(read, s);
    const reads = list.filter((i) => i.turns.slice(0, turns).every((turn) => !turn));
    // The condition may never hold.
    if (uncertain || (reads.length === 0 && read.context.guards.length > 0)) return false;
    if (reads.length === 0) continue;
    const range = named?.mapped.section && known.range(named.mapped, named.directive, named.at, s);
    if (named?.mapped.section && !range) return false;
    const sets = settersAt(known, access.location.root, { writes, moves }, s);
    if (!sets) return false;
    const isUnset = (i: Instance): boolean =>
      (!range || within(i.first, range)) && !sets.some((isSet) => isSet(i));
    if (!reads.some(isUnset)) return false;
    compared++;
  }
  return compared > 0;
}

/** Whether each of them may set an element, with the sizes of a sample; undefined: one may set any. */
function settersAt(
  known: Known,
  sym: Symbol,
  { writes, moves }: Sets,
  s: number,
): readonly ((i: Instance) => boolean)[] | undefined {
  const found: ((i: Instance) => boolean)[] = [];
  for (const write of writes) {
    const reach = known.reach(ofWhole(write), s);
    if (!reach) return undefined;
    found.push(({ where }) => reach(where));
  }
  for (const { items, directive, at } of moves) {
    const ranges = items.filter((i) => i.sym === sym).map((i) => known.range(i, directive, at, s));
    if (ranges.length === 0 || ranges.some((range) => !range)) return undefined;
    found.push(({ first }) => ranges.some((range) => range && within(first, range)));
  }
  return found;
}
