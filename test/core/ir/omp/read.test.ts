import { describe, expect, test } from "vitest";
import { spmdOf } from "../../../../core/ir/model/region.ts";
import { normalise, tasksOf } from "../../../../core/ir/normalise/normalise.ts";
import { verify } from "../../../../core/ir/verify/verify.ts";
import { printExpr } from "../../../../core/lang/index.ts";
import {
  accepted,
  complaints,
  functionOf,
  inFunction,
  nodeIn,
  nodes,
  nodesIn,
  normalised,
  places,
  read,
  taskIn,
  tasks,
} from "../reading.ts";

const FOR = "for (i = 0; i < n; i++)";

/** How the region sees each variable. */
const seen = (statements: string): string[] =>
  taskIn(statements)
    .items.map((i) => `${i.sym.name} ${i.sharing.is} ${i.mapping.is}`)
    .sort();

describe("data", () => {
  const items = (line: string) =>
    nodesIn(`\n#pragma omp ${line}\n;`, line.startsWith("target data") ? "data" : "data-move").flatMap((n) =>
      n.items.map(({ written, mapping }) => {
        const { is, vis: _, ...flags } = mapping;
        return `${written} ${[is, ...Object.keys(flags)].join(" ")}`;
      }),
    );
  test.each([
    ["target data map(a) map(to: b) map(from: x[0:n])", "a tofrom", "b to", "x[0:n] from"],
    ["target data map(alloc: a) map(present, alloc: b)", "a allocate", "b present"],
    ["target data map(always, tofrom: a)", "a tofrom alwaysIn alwaysOut"],
    ["target enter data map(to: a) map(alloc: b)", "a to", "b allocate"],
    [
      "target exit data map(from: a) map(release: b) map(delete: x[0:n])",
      "a from",
      "b delete",
      "x[0:n] delete finalize",
    ],
    ["target exit data map(present, from: a) map(present, always, from: b)", "a from", "b from alwaysOut"],
    ["target update to(a) from(present: b[1:2])", "a update-device ifPresent", "b[1:2] update-self"],
  ])("%s", (line, ...wanted) => {
    expect(items(line)).toEqual(wanted);
  });

  test("a map type that the directive has no use for is refused", () => {
    expect(complaints("\n#pragma omp target exit data map(to: a)\n;")).toEqual(["2:30 map-type"]);
    expect(complaints("\n#pragma omp target data map(delete: a)\n;")).toEqual(["2:25 map-type"]);
    expect(complaints("\n#pragma omp target enter data\n;")).toEqual(["2:13 data-without-clause"]);
  });

  test("addresses of the device are known inside the data region", () => {
    const data = nodeIn("\n#pragma omp target data map(x[0:n]) use_device_ptr(x)\n{ whatever(); }", "data");
    expect(nodes(data.body, "host-data").map((h) => h.variables.map((v) => v.name))).toEqual([["x"]]);
  });
});

describe("a region sees", () => {
  test("scalars as its own, arrays and structures as the program's, pointers as they are present", () => {
    expect(
      seen(`\n#pragma omp target teams distribute parallel for\n${FOR} { a[i] = x[i] + p.first + t; }`),
    ).toEqual([
      "a shared tofrom",
      "n firstprivate none",
      "p shared tofrom",
      "t firstprivate none",
      "x shared present",
    ]);
  });

  test("its own copy of a scalar that a data region around has mapped", () => {
    expect(seen(`\n#pragma omp target data map(t)\n#pragma omp target\n a[0] = t;`)).toContain(
      "t firstprivate none",
    );
    expect(seen(`\n#pragma acc data copy(t)\n#pragma omp target\n a[0] = t;`)).toContain(
      "t firstprivate none",
    );
    expect(seen(`\n#pragma omp target data map(t)\n#pragma omp target map(t)\n a[0] = t;`)).toContain(
      "t shared tofrom",
    );
  });

  test("its own copy of a variable of the file, unless that lives on the device", () => {
    const region = "void f(void) {\n#pragma omp target\n g += 1;\n}";
    const of = (before: string) =>
      tasks(`${before}\n${region}`)[0]?.items.map((i) => `${i.sharing.is} ${i.mapping.is}`);
    expect(of("int g;")).toEqual(["firstprivate none"]);
    expect(of("#pragma omp declare target\nint g;\n#pragma omp end declare target")).toEqual([
      "shared present",
    ]);
    expect(of("int g;\n#pragma omp declare target(g)")).toEqual(["shared present"]);
  });

  test("what the constructs inside it have for themselves", () => {
    const nest = (teams: string) =>
      `\n#pragma omp target data map(t)\n#pragma omp target\n#pragma omp ${teams}\nfor (i = 0; i < 9; i++) { t = 0;\n#pragma omp parallel for reduction(+: t)\nfor (j = 0; j < 9; j++) t += m[i][j];\na[i] = t; }`;
    expect(complaints(nest("teams distribute private(t)"))).toEqual([]);
    expect(complaints(nest("teams private(t)\n#pragma omp distribute"))).toEqual([]);
    expect(complaints(nest("teams distribute"))).toEqual(["6:39 teams-meet"]);
  });

  test("the effect of defaultmap on other variables", () => {
    const by = (clause: string) =>
      seen(`\n#pragma omp target teams loop defaultmap(${clause}) map(to: x[0:n])\n${FOR} a[i] = x[i] + t;`);
    expect(by("tofrom: scalar")).toEqual([
      "a shared tofrom",
      "n shared tofrom",
      "t shared tofrom",
      "x shared to",
    ]);
    expect(by("from: aggregate")).toContain("a shared from");
    expect(by("default")).toContain("t firstprivate none");
    const none = `\n#pragma omp target teams loop defaultmap(none) map(a)\n${FOR} a[i] = t;`;
    expect(complaints(none)).toEqual(["3:17 default-none", "3:32 default-none"]);
  });
});

