/**
 * What C23 adds to the words of C. Before, its new keywords were ordinary names, or macros of headers: they are keywords
 * where nothing of that name is declared, so that no text must say which C it is written in.
 */

/** New keywords, and those of before that mean the same. `constexpr` is const here: its value is known either way. */
export const NEW_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["alignas", "_Alignas"],
  ["alignof", "_Alignof"],
  ["bool", "_Bool"],
  ["constexpr", "const"],
  ["static_assert", "_Static_assert"],
  ["thread_local", "_Thread_local"],
  ["typeof_unqual", "typeof_unqual"],
]);

/** New constants: their values; `nullptr` is a pointer. */
export const NEW_CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["false", 0],
  ["true", 1],
  ["nullptr", 0],
]);

/** Attributes of the standard (6.7.12) by GNU's names; others have no effect on what a program computes. */
export const STANDARD_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["nodiscard", "warn_unused_result"],
  ["maybe_unused", "unused"],
  ["deprecated", "deprecated"],
  ["fallthrough", "fallthrough"],
  ["noreturn", "noreturn"],
  ["_Noreturn", "noreturn"],
]);
