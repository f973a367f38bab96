/** Updates of elements of reduced arrays, however the program writes the element. */
import { describe, expect, it } from "vitest";
import { readSource } from "../../../../core/compiler/driver/read-source.ts";

const warned = (update: string, declared = "int *h"): boolean => {
  const text = `void f(${declared}, const int *x, int n) {
#pragma acc parallel loop copyin(x[0:n]) reduction(+:h[0:16])
  for (int i = 0; i < n; i++) ${update}
}
`;
  const { diagnostics } = readSource({ file: "a.c", text }).program;
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return diagnostics.some(({ code }) => code === "serial-array-reduction");
};

describe("an update of a reduced array is shared out", () => {
  it.each([
    "h[x[i]] += 2;",
    "*(h + x[i]) += 2;",
    "*(x[i] + h) += 2;",
    "++*(h + x[i]);",
    "(h + 1)[x[i]]++;",
    "*(h + x[i]) = *(h + x[i]) + 2;",
    "*h += 2;",
  ])("written as %s", (update) => {
    expect(warned(update)).toBe(false);
  });

  it.each([
    "*(h + x[i]) *= 2;",
    "*(h + h[i]) += 2;",
    "(h + 1)[h[i]] += 2;",
    "{ int *p = h + x[i]; *p += 1; }",
  ])("but not where it does more: %s", (update) => {
    expect(warned(update)).toBe(true);
  });
});
