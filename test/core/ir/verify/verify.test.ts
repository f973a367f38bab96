import { describe, expect, test } from "vitest";
import { normalise } from "../../../../core/ir/normalise/normalise.ts";
import { verify } from "../../../../core/ir/verify/verify.ts";
import { inFunction, read } from "../reading.ts";

/** The verifier's errors for statements; lines count from the first one. */
function problems(statements: string): string[] {
  const program = read(inFunction(statements));
  // As `arc` does: what cannot be read is not verified.
  const found = program.diagnostics.length > 0 ? program.diagnostics : verify(program);
  return found.map((d) => `${d.loc.line - 4}:${d.loc.col} ${d.severity}[${d.code}]`);
}

const inRegion = (body: string) => `\n#pragma acc parallel\n{\n${body}\n}`;

describe("the verifier refuses", () => {
  const cases: readonly (readonly [what: string, statements: string, expected: readonly string[]])[] = [
    // nesting
    [
      "worksharing outside a region",
      "\n#pragma acc loop\nfor (i = 0; i < n; i++) ;",
      ["2:13 error[loop-outside-region]"],
    ],
    ["a region in a region", inRegion("#pragma acc serial\n s = 1;"), ["4:13 error[nested-region]"]],
    [
      "data movement in a region",
      inRegion("#pragma acc update self(a)\n s = 1;"),
      ["4:13 error[host-directive-in-region]"],
    ],
    ["waiting in a region", inRegion("#pragma acc wait\n s = 1;"), ["4:13 error[host-directive-in-region]"]],
    [
      "a data region in a region",
      inRegion("#pragma acc data copy(a)\n s = 1;"),
      ["4:13 error[host-directive-in-region]"],
    ],
    [
      "cache outside a loop",
      inRegion("#pragma acc cache(a[0:2])\n s = 1;"),
      ["4:13 error[cache-outside-loop]"],
    ],
    // levels
    [
      "gang in gang",
      inRegion(
        "#pragma acc loop gang\nfor (i = 0; i < n; i++)\n#pragma acc loop gang\nfor (j = 0; j < n; j++) ;",
      ),
      ["6:13 error[level-nesting]"],
    ],
    [
      "worker in vector",
      inRegion(
        "#pragma acc loop vector\nfor (i = 0; i < n; i++)\n#pragma acc loop worker\nfor (j = 0; j < n; j++) ;",
      ),
      ["6:13 error[level-nesting]"],
    ],
    // control
    ["return", "\n#pragma acc parallel\n{ if (n) return; }", ["3:10 error[branch-out-of-region]"]],
    [
      "a break of a loop outside",
      "for (;;) {\n#pragma acc parallel\n{ if (n) break; } }",
      ["3:10 error[branch-out-of-region]"],
    ],
    [
      "a continue of a loop outside",
      "for (;;) {\n#pragma acc data copy(a)\n{ while (n) break; continue; } }",
      ["3:20 error[branch-out-of-region]"],
    ],
    ["goto out", "\n#pragma acc parallel\n{ goto out; }\nout: ;", ["3:3 error[branch-out-of-region]"]],
    ["goto into", "\n#pragma acc parallel\n{ in: s = 1; }\ngoto in;", ["4:1 error[branch-into-region]"]],
    [
      "a break of a shared loop",
      "\n#pragma acc parallel loop\nfor (i = 0; i < n; i++) { if (s) break; }",
      ["3:34 error[branch-out-of-loop]"],
    ],
    // variables
    [
      "private and reduction at once",
      "\n#pragma acc parallel loop private(s) reduction(+: s)\nfor (i = 0; i < n; i++) s += i;",
      ["2:51 error[conflicting-sharing]"],
    ],
    [
      "private and firstprivate at once",
      "\n#pragma acc parallel private(t) firstprivate(t)\n;",
      ["2:46 error[conflicting-sharing]"],
    ],
    [
      "private and copied",
      "\n#pragma acc parallel private(t) copy(t)\n;",
      ["2:38 error[conflicting-sharing]"],
    ],
    [
      "one data clause twice for one variable",
      "\n#pragma acc data copyin(a) copyin(b, a)\n;",
      ["2:38 error[duplicate-variable]"],
    ],
    [
      "two data clauses for one variable",
      "\n#pragma acc data copy(a) copyin(b, a)\n;",
      ["2:36 warning[merged-clauses]"],
    ],
    ["deviceptr of a number", "\n#pragma acc data deviceptr(t)\n;", ["2:28 error[pointer-needed]"]],
    [
      "reducing the loop variable",
      "\n#pragma acc parallel loop reduction(+: i)\nfor (i = 0; i < n; i++) ;",
      ["2:40 error[reduction-of-loop-variable]"],
    ],
    // loops
    [
      "a collapsed triangle",
      "\n#pragma acc parallel loop collapse(2)\nfor (i = 0; i < n; i++) for (j = 0; j < i; j++) ;",
      ["3:25 error[non-rectangular-collapse]"],
    ],
    [
      "an assigned loop variable",
      "\n#pragma acc parallel loop\nfor (i = 0; i < n; i++) { i += 2; }",
      ["3:27 error[loop-variable-assigned]"],
    ],
    [
      "stepping away",
      "\n#pragma acc parallel loop\nfor (i = 0; i < n; i--) ;",
      ["3:1 error[step-direction]"],
    ],
    [
      "a step of nothing",
      "\n#pragma acc parallel loop\nfor (i = 0; i < n; i += 0) ;",
      ["3:1 error[zero-step]"],
    ],
    [
      "an inner use of a reduction variable, with a warning",
      "\n#pragma acc parallel loop reduction(+: s)\nfor (i = 0; i < n; i++) { s += i; a[i] = s; }",
      ["3:42 warning[reduction-used-otherwise]"],
    ],
    [
      "another operator than the clause's, with a warning",
      "\n#pragma acc parallel loop reduction(+: s)\nfor (i = 0; i < n; i++) s *= 2;",
      ["2:40 warning[reduction-used-otherwise]"],
    ],
    [
      "another choice than the clause's, with a warning",
      "\n#pragma acc parallel loop reduction(min: s)\nfor (i = 0; i < n; i++) if (i > s) s = i;",
      ["2:42 warning[reduction-used-otherwise]"],
    ],
    [
      "a condition on a reduction variable, with a warning",
      "\n#pragma acc parallel loop reduction(+: s)\nfor (i = 0; i < n; i++) s = s > 4 ? a[i] + 1 : s + 1;",
      ["3:25 warning[reduction-used-otherwise]"],
    ],
  ];
  test.each(cases)("%s", (_, statements, expected) => expect(problems(statements)).toEqual(expected));

  test.each(cases)("%s, with a remedy", (_, statements) => {
    for (const d of verify(read(inFunction(statements)))) expect(d.remedy, d.message).toMatch(/\w/);
  });

  describe("what max and min compare may have more bits than what they keep", () => {
    const types = { "signed char": 1, short: 2, int: 4, unsigned: 4, long: 8, "unsigned long": 8, double: 9 };
    const forms = [
      (v: string) => `if (${v} > s) s = ${v};`,
      (v: string) => `s = ${v} > s ? ${v} : s;`,
      (v: string) => `if (s < ${v}) s = ${v};`,
    ];
    const pairs = Object.keys(types).flatMap((kept) => Object.keys(types).map((value) => ({ kept, value })));
    const size = (type: string) => types[type as keyof typeof types];
    test.each(pairs)("$kept of $value", ({ kept, value }) => {
      const warned = kept !== "double" && value !== "double" && size(value) > 4 && size(value) > size(kept);
      for (const directive of ["acc parallel loop", "omp target teams distribute parallel for"])
        for (const form of forms) {
          const text = `void f(int n, ${kept} s, ${value} *x) {\n#pragma ${directive} reduction(max: s)\nfor (int i = 0; i < n; i++) ${form("x[i]")}\n}`;
          const codes = verify(read(text)).map((d) => d.code);
          if (value !== "double" || kept === "double")
            expect(codes, text).toEqual(warned ? ["reduction-narrowed"] : []);
        }
    });
    test("the comparison converts, and the assignment does not", () => {
      const text =
        "void f(int n, unsigned s, long *x) {\n#pragma acc parallel loop reduction(max: s)\nfor (int i = 0; i < n; i++) if ((unsigned long)x[i] > s) s = x[i];\n}";
      expect(verify(read(text)).map((d) => d.code)).toEqual(["reduction-narrowed"]);
    });
  });

  test("declaring a variable for the device twice, or in another block", () => {
    const codes = (text: string) => verify(read(text)).map((d) => `${d.loc.line}:${d.loc.col} ${d.code}`);
    const twice = "float t[9];\n#pragma acc declare create(t)\n#pragma acc declare copyin(t)\n";
    expect(codes(twice)).toEqual(["3:28 duplicate-variable"]);
    // As a header does, and the file that defines what it declares.
    expect(codes(twice.replace("copyin", "create"))).toEqual([]);
    const block = "void f(void) { float a[9]; {\n#pragma acc declare create(a)\n a[0] = 1; } }";
    expect(codes(block)).toEqual(["2:28 declare-scope"]);
    expect(codes("void f(float *a) {\n#pragma acc declare present(a)\n a[0] = 1; }")).toEqual([]);
  });

  test("calling a routine whose level is already in use", () => {
    const text = (level: string, loop: string) =>
      `#pragma acc routine ${level}\nvoid g(int);\nvoid f(int n) {\n#pragma acc parallel loop ${loop}\nfor (int i = 0; i < n; i++)\n g(i);\n}`;
    const codes = (level: string, loop: string) =>
      verify(read(text(level, loop))).map((d) => `${d.loc.line}:${d.loc.col} ${d.code}`);
    expect(codes("gang", "gang")).toEqual(["6:2 level-nesting"]);
    expect(codes("vector", "vector")).toEqual(["6:2 level-nesting"]);
    expect(codes("vector", "gang worker")).toEqual([]);
    expect(codes("seq", "vector")).toEqual([]);
  });

  test("levels above a routine's own", () => {
    const text = (level: string, loop: string) =>
      `#pragma acc routine ${level}\nvoid f(int n, int *a) {\n#pragma acc loop ${loop}\nfor (int i = 0; i < n; i++) a[i] = i;\n}`;
    const codes = (level: string, loop: string) => verify(read(text(level, loop))).map((d) => d.code);
    expect(codes("vector", "worker")).toEqual(["routine-level"]);
    expect(codes("seq", "vector")).toEqual(["routine-level"]);
    expect(codes("worker", "vector")).toEqual([]);
    expect(codes("gang", "gang")).toEqual([]);
  });
});

