/** Known failures. The tests expect these to fail: whoever makes one work removes it here. */

/** Kinds of target for which a program of acc/ does not compile or gives a wrong result. */
export const pending: Readonly<Record<string, readonly string[]>> = {};

/** Programs of bad/ whose mistake is not reported as they say. */
export const notYetDiagnosed: readonly string[] = [];
