/** Data regions that `target data` cannot say: those of queues, of functions, and variables in two clauses. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { refusals, statement, translated } from "./translating.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-open-data-"));
afterAll(() => rmSync(folder, { recursive: true }));

const LOOP = "for (int e = 0; e < 100; e++) a[e] = b[e] + 1;";
const lines = (acc: string): readonly string[] =>
  statement(acc, "openmp")
    .split("\n")
    .filter((line) => line.includes("#pragma"))
    .map((line) => line.replace(/^\s*#pragma omp | *\/\* acc.*/g, ""));

describe("a data region of a queue", () => {
  test.each([
    [
      "copyin(a) copyout(b) async(1)",
      "target enter data map(to: a) map(alloc: b) nowait depend(inout: queue_of[1])",
      "target exit data map(release: a) map(from: b) nowait depend(inout: queue_of[1])",
    ],
    [
      "copy(a) create(b) async(1) wait(2)",
      "target enter data map(to: a) map(alloc: b) nowait depend(inout: queue_of[1]) depend(in: queue_of[2])",
      "target exit data map(from: a) map(release: b) nowait depend(inout: queue_of[1])",
    ],
    [
      "copy(always: a) async if(n > 3)",
      "target enter data if(n > 3) map(always, to: a) nowait depend(inout: queue_of[64])",
      "target exit data if(n > 3) map(always, from: a) nowait depend(inout: queue_of[64])",
    ],
    [
      "copyin(readonly: a) wait(2)",
      "target enter data map(to: /* readonly */ a) depend(in: queue_of[2])",
      "target exit data map(release: a)",
    ],
    ["copy(a) async(-2)", "target enter data map(to: a)", "target exit data map(from: a)"],
  ])("%s", (clauses, first, last) => {
    expect(lines(`#pragma acc data ${clauses}\n{ k = 1; }`)).toEqual([first, last]);
  });

  test.each([
    ["copy(a) async(1)", "{ if (n) return; }", "2:10 control leaves the data region here"],
    ["copy(y[0:n]) async(1)", "{ n++; }", "1:23 what 'y[0:n]' names may be another part at the end"],
    ["copy(y[0:9]) async(1)", "{ y = x; }", "1:23 what 'y[0:9]' names may be another part at the end"],
    ["copy(a) async(n)", "{ n++; }", "1:13 the condition or the queue may have another value at the end"],
  ])("%s %s is refused", (clauses, code, message) => {
    const [found = ""] = refusals(`#pragma acc data ${clauses}\n${code}`, "openmp");
    expect(found.startsWith(message), found).toBe(true);
  });
});

describe("'declare' in a function", () => {
  const inside = (clauses: string, code: string): string => `#pragma acc declare ${clauses}\n${code}`;

  it("lasts to the function's end and to each return behind it", () => {
    expect(lines(inside("create(a)", "if (n) return;\nn = 1;"))).toEqual([
      "target enter data map(alloc: a)",
      "target exit data map(release: a)",
      "target exit data map(release: a)",
    ]);
  });

  test.each([
    ["deviceptr(x)", "n++;", "1:21 'declare deviceptr' of a function has no counterpart in OpenMP"],
    ["create(a)", "if (n) goto out;\nout: n++;", "2:8 a jump in a function with 'declare' data"],
  ])("%s %s is refused", (clauses, code, message) => {
    const [found = ""] = refusals(inside(clauses, code), "openmp");
    expect(found.startsWith(message), found).toBe(true);
  });

  test.each([["call(a)"], ["a[3]"]])("%s as the result is refused", (result) => {
    const text = `int call(int *);\nint f(void) {\n  int a[9];\n#pragma acc declare copyout(a)\n  return ${result};\n}\n`;
    expect(translated(text, "openmp").diagnostics.map(({ loc, message }) => [loc.line, message])).toEqual([
      [
        5,
        "the result is computed while the declared data is on the device, and OpenMP's 'exit data' stands before it",
      ],
    ]);
  });

  it("in a block is refused", () => {
    const [found = ""] = refusals("if (n) {\n#pragma acc declare create(a)\nn++; }", "openmp");
    expect(found).toContain("the data lasts to the function's end");
  });
});

