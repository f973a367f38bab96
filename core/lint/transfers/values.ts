/** Values that clauses do not copy, or copy too early or late, and sections that are too short. */
import { evaluateInteger, isPointer, isScalar } from "../../lang/index.ts";
import type { Around } from "../memory/access.ts";
import { type Instance, instancesOf } from "../memory/instances.ts";
import { neverThere } from "./absent.ts";
import { type Certainty, type Fault, faultAt } from "./fault.ts";
import { type Known, within } from "./known.ts";
import { type Construct, type Mapped, names } from "./trace.ts";
import { returnsUnset, unset, updatesUnset } from "./unset.ts";

/** The faults of one variable of a data clause. */
export function clause(known: Known, construct: Construct, mapped: Mapped): readonly Fault[] {
  const { sym, motion } = mapped;
  if (motion === "other" || construct.conditional || known.isOutside(construct, sym)) return [];
  const certainty = known.absent(sym, construct);
  if (!certainty) return [];
  if (motion === "present") {
    // Only callers know about the data that they pass.
    return some(neverThere(known, construct, mapped, certainty));
  }
  const outside = mapped.section ? some(section(known, construct, mapped, certainty)) : [];
  if (known.escapes(sym, construct.begin.order, construct.end.order)) return outside;
  const allocates = motion === "alloc";
  const returned = motion === "from" || motion === "tofrom" ? mapped.until : undefined;
  return [
    ...outside,
    ...(returned?.section ? some(lost(known, construct, mapped, certainty, returned)) : []),
    ...(motion === "from" || allocates ? some(unset(known, construct, mapped, certainty)) : []),
    ...(motion === "from" || allocates ? some(updatesUnset(known, construct, mapped, certainty)) : []),
    ...(motion === "from" ? some(returnsUnset(known, construct, mapped, certainty)) : []),
    ...(motion === "to" || allocates
      ? some(
          lost(known, construct, mapped, certainty) ??
            (construct.compute ? dropped(known, construct, mapped, certainty) : undefined),
        )
      : []),
    ...(construct.compute ? [] : stale(known, construct, mapped)),
  ];
}

const some = (fault: Fault | undefined): readonly Fault[] => (fault ? [fault] : []);

/** Results of the device that are not copied back, or lie outside of the section that is, and are read on the host. */
function lost(
  known: Known,
  construct: Construct,
  mapped: Mapped,
  certainty: Certainty,
  returned?: Mapped,
): Fault | undefined {
  const { sym } = mapped;
  const { begin, end } = construct;
  const later = known.host(known.accesses(sym, end.order, Number.POSITIVE_INFINITY));
  const read = later[0];
  if (read?.mode !== "read" || !known.unconditional(read, begin.guards)) return undefined;
  if (known.mapsBetween(sym, end.order, read.order) || known.escapes(sym, end.order, read.order))
    return undefined;
  if (known.copiedInside(sym, begin.order, end.order)) return undefined;
  const write = known
    .device(known.accesses(sym, begin.order, end.order))
    .find(
      (a) =>
        a.mode === "write" &&
        known.unconditional(a, begin.guards) &&
        !(known.moved(sym, "to-host", a.order, end.order) && known.refreshed(a, read, "to-host")) &&
        (returned ? known.overlapOutside(a, read, returned, construct) : known.overlap(a, read)),
    );
  return (
    write &&
    faultAt("lost-result", certainty, read, {
      construct,
      mapped,
      sym,
      other: { loc: write.loc, expr: write.expr },
    })
  );
}

/** A region only writes what it does not copy back, and the next one reads the host's old values. */
function dropped(
  known: Known,
  construct: Construct,
  mapped: Mapped,
  certainty: Certainty,
): Fault | undefined {
  const { sym } = mapped;
  const { begin, end } = construct;
  const next = known.trace.constructs.find(
    (c) => c.begin.order > end.order && c.mapped.some((m) => names(m, sym)),
  );
  const copies = next?.mapped.find((m) => m.sym === sym);
  if (!next?.compute || next.conditional || (copies?.motion !== "to" && copies?.motion !== "tofrom"))
    return undefined;
  const own = known.device(known.accesses(sym, begin.order, end.order));
  if (own.some((a) => a.mode === "read") || known.moved(sym, "to-host", begin.order, end.order))
    return undefined;
  const host = known.host(known.accesses(sym, end.order, next.begin.order));
  if (host.length > 0 || known.escapes(sym, begin.order, next.end.order)) return undefined;
  const read = known
    .device(known.accesses(sym, next.begin.order, next.end.order))
    .find((a) => a.mode === "read" && known.unconditional(a, begin.guards));
  const write = read && own.find((a) => known.unconditional(a, begin.guards) && known.overlap(a, read));
  if (!read || !write) return undefined;
  const other = { loc: write.loc, expr: write.expr };
  return faultAt("lost-result", certainty, read, { construct, mapped, sym, other, byRegion: true });
}

