/** OpenMP's directives for devices in OpenACC's words, one by one. */
import { describe, expect, it, test } from "vitest";
import { inFunction, refusals, statement, translated } from "./translating.ts";

const LOOP = "for (i = 0; i < n; i++) a[i] = b[i] + t;";
const SUM = "for (i = 0; i < n; i++) s += i;";
const NEST = "for (i = 0; i < 10; i++) for (j = 0; j < 10; j++) m[i][j] = 1;";

const openacc = (pragma: string, code: string): string =>
  statement(`#pragma omp ${pragma}\n${code}`, "openacc").replace(`\n${code}`, "");

describe("a construct that computes", () => {
  test.each([
    ["target teams distribute parallel for", "parallel loop", LOOP],
    ["target teams distribute parallel for simd", "parallel loop", LOOP],
    ["target teams loop", "parallel loop", LOOP],
    [
      "target teams distribute parallel for map(to: b) map(from: a)",
      "parallel loop copyin(b) copyout(a)",
      LOOP,
    ],
    ["target teams distribute parallel for map(a) map(alloc: b)", "parallel loop copy(a) create(b)", LOOP],
    ["target teams distribute parallel for map(tofrom: a[:n])", "parallel loop copy(a[:n])", LOOP],
    ["target teams distribute parallel for map(present, tofrom: a)", "parallel loop present(a)", LOOP],
    ["target teams distribute parallel for map(always, to: b)", "parallel loop copyin(always: b)", LOOP],
    [
      "target teams distribute parallel for is_device_ptr(x)",
      "parallel loop deviceptr(x)",
      "for (i = 0; i < n; i++) x[i] = 1;",
    ],
    ["target teams distribute parallel for collapse(2)", "parallel loop collapse(2)", NEST],
    ["target teams distribute parallel for num_teams(8)", "parallel loop num_gangs(8)", LOOP],
    ["target teams distribute parallel for thread_limit(64)", "parallel loop vector_length(64)", LOOP],
    ["target teams distribute parallel for num_threads(32)", "parallel loop vector_length(32)", LOOP],
    ["target teams distribute parallel for if(target: n > 9)", "parallel loop if(n > 9)", LOOP],
    ["target teams distribute parallel for if(n ? s : t > 1)", "parallel loop if(n ? s : t > 1)", LOOP],
    ["target teams distribute parallel for reduction(+: s)", "parallel loop reduction(+: s)", SUM],
    [
      "target teams distribute parallel for private(t)",
      "parallel loop private(t)",
      "for (i = 0; i < n; i++) { t = i; a[i] = t; }",
    ],
    ["target teams distribute parallel for firstprivate(t)", "parallel loop firstprivate(t)", LOOP],
    ["target teams distribute parallel for schedule(static, 4)", "parallel loop", LOOP],
    [
      "target teams distribute parallel for dist_schedule(static, 4)",
      "parallel loop gang(static: 4) vector",
      LOOP,
    ],
    ["target teams distribute parallel for nowait", "parallel loop async(1)", LOOP],
    ["target teams distribute parallel for nowait depend(out: s)", "parallel loop async(1)", LOOP],
    ["target teams distribute parallel for nowait depend(inout: a[3])", "parallel loop async(3)", LOOP],
    ["target", "serial", LOOP],
  ])("%s", (omp, acc, code) => {
    expect(openacc(omp, code)).toBe(`#pragma acc ${acc}`);
  });

  test("levels are given by name", () => {
    const nest = (outer: string, within: string) =>
      `${outer}\nfor (i = 0; i < 10; i++) {\n${within}\nfor (j = 0; j < 10; j++) m[i][j] = 1; }`;
    expect(
      statement(nest("#pragma omp target teams distribute", "#pragma omp parallel for"), "openacc"),
    ).toBe(nest("#pragma acc parallel loop gang", "#pragma acc loop vector"));
    expect(
      statement(nest("#pragma omp target teams distribute parallel for", "#pragma omp simd"), "openacc"),
    ).toBe(nest("#pragma acc parallel loop gang worker", "#pragma acc loop vector"));
  });

  test("target and teams are one construct", () => {
    expect(
      statement(
        `#pragma omp target map(tofrom: a)\n#pragma omp teams distribute parallel for num_teams(4)\n${LOOP}`,
        "openacc",
      ),
    ).toBe(`#pragma acc parallel copy(a) num_gangs(4)\n#pragma acc loop\n${LOOP}`);
  });

  test("one team without teams", () => {
    const code = (word: string) => `{ t = 1;\n#pragma ${word}\n${LOOP} }`;
    expect(statement(`#pragma omp target\n${code("omp parallel for")}`, "openacc")).toBe(
      `#pragma acc parallel num_gangs(1)\n${code("acc loop vector")}`,
    );
  });

  test("a scalar of a data construct around stays the region's own copy", () => {
    const text = statement(
      `#pragma omp target data map(tofrom: t)\n{\n#pragma omp target teams loop\n${LOOP} }`,
      "openacc",
    );
    expect(text).toContain("#pragma acc parallel loop firstprivate(t)");
  });
});

