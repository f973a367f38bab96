/**
 * Code of a gang outside its worker and vector loops (S. Lee and J. S. Vetter, OpenARC, WACCPD 2014,
 * Algorithm 2, with the gaps of the printed form closed).
 */
import { describe, expect, test } from "vitest";
import { count, diagnosticsOf, kernelOf } from "../translate.ts";

const guard = "if (arc_item == 0)";
const barrier = "__syncthreads();";

const region = (body: string) => `
float a[100], t[100], u[100];
float next(void);
void f(int n) {
#pragma acc parallel num_gangs(10) vector_length(64)
{
  ${body}
}
}`;

const vectorLoop = (what: string) => `
#pragma acc loop vector
  for (int k = 0; k < n; k++)
    ${what};`;

describe("single mode", () => {
  test("puts neighbouring statements with effects under one guard, and leaves item loops unguarded", () => {
    const { text } = kernelOf(
      region(`t[0] = 1; t[1] = 2; ${vectorLoop("a[k] += t[0]")} u[0] = a[0]; u[1] = a[1];`),
      "cuda",
    );
    expect(count(text, guard)).toBe(2);
    expect(text.indexOf("t[1] = ")).toBeLessThan(text.indexOf("for ("));
  });

  test("keeps declarations outside guards, so that every item has the variable", () => {
    const { text } = kernelOf(region(`t[0] = 1; int e = 5; u[0] = e; ${vectorLoop("a[k] += e")}`), "cuda");
    expect(text).toMatch(/\n {2}int e = 5;/);
    expect(count(text, guard)).toBe(2);
  });

  test("lets every item compute private scalars instead of guarding and sending them", () => {
    const { text } = kernelOf(region(`float s = t[0] * 2; ${vectorLoop("a[k] += s")}`), "cuda");
    expect(count(text, guard)).toBe(0);
    expect(text).toContain("float s = t[0] * ");
  });

  test("has items meet between what one wrote and what all read", () => {
    const { text } = kernelOf(region(`t[0] = 1; ${vectorLoop("a[k] += t[0]")}`), "cuda");
    expect(text.slice(text.indexOf(guard), text.indexOf("for ("))).toContain(barrier);
  });

  test("has items meet before a loop that starts from what one wrote", () => {
    const { text } = kernelOf(
      region(`t[0] = 1; for (int r = t[0]; r < n; r++) { ${vectorLoop("a[k] += r")} }`),
      "cuda",
    );
    expect(text.slice(text.indexOf(guard), text.indexOf("for ("))).toContain(barrier);
  });

  test("has an array of the gang in group memory where one item changes it for all", () => {
    const { text } = kernelOf(
      region(`float own[2]; own[0] = t[0]; float s = own[0]; ${vectorLoop("a[k] += s")}`),
      "cuda",
    );
    expect(text).toContain("__shared__ float own[2];");
  });

  test("sends a private variable that item 0 sets in a guarded group to the other items", () => {
    const { text } = kernelOf(
      region(`int s; s = t[0] > 0 ? (t[1] = 3, 1) : 2; ${vectorLoop("a[k] += s")}`),
      "cuda",
    );
    expect(text).toContain("s_from_first = s;");
    expect(text).toContain("s = s_from_first;");
  });

  test("needs neither guards nor barriers when one loop takes gangs and lanes", () => {
    const { text } = kernelOf(
      "float a[100];\nvoid f(int n) {\n#pragma acc parallel loop gang vector\n  for (int i = 0; i < n; i++) a[i] *= 2;\n}",
      "cuda",
    );
    expect(count(text, guard) + count(text, barrier)).toBe(0);
  });

  test("runs a break out of a loop with barriers in every item", () => {
    const { text } = kernelOf(
      region(`for (int r = 0; r < n; r++) { if (t[r] > 3) break; ${vectorLoop("a[k] += r")} t[r] = 0; }`),
      "cuda",
    );
    expect(text).toMatch(/if \(t\[r\] > [^)]*\)\s*\{?\s*break;/);
    expect(count(text, guard)).toBe(1);
  });

  test("needs only one barrier if nothing was read or written since the last", () => {
    const { text } = kernelOf(region(`${vectorLoop("a[k] += 1")} ${vectorLoop("a[k] += 2")}`), "cuda");
    expect(count(text, barrier)).toBe(1);
  });

  test("keeps an array of the gang in group memory when its items share it", () => {
    const { text } = kernelOf(
      region(`float row[64]; ${vectorLoop("row[k % 64] = a[k]")} ${vectorLoop("a[k] = row[(k + 1) % 64]")}`),
      "cuda",
    );
    expect(text).toContain("__shared__ float row[64];");
  });
});

test("a gang that declares a pointer into an array has all of its lanes", () => {
  const { text, manifest } = kernelOf(
    `void f(int n, float *a) {
#pragma acc parallel loop gang copy(a[0:n*n])
  for (int i = 0; i < n; i++) {
    float *row = a + i * n, *last = &row[n - 1];
    row[0] = *last;
#pragma acc loop vector
    for (int j = 1; j < n; j++) row[j] += j;
  }
}`,
    "opencl",
  );
  expect(manifest).toContain("group 256 ; 1 ; 1");
  // One of them stores through it, and the others see that.
  expect(text).toMatch(/if \(arc_item == 0\) \{\s*row\[0\] = \*last;\s*\}\s*barrier\(/);
});

test.each(["host", "opencl", "cuda"] as const)(
  "threads that cannot be kept together are refused by name: %s",
  (kind) => {
    const source = `int omp_get_thread_num(void);
struct s { int a, b; };
void f(int *r) {
#pragma omp target teams num_teams(1) map(tofrom: r[0:4])
  {
    struct s *p = &(struct s){1, 2};
    p->a = 7;
#pragma omp parallel num_threads(4)
    { int t = omp_get_thread_num(); r[t] = p->a + p->b + t; }
  }
}`;
    expect(diagnosticsOf(source, kind)).toEqual(["4:13 parallel-block"]);
  },
);
