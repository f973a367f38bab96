/**
 * A host's view of a kernel in a wrapper: 32-bit registers at byte addresses, and memory from `window` on. Wrappers are
 * made from this table and drivers are compiled with it.
 */
import table from "./registers.json" with { type: "json" };

export type Register = keyof typeof table;

export const addressOf = (register: Register): number => table[register].at;

/** Bytes reserved for an argument. */
export const ARGUMENT_BYTES = 8;

/** Baud rate after power-on. */
export const FIRST_BAUD = 115_200;

/** The table as C macros, `ARC_AT_CONTROL`. */
export const registerMacros: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(table).map(([name, { at }]) => [`ARC_AT_${name.toUpperCase()}`, at]),
);

/** Identifies a kernel's text: 32-bit FNV-1a. */
export function identityOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
