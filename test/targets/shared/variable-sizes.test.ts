/** Types of arrays whose size is computed when they are declared (C11 6.7.6.2). */
import { describe, expect, test } from "vitest";
import { diagnosticsOf, kernelOf } from "../translate.ts";

const source = (before: string, inside: string) => `
void f(int n, int *z) {
  ${before}
#pragma acc parallel loop copy(z[0:100])
  for (int i = 0; i < 4; i++) {
    ${inside}
  }
}`;

describe("a type of a computed size", () => {
  test("is defined where the region defines it, behind what its size is made of", () => {
    const { text } = kernelOf(
      source("", "int m = n + i; typedef int row[m]; m = 0; row own; z[i] = sizeof own;"),
      "host",
    );
    const places = ["int m = n + i;", "typedef int row[m];", "m = 0;", "row own;"].map((line) =>
      text.indexOf(line),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  test("is refused where the region knows its name from outside, and not the size that it had there", () => {
    const typedef = "typedef int row[n]; n = 1;";
    for (const use of ["row own; z[i] = own[0] = 1;", "z[i] = ((row *)z)[i][1];", "z[i] = sizeof(row);"])
      for (const kind of ["host", "opencl", "cuda"] as const)
        expect(diagnosticsOf(source(typedef, use), kind)[0]).toMatch(/^6:\d+ size-from-outside$/);
    expect(diagnosticsOf(source("typedef int row[4];", "row own; z[i] = own[0] = 1;"), "host")).toEqual([]);
  });

  test.each(["private", "firstprivate"])(
    "is refused where each gang has a variable of it by %s, and the size is no longer known",
    (clause) => {
      const code = `
void f(int n, int *z) {
  int own[n];
  own[0] = n = 1;
#pragma acc parallel loop ${clause}(own) copy(z[0:4])
  for (int i = 0; i < 4; i++)
    z[i] = sizeof own[0];
}`;
      expect(diagnosticsOf(code, "host")[0]).toMatch(/^5:\d+ private-array-size$/);
      expect(diagnosticsOf(code.replace("own[n]", "own[2]"), "host")).toEqual([]);
      expect(diagnosticsOf(code.replace("n = 1", "1"), "host")).toEqual([]);
    },
  );

  test("is no hindrance as the type of an array that the region is given", () => {
    const given = "typedef int row[n]; row *rows = (row *)z;";
    expect(diagnosticsOf(source(given, "z[i] = rows[i][1];"), "host")).toEqual([]);
  });

  test.each(["opencl", "cuda"] as const)("is refused where a region of %s defines it", (kind) => {
    expect(diagnosticsOf(source("", "typedef int row[n]; z[i] = sizeof(row);"), kind)).toEqual([
      "6:17 variable-array",
    ]);
  });

  test("has the size that its rows and planes had, in a region that is given them as one array", () => {
    const given = "double a[n][4][n];";
    const sizes = "z[i] = sizeof a[0] + sizeof a[i][1] + sizeof a[i][1][2]";
    const { text } = kernelOf(source(given, `${sizes}; z[i] += a[0][0][0];`), "host");
    expect(text).toMatch(
      /z\[i\] = 4ul \* \(unsigned long\)a_extent2 \* 8ul \+ \(unsigned long\)a_extent2 \* 8ul \+ 8ul;/,
    );
    expect(diagnosticsOf(source(given, "z[i] = sizeof a;"), "host")).toEqual(["6:12 size-from-outside"]);
    expect(diagnosticsOf(source(given, `${sizes};`), "host")).toEqual(["6:12 size-from-outside"]);
  });

  test("is of pointers, of which each leads to elements of its own", () => {
    const { text } = kernelOf(source("int *p[4][n]; p[0][0] = z;", "z[i] = p[i][1][2] + *p[i][0];"), "host");
    expect(text).toContain("z[i] = p[(long)i * p_extent1 + 1][2] + *p[(long)i * p_extent1 + 0];");
  });
});
