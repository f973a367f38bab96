/** What has no form in MLIR is refused by name, where it stands. */
import { expect, it } from "vitest";
import { mlirTexts } from "../../../rules/plan/mlir.ts";

const declarations = `
double fmod(double, double); typedef int four[4]; struct s { int u, v; };
static int early(int v) { if (v) return 1; return 2; }
static int never(int v) { v++; }
static int *where(int *p) { return p; }
static void put(int *p, int v) { p[1] = v; }
static void put_row(int (*p)[4], int v) { p[0][1] = v; }
`;
const refusalsOf = (statements: string, clauses = ""): readonly string[] =>
  mlirTexts([
    {
      file: "e.c",
      text: `${declarations}
int m = 0;
void f(int n, int *restrict a, const double *restrict b, int (*restrict e)[4], struct s *restrict t) {
int sum = 0; unsigned most = 0;
#pragma acc parallel loop copy(a[0:n], e[0:n], t[0:n]) copyin(b[0:n]) ${clauses}
for (int i = 0; i < n; i++) {
  int x = a[i];
  ${statements}
}
}`,
    },
  ]).flatMap(({ diagnostics }) =>
    diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ loc, message }) => `${loc.line}: ${message.replace(/ has no form.*/, "")}`),
  );

it.each([
  ["again: if (x < 9) { x++; goto again; }", "15: 'label'"],
  ["switch (x) { case 1: a[i] = 2; }", "15: 'switch'"],
  ["a[i] = early(x);", "3: a return before the end of a function"],
  ["a[i] = never(x);", "12: a function that does not end with its value"],
  ["a[i] = *where(a);", "12: a value of kind 'pointer'"],
  ["put(a + i, 3);", "15: a pointer into the middle of an array as an argument"],
  ["put_row(&e[i], 3);", "15: a pointer into the middle of an array as an argument"],
  ["put(e[i], 3);", "15: a pointer into the middle of an array as an argument"],
  ["a[i] = ((const long *)b)[i];", "15: a pointer that is cast to another type"],
  ["a[i] = x ?: 3;", "15: a condition without a middle"],
  ["x ? (void)0 : (void)1;", "15: an expression without value"],
  ["a[i] = t[i].u;", "12: a struct"],
  ["int v[x]; a[i] = sizeof v;", "12: an array of variable length"],
  ["int own[2] = {1, 2}; a[i] = own[0];", "15: the list of values of 'own'"],
  ["int *p = a; *p = 3;", "15: the pointer variable 'p'"],
  ["a[i] = (&x)[0];", "15: the address of a variable"],
  ["a[i] = &x != 0;", "15: a comparison of pointers"],
  ["a[i] = &a[i] - a;", "15: a pointer as a value"],
  ["a[i] = &a[i] > a;", "15: a comparison of pointers"],
  ["a[i] = !a;", "12: a value of kind 'pointer'"],
  ["a++;", "12: a value of kind 'pointer'"],
  ["a += 2;", "15: an assignment of a whole object or a pointer"],
  ["a[i] = fmod(x, 3.0);", "15: the function 'fmod'"],
  ["long double q = x; a[i] = q;", "12: the type 'long double'"],
  ["_Complex double q = x; a[i] = q;", "12: a value of kind 'complex'"],
  ["a[i] = ({ int y = x; y + 1; });", "15: 'stmt-expr'"],
  ["a[i] = ((four){1, 2, 3, 4})[x & 3];", "15: an object of kind 'compound'"],
  ['a[i] = "abc"[x & 3];', "15: an object of kind 'string'"],
  ["(x ? a : e[1])[i] = 2;", "15: an object of kind 'cond'"],
  ["int q;\n#pragma acc atomic capture\n{ q = a[0]; a[0] += 1; }", "16: an atomic capture"],
])("%s", (statements, refusal) => expect(refusalsOf(statements)).toEqual([refusal]));

it.each([
  ["reduction(&&: sum)", "sum = sum && x;", "12: a group's reduction by '&&'"],
  ["reduction(max: most)", "most = most < x ? x : most;", "12: a group's reduction by 'max'"],
])("%s", (clause, statements, refusal) => expect(refusalsOf(statements, clause)).toEqual([refusal]));
