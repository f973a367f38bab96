/**
 * OpenMP compiles what regions call for the device, if it is defined in the same file (5.0, section 2.12.7). OpenACC's
 * compilers may want to be told: gcc links no function for a device without `routine`.
 */
import type { External, FunctionDef, Symbol } from "../../lang/tree/ast.ts";
import { called } from "../sites/called.ts";
import type { Facts } from "../sites/facts.ts";
import { directive, type Inserted, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { declaredTargets, levelOf, placeOf } from "./declare.ts";

/** Functions and variables that devices have. */
export interface OnDevice {
  /** By `declare target`. */
  readonly declared: ReadonlySet<Symbol>;
  /** By regions that call them, directly or not. */
  readonly called: ReadonlySet<FunctionDef>;
}

export const onDevice = (
  externals: readonly External[],
  file: string,
  sites: readonly Site[],
  facts: Facts,
): OnDevice => ({
  declared: declaredTargets(sites, externals, file),
  called: called(externals, sites, facts),
});

export const impliedRoutines = (
  externals: readonly External[],
  file: string,
  sites: readonly Site[],
  has: OnDevice,
): readonly Inserted[] =>
  [...has.called].flatMap((def): readonly Inserted[] => {
    if (has.declared.has(def.sym)) return [];
    const place = placeOf(externals, def.sym);
    if (!place || place.span.start.file !== file) return [];
    return [{ stmt: place, directives: [directive("routine", [put(levelOf(def, sites))])] }];
  });
