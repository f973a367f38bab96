/** Functions that device code reaches through pointers. */
import type { FunctionDef, Symbol } from "../../lang/tree/ast.ts";

/** What a unit has for calls through pointers in device code: a pointer is the function's address on the host there. */
export interface Pointed {
  /** For each function whose address device code may meet, a variable of the unit that holds it. */
  readonly addresses: ReadonlyMap<Symbol, Symbol>;
  /** Functions that call what an address stands for, as host code has them: they call through the pointer. */
  readonly onHost: ReadonlyMap<Symbol, FunctionDef>;
}

/** Whether a symbol is a variable that holds the address of a function. */
export const holdsFunction = (pointed: Pointed | undefined, sym: Symbol): boolean =>
  pointed !== undefined && [...pointed.addresses.values()].includes(sym);

/** The name of the n-th function of a unit that calls what an address stands for. */
export const dispatcherName = (n: number): string => `arc_call_${n}`;

/** Whether a function of device code is one of these. Where the address is no function's, they end the program. */
export const isDispatcher = ({ name }: Symbol): boolean => /^arc_call_\d+$/.test(name);