describe("the verifier accepts", () => {
  test.each([
    [
      "jumps that stay inside",
      inRegion(
        "again: s++; while (n) { if (s) break; else continue; } switch (s) { case 1: break; } if (s < 3) goto again;",
      ),
    ],
    [
      "a break of a loop in order",
      "\n#pragma acc parallel loop seq\nfor (i = 0; i < n; i++) { if (s) break; }",
    ],
    [
      "a continue of a shared loop",
      "\n#pragma acc parallel loop\nfor (i = 0; i < n; i++) { if (s) continue; a[i] = 1; }",
    ],
    [
      "levels from gang to vector",
      inRegion(
        "#pragma acc loop gang\nfor (i = 0; i < n; i++)\n#pragma acc loop worker\nfor (j = 0; j < n; j++)\n#pragma acc loop vector\nfor (k = 0; k < n; k++) ;",
      ),
    ],
    [
      "gangs of two dimensions",
      inRegion(
        "#pragma acc loop gang(dim:2)\nfor (i = 0; i < n; i++)\n#pragma acc loop gang(dim:1)\nfor (j = 0; j < n; j++) ;",
      ),
    ],
    [
      "a loop's variable in what is not evaluated",
      "\n#pragma acc parallel loop\nfor (i = 0; i < n; i++) a[i] = sizeof(i++) + sizeof(&i);",
    ],
    [
      "a loop's variable whose address leads to a constant",
      "\n#pragma acc parallel loop\nfor (i = 0; i < n; i++) { const int *p = &i; a[*p] = 1; }",
    ],
    ["two sections of one array", "\n#pragma acc data copy(a[0:2], a[4:2])\n;"],
    [
      "an inner loop with a range of its own",
      "\n#pragma acc parallel loop\nfor (i = 0; i < n; i++)\n#pragma acc loop\nfor (j = 0; j < i; j++) ;",
    ],
    [
      "one reduction through a nest",
      "\n#pragma acc parallel loop reduction(+: s)\nfor (i = 0; i < n; i++)\n#pragma acc loop reduction(+: s)\nfor (j = 0; j < n; j++) s += j;",
    ],
  ])("%s", (_, statements) => expect(problems(statements)).toEqual([]));

  test.each([
    "if (small < i) small = i;",
    "small = small > n - i ? small : n - i;",
    "if ((short)(i % 9) > small) small = i % 9;",
    "small = f(small, i);",
    "small = (short)(i > 3 ? f(i, small) : small);",
    "small = small > i ? small > n ? small : n : i > n ? i : n;",
    "small = ({ int l = small, r = i; l > r ? l : r; });",
    "if (a[i] > 3) small = 1;",
  ])("the maximum of a short as %s", (step) => {
    const loop = `int f(int, int);\n short small = 0;\n#pragma acc parallel loop reduction(max: small)\nfor (i = 0; i < n; i++) { ${step} }`;
    expect(problems(loop)).toEqual([]);
  });

  test.each([
    ["||", "if (a[i] > 3) s = 1;"],
    ["||", "if (a[i] > 3) s = 1; else s = s || b[i] > 2;"],
    ["&&", "{ if (a[i] > 3) { s = 0; continue; } if (b[i] > 2) s = 0; }"],
    ["|", "if (a[i] > 3) s = 4;"],
  ])("a flag combined by %s as %s", (op, step) =>
    expect(
      problems(`\n#pragma acc parallel loop reduction(${op}: s)\nfor (i = 0; i < n; i++) ${step}`),
    ).toEqual([]),
  );

  test.each([
    ["+", "if (a[i] > 3) s = 1;"],
    ["&&", "if (a[i] > 3) s = 1;"],
    ["max", "if (a[i] > 3) s = 1; else s = s > i ? s : i;"],
    ["|", "if (a[i] > 3) s = 4; else s = 2;"],
  ])("no flag combined by %s as %s, with a warning", (op, step) =>
    expect(
      problems(`\n#pragma acc parallel loop reduction(${op}: s)\nfor (i = 0; i < n; i++) ${step}`),
    ).toHaveLength(1),
  );
});

test("the verifier accepts every accepted program after normalisation too", () => {
  const kernels =
    "\n#pragma acc kernels\n{ for (i = 0; i < n; i++) a[i] = b[i];\n for (i = 1; i < n; i++) a[i] = a[i - 1]; s = 3; }";
  const nest =
    "\n#pragma acc parallel loop\nfor (i = 0; i < n; i++)\n#pragma acc loop\nfor (j = 0; j < n; j++) m[i][j] = 1;";
  for (const statements of [kernels, nest])
    expect(verify(normalise(read(inFunction(statements))))).toEqual([]);
});
