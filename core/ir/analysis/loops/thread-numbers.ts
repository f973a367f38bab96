/** Code that can tell threads and teams apart, by the routines that it calls. */
import type { Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { libraryFunction } from "../../model/c-library.ts";
import { usesOf } from "../access.ts";
import { isBuiltin } from "../routines.ts";

const numbers = /^omp_get_(thread_num|num_threads|team_num|num_teams|max_threads|thread_limit)$/;

/** Functions that code calls, itself or through functions of this file, and that this file does not define. */
function* calledFrom(code: Stmt, seen = new Set<Symbol>()): Generator<Symbol, void> {
  for (const sym of usesOf(code).calls.keys()) {
    if (seen.has(sym)) continue;
    seen.add(sym);
    if (sym.definition) yield* calledFrom(sym.definition.body, seen);
    else yield sym;
  }
}

function firstCalled(code: Stmt, isMeant: (sym: Symbol) => boolean): Symbol | undefined {
  for (const sym of calledFrom(code)) if (isMeant(sym)) return sym;
  return undefined;
}

/** Whether code, or a function that it calls, asks which thread runs it or how many there are. */
export const tellsThreads = (code: Stmt): boolean => firstCalled(code, asks) !== undefined;

/** Whether a function asks. Those of other files may. */
export const mayTellThreads = (sym: Symbol): boolean =>
  sym.definition ? tellsThreads(sym.definition.body) : asks(sym);

/** Whether code, or a function of this file that it calls, asks for the number of its thread. */
export const asksItsNumber = (code: Stmt): boolean =>
  firstCalled(code, ({ name }) => name === "omp_get_thread_num") !== undefined;

/** The first function of another file that code calls, itself or through functions that it calls. */
export const calledElsewhere = (code: Stmt): Symbol | undefined => firstCalled(code, isOfAnotherFile);

const asks = (sym: Symbol): boolean => numbers.test(sym.name) || isOfAnotherFile(sym);

const isOfAnotherFile = (sym: Symbol): boolean =>
  !numbers.test(sym.name) && !isBuiltin(sym) && libraryFunction(sym) === undefined;
