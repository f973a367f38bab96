/**
 * OpenMP compiles what regions call for the device, if it is defined in the same file (5.0, section 2.12.7). OpenACC's
 * compilers may want to be told: gcc links no function for a device without `routine`.
 */
import type { External } from "../../lang/tree/ast.ts";
import { called } from "../sites/called.ts";
import type { Facts } from "../sites/facts.ts";
import { directive, type Inserted, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { declaredTargets, levelOf, placeOf } from "./declare.ts";

export function impliedRoutines(
  externals: readonly External[],
  file: string,
  sites: readonly Site[],
  facts: Facts,
): readonly Inserted[] {
  const declared = declaredTargets(sites, externals, file);
  return [...called(externals, sites, facts)].flatMap((def): readonly Inserted[] => {
    if (declared.has(def.sym)) return [];
    const place = placeOf(externals, def.sym);
    if (!place || place.span.start.file !== file) return [];
    return [{ stmt: place, directives: [directive("routine", [put(levelOf(def, sites))])] }];
  });
}