describe("default(none)", () => {
  test("names each variable that no clause names", () => {
    expect(
      complaints(
        `\n#pragma omp target teams distribute parallel for default(none) shared(a)\n${FOR} a[i] = t;`,
      ),
    ).toEqual(["3:17 default-none", "3:32 default-none"]);
  });

  test("holds for what clauses of any kind name", () => {
    const clauses = "default(none) shared(n) map(a) firstprivate(t) reduction(+: s)";
    const loop = `\n#pragma omp target teams distribute parallel for ${clauses}\n${FOR} { a[i] = t; s += i; }`;
    expect(complaints(loop)).toEqual([]);
  });
});

describe("copies of a loop", () => {
  const body = (clauses: string, statement: string) => {
    const [loop] = nodesIn(
      `\n#pragma omp target teams distribute parallel for ${clauses}\n${FOR} ${statement}`,
      "loop",
    );
    return loop?.body;
  };

  test("firstprivate begins every iteration anew where the loop changes the variable", () => {
    expect(body("firstprivate(t)", "a[i] = t;")?.kind).toBe("expr");
    expect(body("firstprivate(t)", "{ t += i; a[i] = t; }")).toMatchObject({
      body: [{ kind: "decl", decls: [{ sym: { name: "t_own" } }] }, { kind: "compound" }],
    });
  });

  test("lastprivate leaves the last iteration's value behind", () => {
    const made = body("lastprivate(t)", "t = i;");
    expect(made).toMatchObject({ body: [{ kind: "decl" }, { kind: "expr" }, { kind: "if" }] });
    const [, , last] = made?.kind === "compound" ? made.body : [];
    expect(last?.kind === "if" && printExpr(last.test)).toBe("!((long)i + 1 < n)");
    expect(
      seen(`\n#pragma omp target teams distribute parallel for lastprivate(t)\n${FOR} t = i;`),
    ).toContain("t shared tofrom");
  });
});

describe("levels", () => {
  const levels = (statements: string) =>
    nodes(spmdOf(taskIn(statements)).body, "loop").map(
      (l) => l.parallel.levels.join(" ") || l.parallel.independence,
    );
  const nest = (outer: string, inner: string) =>
    `\n#pragma omp ${outer}\nfor (i = 0; i < 10; i++)\n#pragma omp ${inner}\nfor (j = 0; j < 10; j++) m[i][j] = 1;`;

  test("threads are vector lanes, or workers around simd", () => {
    expect(levels(nest("target teams distribute", "parallel for"))).toEqual(["gang", "vector"]);
    expect(levels(nest("target teams distribute parallel for", "simd"))).toEqual(["gang worker", "vector"]);
  });

  test("a parallel construct inside a thread has that thread alone", () => {
    expect(levels(nest("target teams distribute parallel for", "parallel for"))).toEqual([
      "gang vector",
      "seq",
    ]);
  });

  test("a simd loop runs in order where its iterations may meet", () => {
    const loop = "\n#pragma omp target simd\nfor (i = 0; i < 99; i++) a[i] = a[i + 1];";
    const [task] = tasksOf(normalise(accepted(inFunction(loop))));
    expect(task && nodes(task.task.body, "loop").map((l) => l.parallel.independence)).toEqual(["seq"]);
  });

  test("target with code between its loops has one team", () => {
    const statements = `\n#pragma omp target map(t)\n{ t = 1;\n#pragma omp parallel for\n${FOR} a[i] = t; }`;
    const { numTeams } = spmdOf(taskIn(statements));
    expect(numTeams && printExpr(numTeams)).toBe("1");
  });
});

