/** Patterns of programs with a race and their twins without, in forms that differ in what must not matter. */

/** What one form of a program writes for what every pattern needs. */
export interface Form {
  /** The first in the program with the fault, the second in its twin. */
  r<A extends string, B extends string>(fault: A, mended: B): A | B;
  /** The elements' type. */
  readonly T: string;
  /** The number of iterations: a constant, or a variable that nobody knows. */
  readonly n: string;
  /** The head of a loop over `lower <= v < bound`. */
  loop(v: string, lower: string, bound: string): string;
  /** An element of an array. */
  at(array: string, index: string): string;
  /** The directive that shares a loop out, alone or inside of a parallel region. */
  pfor(clauses?: string): string;
}

export interface Pattern {
  readonly name: string;
  /** `a b:2 x:int m:1:int`: arrays, how many times `n` elements they have, and their type where it is not the form's. */
  readonly arrays: string;
  readonly body: (form: Form) => string;
  /** What stands before the function. */
  readonly before: (form: Form) => string;
  /** Threads wait for each other as ThreadSanitizer cannot see, or the fault is no race of threads. */
  readonly unseen?: true;
}

type More = Partial<Pick<Pattern, "before" | "unseen">>;

export const pattern = (
  name: string,
  arrays: string,
  body: (form: Form) => string,
  more: More = {},
): Pattern => ({ name, arrays, body, before: () => "", ...more });
