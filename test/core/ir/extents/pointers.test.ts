/** How much of a pointer's target is meant without a section. */
import { expect, test } from "vitest";
import { printExpr } from "../../../../core/lang/index.ts";
import { accepted, functionOf, nodes } from "../reading.ts";

const before = `typedef unsigned long size_t; void *malloc(size_t), *calloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t); int scanf(const char *, ...); void use(int *), touch(float *);
struct s { int n; }; int wide; static float *kept; extern float *elsewhere; static double table[30];
`;

/** The section of the first item of `statements`' directive, or why there is none. */
function sectionFor(parameters: string, statements: string): string {
  const { body } = functionOf(accepted(`${before}void f(${parameters}) {\n${statements}\n}`));
  const [item] = [...nodes(body, "data"), ...nodes(body, "data-move"), ...nodes(body, "task")].flatMap(
    (n) => n.items,
  );
  const length = item?.section[0]?.length;
  return length ? printExpr(length) : (item?.unsized ?? "not named");
}

const enter = "\n#pragma acc enter data copyin(p)\n;";

test.each([
  ["float *p = malloc(n * sizeof(float));", "n"],
  ["float *p = (float *)malloc(sizeof(float) * n * 2);", "(unsigned long)n * 2"],
  ["float *p = malloc(n * 3 * sizeof *p);", "n * 3"],
  ["float *p; p = calloc(n, sizeof *p);", "n"],
  ["float *p; if (!(p = calloc(n + 1, 4))) return;", "n + 1"],
  ["float *p = malloc(400);", "400 / sizeof(*p)"],
  ["float *p; posix_memalign((void **)&p, 64, n * sizeof(float));", "n"],
  ["float *q = malloc(n * sizeof *q), *p = q;", "n"],
  ["double *p = table;", "30"],
  ["float (*p)[n] = malloc(sizeof(float[7][n]));", "sizeof(float [7][n]) / sizeof(*p)"],
  ["float (*p)[n] = malloc(7 * sizeof *p);", "7"],
  ["struct s v; v.n = n; float *p = malloc(v.n * sizeof *p);", "v.n"],
  ['int k; scanf("%d", &k); float *p = malloc(k * sizeof *p);', "k"],
])("the allocation gives the extent: %s", (statements, length) => {
  expect(sectionFor("int n", statements + enter)).toBe(length);
});

test.each([
  ["float *p = malloc(n * sizeof *p); n++;", "'n', by which the size is known, may have changed"],
  ["float *p = malloc(n * sizeof *p); p++;", "'p' is assigned in 2 places"],
  ["float *p = malloc(n * sizeof *p); if (n) p = malloc(8);", "'p' is assigned in 2 places"],
  ["float *p = malloc(n * sizeof *p); float **q = &p;", "the address of 'p' is taken"],
  ["int k = n; use(&k); float *p = malloc(k * sizeof *p);", "the address of 'k'"],
  ["float *p = 0; for (int i = 0; i < 3; i++) { n = i; p = malloc(n * sizeof *p); }", "'n', by which"],
  ["float *p = 0; { int n = 3; p = malloc(n * sizeof *p); }", "is not visible here"],
  ["struct s *v = 0; float *p = malloc(v->n * sizeof *p);", "cannot be computed twice"],
  ["float *p = malloc(n++ * sizeof *p);", "'n', by which"],
  ["again:; float *p = malloc(n * sizeof *p); if (n < 5) goto again;", "n"],
])("the allocation gives no extent, and the reason is reported: %s", (statements, why) => {
  expect(sectionFor("int n", statements + enter)).toContain(why);
});

test("memory that outlives a call has an extent only if this call allocates it", () => {
  const enter = "\n#pragma acc enter data copyin(kept)\n;";
  expect(sectionFor("int n", `if (!kept) kept = malloc(n * sizeof *kept);${enter}`)).toContain("left out");
  expect(sectionFor("int n", `kept = malloc(n * sizeof *kept);${enter}`)).toBe("n");
  expect(sectionFor("int n", "\n#pragma acc enter data copyin(elsewhere)\n;")).toContain("another file");
});

const loop = (body: string, head = "for (int i = 0; i < n; i++)") =>
  `\n#pragma acc parallel loop copy(p)\n${head} ${body}`;

test.each([
  [loop("p[i] = 0;"), "n > 0 ? n : 0"],
  [loop("p[2 * i + 1] = 0;"), "n > 0 ? 2 * n : 0"],
  [loop("p[i] = 0;", "for (int i = 0; i < 10; i++)"), "10"],
  [loop("p[i] = 0;", "for (int i = n - 1; i >= 0; i--)"), "n > 0 ? n : 0"],
  [loop("p[i + 1] = p[i - 1] + p[i];", "for (int i = 1; i < n - 1; i++)"), "n - 2 > 0 ? n : 0"],
  [loop("for (int j = 0; j < m; j++) p[i * m + j] = 0;"), "m > 0 && n > 0 ? (long)m * n : 0"],
  [loop("for (int j = 0; j <= i; j++) p[i * n + j] = 0;"), "n > 0 ? (long)n * n : 0"],
  [loop("{ if (i % 2) p[0] = 1; p[i] = 0; }"), "n > 0 ? n : 0"],
  [loop("while (p[i] < 3) p[i]++;"), "n > 0 ? n : 0"],
  [loop("{ int at = i * 3; float *q = p + at; q[2] = 1; }"), "n > 0 ? 3 * n : 0"],
])("the accesses give the extent: %s", (statements, length) => {
  expect(sectionFor("int n, int m, float *p, int *k", statements)).toBe(length);
});

test.each([
  [loop("p[k[i]] = 0;"), "depends on more than loop counters"],
  [loop("if (i < n - 1) p[i + 1] = 0;"), "cannot be told"],
  [loop("for (int j = i + 1; j < n; j++) p[i * n + j] = 0;"), "cannot be told"],
  [loop("p[i] = 0;", "for (int i = 0; i < n; i += 2)"), "cannot be told"],
  [loop("p[i + m] = 0;"), "may be negative"],
  [loop("touch(p + i);"), "may have side effects"],
  [loop("{ float *q = p; q++; *q = 1; }"), "cannot be told"],
])("the accesses give no extent, and the reason is reported: %s", (statements, why) => {
  expect(sectionFor("int n, int m, float *p, int *k", statements)).toContain(why);
});

test("accesses of a region give the extent of the data region around it, if nothing changes in between", () => {
  const around = (before: string, inside = "for (int i = 0; i < n; i++) p[i] = 0;") =>
    `\n#pragma acc data copy(p)\n{ ${before}\n#pragma acc parallel loop\n${inside} }`;
  expect(sectionFor("int n, float *p", around(""))).toBe("n > 0 ? n : 0");
  expect(sectionFor("int n, float *p", around("n++;"))).toContain("cannot be told");
  expect(sectionFor("int n, float *p", around("touch(p);"))).toContain("between the regions");
  expect(sectionFor("float *p", around("", "for (int i = 0; i < wide; i++) p[i] = 0;"))).toContain(
    "cannot be told",
  );
});

test("OpenMP copies what no clause names only where it was allocated", () => {
  const region = "\n#pragma omp target teams distribute parallel for\nfor (int i = 0; i < n; i++) p[i] = 0;";
  expect(sectionFor("int n", `float *p = malloc(n * sizeof *p);${region}`)).toBe("n");
  expect(sectionFor("int n, float *p", region)).toBe("not named");
});
