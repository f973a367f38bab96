/**
 * OpenMP compiles what regions call for the device, if it is defined in the same file (5.0, section 2.12.7). OpenACC's
 * compilers may want to be told: gcc links no function for a device without `routine`.
 */
import type { External, Symbol } from "../../lang/tree/ast.ts";
import { called } from "../sites/called.ts";
import type { Facts } from "../sites/facts.ts";
import { directive, type Inserted, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { declaredTargets, levelOf } from "./declare.ts";

export function impliedRoutines(
  externals: readonly External[],
  file: string,
  sites: readonly Site[],
  facts: Facts,
): readonly Inserted[] {
  const declared = declaredTargets(sites, externals, file);
  return [...called(externals, sites, facts)].flatMap((def): readonly Inserted[] => {
    if (declared.has(def.sym)) return [];
    // The directive stands before the function's first declaration, which uses may follow.
    const first = externals.find((e) => declares(e, def.sym));
    if (!first || first.span.start.file !== file) return [];
    return [{ stmt: first, directives: [directive("routine", [put(levelOf(def, sites))])] }];
  });
}

const declares = (e: External, sym: Symbol): boolean =>
  e.kind === "function"
    ? e.sym === sym
    : e.kind === "decl" && e.decls.length === 1 && e.decls[0]?.sym === sym;
