/**
 * Whether a program can tell how many gangs ran a statement that stands outside of the loops they share.
 *
 *     #pragma acc parallel num_gangs(8)
 *     {
 *       first = 0;                    any number of gangs: they store the same value
 *     #pragma acc atomic update
 *       started++;                    8, and nothing else
 *     #pragma acc loop gang
 *       ...
 *     }
 *
 * Code that is not atomic cannot count gangs: they would race.
 */
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import { type DeviceFunction, isBuiltin } from "../../../../core/ir/analysis/routines.ts";
import { findNode } from "../../../../core/ir/model/nodes.ts";
import type { Stmt, Symbol } from "../../../../core/lang/index.ts";

/** `reduced`: variables of which each gang has a copy that is added up in the end. */
export function countsGangs(
  stmt: Stmt,
  functions: ReadonlyMap<Symbol, DeviceFunction>,
  reduced: ReadonlySet<Symbol>,
  seen: ReadonlySet<Symbol> = new Set(),
): boolean {
  if (findNode(stmt, "atomic", ({ what }) => what === "update" || what === "capture")) return true;
  const { of, calls, indirectCall } = usesOf(stmt);
  const isReduced = [...of].some(
    ([sym, use]) => reduced.has(sym) && (use.written || use.elementsWritten || use.addressTaken),
  );
  if (isReduced || indirectCall) return true;
  return [...calls.keys()].some((sym) => {
    const called = functions.get(sym);
    if (!called) return !isBuiltin(sym) || /printf$/.test(sym.name);
    return !seen.has(sym) && countsGangs(called.def.body, functions, reduced, new Set([...seen, sym]));
  });
}
