/** Context selectors: which directive a metadirective is, and which function a call means. */
import { describe, expect, test } from "vitest";
import { spmdOf } from "../../../../core/ir/model/region.ts";
import { tasksOf } from "../../../../core/ir/normalise/normalise.ts";
import { printExpr, walkStmt } from "../../../../core/lang/index.ts";
import { accepted, complaints, inFunction, normalised, places, read, tasks } from "../reading.ts";

const LOOP = "for (i = 0; i < n; i++) a[i] = b[i];";
const regions = (line: string) =>
  tasks(inFunction(`\n#pragma omp ${line}\n${LOOP}`)).map((task) => task.region);

describe("a metadirective is", () => {
  const target = "target teams distribute parallel for";
  test.each([
    `when(device={kind(host)}: ${target})`,
    `when(device={kind(nohost)}: parallel for) otherwise(${target})`,
    `when(device={arch("nvptx64")}: parallel for) default(${target})`,
    `when(device={kind(gpu)}: parallel for), when(device={kind(cpu, host)}: ${target})`,
    `when(user={condition(2 > 1)}: ${target}) otherwise(parallel for)`,
    `when(user={condition(score(1): 1)}: parallel for) when(user={condition(score(9): 1)}: ${target})`,
    `when(user={condition(1)}: parallel for) when(device={kind(any)}, user={condition(1)}: ${target})`,
    `when(implementation={vendor(gnu, llvm)}: parallel for) when(implementation={vendor(arc)}: ${target})`,
    `when(construct={target}: parallel for) otherwise(${target} if(n > 0))`,
  ])("%s", (clauses) => {
    expect(regions(`metadirective ${clauses}`)).toEqual(regions(target));
  });

  test("resolved in regions as code of the device, within the constructs around", () => {
    const inner = (line: string) =>
      tasks(
        inFunction(
          `\n#pragma omp target teams distribute\nfor (k = 0; k < 10; k++)\n#pragma omp ${line}\nfor (i = 0; i < 10; i++) m[k][i] = 1;`,
        ),
      ).map((task) => task.region);
    const parallel = inner("parallel for");
    expect(inner("metadirective when(device={kind(nohost)}: parallel for)")).toEqual(parallel);
    expect(inner("metadirective when(construct={target, teams}: parallel for)")).toEqual(parallel);
    expect(inner("metadirective when(construct={teams, target}: simd) otherwise(parallel for)")).toEqual(
      parallel,
    );
    expect(inner("metadirective when(device={kind(host)}: simd) otherwise(parallel for)")).toEqual(parallel);
  });

  test("a run-time condition is tested before each of its directives", () => {
    expect(
      regions("metadirective when(user={condition(n > 9)}: target) otherwise(target teams)"),
    ).toHaveLength(2);
  });

  test("the device that there will be is asked for when the program runs, but not whether it is any", () => {
    for (const traits of ["kind(gpu)", "kind(nohost)", "device_num(n), arch(nvptx)"])
      expect(
        regions(`metadirective when(target_device={${traits}}: target) otherwise(target teams)`),
        traits,
      ).toHaveLength(2);
    expect(
      regions("metadirective when(target_device={kind(any)}: target) otherwise(target teams)"),
    ).toHaveLength(1);
  });

  test("no directive if nothing is selected", () => {
    expect(regions("metadirective when(device={kind(gpu)}: target)")).toEqual([]);
    expect(regions("metadirective when(device={kind(host)}: nothing) otherwise(target)")).toEqual([]);
    expect(regions("metadirective when(device={kind(host)}: )")).toEqual([]);
  });

  test.each([
    ["metadirective when(device={isa(avx)}: target)", "2:40 context-not-taken"],
    ["metadirective when(target_device={isa(sm_80)}: target)", "2:47 context-not-taken"],
    ["metadirective when(device kind(gpu): target)", "2:39 context-selector"],
    ["metadirective unless(device={kind(gpu)}: target)", "2:27 unexpected-word"],
    ["target\n#pragma omp metadirective when(device={kind(dsp)}: parallel for)", "3:40 context-not-taken"],
  ])("refused where its condition cannot be evaluated: %s", (line, place) => {
    expect(complaints(`\n#pragma omp ${line}\n${LOOP}`)).toEqual([place]);
  });
});

