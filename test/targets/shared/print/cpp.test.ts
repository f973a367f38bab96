/** What C means and C++ would read in another way. */
import { expect, test } from "vitest";
import { kernelOf } from "../../translate.ts";

const region = (parameters: string, statement: string): string => `
#include <stdlib.h>
struct some { const int first; const unsigned bits : 5; const struct { const char c[2]; } in; };
void f(int *a, ${parameters}) {
#pragma acc parallel loop copy(a[0:9])
  for (int i = 0; i < 9; i++) {
    ${statement}
  }
}`;

test.each([
  ["long x", "abs((int)x)"],
  ["float x", "abs((int)x)"],
  ["unsigned x", "abs((int)x)"],
  ["int x", "abs(x)"],
])("the argument of abs is an int, where it is a %s", (parameter, call) => {
  expect(kernelOf(region(parameter, "a[i] = abs(x);"), "cuda").text).toContain(`a[i] = ${call};`);
});

test.each([
  ["(i > 2 ? s.bits : t.bits) - 9 < 0", "(i > 2 ? (int)s.bits : (int)t.bits) - 9 < 0"],
  ["(s.bits ?: t.bits) - 9 < 0", "((int)s.bits ?: (int)t.bits) - 9 < 0"],
  ["abs(i > 2 ? s.bits : 3)", "abs(i > 2 ? (int)s.bits : 3)"],
  ["s.bits++ - 9 < 0", "(int)s.bits++ - 9 < 0"],
  ["(s.bits = i) - 9 < 0", "(int)(s.bits = i) - 9 < 0"],
  ["s.bits - 9 < 0", "s.bits - 9 < 0"],
])("a bit-field computes as an int in %s", (expression, made) => {
  const flags = "struct flags { unsigned bits : 5; } s = {n}, t = {i};";
  expect(kernelOf(region("int n", `${flags} a[i] = ${expression};`), "cuda").text).toContain(
    `a[i] = ${made};`,
  );
});

test("members are no constants, which C++ neither leaves without a value nor copies", () => {
  const { text } = kernelOf(region("int n", "struct some s = {n}, t = s; a[i] = t.first;"), "cuda");
  expect(text).toContain("  char c[2];\n");
  expect(text).toContain("  int first;\n  unsigned int bits: 5;\n");
});
