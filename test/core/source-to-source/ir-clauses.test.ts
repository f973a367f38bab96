/**
 * OpenACC's directives and clauses one by one: as IR, as OpenACC again, and as IR once more, which must be the same; and as
 * OpenMP that gcc takes, or that is refused.
 */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { frontEnd } from "../../../core/compiler/driver/front-end.ts";
import { irTexts } from "../../../core/compiler/driver/ir-text.ts";
import { translateIr } from "../../../core/source-to-source/ir/translate-ir.ts";

const inFunction = (statements: string) => `
struct pair { int one; float two[4]; };
extern int table[10];
int g(int);
void f(int n, double *restrict x, double *restrict y, int q, double m[10][20], double **rows, struct pair *p)
{
  double a[100], b[100], t = 0; int s = 0, i, j, k; struct pair v = {0};
  ${statements}
}
`;

/** The IR of a source, and of the OpenACC that is made of it. */
function thereAndBack(source: string) {
  const [text = ""] = irTexts([{ file: "c.c", text: source }]);
  const wishes = { to: "openacc", openmp: "5.1", map: "default" } as const;
  const made = translateIr(frontEnd({ file: "c.upir", text }).program, wishes);
  const problems = made.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
  const [again = ""] = problems.length > 0 ? [] : irTexts([{ file: "c.c", text: made.text }]);
  return { text: comparable(text), again: comparable(again), problems, openacc: made.text, ir: text };
}

/** What gcc says of the IR as OpenMP; empty where it takes it, or OpenMP has no words for it. */
function complaint(ir: string): string {
  const wishes = { to: "openmp", openmp: "5.0", map: "default" } as const;
  const { text, diagnostics } = translateIr(frontEnd({ file: "c.upir", text: ir }).program, wishes);
  if (diagnostics.some(({ severity }) => severity === "error")) return "";
  const options = ["-fopenmp", "-fsyntax-only", "-w", "-x", "c", "-"];
  const { status, stderr } = spawnSync("gcc", options, { input: text, encoding: "utf8" });
  return status === 0 ? "" : `${stderr}\n${text}`;
}

/** Without the names of regions, which have a hash of their text. */
const comparable = (text: string) => text.replace(/region\(\w+\)/g, "region(r)").replace(/\n\s*;(?=\n)/g, "");

function isSame(statements: string): void {
  const { text, again, problems, openacc, ir } = thereAndBack(inFunction(statements));
  expect(problems, text).toEqual([]);
  expect(again, openacc).toBe(text);
  expect(complaint(ir)).toBe("");
}

const LOOP = "for (i = 0; i < n; i++) x[i] = y[i] + 1;";
const NEST = "for (i = 0; i < 10; i++) for (j = 0; j < 20; j++) m[i][j] = i + j;";