describe("what would go wrong without a word is refused", () => {
  const inTarget = (statements: string, clauses = "") => `\n#pragma omp target ${clauses}\n{ ${statements} }`;
  test.each([
    [
      "a number of threads that is not known, where they meet",
      inTarget("\n#pragma omp parallel num_threads(n)\n{ s = 1;\n#pragma omp barrier\n}", "map(s)"),
      "4:22 parallel-block",
    ],
    [
      "a reduction that nobody declared",
      inTarget(`\n#pragma omp parallel for reduction(mine: s)\n${FOR} s += i;`, "map(s)"),
      "4:42 user-defined-reduction",
    ],
    [
      "different numbers of threads, where they meet",
      inTarget(
        "\n#pragma omp parallel num_threads(4)\n{ s = 1; }\n#pragma omp parallel num_threads(2)\n{ s = 1;\n#pragma omp barrier\n}",
        "map(s)",
      ),
      "6:13 parallel-block",
    ],
    [
      "single in a loop of threads",
      inTarget(`\n#pragma omp parallel for\n${FOR} {\n#pragma omp single\nn++; }`),
      "6:13 construct-nesting",
    ],
    [
      "a barrier of one thread",
      inTarget("\n#pragma omp parallel\n{\n#pragma omp single\n{\n#pragma omp barrier\n} }"),
      "8:13 construct-nesting",
    ],
    [
      "a barrier in a loop of threads",
      inTarget(`\n#pragma omp parallel for\n${FOR} {\n#pragma omp barrier\n}`),
      "6:13 construct-nesting",
    ],
    ["the device's parent", "\n#pragma omp target device(ancestor: 1)\n;", "2:20 unsupported-clause"],
    [
      "an atomic comparison that changes another variable",
      inTarget("\n#pragma omp atomic compare\nif (s == n) t = 1;", "map(s)"),
      "5:1 atomic-form",
    ],
    [
      "an atomic comparison that captures without saying so",
      inTarget("\n#pragma omp atomic compare\n{ t = s; if (s == n) s = 1; }", "map(s)"),
      "5:1 atomic-form",
    ],
    ["an atomic of two", inTarget("\n#pragma omp atomic\ns = s + t + n;", "map(s)"), "5:1 atomic-form"],
    ["teams beside other code", inTarget("n = 1;\n#pragma omp teams\n{ n = 2; }"), "4:1 construct-nesting"],
    [
      "distribute outside teams",
      inTarget(`\n#pragma omp distribute\n${FOR} a[i] = 1;`),
      "4:13 construct-nesting",
    ],
    [
      "a shared loop in another",
      inTarget(`\n#pragma omp parallel for\n${FOR}\n#pragma omp for\nfor (j = 0; j < 9; j++) ;`),
      "6:13 construct-nesting",
    ],
    [
      "a lost result",
      `\n#pragma omp target\n#pragma omp teams loop reduction(+: s)\n${FOR} s += i;`,
      "3:37 result-lost",
    ],
    [
      "a count that nothing reads",
      `\n#pragma omp target teams loop\n${FOR} {\n#pragma omp atomic\ns++; }`,
      "5:1 result-lost",
    ],
    [
      "a pointer that the region changes and that would be brought back",
      "\n#pragma omp target map(tofrom: x)\nx = 0;",
      "3:1 pointer-kept",
    ],
    [
      "an iterator whose range is not known, of rows whose table no clause maps",
      "int *q[9];\n#pragma omp target map(iterator(k = n:0:-1), to: q[k][0:1])\nn = 1;",
      "2:50 iterator-range",
    ],
    ["a mapper that nobody declared", inTarget("n = 1;", "map(mapper(mine), to: s)"), "2:42 unknown-mapper"],
    [
      "a shape with too few sections",
      "\n#pragma omp target update to(([n][2]x)[0:n])",
      "2:30 section-of-shape",
    ],
    ["OpenACC inside", inTarget(`\n#pragma acc loop\n${FOR} a[i] = 1;`), "4:13 mixed-models"],
  ])("%s", (_, statements, wanted) => {
    expect(complaints(statements)).toEqual(expect.arrayContaining([wanted]));
  });

  test("a region inside OpenACC's, and in itself", () => {
    const inside = (outer: string) =>
      places(verify(read(inFunction(`\n#pragma ${outer}\n{ s = 1;\n#pragma omp target\n{ s = 2; } }`))));
    expect(inside("acc parallel")).toEqual(["8:13 nested-region"]);
    expect(inside("omp target")).toEqual(["8:13 nested-region"]);
  });
});

