/** Elements that are read although nothing has set them: room on the device that regions fill only in part. */
import type { Access } from "../memory/access.ts";
import { type Certainty, type Fault, faultAt } from "./fault.ts";
import type { Known } from "./known.ts";
import { inRun, isSetOtherwise, meetsUnset, until } from "./setters.ts";
import type { Construct, Mapped, Move } from "./trace.ts";

/** Allocated on the device without copying in: is an element read that was not set there? */
export function unset(
  known: Known,
  construct: Construct,
  mapped: Mapped,
  certainty: Certainty,
): Fault | undefined {
  const { sym } = mapped;
  const { begin, end } = construct;
  if (known.copiedInside(sym, begin.order, end.order)) return undefined;
  const all = known.accesses(sym, begin.order, end.order);
  // A region with a condition may read the host's memory.
  const reads = known.device(all).filter((a) => a.mode === "read" && !known.computeOf(a)?.conditional);
  if (reads.length === 0 || isSetOtherwise(known, construct, mapped)) return undefined;
  const whenever = until(known, construct, mapped, end.order);
  const read = reads.find((r) => {
    if (isSetAfterwards(known, construct, r) || meetsUnset(known, inRun(r, construct), whenever)) return true;
    const region = known.computeOf(r);
    if (!region) return false;
    const before = until(known, construct, mapped, region.end.order);
    return meetsUnset(known, inRun(r, construct), before, { turns: region.begin.loops.length });
  });
  return read && faultAt("read-before-copy", certainty, read, { construct, mapped, sym });
}

/** Copied back and not in, and the host reads an element that no region has set. */
export function returnsUnset(
  known: Known,
  construct: Construct,
  mapped: Mapped,
  certainty: Certainty,
): Fault | undefined {
  const { sym } = mapped;
  const { begin, end } = construct;
  // Other functions, and other names of the memory, may set the rest.
  if ((mapped.part && !mapped.section) || known.file.facts.addressed.has(sym)) return undefined;
  if (known.copiedInside(sym, begin.order, end.order)) return undefined;
  const set = until(known, construct, mapped, end.order);
  if (isSetOtherwise(known, construct, mapped)) return undefined;
  const later = known.accesses(sym, end.order, Number.POSITIVE_INFINITY);
  const last = later.find((a) => a.mode === "write" || known.computeOf(a))?.order ?? Number.POSITIVE_INFINITY;
  const returned = { mapped, directive: construct.directive, at: begin };
  const read = later.find(
    (a) => a.order < last && meetsUnset(known, inRun(a, construct), set, { named: returned }),
  );
  if (
    !read ||
    known.mapsBetween(sym, end.order, read.order) ||
    known.escapes(sym, end.order, read.order) ||
    known.moved(sym, "to-host", end.order, read.order)
  )
    return undefined;
  return faultAt("read-before-copy", certainty, read, { construct, mapped, sym, returned: true });
}

/** An update brings the host elements that no region has set, and the host reads one. */
export function updatesUnset(
  known: Known,
  construct: Construct,
  mapped: Mapped,
  certainty: Certainty,
): Fault | undefined {
  const { sym } = mapped;
  const { begin, end } = construct;
  const updates = known.trace.moves.filter(
    ({ motion, at, directive }) =>
      motion === "to-host" &&
      at.order > begin.order &&
      at.order < end.order &&
      at.guards.every((g) => g.ofLoop || begin.guards.includes(g)) &&
      directive.clauses.every(({ name }) => name !== "if"),
  );
  if (updates.length === 0 || known.copiedInside(sym, begin.order, end.order)) return undefined;
  if (isSetOtherwise(known, construct, mapped)) return undefined;
  for (const update of updates) {
    const read = update.items
      .filter((i) => i.sym === sym && (i.section !== undefined || !i.part))
      .flatMap((item) => readOf(known, construct, mapped, update, item) ?? [])[0];
    if (
      read &&
      !known.escapes(sym, update.at.order, read.order) &&
      !known.mapsBetween(sym, end.order, read.order)
    )
      return faultAt("read-before-copy", certainty, read, { construct, mapped, sym, updated: true });
  }
  return undefined;
}

/** Where the host reads what an update has brought it, and nothing had set. */
function readOf(
  known: Known,
  construct: Construct,
  mapped: Mapped,
  { at, directive }: Move,
  item: Mapped,
): Access | undefined {
  const { sym, motion } = mapped;
  const { begin, end } = construct;
  // What the clause copies back at the end is looked at there.
  const last = motion === "from" ? end.order : Number.POSITIVE_INFINITY;
  const host = known.host(known.accesses(sym, begin.order, last)).filter((a) => a.order > at.order);
  const next = host.find((a) => a.mode === "write")?.order ?? last;
  const counted = { named: { mapped: item, directive, at }, turns: at.loops.length };
  return host.find((read) => {
    if (read.order >= next) return false;
    // Behind a loop, what its last turn has brought is read.
    const isInTurn = at.loops.every((loop, k) => read.context.loops[k] === loop);
    const { writes, moves } = until(known, construct, mapped, isInTurn ? at.order : end.order);
    // What later updates bring is looked at with them.
    const later = known.trace.moves.filter(
      (m) =>
        m.motion === "to-host" && m.syms.includes(sym) && m.at.order > at.order && m.at.order < read.order,
    );
    return meetsUnset(known, inRun(read, construct), { writes, moves: [...moves, ...later] }, counted);
  });
}

/** Each turn of the loops around reads an element and then sets it. */
function isSetAfterwards(known: Known, { begin, end }: Construct, read: Access): boolean {
  const { root } = read.location;
  const first = known.device(known.accesses(root, begin.order, end.order)).find((a) => a.mode === "write");
  return (
    first !== undefined &&
    read.order < first.order &&
    known.unconditional(read, begin.guards) &&
    !known.trace.moves.some((m) => m.motion === "to-device" && m.syms.includes(root)) &&
    read.context.loops.every((l, i) => first.context.loops[i] === l) &&
    known.sameLocations(read, first)
  );
}
