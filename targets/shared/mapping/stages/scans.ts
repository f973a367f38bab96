/** Scans in the loops of a region that all groups could share. */
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import { liveAfter } from "../../../../core/ir/analysis/liveness.ts";
import type { Spmd } from "../../../../core/ir/model/ir.ts";
import type { Argument } from "../../../../core/ir/model/region.ts";
import type { Stmt, Symbol } from "../../../../core/lang/index.ts";
import { tripsKnown } from "../counted-loops.ts";
import { type InOrder, type ScanLoop, scanLoop } from "../scans.ts";

export type FindScan = (s: Stmt) => ScanLoop | undefined;

/** Scans of fewer iterations are not worth three kernels. */
const FEWEST = 256;

/** The scans in a region's loops that all groups could share, with or without an obstacle. */
export function scansOf(
  { body }: Spmd,
  args: readonly Argument[],
): (s: Stmt) => ScanLoop | InOrder | undefined {
  const known = new Map<Stmt, ScanLoop | InOrder | undefined>();
  const inMemory = (sym: Symbol) => args.some((a) => a.sym === sym && a.how !== "value");
  return (s) => {
    if (!known.has(s)) {
      const found: ScanLoop | InOrder | undefined = scanLoop(s, {
        liveAfter: (sym) => inMemory(sym) || liveAfter(body, s, sym),
        asks: () => false,
      });
      known.set(s, found);
    }
    return known.get(s);
  };
}

/** Why a scan is not worth three kernels, or cannot use them. */
export function tooSmall({ header, names, loc }: ScanLoop): InOrder | undefined {
  if ((tripsKnown(header) ?? FEWEST) < FEWEST)
    return { loc, names, why: `it has fewer than ${FEWEST} iterations` };
  const loads = usesOf(header.lower, header.bound, header.step);
  const memory = [...loads.of].find(([, use]) => use.elementsRead);
  return memory && { loc, names, why: `its bounds are read from '${memory[0].name}'` };
}
