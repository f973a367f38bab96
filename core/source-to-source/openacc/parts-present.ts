/**
 * Arrays without a clause of which only a part is on the device. OpenMP's regions use that part (OpenMP 5.2, section
 * 5.8.3); OpenACC's implicit copy is of the whole array, which is partly present then: an error when the program runs.
 */
import type { DataItem } from "../../ir/model/ir.ts";
import { canonical } from "../../lang/index.ts";
import type { Site } from "../sites/site.ts";

/** The part, as the text says it around the region, or before it in its function. */
export function partPresent(
  region: Site,
  { sym, mapping }: DataItem,
  sites: readonly Site[],
): string | undefined {
  if (mapping.vis !== "implicit" || canonical(sym.type).kind !== "array") return undefined;
  for (const site of [...region.around].reverse()) {
    const named = mapsOf(site).find((v) => v.sym === sym);
    if (named) return named.section.length > 0 ? named.written : undefined;
  }
  const last = sites
    .filter((s) => s.function === region.function && /^target (enter|exit) data$/.test(s.directive.name))
    .filter((s) => s.textSpan.end <= region.textSpan.start)
    .findLast((s) => mapsOf(s).some((v) => v.sym === sym));
  if (last?.directive.name !== "target enter data") return undefined;
  const named = mapsOf(last).find((v) => v.sym === sym);
  return named && named.section.length > 0 ? named.written : undefined;
}

const mapsOf = ({ directive: { clauses } }: Site) => clauses.flatMap((c) => (c.name === "map" ? c.vars : []));
