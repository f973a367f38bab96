/** Pointers that hold addresses of the device in code of the host: `host_data`, `use_device_ptr`, `acc_malloc`. */
import { rootOf } from "../../ir/analysis/access.ts";
import { withoutCasts } from "../../ir/extents/allocations.ts";
import { isPointer } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Access } from "../memory/access.ts";
import { onlyValue } from "../memory/facts.ts";
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

/** Host code that follows a pointer to memory that a call has allocated on the device, as a clause of a region says, too. */
export function allocatedThere(known: Known): readonly Fault[] {
  const { constructs } = known.trace;
  const seen = new Set<Symbol>();
  return constructs.flatMap((construct) =>
    construct.mapped.flatMap((mapped) => {
      const { sym, clause } = mapped;
      if (!/^(is_device_ptr|deviceptr)$/.test(clause) || construct.conditional || seen.has(sym)) return [];
      const loc = allocation(known, sym);
      const access =
        loc && known.host(known.accesses(sym, -1, Number.POSITIVE_INFINITY)).find(isOwn(sym, known));
      if (!access) return [];
      seen.add(sym);
      const parts = { construct, mapped, sym, other: { loc }, allocated: true } as const;
      return [faultAt("device-pointer-on-host", "proved", access, parts)];
    }),
  );
}

const isOwn =
  (sym: Symbol, known: Known) =>
  (a: Access): boolean =>
    rootOf(a.expr)?.sym === sym && known.unconditional(a, []);

/** The call that all of a local pointer's values come from. */
function allocation({ file: { facts } }: Known, sym: Symbol): Expr["span"]["start"] | undefined {
  if (sym.scope !== "block" || sym.kind !== "var" || !isPointer(sym.type) || facts.addressed.has(sym))
    return undefined;
  const call = called(onlyValue(facts, sym));
  if (call?.name === "acc_malloc") return call.loc;
  const device = call?.name === "omp_target_alloc" ? call.args[1] : undefined;
  return device && isDefaultDevice(device, facts) ? call?.loc : undefined;
}

/** Any other number may be that of the host. */
function isDefaultDevice(e: Expr, facts: Known["file"]["facts"]): boolean {
  if (called(e)?.name === "omp_get_default_device") return true;
  const inner = stripImplicit(e);
  if (inner.kind !== "ident" || facts.addressed.has(inner.sym)) return false;
  return called(onlyValue(facts, inner.sym))?.name === "omp_get_default_device";
}

function called(value: Expr | undefined) {
  const e = value && withoutCasts(value);
  const callee = e?.kind === "call" ? stripImplicit(e.callee) : undefined;
  return e?.kind === "call" && callee?.kind === "ident"
    ? { name: callee.sym.name, args: e.args, loc: e.span.start }
    : undefined;
}
