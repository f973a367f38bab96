/** What the code at hand may use: variables, pieces of arrays, levels of parallelism. */
import type { ElementType } from "./values.ts";

/** An array of the program, one-dimensional as the generator sees it. */
export interface CArray {
  readonly name: string;
  readonly type: ElementType;
  /** The element with this subscript, as C. */
  readonly element: (subscript: string) => string;
}

/** rw: owned here; ro: not written while this code runs; gangs: a loop over gangs may claim it. */
export interface View {
  readonly array: CArray;
  readonly base: string;
  readonly length: number;
  readonly mode: "rw" | "ro" | "gangs";
}

export interface Scalar {
  readonly name: string;
  readonly type: ElementType;
  readonly writable: boolean;
}

export interface Reduced {
  readonly name: string;
  readonly type: ElementType;
  readonly op: string;
}

export interface Iteration {
  /** Counts from 0. */
  readonly text: string;
  readonly count: number;
}

export interface Context {
  /** gangs: repeated by every gang; sequential: one thread, loops may be of any kind. */
  readonly where: "gangs" | "sequential" | "inside";
  /** Levels that a loop here may still use. */
  readonly levels: readonly string[];
  readonly kernels: boolean;
  readonly views: readonly View[];
  readonly scalars: readonly Scalar[];
  /** Structs of the region's own, to be read. */
  readonly structs: readonly string[];
  readonly reduced: readonly Reduced[];
  readonly iterations: readonly Iteration[];
  /** Runs of this code, at most. */
  readonly runs: number;
  readonly depth: number;
  /** A continue is possible here; a break too. */
  readonly leave: "none" | "continue" | "both";
  readonly atomics: readonly Summed[];
}

/** An array that iterations update atomically, all by one operation. */
export interface Summed {
  readonly array: CArray;
  readonly op: "+" | "|" | "&" | "^";
}

/** Brings a reduction's result back to what its type's variables may hold. */
export function bounded({ name, type }: { readonly name: string; readonly type: ElementType }): string[] {
  if (type.kind === "u" || type.name.startsWith("unsigned") || type.max === 1) return [];
  return [type.kind === "f" ? `${name} = (int)${name} % ${type.max};` : `${name} = ${name} % ${type.max};`];
}