/** Inside a data region each side has separate values. */
function stale(known: Known, construct: Construct, mapped: Mapped): readonly Fault[] {
  const { sym } = mapped;
  const { begin, end } = construct;
  const all =
    isScalar(sym.type) && !isPointer(sym.type)
      ? known.scalarAccesses(sym, begin.order, end.order)
      : known.accesses(sym, begin.order, end.order);
  const ways = [
    [known.device(all), known.host(all), "to-host", "stale-host-read"],
    [known.host(all), known.device(all), "to-device", "stale-device-read"],
  ] as const;
  return ways.flatMap(([first, second, motion, kind]) => {
    const fault = second
      .filter((read) => read.mode === "read")
      .flatMap((read) => {
        const write = first.findLast((w) => w.mode === "write" && w.order < read.order);
        if (!write || known.refreshed(write, read, motion)) return [];
        if (known.copiedInside(sym, write.order, read.order)) return [];
        // Values that the reader's own side has set in between are current.
        if (second.some((w) => w.mode === "write" && w.order > write.order && w.order <= read.order))
          return [];
        const compute = known.computeOf(motion === "to-host" ? write : read);
        if (
          !compute ||
          compute.conditional ||
          compute.mapped.some((m) => names(m, sym) && m.motion === "other")
        )
          return [];
        if (!known.unconditional(read, write.context.guards) || !known.overlap(write, read)) return [];
        return [{ read, write }];
      })[0];
    if (!fault) return [];
    const other = { loc: fault.write.loc, expr: fault.write.expr };
    return [faultAt(kind, "proved", fault.read, { construct, mapped, sym, other })];
  });
}

/** Whether a loop of unknown length takes larger steps than one, as over blocks. */
function isStepped({ header }: Around): boolean {
  if (!header || [header.lower, header.bound].every((e) => evaluateInteger(e) !== undefined)) return false;
  const step = evaluateInteger(header.step);
  return step === undefined || (step !== 1n && step !== -1n);
}

/** Subscripts outside of the mapped section. */
function section(
  known: Known,
  construct: Construct,
  mapped: Mapped,
  certainty: Certainty,
): Fault | undefined {
  const { sym } = mapped;
  const { doubts } = known.file;
  if (!doubts && certainty === "maybe") return undefined;
  let doubtful: Fault | undefined;
  for (const access of known.device(known.accesses(sym, construct.begin.order, construct.end.order))) {
    const last = access.location.steps.findIndex((s) => s.is === "index");
    const location = { ...access.location, steps: access.location.steps.slice(0, last + 1) };
    const inSteps = access.context.loops.some(isStepped);
    let outside = 0;
    let inside = 0;
    let near = false;
    let doubt = false;
    for (const s of known.sampled.samples.keys()) {
      const range = known.range(mapped, construct.directive, construct.begin, s);
      const { list, uncertain } = instancesOf({ location, context: access.context }, known.worldOf(s), 4);
      if (!range || list.length === 0) continue;
      const isOutside = (i: Instance): boolean => !within(i.last, range);
      // Where a loop ends depends on whether its step divides its length, which callers may see to.
      if (inSteps ? list.every(isOutside) : list.some(isOutside)) {
        outside++;
        near ||= known.sampled.isNear(s);
      } else inside++;
      doubt ||= uncertain;
      if (!known.sampled.used.yet || (!doubts && (inside > 0 || doubt))) break;
    }
    if (outside === 0) continue;
    const sure = near && inside === 0 && !doubt ? certainty : "maybe";
    const parts = { construct, mapped, sym, other: { loc: mapped.loc } };
    const fault = faultAt("section-too-short", sure, access, parts);
    if (sure === "proved") return fault;
    doubtful ??= fault;
  }
  return doubtful;
}

/** Compares accesses on host and device to variables that live on both sides. */
export function residents(known: Known): readonly Fault[] {
  return [...known.file.resident].flatMap((sym) => {
    // What a pointer leads to is not there with the pointer.
    if (isPointer(sym.type)) return [];
    const [construct] = known.trace.constructs.filter((c) => c.compute && !c.conditional);
    if (!construct || known.escapes(sym, -1, Number.POSITIVE_INFINITY)) return [];
    const { loc } = construct.directive;
    const mapped: Mapped = { sym, motion: "alloc", clause: "declare", text: sym.name, loc, part: false };
    const begin = { ...construct.begin, order: -1 };
    const end = { ...construct.end, order: Number.POSITIVE_INFINITY };
    return stale(known, { ...construct, begin, end }, mapped);
  });
}
