/** OpenACC's directives and clauses in OpenMP's words, one by one: CCAMP's Table 14 and what it leaves out. */
import { execFileSync } from "node:child_process";
import { describe, expect, it, test } from "vitest";
import { applyEdits } from "../../../core/source-to-source/text/edits.ts";
import { inFunction, refusals, statement, translated } from "./translating.ts";

const LOOP = "for (i = 0; i < n; i++) a[i] = b[i] + t;";
const SUM = "for (i = 0; i < n; i++) s += i;";

const openmp = (pragma: string, code: string, version: "5.0" | "5.1" = "5.0"): string =>
  statement(`#pragma acc ${pragma}\n${code}`, "openmp", version).replace(`\n${code}`, "");

describe("a compute construct", () => {
  test.each([
    ["parallel loop", "target teams distribute parallel for"],
    ["parallel loop copy(a) copyin(b)", "target teams distribute parallel for map(tofrom: a) map(to: b)"],
    ["parallel loop copyout(a) create(b)", "target teams distribute parallel for map(from: a) map(alloc: b)"],
    ["parallel loop pcopy(a) pcopyin(b)", "target teams distribute parallel for map(tofrom: a) map(to: b)"],
    ["parallel loop copyin(always: b)", "target teams distribute parallel for map(always, to: b)"],
    ["parallel loop copyin(readonly: b)", "target teams distribute parallel for map(to: /* readonly */ b)"],
    ["parallel loop copy(a[0:n])", "target teams distribute parallel for map(tofrom: a[0:n])"],
    [
      "parallel loop num_gangs(8) vector_length(32)",
      "target teams distribute parallel for num_teams(8) num_threads(32)",
    ],
    ["parallel loop if(n > 9)", "target teams distribute parallel for if(target: n > 9)"],
    ["parallel loop self(n > 9)", "target teams distribute parallel for if(target: !(n > 9))"],
    ["parallel loop self", "target teams distribute parallel for if(target: 0)"],
    ["parallel loop if(n) self(s)", "target teams distribute parallel for if(target: (n) && !(s))"],
    ["parallel loop private(t)", "target teams distribute parallel for private(t)"],
    ["parallel loop firstprivate(t)", "target teams distribute parallel for firstprivate(t)"],
    ["parallel loop async(2)", "target teams distribute parallel for nowait depend(inout: queue_of[2])"],
    [
      "parallel loop async(q)",
      "target teams distribute parallel for nowait depend(inout: queue_of[(q) % 64])",
    ],
    [
      "parallel loop async(acc_sync)",
      "target teams distribute parallel for nowait depend(inout: queue_of[64])",
    ],
    ["parallel loop async(-2)", "target teams distribute parallel for"],
    ["parallel loop wait(-2)", "target teams distribute parallel for"],
    [
      "parallel loop async wait",
      "taskwait\n#pragma omp target teams distribute parallel for nowait depend(inout: queue_of[64])",
    ],
    ["parallel loop wait(1, 2)", "target teams distribute parallel for depend(in: queue_of[1], queue_of[2])"],
    ["parallel loop gang", "target teams distribute parallel for"],
    ["parallel loop tile(2)", "target teams distribute parallel for /* acc: parallel loop tile(2) */"],
    ["parallel loop gang(static: 4)", "target teams distribute parallel for dist_schedule(static, 4)"],
    [
      "parallel loop gang(num: 4, static: *)",
      "target teams distribute parallel for dist_schedule(static) /* acc: parallel loop gang(num: 4, static: *) */",
    ],
    [
      "parallel loop gang worker(num: n)",
      "target teams distribute parallel for num_threads(n) /* acc: parallel loop gang worker(num: n) */",
    ],
    [
      "parallel loop gang worker vector(32)",
      "target teams distribute parallel for simd simdlen(32) /* acc: parallel loop gang worker vector(32) */",
    ],
    [
      "parallel loop gang worker vector(q)",
      "target teams distribute parallel for simd /* acc: parallel loop gang worker vector(q) */",
    ],
    ["parallel loop gang vector_length(q)", "target teams distribute parallel for num_threads(q)"],
    ["parallel loop seq", "target teams\n/* acc loop seq */"],
    ["serial loop", "target\n/* acc loop seq */"],
    ["serial", "target"],
    ["kernels loop independent", "target teams distribute parallel for /* acc: kernels loop independent */"],
  ])("%s", (acc, omp) => {
    const expected = acc.replace("async(acc_sync)", "async");
    expect(openmp(expected, LOOP).trim()).toBe(`#pragma omp ${omp}`);
  });

  test("present is an assertion in 5.0 and a modifier in 5.1", () => {
    expect(openmp("parallel loop present(a)", LOOP)).toBe(
      "assert(omp_target_is_present(a, omp_get_default_device())); /* acc: nothing */\n#pragma omp target teams distribute parallel for map(alloc: a) /* acc: parallel loop present(a) */",
    );
    expect(openmp("parallel loop present(a)", LOOP, "5.1")).toBe(
      "#pragma omp target teams distribute parallel for map(present, alloc: a)",
    );
  });

  test("an assertion gets braces where no statement may precede the directive", () => {
    expect(statement(`if (n)\n  #pragma acc parallel loop present(a)\n  ${LOOP}`, "openmp")).toBe(
      [
        "if (n)",
        "  { /* acc: nothing */",
        "  assert(omp_target_is_present(a, omp_get_default_device())); /* acc: nothing */",
        "  #pragma omp target teams distribute parallel for map(alloc: a) /* acc: parallel loop present(a) */",
        `  ${LOOP}`,
        "  } /* acc: nothing */",
      ].join("\n"),
    );
  });

  test("reductions of gang loops move to teams, those inside stay at their loops", () => {
    const code = (one: string, two: string) =>
      `${one}\n{\n${two}\nfor (i = 0; i < n; i++) { double r = 0;\n#pragma acc loop vector reduction(+: r)\nfor (j = 0; j < n; j++) r += j;\ns += r; } }`;
    expect(statement(code("#pragma acc parallel", "#pragma acc loop gang reduction(+: s)"), "openmp")).toBe(
      code(
        "#pragma omp target teams reduction(+: s) map(tofrom: s) /* acc: parallel */",
        "#pragma omp distribute /* acc: loop gang reduction(+: s) */",
      ).replace("#pragma acc loop vector", "#pragma omp parallel for"),
    );
    expect(openmp("parallel loop reduction(+: s)", SUM)).toBe(
      "#pragma omp target teams distribute parallel for reduction(+: s)",
    );
  });

  test("a variable that the construct gives each gang is reduced by loops inside and mapped by nothing", () => {
    expect(
      openmp("serial async(1) private(s)", `{ s = 0;\n#pragma acc loop reduction(+:s)\n${SUM} }`),
    ).toMatch(/^#pragma omp target nowait private\(s\) depend\(inout: queue_of\[1\]\)\n/);
    expect(
      openmp(
        "parallel num_gangs(1) private(s)",
        `{ s = 0;\n#pragma acc loop vector reduction(+:s)\n${SUM} }`,
      ),
    ).toMatch(/^#pragma omp target teams num_teams\(1\) private\(s\)\n/);
  });

  test("sizes go to the loops that have the threads and lanes", () => {
    const nest = (outer: string, middle: string, inner: string) =>
      `${outer}\nfor (i = 0; i < 10; i++) {\n${middle}\nfor (j = 0; j < 10; j++) {\n${inner}\nfor (k = 0; k < 10; k++) m[i][j] = 1; } }`;
    const acc = nest(
      "#pragma acc parallel loop gang num_gangs(3) num_workers(4) vector_length(32)",
      "#pragma acc loop worker",
      "#pragma acc loop vector",
    );
    expect(statement(acc, "openmp")).toBe(
      nest(
        "#pragma omp target teams distribute num_teams(3) /* acc: parallel loop gang num_gangs(3) num_workers(4) vector_length(32) */",
        "#pragma omp parallel for num_threads(4) private(k) /* acc: loop worker */",
        "#pragma omp simd simdlen(32) /* acc: loop vector */",
      ),
    );
  });

  test("scalars that OpenMP's teams or threads would share get clauses", () => {
    const body = "for (i = 0; i < n; i++) { t = b[i]; a[i] = t; }";
    expect(openmp("parallel loop", body)).toBe(
      "#pragma omp target teams distribute parallel for private(t) /* acc: parallel loop */",
    );
    expect(openmp("kernels", "{ t = t + 1; a[0] = t; }")).toBe(
      "#pragma omp target map(tofrom: t) /* acc: kernels */",
    );
    // One of the whole region, although an iteration only sets it.
    const last = "\nfor (i = 0; i < n; i++) if (b[i] > 1) s = i;";
    expect(openmp("parallel copyin(b) copyout(s)", `#pragma acc loop gang vector${last}`)).toBe(
      `#pragma omp target teams map(to: b) map(from: s)\n#pragma omp distribute parallel for /* acc: loop gang vector */${last}`,
    );
    const inside = statement(
      `#pragma acc data copy(s)\n{\n#pragma acc parallel loop\n${LOOP.replace("t", "s")} }`,
      "openmp",
    );
    expect(inside).toContain("map(alloc: s)");
  });

  test("what a pointer without a clause surely leads to is mapped", () => {
    const { text } = translated(
      "void f(int n, double *x) {\n#pragma acc parallel loop\nfor (int i = 0; i < n; i++) x[i] = 1;\n}",
      "openmp",
    );
    expect(text).toContain("map(tofrom: x[0:n > 0 ? n : 0])");
  });

  test("a scalar that gangs change is their own", () => {
    const code = "{ t += 1;\n#pragma acc loop gang vector\nfor (i = 0; i < n; i++) a[i] = t; }";
    expect(statement(`#pragma acc parallel\n${code}`, "openmp")).toMatch(
      /^#pragma omp target teams firstprivate\(t\) \/\* acc: parallel \*\/\n/,
    );
  });
});

test("what gangs must not repeat has one team, as normalisation gives it one gang", () => {
  const code = (loop: string) =>
    `{ t = a[3]; for (i = 0; i < 4; i++) {\n${loop}\nfor (j = 0; j < 100; j++) { t += a[j]; b[j] += i; } } }`;
  const made = statement(
    `#pragma acc parallel copyin(a) copy(b) private(t)\n${code("#pragma acc loop reduction(+: t)")}`,
    "openmp",
  );
  expect(made).toMatch(/^#pragma omp target teams map[^\n]* num_teams\(1\)/);
});

describe("kernels", () => {
  test("loops without a directive get one where analysis proves them parallel", () => {
    const code = "{\n  for (i = 0; i < 100; i++)\n    a[i] = i;\n}";
    expect(statement(`#pragma acc kernels\n${code}`, "openmp")).toBe(
      "#pragma omp target teams /* acc: kernels */\n{\n  #pragma omp distribute parallel for /* acc: nothing */\n  for (i = 0; i < 100; i++)\n    a[i] = i;\n}",
    );
  });

  test("a recurrence stays in order", () => {
    const code = "for (i = 1; i < 100; i++) a[i] = a[i - 1];";
    expect(openmp("kernels", code)).toBe("#pragma omp target /* acc: kernels */");
  });

  test("several nests are regions in a data region", () => {
    const code = "{\nfor (i = 0; i < 100; i++) a[i] = i;\nfor (i = 0; i < 100; i++) b[i] = a[i];\n}";
    expect(statement(`#pragma acc kernels copyout(a, b)\n${code}`, "openmp")).toBe(
      [
        "#pragma omp target data map(from: a, b) /* acc: kernels copyout(a, b) */",
        "{",
        "#pragma omp target teams distribute parallel for /* acc: nothing */",
        "for (i = 0; i < 100; i++) a[i] = i;",
        "#pragma omp target teams distribute parallel for /* acc: nothing */",
        "for (i = 0; i < 100; i++) b[i] = a[i];",
        "}",
      ].join("\n"),
    );
  });
});

test("a nest of kernels whose inner loop has the threads reduces over its teams", () => {
  const code =
    "{\nfor (i = 0; i < 100; i++) a[i] = i;\n#pragma acc loop independent gang reduction(+:s)\nfor (i = 0; i < 100; i++) {\nint t = 0;\n#pragma acc loop vector reduction(+:t)\nfor (int k = 0; k < 100; k++) t += a[k];\ns += t;\n}\n}";
  expect(statement(`#pragma acc kernels copy(a, s)\n${code}`, "openmp")).toContain(
    "#pragma omp target teams distribute reduction(+:s)",
  );
});

describe("statements between the nests of kernels", () => {
  const kernels = (...lines: string[]) => ["{", ...lines, "}"].join("\n");
  const nest = "for (i = 0; i < 100; i++) a[i] = i;";
  const none = "/* acc: nothing */";
  const over = "#pragma omp target teams distribute parallel for";

  test("are regions of one team in their place, several in braces", () => {
    const code = kernels(nest, "t = a[3];", "s = s + 1;", "for (i = 0; i < 100; i++) b[i] = t;");
    expect(statement(`#pragma acc kernels copyout(a, b)\n${code}`, "openmp")).toBe(
      [
        "#pragma omp target data map(from: a, b) map(tofrom: t, s) /* acc: kernels copyout(a, b) */",
        "{",
        `${over} ${none}`,
        nest,
        `#pragma omp target map(tofrom: t, s) ${none}`,
        `{ ${none}`,
        "t = a[3];",
        "s = s + 1;",
        `} ${none}`,
        `${over} map(alloc: t) ${none}`,
        "for (i = 0; i < 100; i++) b[i] = t;",
        "}",
      ].join("\n"),
    );
  });

  test("loops in order are regions of their own, with and without a directive", () => {
    const recurrence = "for (i = 1; i < 100; i++) b[i] = b[i - 1] + a[i];";
    const made = (...middle: string[]) =>
      statement(`#pragma acc kernels copy(a, b)\n${kernels(nest, ...middle)}`, "openmp");
    const wanted = (comment: string): string =>
      [
        "#pragma omp target data map(tofrom: a, b) /* acc: kernels copy(a, b) */",
        "{",
        `${over} ${none}`,
        nest,
        `#pragma omp target ${comment}`,
        recurrence,
        "}",
      ].join("\n");
    expect(made(recurrence)).toBe(wanted(none));
    expect(made("#pragma acc loop auto", recurrence)).toBe(wanted("/* acc: loop auto */"));
  });

  test("have the construct's condition, each part, unless its value may be another for a later part", () => {
    const made = (clauses: string, more = "") =>
      statement(
        `#pragma acc kernels copyout(a, b) ${clauses}\n${kernels(nest, `t = a[3];${more}`, "for (i = 0; i < 100; i++) b[i] = t;")}`,
        "openmp",
      );
    expect(made("if(n > 9) self(s)").match(/#pragma.*/g)).toEqual([
      "#pragma omp target data map(from: a, b) if(target data: (n > 9) && !(s)) map(tofrom: t) /* acc: kernels copyout(a, b) if(n > 9) self(s) */",
      `${over} if(target: (n > 9) && !(s)) ${none}`,
      `#pragma omp target if(target: (n > 9) && !(s)) map(tofrom: t) ${none}`,
      `${over} if(target: (n > 9) && !(s)) map(alloc: t) ${none}`,
    ]);
    const whole = /^#pragma omp target map\(from: a, b\) if\(target: [^\n]*\n\{\n#pragma omp parallel for/;
    for (const [clause, more] of [
      ["if(n > 9)", "n = 3;"],
      ["if(a[0] > 9)", ""],
      ["if(whatever())", ""],
      ["if(table[0] > 9)", ""],
    ] as const)
      expect(made(clause, more)).toMatch(whole);
  });

  test("are one region with the nests, where the construct's own variables pass from one to another", () => {
    const code = kernels(
      "int first = a[0];",
      nest,
      "first += a[1];",
      "for (i = 0; i < 100; i++) b[i] = first;",
    );
    expect(statement(`#pragma acc kernels copyout(a, b)\n${code}`, "openmp")).toMatch(
      /^#pragma omp target map/,
    );
  });
});

describe("a queue that is no constant", () => {
  const queued = (queue: string, loop = "int z = 0; z < 99; z++", behind = ""): string =>
    `for (${loop}) {\n#pragma acc parallel loop async(${queue})\n${LOOP} ${behind} }`;

  test.each([
    ["z"],
    ["z % 2 + z * 3 | 1"],
    ["(z >> 1) ^ z / 3"],
    ["n & 7"],
    ["(long)q"],
    ["(long)z"],
    ["(unsigned)n"],
    ["i", "i = 2; i < 9; i += 3"],
  ])("%s is an element of the array", (queue, loop?: string) => {
    expect(statement(queued(queue, loop), "openmp")).toContain(
      `nowait depend(inout: queue_of[(${queue}) % 64])\n`,
    );
  });

  test.each([
    ["n"],
    ["n % 3"],
    ["z - 1"],
    ["(int)q"],
    ["(signed char)z"],
    ["(signed char)(unsigned char)n"],
    ["i", "i = -1; i < 9; i++"],
    ["i", "i = 9; i > 0; i--"],
    ["i", "i = 0; i < 9; i++", "i = -7;"],
  ])("%s may be negative, and be the synchronous one", (queue, loop?: string, behind?: string) => {
    const element = `queue_of[(${queue}) < 0 ? 64 : (${queue}) % 64]`;
    const none = "/* acc: nothing */";
    const made = statement(queued(queue, loop, behind), "openmp");
    expect(made).toContain(`{ ${none}\n#pragma omp target teams distribute parallel for `);
    expect(made).toContain(` nowait depend(inout: ${element}) /* acc: parallel loop async(${queue}) */\n`);
    expect(made).toContain(
      [
        `\nif ((${queue}) == -2) { ${none}`,
        `#pragma omp taskwait depend(inout: ${element}) ${none}`,
        `} ${none}`,
        `} ${none}`,
      ].join("\n"),
    );
  });

  test("has its wait behind a directive for data, and what a call gives is needed once", () => {
    expect(statement("#pragma acc update self(a) async(n)\nn++;", "openmp")).toMatch(
      /^#pragma omp target update from\(a\) nowait .*\nif \(\(n\) == -2\) \{.*\n#pragma omp taskwait .*\n\} .*\nn\+\+;$/,
    );
    expect(refusals(queued("whatever()"), "openmp")).toEqual([
      "2:27 the queue 'whatever()' may be negative, and its value is needed several times",
    ]);
  });
});

describe("a directive for data", () => {
  test.each([
    ["data copyin(a) create(b)\n{ n = 1; }", "target data map(to: a) map(alloc: b)\n{ n = 1; }"],
    ["data if(n) copy(a)\n{ n = 1; }", "target data if(n) map(tofrom: a)\n{ n = 1; }"],
    [
      "enter data copyin(a) create(b) async(1)",
      "target enter data map(to: a) map(alloc: b) nowait depend(inout: queue_of[1])",
    ],
    ["exit data copyout(a) delete(b)", "target exit data map(from: a) map(release: b)"],
    ["exit data delete(b) finalize", "target exit data map(delete: b)"],
    [
      "exit data copyout(a) delete(b) finalize async(1)",
      "target update from(a) nowait depend(inout: queue_of[1]) /* acc: exit data copyout(a) delete(b) finalize async(1) */\n#pragma omp target exit data map(delete: a) map(delete: b) nowait depend(inout: queue_of[1]) /* acc: nothing */",
    ],
    [
      "update self(a) device(b[0:n])",
      "target update from(a) to(b[0:n]) /* acc: update self(a) device(b[0:n]) */",
    ],
    [
      "update host(a) if(n) async(3)",
      "target update if(n) from(a) nowait depend(inout: queue_of[3]) /* acc: update host(a) if(n) async(3) */",
    ],
    ["host_data use_device(x)\n{ n = 1; }", "target data use_device_ptr(x)\n{ n = 1; }"],
    ["host_data use_device(a)\n{ n = 1; }", "target data use_device_addr(a)\n{ n = 1; }"],
    ["wait(1)", "taskwait depend(inout: queue_of[1])"],
    ["wait", "taskwait"],
    ["wait(-1)", "taskwait depend(inout: queue_of[64])"],
    ["wait(1, 2) async", "task depend(in: queue_of[1], queue_of[2]) depend(inout: queue_of[64])\n;"],
    ["data deviceptr(x) copy(a)\n{ n = 1; }", "target data map(tofrom: a)\n{ n = 1; }"],
    [
      "host_data use_device(a, x) if(n)\n{ n = 1; }",
      "target data if(n) use_device_ptr(x) use_device_addr(a)\n{ n = 1; }",
    ],
    ["wait(1, 2) async(3)", "task depend(in: queue_of[1], queue_of[2]) depend(inout: queue_of[3])\n;"],
  ])("%s", (acc, omp) => {
    expect(statement(`#pragma acc ${acc}\nn++;`, "openmp")).toBe(`#pragma omp ${omp}\nn++;`);
  });

  test("update states in 5.1 that data must be present", () => {
    expect(openmp("update self(a)", "n++;", "5.1")).toBe("#pragma omp target update from(present: a)");
    expect(openmp("update self(a) if_present", "n++;", "5.1")).toBe("#pragma omp target update from(a)");
  });

  test("set device_num is a call", () => {
    expect(openmp("set device_num(n)", "n++;")).toBe("omp_set_default_device(n);");
    expect(openmp("set device_num(2) if(n)", "n++;")).toBe("if (n) omp_set_default_device(2);");
    expect(openmp("init", "n++;")).toBe("n++;");
  });
});

test("atomics are the same words", () => {
  for (const what of ["", " update", " capture", " read", " write"]) {
    const code =
      what === " capture" || what === " read" ? "j = s;" : what === " write" ? "s = i;" : "s += 1;";
    const statement_ = what === " capture" ? "j = s++;" : code;
    const loop = (word: string) =>
      `for (i = 0; i < n; i++) { int j;\n#pragma ${word} atomic${what}\n${statement_} }`;
    expect(statement(`#pragma acc parallel loop copy(s)\n${loop("acc")}`, "openmp")).toBe(
      `#pragma omp target teams distribute parallel for map(tofrom: s)\n${loop("omp")}`,
    );
  }
});

test("a variable of atomics outside of the loop's directive stays shared", () => {
  const code = `#pragma acc parallel copy(s)
{
#pragma acc loop
for (i = 0; i < n; i++) {
#pragma acc atomic write
s = i;
} }`;
  expect(statement(code, "openmp")).toContain("#pragma omp distribute parallel for\n");
});

test("a task of OmpSs on a function stays, and a warning says where", () => {
  const tasks =
    "#pragma omp target device(smp)\n#pragma omp task inout(*p)\nvoid f(int *p);\n#pragma oss task in(*q)\nvoid g(int *q);\n";
  const { text, diagnostics } = translated(tasks, "openmp");
  expect(text).toBe(tasks);
  expect(diagnostics.map((d) => `${d.severity} ${d.loc.line}:${d.loc.col} ${d.message}`)).toEqual([
    "warning 2:13 the task 'f' stays: a task on a function is OmpSs, and OpenMP has none",
    "warning 4:13 the task 'g' stays: a task on a function is OmpSs, and OpenMP has none",
  ]);
});

test("a pointer at file scope that a region sets and a function uses is one for both", () => {
  const code = (pragma: string, more = "") =>
    `static double *row;\n${more}static double at(int i) { return row[i]; }\nvoid f(double *x, double *r) {\n${pragma}\n{ row = x; r[0] = at(3); }\n}\n`;
  const { text } = translated(code("#pragma acc serial copyin(x[0:9]) copyout(r[0:1])"), "openmp");
  expect(text).toBe(
    code(
      "#pragma omp target map(to: x[0:9]) map(from: r[0:1])",
      "#pragma omp declare target to(row) /* acc: nothing */\n",
    ),
  );
  expect(translated(text, "openacc").text).toBe(
    code("#pragma acc serial copyin(x[0:9]) copyout(r[0:1])", "#pragma acc routine seq\n"),
  );
  const ofHost = `${code("#pragma acc serial copyin(x[0:9]) copyout(r[0:1])")}void g(double *x) { row = x; }`;
  expect(translated(ofHost, "openmp").diagnostics.map(({ loc }) => `${loc.line}:${loc.col}`)).toEqual([
    "7:21",
  ]);
});

test("a wait with a condition stands in an if", () => {
  const acc = "n++;\n#pragma acc wait(1) if(k > 2)\nn++;";
  const there = statement(acc, "openmp");
  expect(there).toBe(
    "n++;\nif (k > 2) { /* acc: nothing */\n#pragma omp taskwait depend(inout: queue_of[1]) /* acc: wait(1) if(k > 2) */\n} /* acc: nothing */\nn++;",
  );
  const { text } = translated(inFunction(acc), "openmp");
  expect(translated(text, "openacc").text).toBe(inFunction(acc));
});

test("a shuffle stays, and a warning says where", () => {
  const code = `
#pragma omp target teams num_teams(1)
#pragma omp parallel num_threads(32) shuffle(t)
{
#pragma omp shuffle down(-1, 1, t +=, t)
}
#pragma acc parallel loop
${LOOP}`;
  const { text, diagnostics } = translated(inFunction(code), "openmp");
  expect(text).toContain("#pragma omp shuffle down(-1, 1, t +=, t)");
  expect(text).toContain("#pragma omp target teams distribute parallel for");
  expect(
    diagnostics.map(({ severity, loc, message }) => `${severity} ${loc.line - 3}:${loc.col} ${message}`),
  ).toEqual([
    "warning 3:38 the clause 'shuffle' stays: it is an extension of OpenMP that arc and REX know",
    "warning 5:13 the directive 'shuffle' stays: it is an extension of OpenMP that arc and REX know",
  ]);
});

test("calls of the API are found without its header, and its prototypes stay", () => {
  const made = translated("void acc_wait(int);\nvoid f(void) { acc_wait(1); }\n", "openmp");
  expect(made.text).toContain("void acc_wait(int);\nvoid f(void) {");
  expect(made.text).not.toContain("acc_wait(1)");
  const number =
    "enum { acc_device_default }; int acc_get_device_type(void); void acc_set_device_num(int, int);\n";
  const call = "void f(void) { acc_set_device_num(1, acc_get_device_type()); }\n";
  expect(translated(number + call, "openmp").text).toContain("{ omp_set_default_device(1); }");
  const refused = "int acc_async_test(int);\nint f(int q) { return acc_async_test(q); }\n";
  expect(translated(refused, "openmp").diagnostics[0]).toMatchObject({ loc: { line: 2, col: 23 } });
});

describe("between functions", () => {
  const whole = (text: string): string => {
    const { text: made, diagnostics } = translated(text, "openmp");
    expect(diagnostics).toEqual([]);
    return made;
  };

  test("routine encloses its function, or names it", () => {
    expect(whole("#pragma acc routine seq\nint g(int a)\n{ return a; }\n")).toBe(
      "#pragma omp declare target\nint g(int a)\n{ return a; }\n#pragma omp end declare target\n",
    );
    expect(whole("int g(int);\n#pragma acc routine(g) seq\n")).toBe(
      "int g(int);\n#pragma omp declare target to(g)\n",
    );
  });

  test("loops of a routine follow their own levels, as the callers have those around", () => {
    const inner = "for (int i = 0; i < n; i++)";
    expect(
      whole(
        `#pragma acc routine worker\nvoid g(int *p, int n) {\n#pragma acc loop worker\n${inner} {\n#pragma acc loop vector\n${inner.replaceAll("i", "j").replace("jnt", "int")} p[j] = 1; } }\n`,
      ),
    ).toMatch(/#pragma omp parallel for\nfor .*\n#pragma omp simd\nfor/);
    expect(
      whole(
        `#pragma acc routine vector\nvoid g(int *p, int n) { int s = 0;\n#pragma acc loop vector reduction(+: s)\n${inner} s += p[i];\n#pragma acc loop seq\n${inner} p[i] += s; }\n`,
      ),
    ).toMatch(/#pragma omp simd reduction\(\+: s\)\nfor .*\n\/\* acc loop seq \*\/\nfor/);
    expect(
      whole(
        `#pragma acc routine gang\nvoid g(int *p, int n) {\n#pragma acc loop gang vector\n${inner} p[i] = 1; }\n`,
      ),
    ).toContain("#pragma omp distribute parallel for\nfor");
  });

  test.each([
    ["#pragma acc routine seq bind(h)\nvoid g(int *p);", /another name on the device is a 'declare variant'/],
    ["#pragma acc routine seq nohost\nvoid g(int *p);", /'nohost' needs the list form/],
    ["#pragma acc routine(g) seq\nint g(int);", /'g' is declared behind the directive/],
    ["int v[3];\n#pragma acc declare copy(v)\n", /a variable of the file that is 'copy'/],
  ])("%s is refused", (text, message) => {
    expect(
      translated(text, "openmp")
        .diagnostics.map((d) => d.message)
        .join(),
    ).toMatch(message);
  });

  test("a routine without code for the host is one by its list form", () => {
    expect(whole("void g(int *p);\n#pragma acc routine(g) seq nohost\n")).toContain(
      "#pragma omp declare target to(g) device_type(nohost)\n",
    );
  });

  test("declare is declare target", () => {
    expect(whole("int a[9], b;\n#pragma acc declare create(a) copyin(b)\n")).toBe(
      "int a[9], b;\n#pragma omp declare target to(a)\n#pragma omp declare target to(b)\n",
    );
    expect(whole("int a[9];\n#pragma acc declare link(a)\n")).toBe(
      "int a[9];\n#pragma omp declare target link(a)\n",
    );
  });
});

describe("the user's text", () => {
  test.each(["\n", "\r\n"])("has line ends that inserted lines have, too: %j", (end) => {
    const code = `#pragma acc parallel loop async(1) present(a)\n${LOOP}\n#pragma acc wait`;
    const { text, diagnostics } = translated(inFunction(code).replaceAll("\n", end), "openmp");
    expect(diagnostics).toEqual([]);
    expect(text).toContain("queue_of[");
    expect(text).toContain("assert(");
    expect(text.match(/\r?\n/g)?.filter((found) => found !== end)).toEqual([]);
  });

  test("keeps its spacing, comments, macros and continued lines", () => {
    const source = (pragma: string, gap: string) =>
      [
        "#define N 100",
        "#define SIZE(n) ((n) * 2)",
        "int a[100]; /* a */",
        "void f(void) {",
        `\t${pragma}${gap}(a[0:N]) \\`,
        "\t  num_teams(SIZE(2)) // why",
        "\tfor (int i = 0;i<100;i++)   a[i]=i;",
        "}",
      ].join("\n");
    const acc = source("#  pragma acc parallel loop", " \\\n\t    copy").replace("num_teams", "num_gangs");
    const { text } = translated(acc, "openmp");
    expect(text).toBe(
      source("#pragma omp target teams distribute parallel for", " \\\n\t    map").replace(
        "(a[0:N])",
        "(tofrom: a[0:N])",
      ),
    );
  });

  test("_Pragma stays an operator", () => {
    const source = (text: string) =>
      `int a[9];\nvoid f(void) { _Pragma("${text}") for (int i = 0; i < 9; i++) a[i] = i; }\n`;
    expect(translated(source("acc parallel loop"), "openmp").text).toBe(
      source("omp target teams distribute parallel for"),
    );
  });

  test("edits do not overlap", () => {
    expect(
      applyEdits("abc", [
        { start: 1, end: 2, text: "B" },
        { start: 3, end: 3, text: "d" },
      ]),
    ).toBe("aBcd");
    expect(() =>
      applyEdits("abc", [
        { start: 0, end: 2, text: "" },
        { start: 1, end: 3, text: "" },
      ]),
    ).toThrow("overlap");
  });
});

it("maps a variable that a loop names in reduction and never mentions", () => {
  const text = `#pragma acc serial copy(a)\n{\n#pragma acc loop worker reduction(+:s)\n  ${LOOP}\n}`;
  expect(statement(text, "openmp", "5.0")).toMatch(/^#pragma omp target map\(tofrom: a\).* map\(tofrom: s\)/);
});

describe("constructs that OpenMP cannot express are refused at their location", () => {
  test.each([
    [
      "parallel loop no_create(a)",
      LOOP,
      "1:27 OpenMP has no clause that maps a variable only where it is on the device already",
    ],
    [
      "parallel loop copyout(zero: a)",
      LOOP,
      "1:27 OpenMP does not set memory of the device to zero when it maps it",
    ],
    [
      "parallel loop copy(alwaysin: a)",
      LOOP,
      "1:27 'always' of OpenMP's map(tofrom:) is for both ways, 'alwaysin' for one",
    ],
    [
      "parallel loop device_type(host) num_gangs(2)",
      LOOP,
      "1:27 clauses for one type of device have no plain counterpart in OpenMP",
    ],
    [
      "parallel loop async(n++)",
      LOOP,
      "1:27 the queue 'n++' may be negative, and its value is needed several times",
    ],
    [
      "parallel loop wait(devnum: 1: queues: 2)",
      LOOP,
      "1:27 tasks of OpenMP depend on objects, not on another device's queues",
    ],
    ["wait(devnum: 1: 2)", "n++;", "1:13 tasks of OpenMP depend on objects, not on another device's queues"],
    [
      "enter data attach(x)",
      "n++;",
      "1:24 'attach' has no counterpart in OpenMP: pointers are attached when what they lead to is mapped",
    ],
    [
      "update self(m[2:3][1:3])",
      "n++;",
      "1:25 'm[2:3][1:3]' is not one piece of memory, which OpenMP's clauses need",
    ],
    ["shutdown", "n++;", "1:13 OpenMP has no directive that ends the use of a device"],
    [
      "data copy(a)\n{\n#pragma acc exit data copyout(a)\n}",
      "n++;",
      "3:31 'a' is mapped by the 'data' of line 4, and by no 'enter data': OpenMP ends that region's copy here, and OpenACC does not",
    ],
    [
      "data copy(a)\n{\n#pragma acc enter data copyin(a)\n#pragma acc exit data copyout(a) finalize\n}",
      "n++;",
      "4:31 'a' is mapped by the 'data' of line 4, and all references to it end here: OpenMP ends that region's copy here, and OpenACC does not",
    ],
    [
      "parallel\n{ int before = s;\n#pragma acc loop gang reduction(+: s)\nfor (i = 0; i < n; i++) s += before; }",
      "n++;",
      "2:16 's' is used outside of the loop that reduces it, and OpenMP reduces it over all of the teams' code",
    ],
    ["wait async(1)", "n++;", "1:18 OpenMP's tasks depend on named ones: none can wait for all that runs"],
    ["set default_async(2)", "n++;", "1:17 OpenMP has no default queue"],
    [
      "data copy(x)",
      "{ n = 1; }",
      "1:23 'x' is a pointer: OpenMP would map the pointer itself, not what it leads to",
    ],
    ["parallel loop copyin(capture: a)", LOOP, "1:27 OpenMP has no word for `capture`"],
    [
      "parallel loop copyin(a[0:50]) copy(a)",
      LOOP,
      "1:48 'a' stands in two data clauses, of which OpenMP takes one",
    ],
    [
      "parallel loop private(m[0:2])",
      LOOP,
      "1:35 'm[0:2]' is a part of a variable, and OpenMP's 'private' takes whole ones",
    ],
    ["parallel loop gang(dim: 2)", LOOP, "1:27 OpenMP's leagues of teams have one dimension"],
    [
      "parallel num_gangs(2, 3)",
      `{\n#pragma acc loop gang\n${LOOP} }`,
      "1:13 OpenMP's leagues of teams have one dimension",
    ],
    [
      "parallel loop collapse(force: 2)",
      "for (i = 0; i < 9; i++) { t = 1; for (j = 0; j < 9; j++) m[i][j] = t; }",
      "1:27 OpenMP collapses loops of which each holds the next and nothing else",
    ],
    [
      "parallel copy(s)",
      "{\n#pragma acc atomic\ns += 1; }",
      "3:13 every gang makes this update, and OpenMP has no 'atomic' for code of teams outside of loops",
    ],
    [
      "parallel loop copy(s)",
      "for (i = 0; i < n; i++) {\n#pragma acc atomic if(n)\ns += 1; }",
      "3:20 OpenMP's 'atomic' has no condition",
    ],
    [
      "parallel loop private(a)",
      "for (int l = 0; l < 9; l++) { a[0] = 7;\n#pragma acc loop seq private(a)\nfor (int k = 0; k < 9; k++) { a[0] = 1; x[k] += a[0]; } x[l] += a[0]; }",
      "3:30 'loop' runs in order here: OpenMP has no directive for it, and so none by which 'a' would be its own",
    ],
    [
      "parallel private(t)",
      "{ t = 1;\n#pragma acc loop seq private(t)\nfor (int l = 0; l < 9; l++) { t = l; x[l] = t; } x[9] = t; }",
      "3:30 'loop' runs in order here: OpenMP has no directive for it, and so none by which 't' would be its own",
    ],
    [
      "parallel loop gang",
      "for (i = 0; i < n; i++) {\n#pragma acc loop seq\nfor (k = 0; k < 3; k++) a[i] += k; s = k; }",
      "3:13 the loop runs in order and has no directive in OpenMP, by which 'k' would be its own",
    ],
  ])("%s", (pragma, code, refusal) => {
    expect(refusals(`#pragma acc ${pragma}\n${code}`, "openmp")).toEqual([refusal]);
  });
});

describe("default(none)", () => {
  const acc =
    "#pragma acc parallel loop copy(x[0:n]) copyin(y[0:n]) firstprivate(n, t) default(none) gang vector\nfor (int i = 0; i < n; i++) x[i] += t * y[i];";

  it("is defaultmap(none), and comes back", () => {
    const omp = statement(acc, "openmp");
    expect(omp).toContain("firstprivate(n, t) defaultmap(none)");
    expect(statement(omp, "openacc")).toContain("firstprivate(n, t) default(none)");
  });

  it("goes where a data construct around it names a variable", () => {
    const held = acc.replace(" copy(x[0:n])", "");
    expect(statement(`#pragma acc data copy(x[0:n])\n${held}`, "openmp")).not.toContain("defaultmap");
  });
});

describe("advice that OpenMP has no word for stays as a comment", () => {
  const source = `#define IN_ORDER _Pragma("acc loop seq") \\
  for (int k = 0; k < 4; k++) b[i] += k;
/* acc wait */ const char *text = "/* acc loop seq */"; // /* acc loop seq */
void f(int n, float *restrict a, float *restrict b) {
#pragma acc parallel loop copyin(readonly: a[0:n]) copyout(b[0:n]) gang vector
  for (int i = 0; i < n; i++) {
#pragma acc cache(readonly: \\
    a[i - 1:3])
    b[i] = 0;
    #pragma acc loop seq // few
    for (int k = 0; k < 3; k++)
      b[i] += a[i + k];
  }
}
`;
  const there = translated(source, "openmp");

  test("that is a directive again in OpenACC", () => {
    expect(there.diagnostics).toEqual([]);
    expect(there.text.match(/\/\*.*?\*\/.*/g)).toEqual([
      '/* acc wait */ const char *text = "/* acc loop seq */"; // /* acc loop seq */',
      "/* readonly */ a[0:n]) map(from: b[0:n]) /* acc: parallel loop copyin(readonly: a[0:n]) copyout(b[0:n]) gang vector */",
      "/* acc cache(readonly: a[i - 1:3]) */",
      "/* acc loop seq */ // few",
    ]);
    const back = translated(there.text, "openacc").text;
    expect(back).toBe(source.replace(/ \\\n {4}a/, " a"));
  });

  test("that is an operator in macros and beside code", () => {
    const code = there.text
      .replace('_Pragma("acc loop seq")', "/* acc loop seq */")
      .replace("  for (int k = 0; k < 3", "  if (n) /* acc loop seq */\n$&");
    expect(translated(code, "openacc").text.match(/.*_Pragma.*/g)).toEqual([
      '#define IN_ORDER _Pragma("acc loop seq") \\',
      '    if (n) _Pragma("acc loop seq")',
    ]);
  });

  test.each(["gcc", "clang-15"])("and that %s says nothing of", (compiler) => {
    const args = ["-Wall", "-Wextra", "-Werror", "-Wno-unused", "-fopenmp", "-fsyntax-only", "-x", "c", "-"];
    execFileSync(compiler, args, { input: there.text, stdio: "pipe" });
  });
});

describe("copies of variables for a loop that runs in order", () => {
  const inner = "for (int l = 0; l < 9; l++) { t = i; a[i] += t; }";

  test("are those of the loop around it that has a directive", () => {
    expect(
      statement(
        `#pragma acc parallel loop copy(a)\nfor (i = 0; i < 100; i++)\n#pragma acc loop seq private(t)\n${inner}`,
        "openmp",
      ),
    ).toBe(
      "#pragma omp target teams distribute parallel for map(tofrom: a) private(t) " +
        "/* acc: parallel loop copy(a) */\nfor (i = 0; i < 100; i++)\n" +
        `/* acc: loop seq private(t) */\n${inner}`,
    );
  });

  test("or those of the region", () => {
    const body = `{\n  #pragma acc loop seq private(t)\n  ${inner}\n}`;
    expect(statement(`#pragma acc parallel num_gangs(2) copy(a)\n${body}`, "openmp")).toBe(
      "#pragma omp target teams num_teams(2) map(tofrom: a) private(t) " +
        `/* acc: parallel num_gangs(2) copy(a) */\n{\n  /* acc: loop seq private(t) */\n  ${inner}\n}`,
    );
  });
});
