/** Suggestions for a shorter initiation interval of a loop, by what limits it. */

const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /^recurrence: .*\bf(add|mul|sub)|^recurrence: .*[+*]/,
    "a reduction clause with the axis `reduction`; for floats also `exact-sums` (rtl)",
  ],
  [/^recurrence/, "less work between what one iteration hands to the next"],
  [
    /^one port/,
    "`#pragma openarc transform window(…)` with the axis `window`, or a copy in an array of the kernel's own",
  ],
  [/^operators/, "the `share-…` axis of the operator: more circuits, or 0 for one each"],
  [/^memory/, "`restrict` on the pointers, or `independent` on the loop where iterations do not meet"],
  [/cycles? to (the next|\d+) iteration/, "a reduction clause with the axis `reduction`, or a window"],
];

/** Empty if nothing limits the interval or no remedy is known. */
export const remedyOf = (limit: string): string =>
  remedies.find(([pattern]) => pattern.test(limit))?.[1] ?? "";