describe("a compute construct", () => {
  test.each([
    "copy(x[0:n]) copyin(y[0:n])",
    "copyout(x[0:n]) present(y[0:n])",
    "create(x[0:n]) no_create(y[0:n])",
    "deviceptr(x, y)",
    "copy(x[2:n], y[0:n])",
    "num_gangs(8) num_workers(4) vector_length(32) copy(x[0:n], y[0:n])",
    "num_gangs(n) copy(x[0:n], y[0:n])",
    "async copy(x[0:n], y[0:n])",
    "async(2) copy(x[0:n], y[0:n])",
    "async(q) wait(1) copy(x[0:n], y[0:n])",
    "wait copy(x[0:n], y[0:n])",
    "wait(1, q) copy(x[0:n], y[0:n])",
    "if(n > 5) copy(x[0:n], y[0:n])",
    "self(n > 5) copy(x[0:n], y[0:n])",
    "self copy(x[0:n], y[0:n])",
    "default(present) copy(x[0:n])",
    "private(t) copy(x[0:n], y[0:n])",
    "firstprivate(t) copy(x[0:n], y[0:n])",
    "copyin(readonly: y[0:n]) copyout(zero: x[0:n])",
  ])("%s", (clauses) => {
    for (const construct of ["parallel loop", "kernels loop", "serial loop"]) {
      const sized = /num_|private/.test(clauses) && construct !== "parallel loop";
      if (!sized) isSame(`#pragma acc ${construct} ${clauses}\n${LOOP}`);
    }
  });

  test.each(["+", "*", "max", "min", "&", "|", "^", "&&", "||"])("reduction(%s: s)", (op) => {
    const step = /^m/.test(op) ? "s = i > s ? i : s" : op.length === 2 ? `s = s ${op} i` : `s ${op}= i`;
    const code = op === "min" ? "s = i < s ? i : s" : step;
    isSame(`#pragma acc parallel loop reduction(${op}: s)\nfor (i = 0; i < n; i++) ${code};`);
    isSame(
      `#pragma acc parallel loop gang worker vector reduction(${op}: s)\nfor (i = 0; i < n; i++) ${code};`,
    );
  });

  test.each([
    "gang",
    "worker",
    "vector",
    "gang worker",
    "gang vector",
    "gang worker vector",
    "gang(num: 8)",
    "gang(static: 4)",
    "gang(static: *)",
    "worker(4)",
    "vector(64)",
    "seq",
    "auto",
    "independent",
    "collapse(2)",
    "gang collapse(2)",
    "tile(4, 8)",
    "private(t)",
  ])("loop %s", (clauses) => {
    const nest = /collapse|tile/.test(clauses);
    const own = clauses.startsWith("private") ? "for (i = 0; i < n; i++) { t = y[i]; x[i] = t * t; }" : LOOP;
    const construct = /num:|worker\(|vector\(/.test(clauses) ? "kernels" : "parallel";
    isSame(
      nest
        ? `#pragma acc parallel copy(m[0:10])\n{\n#pragma acc loop ${clauses}\n${NEST}\n}`
        : `#pragma acc ${construct} copy(x[0:n], y[0:n])\n{\n#pragma acc loop ${clauses}\n${own}\n}`,
    );
  });
});

describe("data", () => {
  test.each([
    "data copy(x[0:n])",
    "data copyin(a) create(b) if(n)",
    "data copy(v) async(1) wait(2)",
    "data present(x[0:n]) no_create(y[0:n])",
    "data copyin(rows[0:4][0:n])",
    "data attach(p) copyin(y[0:n])",
    "host_data use_device(x, y)",
    "host_data use_device(x) if(n) if_present",
  ])("%s", (directive) => isSame(`#pragma acc ${directive}\n{ g(n); }`));

  test.each([
    "enter data copyin(x[0:n]) create(y[0:n])",
    "enter data copyin(a) async(1) wait(2) if(n)",
    "enter data attach(p)",
    "exit data copyout(x[0:n]) delete(y[0:n])",
    "exit data copyout(a) finalize async",
    "exit data detach(p)",
    "update self(x[0:n]) device(y[2:n])",
    "update host(a) if_present if(n) async(3)",
    "update device(m[2:3][5:8]) wait(1)",
    "wait",
    "wait(1, 2) async(3)",
    "wait(devnum: 0: queues: 1, 2)",
    "wait if(n)",
    "init",
    "init device_type(host) device_num(0) if(n)",
    "shutdown device_type(host)",
    "set default_async(3)",
    "set device_num(1) device_type(host)",
  ])("%s", (directive) => isSame(`#pragma acc ${directive}`));

  test.each(["copy(c)", "copyin(c)", "copyout(c)", "create(c)", "device_resident(c)", "link(c)"])(
    "declare %s",
    (clause) => {
      const { text, again, problems } = thereAndBack(
        `static double c[10];\n#pragma acc declare ${/resident|link/.test(clause) ? clause : clause.replace("copyout", "create")}\nint main(void) { return 0; }\n`,
      );
      expect(problems).toEqual([]);
      expect(again).toBe(text);
    },
  );
});

test.each([
  ["read", "t = x[i];"],
  ["write", "x[0] = i;"],
  ["update", "x[0] += i;"],
  ["update", "s++;"],
  ["capture", "j = s++;"],
  ["capture", "{ j = s; s += i; }"],
])("atomic %s of %s", (what, step) => {
  isSame(
    `#pragma acc parallel loop copy(x[0:n], s) private(t, j)\nfor (i = 0; i < n; i++) {\n#pragma acc atomic ${what}\n${step}\n}`,
  );
});

test("cache, and routines of every level", () => {
  isSame(
    `#pragma acc parallel loop copy(x[0:n], y[0:n])\nfor (i = 1; i < n - 1; i++) {\n#pragma acc cache(y[i - 1:3])\nx[i] = y[i - 1] + y[i + 1]; }`,
  );
  for (const level of ["seq", "vector", "worker", "gang"]) {
    const source = `#pragma acc routine ${level}\nvoid r(double *p) { p[0] = 1; }\n#pragma acc routine ${level} bind(other)\nvoid h(void);\n`;
    const { text, again, problems } = thereAndBack(source);
    expect(problems).toEqual([]);
    expect(again).toBe(text);
  }
});
