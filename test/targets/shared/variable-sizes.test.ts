/** Types of arrays whose size is computed when they are declared (C11 6.7.6.2). */
import { describe, expect, test } from "vitest";
import { diagnosticsOf, hostOf, kernelOf } from "../translate.ts";

const source = (before: string, inside: string) => `
void f(int n, int *z) {
  ${before}
#pragma acc parallel loop copy(z[0:100])
  for (int i = 0; i < 4; i++) {
    ${inside}
  }
}`;

describe("a type of a computed size", () => {
  test("is declared where the region declares it, after the variables of its size", () => {
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

  test("is allowed as the type of an array that the region receives", () => {
    const given = "typedef int row[n]; row *rows = (row *)z;";
    expect(diagnosticsOf(source(given, "z[i] = rows[i][1];"), "host")).toEqual([]);
  });

  test.each(["opencl", "cuda"] as const)(
    "is a number in a kernel of %s, computed where it is defined",
    (kind) => {
      const { text } = kernelOf(
        source("", "int m = n + i; typedef int row[m]; m = 0; z[i] = sizeof(row) + sizeof(double[n]);"),
        kind,
      );
      const places = ["m = n + i;", "row_extent0 = (long)m;", "m = 0;", "row_extent0 * 4ul"].map((part) =>
        text.indexOf(part),
      );
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(places[0]).toBeGreaterThan(0);
      expect(text).toContain("(unsigned long)(long)n * 8ul");
      expect(text).not.toMatch(/typedef|\[n\]/);
    },
  );

  test("keeps the size of its rows and planes in a region that receives them as one array", () => {
    const given = "double a[n][4][n];";
    const sizes = "z[i] = sizeof a[0] + sizeof a[i][1] + sizeof a[i][1][2]";
    const { text } = kernelOf(source(given, `${sizes}; z[i] += a[0][0][0];`), "host");
    expect(text).toMatch(
      /z\[i\] = 4ul \* \(unsigned long\)a_extent2 \* 8ul \+ \(unsigned long\)a_extent2 \* 8ul \+ 8ul;/,
    );
    expect(diagnosticsOf(source(given, `${sizes};`), "host")).toEqual(["6:12 size-from-outside"]);
  });

  test("passes its own size, that of its declaration, to a region that asks for it", () => {
    const { text } = kernelOf(source("double a[n][4][n];", "z[i] = sizeof a + sizeof(a);"), "host");
    expect(text).toContain("z[i] = a_size + a_size;");
  });

  test("may have pointers as elements, each to elements of its own", () => {
    const { text } = kernelOf(source("int *p[4][n]; p[0][0] = z;", "z[i] = p[i][1][2] + *p[i][0];"), "host");
    expect(text).toContain("z[i] = p[(long)i * p_extent1 + 1][2] + *p[(long)i * p_extent1 + 0];");
  });
});

describe("an array of a computed size in a kernel", () => {
  const region = (clauses: string, code: string) => `int file;
#pragma acc routine seq
static int called(int n) { int t[n]; t[0] = n; return t[0]; }
void f(int n, int m, int *w, int *z) {
#pragma acc parallel loop copy(z[0:100]) ${clauses}
  for (int i = 0; i < 4; i++) {
    ${code}
  }
}`;

  test.each(["opencl", "cuda"] as const)(
    "has a slice of the launch's memory for each who declares it, on %s",
    (kind) => {
      const { manifest } = kernelOf(
        region(
          "gang",
          "double t[n][m + 1][3]; t[0][0][0] = i;\n#pragma acc loop vector\nfor (int j = 0; j < n; j++) { short s[m]; s[0] = j; z[j] = t[0][0][0] + s[0]; }",
        ),
        kind,
      );
      expect(manifest.split("\n").filter((line) => line.startsWith("scratch"))).toEqual([
        "scratch t1 0 max 24 * gx gy * *",
        "scratch t2 0 max 2 * gx gy * 256 * *",
      ]);
    },
  );

  test("has as many elements as host code computes", () => {
    const text = hostOf(
      region("gang", "const int k = n - m; double t[file][k / m]; t[0][0] = i; z[i] = t[0][0];"),
    );
    expect(text).toContain("(long)file * (long)(m ? (int)(n - m) / m : 0)");
  });

  test.each([
    ["a loop counts with it", "", "int t[i + 1]; z[i] = t[i] = 1;"],
    ["the region sets it", "", "int k = n; k++; int t[k]; z[i] = t[0] = 1;"],
    ["the region changes it", "firstprivate(m)", "m++; int t[m]; z[i] = t[0] = 1;"],
    ["the device may have another", "copyin(m)", "int t[m]; z[i] = t[0] = 1;"],
    ["it is in memory", "copyin(w[0:4])", "int t[w[2]]; z[i] = t[0] = 1;"],
    ["it belongs to another such array", "", "int s[n]; int t[sizeof s]; s[0] = 1; z[i] = t[0] = s[0];"],
  ])("is refused where no launch knows its size: %s", (_, clauses, code) => {
    for (const kind of ["opencl", "cuda"] as const) {
      const column = (/int (?=t\[)/.exec(code)?.index ?? 0) + 9;
      expect(diagnosticsOf(region(clauses, code), kind)).toEqual([`7:${column} variable-array`]);
    }
  });

  test("is refused in a function that the region calls", () => {
    expect(diagnosticsOf(region("", "z[i] = called(n);"), "opencl")).toEqual(["3:32 variable-array"]);
  });
});
