/**
 * Directives that end a data region's reference: OpenMP counts all references to a variable together, OpenACC counts
 * those of regions separately (OpenACC 3.3, section 2.6.7; OpenMP 5.0, section 2.19.7.1).
 */
import type { VarRef } from "../../ir/directives/directive.ts";
import { CannotSay } from "./rewrite.ts";
import type { Site } from "./site.ts";

/** Refuses an `exit data` inside a data region of the same variable without an `enter data` there. */
export function refuseEndOfRegion(site: Site, sites: readonly Site[], region: "data" | "target data"): void {
  const prefix = region.slice(0, -"data".length);
  if (site.directive.name !== `${prefix}exit data`) return;
  const regions = site.around.filter((s) => s.directive.name === region);
  const before = sites.slice(0, sites.indexOf(site));
  for (const v of named(site)) {
    const around = regions.find((r) => named(r).some(({ sym }) => sym === v.sym));
    if (!around) continue;
    const inside = before.filter(
      (s) => s.function === site.function && named(s).some(({ sym }) => sym === v.sym),
    );
    const entered = inside.filter((s) => s.directive.name === `${prefix}enter data`).length;
    const left = inside.filter((s) => s.directive.name === `${prefix}exit data`).length;
    const final = endsAll(site);
    if (entered > left && !final) continue;
    const which = entered > left ? "all references to it end here" : "by no 'enter data'";
    throw new CannotSay(
      v.loc,
      `'${v.written}' is mapped by the '${region}' of line ${around.directive.loc.line}, and ${which}: OpenMP ends that region's copy here, and OpenACC does not`,
      "write 'update' where values are to be copied, and let the region end its copy",
      "OpenACC counts references of data regions apart from those of enter data (OpenACC 3.3, section 2.6.7)",
    );
  }
}

/** `finalize`, or `map(delete:)`: whatever the counters say. */
const endsAll = ({ directive: { clauses } }: Site): boolean =>
  clauses.some((c) => c.name === "finalize" || (c.name === "map" && c.names[0] === "delete"));

const named = ({ directive: { clauses } }: Site): readonly VarRef[] => clauses.flatMap(({ vars }) => vars);
