/** What a reference to data names a part of. */
import type { VarRef } from "../../ir/directives/directive.ts";

/**
 * The text of its object: the variable, `a` of `a[0:n]`, or the pointer that one of its elements is, `f[1]` of `f[1][0:n]`
 * where `f` holds pointers.
 */
export function memoryNamed({ section, written }: VarRef): string {
  const brackets =
    section.length === 0 ? undefined : new RegExp(`(\\s*\\[[^\\]]*\\]){${section.length}}\\s*$`);
  return brackets ? written.replace(brackets, "") : written;
}

/**
 * What one construct may name once. gcc and clang take several rows behind an array of pointers where it is a member of a
 * struct; of a variable they let each construct name one.
 */
export const namedOnce = (v: VarRef): string =>
  /->|\./.test(v.written) ? memoryNamed(v) : v.written.replace(/\s*\[.*$/s, "");