test.each([
  ["copyin(a) copyout(a)", "map(tofrom: a)"],
  ["copyout(a) copyin(b) create(a)", "map(to: b) map(from: a)"],
  ["create(a, b) copyin(b)", "map(alloc: a) map(to: b)"],
])("one variable in two clauses: %s", (clauses, maps) => {
  expect(lines(`#pragma acc parallel loop ${clauses}\n${LOOP}`)).toEqual([
    `target teams distribute parallel for ${maps}`,
  ]);
});

test.each([
  ["for (double *p = a; p < a + 100; p++) *p = 1;", "2:6"],
  ["for (double *p = x; p < &a[100]; p++) *p = 1;", "2:6"],
])("a loop over pointers from an array is refused: %s", (loop) => {
  const [found = ""] = refusals(`#pragma acc parallel loop copy(a)\n${loop}`, "openmp");
  expect(found).toContain("name the array 'a', and gcc 12 takes another address");
});

test("kernels in a queue are a region for each nest, and all of it is right by gcc", () => {
  const source = `int printf(const char *, ...);
static int failures;
static void nests(int n, float *restrict a, float *restrict b, int q) {
#pragma acc kernels copy(a[0:n], b[0:n]) async(q) wait(2)
  {
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];
  }
#pragma acc kernels async(q)
  {
    for (int i = 0; i < n; i++) a[i] += 1;
    for (int i = 0; i < n; i++) b[i] += 2;
  }
#pragma acc wait
}
static int kept(const int *in) {
  int line[100], sum = 0;
#pragma acc declare create(line)
  if (in[0] < 0)
    return -1;
#pragma acc parallel loop copyin(in[0:100]) gang vector
  for (int i = 0; i < 100; i++) line[i] = in[i] * 2;
#pragma acc parallel loop reduction(+:sum) gang vector
  for (int i = 0; i < 100; i++) sum += line[i];
  return sum;
}
int main(void) {
  float a[100], b[100];
  int c[100], d[100];
  nests(100, a, b, 3);
  for (int i = 0; i < 100; i++) {
    failures += a[i] != i + 1 || b[i] != 101 - i;
    c[i] = i;
  }
  failures += kept(c) != 9900;
#pragma acc data copyin(c) copyout(d) async(1)
  {
#pragma acc parallel loop async(1) gang vector
    for (int i = 0; i < 100; i++) d[i] = c[i] + 1;
  }
#pragma acc wait(1)
  for (int i = 0; i < 100; i++) failures += d[i] != i + 1;
#pragma acc data copyin(c) copyout(c)
  {
    int *first = c;
#pragma acc parallel loop copy(first[0:100]) gang vector
    for (int *p = first; p < first + 100; p++) *p *= 2;
  }
  for (int i = 0; i < 100; i++) failures += c[i] != 2 * i;
  return failures != 0;
}
`;
  const { text, diagnostics } = translated(source, "openmp");
  expect(diagnostics).toEqual([]);
  expect(text.match(/target teams distribute parallel for nowait depend\(inout: queue_of/g)).toHaveLength(5);
  const [file, exe] = [path.join(folder, "all.c"), path.join(folder, "all")];
  writeFileSync(file, text);
  execFileSync("gcc", ["-O1", "-w", "-fopenmp", file, "-o", exe]);
  execFileSync(exe, { env: { ...process.env, OMP_NUM_THREADS: "3" } });
  const back = translated(translated(source, "openmp", "5.1").text, "openacc");
  expect(back.diagnostics).toEqual([]);
  const directives = (of: string): readonly string[] =>
    of.split("\n").flatMap((line) => (line.includes("#pragma") ? [line.trim()] : []));
  expect(directives(back.text)).toEqual(
    directives(source).map((line) => line.replace("copyin(c) copyout(c)", "copy(c)")),
  );
});