describe("contradictory or ineffective clauses are refused", () => {
  test.each([
    ["target private(t) firstprivate(t)", "2:44 conflicting-sharing"],
    ["target teams reduction(+: s) shared(s)", "2:49 conflicting-sharing"],
    ["target private(t, t)", "2:31 duplicate-variable"],
    ["target private(p.first)", "2:28 not-a-whole-variable"],
    ["target firstprivate(a[0:3])", "2:33 not-a-whole-variable"],
    ["target map(a[90:20])", "2:24 section-out-of-bounds"],
    ["target if(p)", "2:23 clause-type"],
    ["target teams num_teams(t)", "2:36 clause-type"],
    ["target teams thread_limit(0)", "2:39 clause-value"],
    ["target update", "2:13 update-without-data"],
    ["target update to(a[0:200])", "2:30 section-out-of-bounds"],
  ])("%s", (line, wanted) => {
    expect(complaints(`\n#pragma omp ${line}\n;`)).toContain(wanted);
  });

  test("an atomic construct is one of read, write, update and capture", () => {
    const inRegion = "\n#pragma omp target map(s)\n{\n#pragma omp atomic read write\ns = 1; }";
    expect(complaints(inRegion)).toContain("4:25 conflicting-clauses");
  });

  test("firstprivate and lastprivate may be combined", () => {
    const loop = `\n#pragma omp target teams distribute parallel for firstprivate(t) lastprivate(t)\n${FOR} t += i;`;
    // One iteration leaves the value with which others begin: they take turns.
    expect(complaints(loop)).toEqual(["2:13 in-order"]);
  });
});

describe("groupprivate is refused", () => {
  const declared = (text: string, region: string) =>
    places(
      read(
        `${text}\n#pragma omp groupprivate(v)\nint use(void) { return v[0]; }\nvoid f(void) {\n${region}\n}`,
      ).diagnostics.filter(({ severity }) => severity === "error"),
    );
  const block = "#pragma omp target\n{ v[0] = 1; }";

  test.each([
    ["where the variable has a first value", "int v[2] = {1};", block, "2:26"],
    [
      "on a loop of teams",
      "int v[2];",
      "#pragma omp target teams loop\nfor (int i = 0; i < 9; i++) v[0] = i;",
      "5:13",
    ],
    ["in functions that regions call", "int v[2];", "#pragma omp target\nuse();", "3:24"],
  ])("%s", (_, text, region, place) => {
    expect(declared(text, region)).toEqual([`${place} group-private`]);
  });

  test("not in a block", () => {
    expect(declared("int v[2];", block)).toEqual([]);
  });
});

describe("directives of OpenMP 6.0 that arc does not know are refused", () => {
  test("names with underscores", () => {
    const { diagnostics } = read("int x;\n#pragma omp declare_target enter(x)\n");
    expect(places(diagnostics)).toEqual(["2:13 unknown-directive"]);
    expect(diagnostics[0]?.remedy).toContain("'declare target'");
    expect(complaints("\n#pragma omp target_update to(s)")).toEqual(["2:13 unknown-directive"]);
  });
});

describe("host code is left alone", () => {
  test("directives outside of regions, whatever they say", () => {
    const { diagnostics, unit } = read(
      "void f(int n) {\n#pragma omp parallel for schedule(nonsense)\nfor (int i = 0; i < n; i++) {\n#pragma omp critical\nn++; }\n}",
    );
    expect(diagnostics).toEqual([]);
    expect(nodes(functionOf({ unit } as ReturnType<typeof read>).body, "loop")).toEqual([]);
  });

  test("a statement that OpenACC offloads too goes OpenACC's way", () => {
    const loop = `\n#pragma acc parallel loop\n#pragma omp target teams loop\n${FOR} {\n#pragma omp atomic compare\na[i] = 1; }`;
    expect(complaints(loop)).toEqual(["3:1 unread-directive"]);
    const ofThreads = `\n#pragma omp parallel for\n#pragma acc parallel loop\n${FOR} a[i] = 1;`;
    expect(complaints(ofThreads)).toEqual(["2:1 unread-directive"]);
  });

  test("a loop's directive in front of a target construct has no loop", () => {
    const loop = `\n#pragma omp parallel for\n#pragma omp target map(a[0:n])\n${FOR} a[i] = 1;`;
    expect(complaints(loop)).toEqual(["2:13 expected-loop"]);
  });

  test("clauses that only hint are noted", () => {
    const line = "target teams distribute parallel for schedule(static, 4) nowait depend(in: a)";
    const { diagnostics } = read(inFunction(`\n#pragma omp ${line}\n${FOR} a[i] = 1;`));
    expect(diagnostics.map((d) => `${d.severity} ${d.code}`)).toEqual(Array(3).fill("note no-effect"));
  });
});

