/** Code that can tell threads and teams apart, by the routines that it calls. */
import type { Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { libraryFunction } from "../../model/c-library.ts";
import { usesOf } from "../access.ts";
import { isBuiltin } from "../routines.ts";

const numbers = /^omp_get_(thread_num|num_threads|team_num|num_teams|max_threads|thread_limit)$/;

/** Whether code, or a function that it calls, asks which thread runs it or how many there are. */
export const tellsThreads = (code: Stmt, seen = new Set<Symbol>()): boolean =>
  [...usesOf(code).calls.keys()].some((sym) => !seen.has(sym) && mayTellThreads(sym, seen));

/** Whether a function asks. Those of other files may. */
export function mayTellThreads(sym: Symbol, seen = new Set<Symbol>()): boolean {
  seen.add(sym);
  if (sym.definition) return tellsThreads(sym.definition.body, seen);
  return numbers.test(sym.name) || isOfAnotherFile(sym);
}

/** Whether code, or a function of this file that it calls, asks for the number of its thread. */
export const asksItsNumber = (code: Stmt, seen = new Set<Symbol>()): boolean =>
  [...usesOf(code).calls.keys()].some((sym) => {
    if (sym.name === "omp_get_thread_num") return true;
    if (!sym.definition || seen.has(sym)) return false;
    seen.add(sym);
    return asksItsNumber(sym.definition.body, seen);
  });

/** The first function of another file that code calls, itself or through functions that it calls. */
export function calledElsewhere(code: Stmt, seen = new Set<Symbol>()): Symbol | undefined {
  for (const sym of usesOf(code).calls.keys()) {
    if (seen.has(sym)) continue;
    seen.add(sym);
    const found = sym.definition
      ? calledElsewhere(sym.definition.body, seen)
      : isOfAnotherFile(sym)
        ? sym
        : undefined;
    if (found) return found;
  }
  return undefined;
}

const isOfAnotherFile = (sym: Symbol): boolean =>
  !sym.definition && !numbers.test(sym.name) && !isBuiltin(sym) && libraryFunction(sym) === undefined;
