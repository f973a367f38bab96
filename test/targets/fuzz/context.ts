/** What generated code may use at a point: variables, pieces of arrays, levels of parallelism. */
import type { ElementType } from "./values.ts";

/** An array of the program, which the generator treats as one-dimensional. */
export interface CArray {
  readonly name: string;
  readonly type: ElementType;
  /** The element with this subscript, as C text. */
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

interface Iteration {
  /** An expression that counts from 0. */
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
  /** Structs declared in the region, for reading only. */
  readonly structs: readonly string[];
  readonly reduced: readonly Reduced[];
  readonly iterations: readonly Iteration[];
  /** How often this code runs at most. */
  readonly runs: number;
  readonly depth: number;
  /** Whether `continue`, or also `break`, is allowed here. */
  readonly leave: "none" | "continue" | "both";
  readonly atomics: readonly Summed[];
}

/** An array that iterations update atomically, always with the same operation. */
export interface Summed {
  readonly array: CArray;
  readonly op: "+" | "|" | "&" | "^";
}

/** Reduces a result to the range that variables of its type may have. */
export function bounded({ name, type }: { readonly name: string; readonly type: ElementType }): string[] {
  if (type.kind === "u" || type.name.startsWith("unsigned") || type.max === 1) return [];
  return [type.kind === "f" ? `${name} = (int)${name} % ${type.max};` : `${name} = ${name} % ${type.max};`];
}