describe("loops with fewer threads than the program may have expected", () => {
  const noted = (clauses: string, callee: string) =>
    read(
      `int omp_get_thread_num(void); int ask(void); void f(int n, int *a) {\n#pragma omp target parallel for map(a[0:n]) ${clauses}\nfor (int i = 0; i < n; i++) a[i] = ${callee}();\n}`,
    ).diagnostics.map((d) => `${d.severity} ${d.code}`);

  test.each([
    ["num_threads(n)", "ask", ["note one-team", "note one-thread"]],
    ["num_threads(n)", "omp_get_thread_num", []],
    ["num_threads(7)", "omp_get_thread_num", []],
    ["", "ask", ["note one-team"]],
    ["", "omp_get_thread_num", []],
  ])("are noted: %s, %s", (clauses, callee, notes) => {
    expect(noted(clauses, callee)).toEqual(notes);
  });
});

describe("functions", () => {
  const region = `void f(int n, int *a) {\n#pragma omp target teams loop map(a[0:n])\nfor (int i = 0; i < n; i++) g(a, i);\n}`;

  test("that regions call have their directives read", () => {
    const program = normalised(
      `static void g(int *a, int i) {\n#pragma omp atomic\na[i % 3]++;\n}\n${region}`,
    );
    expect(nodes(functionOf(program, "g").body, "atomic")).toHaveLength(1);
  });

  test("also what these call, and what the device cannot do there is refused", () => {
    const text = `static void h(int *a) {\n#pragma omp critical\na[0]++;\nif (a[0] < 0) h(a);\n}\nstatic void g(int *a, int i) { h(a); }\n${region}`;
    expect(places(read(text).diagnostics)).toEqual(["2:13 critical-in-function"]);
  });

  test("of other files must say that they are for devices if their directives are to count", () => {
    const caller = accepted("int g(int *a);\nvoid f(int *a) {\n#pragma omp target map(a[0:1])\ng(a);\n}");
    const callee = "int g(int *a) {\n#pragma omp atomic\na[0]++;\nreturn 0;\n}";
    const found = (text: string) => {
      const other = read(text);
      return places(normalise(caller, { kind: "whole", others: () => [other] }).diagnostics);
    };
    expect(found(callee)).toEqual(["2:1 not-for-devices"]);
    const meeting = callee.replace("omp atomic", "omp barrier");
    for (const text of [meeting, `#pragma omp declare target\n${meeting}\n#pragma omp end declare target`]) {
      const whole = { kind: "whole", others: () => [read(text)] } as const;
      const [told] = normalise(caller, whole).diagnostics;
      expect(told).toMatchObject({
        code: "not-for-devices",
        remedy: "define 'g' as a static function in a header that both files include",
      });
    }
    expect(found(callee.replace("#pragma omp atomic\n", ""))).toEqual([]);
    expect(found(`#pragma omp declare target\n${callee}\n#pragma omp end declare target`)).toEqual([]);
  });

  test("declare target makes routines of blocks and lists", () => {
    const text =
      "#pragma omp declare target\nint one(int);\nint two(int v) { return v; }\n#pragma omp end declare target\nint three(int v) { return v; }\n#pragma omp declare target(three)\n";
    expect([...accepted(text).routines.values()].map((r) => `${r.sym.name} ${r.level}`)).toEqual([
      "one seq",
      "two seq",
      "three seq",
    ]);
  });

  test.each([
    ["#pragma omp declare target\nint a;\n", "1:13 declare-target-end"],
    ["int a;\n#pragma omp end declare target\n", "2:13 declare-target-end"],
    ["#pragma omp declare target(nothing)\n", "1:28 not-a-function"],
    ["#pragma omp target\nint a;\n", "1:13 directive-outside-function"],
    [
      "struct s { int n; };\n#pragma omp declare mapper(struct s x) map(y)\nint a;\n",
      "2:44 undeclared-identifier",
    ],
  ])("%s", (text, wanted) => {
    expect(places(read(text).diagnostics)).toEqual([wanted]);
  });
});
