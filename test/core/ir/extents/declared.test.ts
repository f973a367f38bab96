/** Parameters that are declared as arrays, named whole in clauses. */
import { expect, test } from "vitest";
import { printExpr } from "../../../../core/lang/index.ts";
import { accepted, functionOf, nodes } from "../reading.ts";

/** The length of the section that `clause` means; "-": none is known. */
function lengths(parameters: string, statements = "", clause = "acc data copy(a)"): string[] {
  const text = `int file; enum { ten = 10 };\nvoid f(int n, ${parameters}) {\n${statements}\n#pragma ${clause}\n{ }\n}`;
  return nodes(functionOf(accepted(text)).body, "data").flatMap((d) =>
    d.items.map(({ section: [dim] }) => (dim?.length ? printExpr(dim.length) : "-")),
  );
}

test.each([
  ["double a[7]", "7"],
  ["double a[ten][3]", "10"],
  ["double a[n + 1][n]", "n + 1"],
  ["double a[static 4]", "4"],
  ["double a[]", "-"],
  ["double a[][4]", "-"],
  ["double a[*]", "-"],
  ["double a[file]", "-"],
])("the declaration %s gives the extent %s", (parameter, length) => {
  expect(lengths(parameter)).toEqual([length]);
  expect(lengths(parameter, "", "omp target data map(a)")).toEqual([length]);
});

test("OpenMP moves nothing for a pointer that is not declared as an array", () => {
  expect(lengths("double *a")).toEqual(["-"]);
  expect(lengths("double *a", "", "omp target data map(a)")).toEqual([]);
});

test("a declaration gives no extent once the pointer or a variable of its size changes", () => {
  expect(lengths("double a[n]", "n++;")).toEqual(["-"]);
  expect(lengths("double a[n]", "int *p = &n;")).toEqual(["-"]);
  expect(lengths("double a[n]", "a++;")).toEqual(["-"]);
  expect(lengths("double a[n]", "a[0]++;")).toEqual(["n"]);
});

test("declared extents are used only where data moves, and for complete arrays", () => {
  expect(lengths("double a[n]", "", "acc data present(a)")).toEqual(["-"]);
  expect(lengths("double a[n]", "", "acc data copyin(a[2:3]) create(n)")).toEqual(["3", "-"]);
});