describe("declare variant", () => {
  const unit = (match: string, region: string) =>
    `double fast(double x) { return x; }\n#pragma omp declare variant(fast) match(${match})\ndouble slow(double x) { return -x; }\nvoid f(int n, double a[9]) {\n${region}\n}`;
  const region = "#pragma omp target map(a[0:9])\n{ a[0] = slow(a[1]); }";
  const called = (text: string): string[] => {
    const found: string[] = [];
    for (const { task } of tasksOf(normalised(text)))
      walkStmt(spmdOf(task).body, {
        expr: (e) => void (e.kind === "call" && found.push(printExpr(e.callee))),
      });
    return found;
  };

  test.each([
    ["construct={target}", "fast"],
    ["device={kind(nohost)}", "fast"],
    ["device={kind(host)}, construct={target}", "slow"],
    ["construct={parallel}", "slow"],
    ["implementation={vendor(gnu)}", "slow"],
  ])("match(%s) calls %s in a region", (match, callee) => {
    expect(called(unit(match, region))).toEqual([callee]);
  });

  test("is selected by the constructs around the call", () => {
    const loops =
      "#pragma omp target teams distribute map(a[0:9])\nfor (int i = 0; i < 3; i++) { double t = slow(1);\n#pragma omp parallel for\nfor (int j = 0; j < 3; j++) a[3 * i + j] = slow(2) + t; }";
    expect(called(unit("construct={parallel}", loops))).toEqual(["slow", "fast"]);
  });

  test("is refused if it selects a call that arc leaves unchanged", () => {
    expect(places(read(unit("device={kind(host)}", "")).diagnostics)).toEqual(["2:13 unsupported-directive"]);
    const within = unit("device={kind(nohost)}", "").replace(
      "void f",
      "double mid(double x) { return slow(x); }\nvoid f",
    );
    expect(
      places(read(within.replace("{\n\n}", `{\n${region.replace("slow", "mid")}\n}`)).diagnostics),
    ).toEqual(["4:31 unsupported-directive"]);
    expect(accepted(within).diagnostics).toEqual([]);
  });

  test.each([
    ["declare variant(none) match(device={kind(host)})", "not-a-function"],
    ["declare variant(abs) match(device={kind(nohost)}) append_args(target)", "unexpected-word"],
    ["declare variant(abs) match(device={kind(nohost)}) prepend_args(interop(target))", "unexpected-word"],
    ["begin declare variant match(device={kind(nohost)})", "variant-block"],
    ["end declare variant", "variant-block"],
  ])("%s is refused", (line, code) => {
    const { diagnostics } = read(`int abs(int);\n#pragma omp ${line}\nint g(int);`);
    expect(diagnostics.map((d) => d.code)).toEqual([code]);
  });
});

describe("dispatch", () => {
  const OBJECTS =
    "typedef unsigned long omp_interop_t; omp_interop_t arc_omp_interop(int, int); int omp_get_default_device(void);\n";
  const unit = (line: string, clauses = "", before = OBJECTS) =>
    `${before}int other(int n${clauses ? ", omp_interop_t a, omp_interop_t b" : ""});\n#pragma omp declare variant(other) match(construct={dispatch}) ${clauses}\nint base(int n);\nint f(int n, int *p, omp_interop_t o) { int r;\n#pragma omp dispatch ${line}\nr = base(n);\nreturn r; }`;
  const body = (text: string): string => {
    const f = read(text).unit.externals.find((e) => e.kind === "function" && e.sym.name === "f");
    const calls: string[] = [];
    if (f?.kind === "function")
      walkStmt(f.body, {
        stmt: (s) => void (s.kind === "if" && calls.push(`if ${printExpr(s.test)}`)),
        expr: (e) => void (e.kind === "assign" && calls.push(printExpr(e))),
      });
    return calls.join("; ");
  };

  test.each([
    ["", "r = other(n)"],
    ["novariants(1)", "r = base(n)"],
    ["nocontext(1)", "r = base(n)"],
    ["nocontext(n)", "if n; r = base(n); r = other(n)"],
    ["nocontext(n) novariants(n > 1)", "if n > 1; r = base(n); if n; r = base(n); r = other(n)"],
    ["nocontext(0) nowait", "r = other(n)"],
  ])("%s is %s", (line, code) => {
    expect(body(unit(line))).toBe(code);
  });

  test("appends the objects that the variant needs, those given by the clause first", () => {
    const wants = "append_args(interop(target), interop(prefer_type(1), target, targetsync))";
    const made = (works: number) => `arc_omp_interop(omp_get_default_device(), ${works})`;
    expect(body(unit("", wants))).toBe(`r = other(n, ${made(0)}, ${made(1)})`);
    expect(body(unit("interop(o)", wants))).toBe(`r = other(n, o, ${made(1)})`);
  });

  test.each([
    ["depend(out: n)", "unsupported-clause"],
    ["device(0)", "unsupported-clause"],
    ["schedule(static)", "unknown-clause"],
  ])("%s is refused", (line, code) => {
    const { diagnostics } = read(unit(line));
    expect(places(diagnostics)).toEqual([`6:22 ${code}`]);
    expect(diagnostics[0]?.remedy).toBeTruthy();
  });

  test("is refused if the objects are not declared", () => {
    const text = unit(
      "",
      "append_args(interop(target), interop(target))",
      "typedef unsigned long omp_interop_t;\n",
    );
    expect(places(read(text).diagnostics)).toEqual(["6:13 dispatch-interop"]);
  });
});

describe("interop", () => {
  const unit = (line: string, declared = true) =>
    `${declared ? "unsigned long arc_omp_interop(int, int); void arc_omp_interop_use(unsigned long); int omp_get_default_device(void);" : ""}\nvoid f(unsigned long o, int n) {\n#pragma omp interop ${line}\n}`;
  test.each([
    ["init(o)", "3:26 unexpected-word"],
    ["init(stream: o)", "3:26 unexpected-word"],
    ["use", "3:21 unexpected-word"],
    ["depend(in: n) use(o)", "3:21 unsupported-clause"],
  ])("%s is refused", (line, place) => {
    expect(places(read(unit(line)).diagnostics)).toEqual([place]);
  });

  test("needs the declarations of omp.h", () => {
    expect(places(read(unit("use(o)", false)).diagnostics)).toEqual(["3:21 undeclared-interop"]);
    expect(read(unit("use(o)")).diagnostics).toEqual([]);
  });
});
