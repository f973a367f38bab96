/**
 * Sources that forbid to make one operation of a product and a sum, which rounds once: in C's words, clang's or gcc's.
 * gcc itself reads only its own.
 */

/** A directive in text after `cc -E`, where the operator `_Pragma` has become a line. */
const forbids =
  /^[ \t]*#[ \t]*pragma[ \t]+(?:STDC[ \t]+FP_CONTRACT[ \t]+OFF\b|clang[ \t]+fp\b.*\bcontract[ \t]*\([ \t]*off\b|GCC[ \t]+optimize\b.*\bfp-contract=off\b)|\boptimize(?:__)?[ \t]*\(.*\bfp-contract=off\b/m;

/** Whether it is forbidden anywhere in a source: elsewhere the compiler may, but need not, make one operation. */
export const forbidsContraction = (text: string): boolean => forbids.test(text);
