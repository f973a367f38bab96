/** Memory of the host that is freed before the device's values are copied back to it. */
import type { Fault } from "./fault.ts";
import type { Known } from "./known.ts";
import type { Construct, Mapped } from "./trace.ts";

export function freed(known: Known, construct: Construct, mapped: Mapped): readonly Fault[] {
  const { sym, motion } = mapped;
  const { begin, end } = construct;
  if ((motion !== "from" && motion !== "tofrom") || construct.conditional || known.isOutside(construct, sym))
    return [];
  const certainty = known.absent(sym, construct);
  const call = known.trace.calls.find(
    ({ name, first, at }) =>
      name === "free" &&
      first === sym &&
      at.order > begin.order &&
      at.order < end.order &&
      at.guards.every((g) => begin.guards.includes(g)),
  );
  if (!certainty || !call) return [];
  const isSet = known
    .all(sym)
    .some(
      ({ location: { steps }, mode, order }) =>
        steps.length === 0 && mode === "write" && order > begin.order && order < end.order,
    );
  if (isSet) return [];
  const { start: loc, end: last } = call.expr.span;
  const other = { loc: (mapped.until ?? mapped).loc };
  return [{ kind: "freed-while-mapped", certainty, sym, loc, end: last, construct, mapped, other }];
}
