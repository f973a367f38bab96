/** Clauses that a project adds stand in the text where a programmer would have written them. */
import { expect, it } from "vitest";
import { withAddedClauses } from "../../../../core/ir/directives/added-clauses.ts";

const text = (first: string, second: string) => `# 1 "a.c"
# 1 "head.h" 1
void helper(void);
# 2 "a.c" 2
void f(double *a, int n) {
#pragma acc data copy(a[0:n])
  {
#pragma acc parallel loop${first}
    for (int i = 0; i < n; i++) a[i] = i;
# 20 "a.c"
#pragma acc update self(a[0:n])
#pragma acc kernels loop${second}
    for (int i = 0; i < n; i++) a[i] += i;
  }
}
void g(double *a) {
#pragma omp target teams loop map(a[0:9])
  for (int i = 0; i < 9; i++) a[i] = i;
}
`;
const source = text("", "");
const added = (of: string, clauses: string, region?: number) => ({
  by: "kernels: k: add",
  function: of,
  clauses,
  ...(region !== undefined && { region }),
});

it("are put behind those of the construct that is meant, data constructs not counted", () => {
  expect(
    withAddedClauses(source, "a.c", [added("f", "vector_length(64)", 1), added("f", "gang", 2)]),
  ).toEqual({
    text: text(" vector_length(64)", " gang"),
  });
});

it("go to the only construct of a function without being told its number", () => {
  const { text: made } = withAddedClauses(source, "a.c", [added("g", "num_teams(4)")]) as { text: string };
  expect(made).toBe(source.replace("map(a[0:9])", "map(a[0:9]) num_teams(4)"));
});

it.each([
  [added("h", "gang"), "kernels: k: add: a.c defines no function h"],
  [added("f", "gang"), "kernels: k: add: f of a.c has 2 compute constructs"],
  [added("f", "gang", 3), "kernels: k: add: f of a.c has 2 compute constructs, and no number 3"],
] as const)("find no place: %j", (asked, problem) => {
  expect(withAddedClauses(source, "a.c", [asked])).toMatchObject({ problem });
});
