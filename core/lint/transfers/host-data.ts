/** Pointers that hold addresses of the device in code of the host: `host_data`, `use_device_ptr`. */
import { rootOf } from "../../ir/analysis/access.ts";
import { type Fault, faultAt } from "./fault.ts";
import type { Known } from "./known.ts";
import { type Construct, type Mapped, names } from "./trace.ts";

/** Host code of a construct that follows what its clauses have made a pointer of the device. */
export function followedOnHost(known: Known, construct: Construct): readonly Fault[] {
  if (construct.conditional) return [];
  const { begin, end } = construct;
  return construct.mapped.filter(isUsed).flatMap((mapped) => {
    const { sym } = mapped;
    if (!isThere(construct, mapped)) return [];
    const access = known
      .host(known.accesses(sym, begin.order, end.order))
      .find((a) => rootOf(a.expr)?.sym === sym && known.unconditional(a, begin.guards));
    const other = { loc: mapped.loc };
    return access
      ? [faultAt("device-pointer-on-host", "proved", access, { construct, mapped, sym, other })]
      : [];
  });
}

const isUsed = ({ clause, part }: Mapped): boolean => /^use_device(_ptr|_addr)?$/.test(clause) && !part;

/** Whether a construct, or one around it, has surely put on the device what a pointer leads to. */
function isThere(construct: Construct, { sym }: Mapped): boolean {
  for (let c: Construct | undefined = construct; c; c = c.parent)
    if (
      !c.conditional &&
      c.mapped.some((m) => names(m, sym) && /^(map|p?copy(in|out)?|p?create|present)$/.test(m.clause))
    )
      return true;
  return false;
}