describe("a directive for data", () => {
  test.each([
    ["target data map(to: a) map(alloc: b)\n{ n = 1; }", "data copyin(a) create(b)\n{ n = 1; }"],
    [
      "target data map(a) use_device_ptr(x)\n{ n = 1; }",
      "data copy(a)\n#pragma acc host_data use_device(x) if_present\n{ n = 1; }",
    ],
    [
      "target data map(x[0:9]) use_device_ptr(x)\n{\n#pragma omp target is_device_ptr(x)\n  x[1] = 2;\n}",
      "data copy(x[0:9])\n{\n#pragma acc serial present(x[0:1])\n  x[1] = 2;\n}",
    ],
    [
      "target data map(x[0:9]) use_device_ptr(x)\n{ n = x != 0; }",
      "data copy(x[0:9])\n#pragma acc host_data use_device(x) if_present\n{ n = x != 0; }",
    ],
    [
      "target data map(a[2:4])\n{\n#pragma omp target\n  a[3] = 2;\n}",
      "data copy(a[2:4])\n{\n#pragma acc serial present(a[2:4])\n  a[3] = 2;\n}",
    ],
    [
      "target enter data map(to: a[2:4])\n#pragma omp target\n  a[3] = 2;",
      "enter data copyin(a[2:4])\n#pragma acc serial present(a[2:4])\n  a[3] = 2;",
    ],
    [
      "target enter data map(to: a)\n#pragma omp target\n  a[3] = 2;",
      "enter data copyin(a)\n#pragma acc serial\n  a[3] = 2;",
    ],
    ["target enter data map(to: a) map(alloc: b)", "enter data copyin(a) create(b)"],
    ["target exit data map(from: a) map(release: b)", "exit data copyout(a) delete(b)"],
    [
      "target exit data map(release: a) map(delete: b)",
      "exit data delete(a)\n#pragma acc exit data delete(b) finalize",
    ],
    ["target update to(a) from(b)", "update device(a) self(b) if_present"],
    ["target update to(present: a)", "update device(a)"],
    ["target update from(a) nowait depend(inout: s)", "update self(a) async(1) if_present"],
  ])("%s", (omp, acc) => {
    expect(statement(`#pragma omp ${omp}\nn++;`, "openacc")).toBe(`#pragma acc ${acc}\nn++;`);
  });

  const loop = "#pragma omp target teams distribute parallel for nowait depend(inout: ";
  const made = (code: string): string =>
    code
      .split("\n")
      .flatMap((line) => /#pragma (.*)/.exec(line)?.[1] ?? [])
      .join("\n");

  test("queues that arc made dependences of are queues again", () => {
    const acc = [
      "#pragma acc parallel loop async(q)",
      LOOP,
      "#pragma acc parallel loop async",
      LOOP,
      "#pragma acc wait(1) async(2)",
      "#pragma acc parallel loop async(2) wait(q)",
      LOOP,
      "#pragma acc wait(2)",
    ].join("\n");
    const omp = translated(inFunction(acc), "openmp").text;
    const back = translated(omp, "openacc");
    expect(back.diagnostics).toEqual([]);
    expect(made(back.text)).toBe(made(acc));
    expect(back.text).not.toContain("queue_of");
  });

  test.each([
    // The third waits for the second, which reads what it changes.
    ["readers", ["b[1])", "b[2]) depend(in: b[1])", "b[1])"]],
    ["elements of rows", ["m[1][2])", "m[2][i])"]],
    ["two arrays", ["a[1])", "b[1])"]],
    ["two elements", ["a[1], a[2])", "a[1])"]],
  ])("tasks with %s share a queue, which keeps all of their order", (_, depends) => {
    const code = statement(depends.map((one) => `${loop}${one}\n${LOOP}`).join("\n"), "openacc");
    expect(made(code)).toBe(depends.map(() => "acc parallel loop async(1)").join("\n"));
  });

  test("elements of the user's own array are told apart as they are written", () => {
    const code = statement(`${loop}b[(i) % 64])\n${LOOP}\n${loop}b[table[2] > 1])\n${LOOP}`, "openacc");
    expect(made(code)).toMatch(/async\(\(i\) % 64\).*\n.*async\(table\[2\] > 1\)/);
  });

  test("empty tasks and taskwaits name queues, or wait for the one of all", () => {
    const code = (empty: string, wait: string): string =>
      made(
        statement(
          `${loop}b[1])\n${LOOP}\n#pragma omp task depend(${empty})\n;\n#pragma omp taskwait depend(in: ${wait})`,
          "openacc",
        ),
      );
    expect(code("out: b[2]", "b[1]")).toBe("acc parallel loop async(1)\nacc wait(1)");
    expect(code("out: b[2]", "b[1], b[2]")).toBe("acc parallel loop async(1)\nacc wait(1, 2)");
    expect(code("out: s", "b[1]")).toBe("acc parallel loop async(1)\nacc wait(1)");
  });

  test("taskwait waits for target tasks", () => {
    const update = "#pragma omp target update from(a) nowait depend(inout: s)";
    expect(statement(`${update}\n#pragma omp taskwait\nn++;`, "openacc")).toMatch(
      /#pragma acc wait\nn\+\+;$/,
    );
    expect(statement("#pragma omp taskwait\nn++;", "openacc")).toBe("#pragma omp taskwait\nn++;");
  });
});

test("declare target becomes routines and variables of the device", () => {
  const { text } = translated(
    "#pragma omp declare target\nint c[9];\nint g(int a)\n{ return a; }\n#pragma omp end declare target\nint h(int);\n#pragma omp declare target to(h)\n",
    "openacc",
  );
  expect(text).toBe(
    "int c[9];\n#pragma acc declare copyin(c)\n#pragma acc routine seq\nint g(int a)\n{ return a; }\n#pragma acc routine seq\nint h(int);\n",
  );
});

test("what teams and threads have for themselves in OpenMP alone is refused", () => {
  const refused = (code: string): readonly string[] => refusals(code, "openacc");
  const loop = "for (int i = 0; i < 100; i++)";
  const spread = "#pragma omp target teams distribute parallel for";
  expect(refused(`${spread}\n${loop} {\n#pragma omp atomic\ns++; }`)).toEqual([
    "1:13 the teams of this region change one copy of 's', and OpenACC gives each gang a copy",
  ]);
  expect(refused(`${spread} firstprivate(s)\n${loop} a[i] = s++;`)[0]).toMatch(
    /^1:\d+ each thread changes its copy/,
  );
  expect(refused(`int omp_get_team_num(void);\n${spread}\n${loop} a[i] = omp_get_team_num();`)[0]).toMatch(
    /'omp_get_team_num' in code/,
  );
  expect(
    refused(
      `#pragma omp target map(a)\n{\n#pragma omp simd\nfor (i = 0; i < 9; i++) a[i] = 1;\na[9] = i; }`,
    )[0],
  ).toMatch(/^3:\d+ the counter 'i' keeps its last value/);
  expect(refused(`#pragma omp target\n{\n#pragma omp taskloop\n${loop} a[i] = 1; }`)[0]).toMatch(
    /^3:\d+ 'taskloop' in code/,
  );
  expect(refused("#pragma omp target teams if(teams: n > 3)\na[0] = 1;")[0]).toMatch(
    /no condition for the number of gangs/,
  );
  expect(statement("#pragma omp target teams num_teams(n) if(teams: n > 3)\na[0] = 1;", "openacc")).toContain(
    "num_gangs((n > 3) ? (n) : 1)",
  );
  expect(statement("#pragma omp target map(to: s) map(from: s)\ns = 1;", "openacc")).toContain(
    "serial copy(s)",
  );
});

test("declarations on one line come apart where a directive stands between them", () => {
  const { text } = translated(
    "#pragma omp declare target\ndouble a, b; double c[5]; // all\nint f(int x) { return x; } int m = 4;\n#pragma omp end declare target\n",
    "openacc",
  );
  expect(text).toBe(
    "double a, b;\n#pragma acc declare copyin(a, b)\ndouble c[5];\n#pragma acc declare copyin(c) // all\n#pragma acc routine seq\nint f(int x) { return x; } int m = 4;\n#pragma acc declare copyin(m)\n",
  );
});

test("directives for the host's threads stay", () => {
  const code = `#pragma omp parallel for\n${LOOP}`;
  expect(statement(code, "openacc")).toBe(code);
});

test("what a pointer leads to is looked for, and never copied", () => {
  const code = "for (i = 0; i < n; i++) x[i] = 1;";
  expect(openacc("target teams distribute parallel for", code)).toBe(
    "#pragma acc parallel loop present(x[0:1])",
  );
  const from = (header: string) =>
    openacc("target", `for (${header}) x[i] = 1;`).replace("#pragma acc serial ", "");
  expect(from("i = s; i < n; i++")).toBe("present(x[s:n > s])");
  expect(from("i = 7; i < 9; i++")).toBe("present(x[7:1])");
  expect(from("int z = k * 2; z < n; z++")).toBe("present(x[0:1])");
  expect(from("i = n; i > 7; i--")).toBe("present(x[0:1])");
});

test("a pointer that holds addresses of the device alone has its clause", () => {
  const made = (more: string, code = "") =>
    translated(
      `void *omp_target_alloc(unsigned long, int); int omp_get_default_device(void);
void f(double *host, double **out) {
  double *p = (double *)omp_target_alloc(80, omp_get_default_device()), *q = p + 5;
  ${more}
#pragma omp target
  q[0] = *p;
  ${code}
}
`,
      "openacc",
    ).text;
  expect(made("")).toMatch(/#pragma acc serial (deviceptr\([pq]\) ?){2}\n/);
  for (const more of ["q = host;", "*out = q; out = &q;", "q++;"])
    expect(made(more)).toMatch(/present\(q\[0:1\]\).*/);
  expect(made("", "q = host;")).toContain("present(q[0:1])");
});

describe("constructs that OpenACC cannot express are refused at their location", () => {
  test.each([
    [
      "target data map(x[0:9]) use_device_ptr(x)\n{ int *d = x;\n#pragma omp target is_device_ptr(d)\nd[0] = 1; }",
      "n++;",
      "3:13 the region uses 'd', which is declared inside of what becomes 'host_data', where gcc refuses it",
    ],
    [
      "target data map(x[0:9]) use_device_ptr(x)\n{ n = x != 0;\n#pragma omp target is_device_ptr(x)\nx[0] = 1; }",
      "n++;",
      "3:13 the region uses 'x', of which 'host_data' makes an address of the device, where gcc refuses it",
    ],
    [
      "target data map(to: a)\n{\n#pragma omp target exit data map(from: a)\n}",
      "n++;",
      "3:40 'a' is mapped by the 'target data' of line 4, and by no 'enter data': OpenMP ends that region's copy here, and OpenACC does not",
    ],
    [
      "target teams distribute parallel for lastprivate(t)",
      "for (i = 0; i < n; i++) { t = i; a[i] = t; }",
      "1:50 'lastprivate' has no counterpart in OpenACC",
    ],
    [
      "target map(alloc: x)",
      "{ n = 1; }",
      "1:31 'x' is a pointer, which this clause maps itself: OpenACC would take what it leads to",
    ],
    [
      "target update to(a[0:n:2])",
      "n++;",
      "1:30 'a[0:n:2]' leaves out elements, and OpenACC's sections have no stride",
    ],
    ["target update to(iterator(k = 0:n): a[k])", "n++;", "1:39 OpenACC's clauses have no iterators"],
    [
      "target enter data map(to: a) depend(source) nowait",
      "n++;",
      "1:13 depend(source) has no counterpart in OpenACC",
    ],
    [
      "target\n{\n#pragma omp parallel num_threads(4)\n{ a[0] = 1;\n#pragma omp barrier\n} }",
      "n++;",
      "3:13 OpenACC has no construct for code that every thread of a team runs",
    ],
  ])("%s", (pragma, code, refusal) => {
    expect(refusals(`#pragma omp ${pragma}\n${code}`, "openacc")[0]).toEqual(refusal);
  });
});

test("a variable that is declared and defined between 'declare target' has one directive", () => {
  const source =
    "#pragma omp declare target\nextern int k;\nint k = 3;\n#pragma omp end declare target\nint f(void) { return k; }\n";
  const { text, diagnostics } = translated(source, "openacc");
  expect(diagnostics).toEqual([]);
  expect(text.match(/#pragma acc declare/g)).toHaveLength(1);
});

test("functions that regions call become routines before their first declaration, if no directive says so", () => {
  const text = [
    "static int twice(int v);",
    "static int more(int v) { return twice(v) + 1; }",
    "static int twice(int v) { return 2 * v; }",
    "#pragma omp declare target",
    "static int told(int v) { return v; }",
    "#pragma omp end declare target",
    "static int host(void) { return 3; }",
    "void f(int *a) {",
    "#pragma omp target teams distribute parallel for map(tofrom: a[0:9])",
    "  for (int i = 0; i < 9; i++) a[i] = more(i) + told(i);",
    "  a[0] += host();",
    "}",
  ].join("\n");
  const made = translated(text, "openacc");
  expect(made.diagnostics).toEqual([]);
  const routine = "#pragma acc routine seq\n";
  expect(made.text.match(/#pragma acc routine seq/g)).toHaveLength(3);
  for (const name of ["static int twice(int v);", "static int more(int v) {", "static int told(int v) {"])
    expect(made.text).toContain(routine + name);
});

test("sizes of arrays of variable size, which regions get by themselves, are in no clause", () => {
  const text =
    "void f(int n) { int a[n], size; size = 0;\n" +
    "#pragma omp target map(tofrom: size)\n  size = sizeof a;\n}\n";
  const made = translated(text, "openacc");
  expect(made.diagnostics).toEqual([]);
  expect(made.text).toContain("#pragma acc serial copy(size)\n");
});

describe("devices by number, and always", () => {
  const FOR = "for (int e = 0; e < 9; e++) a[e] = e;";
  const head = "int omp_get_default_device(void); int omp_get_initial_device(void);";
  const program = (statements: string) =>
    translated(
      `${head}\nvoid omp_set_default_device(int);\nvoid *omp_target_alloc(unsigned long, int);\nvoid f(int n, double *a) {\n${statements}\n}\n`,
      "openacc",
    );

  it.each([
    ["device(0)"],
    ["device(omp_get_default_device())"],
    ["device(d)", "const int d = omp_get_default_device();\n"],
  ])("%s is the one that is chosen", (clause, before = "") => {
    const { text, diagnostics } = program(`${before}#pragma omp target ${clause} map(from: a[0:9])\n${FOR}`);
    expect(diagnostics).toEqual([]);
    expect(text).toContain("#pragma acc serial copyout(a[0:9])");
  });

  it.each([
    ["device(1)"],
    ["device(n)"],
    ["device(d)", "int d = omp_get_default_device(); d++;\n"],
    ["device(d)", "int d = omp_get_default_device(); omp_set_default_device(2);\n"],
    ["device(d)", "int d = omp_get_initial_device();\n"],
    ["device(0)", "omp_set_default_device(1);\n"],
  ])("%s may be another, behind %s", (clause, before = "") => {
    const { diagnostics } = program(`${before}#pragma omp target ${clause} map(from: a[0:9])\n${FOR}`);
    expect(diagnostics.map(({ message }) => message)).toContain(
      `${clause} may be another device than the one that OpenACC has chosen`,
    );
  });

  it("is updates for gcc, which does not know the modifier", () => {
    const acc = statement(
      `#pragma omp target map(always, tofrom: a) map(always, to: b) nowait depend(inout: k)\n${FOR}`,
      "openacc",
      "5.0",
      "gcc",
    );
    expect(acc.split("\n").filter((line) => line.includes("pragma"))).toEqual([
      "#pragma acc update device(a, b) async(1) if_present",
      "#pragma acc serial copy(a) copyin(b) async(1)",
      "#pragma acc update self(a) async(1) if_present",
    ]);
  });
});
