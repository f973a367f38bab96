/** What the front end takes of `shuffle`, and what it refuses where. */
import { describe, expect, test } from "vitest";
import { spmdOf } from "../../../../core/ir/model/region.ts";
import { normalise, tasksOf } from "../../../../core/ir/normalise/normalise.ts";
import { verify } from "../../../../core/ir/verify/verify.ts";
import { printExpr } from "../../../../core/lang/index.ts";
import { accepted, inFunction, nodes, nodesIn, places, read } from "../reading.ts";

const inThreads = (lines: string, clauses = "shuffle(s, t)", target = "map(s)") =>
  `
#pragma omp target ${target}
#pragma omp parallel num_threads(64) ${clauses}
{
${lines}
}`;
const shuffle = "#pragma omp shuffle up(-1, 1, s, s)";

describe("the directive shuffle is read", () => {
  test.each([
    ["sync(~0, 3, i, s)", "sync", "~0", "3", "i = s"],
    ["up(0xff << n, n + 1, x[i], t)", "up", "0xff << n", "n + 1", "x[i] = t"],
    ["down(-1, 1, s +=, s)", "down", "-1", "1", "s += s"],
    ["xor(n ? 1 : 2, i ^ 3, *x /=, t)", "xor", "n ? 1 : 2", "i ^ 3", "*x /= t"],
    ["down(-1, 1, m[i][j] <<= , s)", "down", "-1", "1", undefined],
  ])("%s", (written, way, mask, lane, assignment) => {
    const found = () => nodesIn(inThreads(`#pragma omp shuffle ${written}`, "shuffle(s, t)", ""), "shuffle");
    // A shift of a double.
    if (assignment === undefined) return void expect(found).toThrow();
    const [node] = found();
    const text = (node ? [node.mask, node.lane, node.assignment] : []).map((e) => printExpr(e));
    expect([node?.way, ...text.slice(0, 2)]).toEqual([way, mask, lane]);
    expect(text[2]?.replaceAll("_own", "")).toBe(assignment);
  });
});

describe("the clause shuffle", () => {
  const copies = (text: string) => {
    const [task] = tasksOf(normalise(accepted(inFunction(text))));
    const [block] = task ? nodes(spmdOf(task.task).body, "threads") : [];
    const body = block?.body.kind === "compound" ? block.body.body : [];
    return body.flatMap((s) =>
      s.kind === "decl"
        ? s.decls.map(({ sym, init }) => `${sym.name} = ${init?.kind === "expr" ? printExpr(init.expr) : ""}`)
        : [],
    );
  };

  test("gives each thread a copy that begins with the value", () => {
    expect(copies(inThreads(shuffle, "shuffle(s)"))).toEqual(["s_own = s"]);
  });

  test("on teams gives each thread of the constructs inside one, unless they name the variable", () => {
    const on = (clauses: string) => `
#pragma omp target teams shuffle(s, t)
{
#pragma omp parallel num_threads(64) ${clauses}
{
${shuffle}
}
}`;
    expect(copies(on(""))).toEqual(["s_own = s", "t_own = t"]);
    expect(copies(on("private(t) shuffle(s)"))).toEqual(["t_own = ", "s_own = s"]);
  });

  test("in one directive with target, and with teams between", () => {
    const one = (directive: string) =>
      nodesIn(`\n#pragma omp ${directive} shuffle(s)\n{\n${shuffle}\n}`, "shuffle");
    expect(one("target parallel")).toHaveLength(1);
  });

  test("a team of one thread has no directive left", () => {
    expect(nodesIn(inThreads(shuffle, "shuffle(s) if(0)"), "shuffle")).toEqual([]);
    const nested = inThreads(`#pragma omp parallel shuffle(t)\n{\n#pragma omp shuffle up(-1, 1, t, t)\n}`);
    expect(nodesIn(nested, "shuffle")).toEqual([]);
  });
});

describe("refused is", () => {
  test.each([
    [
      "a shuffle in teams alone",
      `\n#pragma omp target teams shuffle(s)\n{\n${shuffle}\n}`,
      "8:13 shuffle-outside-parallel",
    ],
    ["a shuffle in host code", `\n${shuffle}\n;`, "6:13 shuffle-outside-parallel"],
    [
      "the clause in host code",
      "\n#pragma omp parallel shuffle(s)\n{ s = 1; }",
      "6:22 shuffle-outside-region",
    ],
    ["a variable without the clause", inThreads(shuffle, ""), "9:13 shuffle-variable"],
    ["a part of a variable", inThreads("#pragma omp shuffle up(-1, 1, s, a[3])"), "9:13 shuffle-variable"],
    [
      "a variable of the block",
      inThreads("int v = 1;\n#pragma omp shuffle up(-1, 1, v, v)"),
      "10:13 shuffle-variable",
    ],
    ["an array in the clause", inThreads("s = 1;", "shuffle(a)"), "7:46 shuffle-type"],
    ["a structure in the clause", inThreads("s = 1;", "shuffle(p)"), "7:46 shuffle-type"],
    ["a pointer in the clause", inThreads("s = 1;", "shuffle(x)"), "7:46 shuffle-type"],
    ["a part of a variable in the clause", inThreads("s = 1;", "shuffle(a[0])"), "7:46 not-a-whole-variable"],
    ["a variable of two clauses", inThreads(shuffle, "private(s) shuffle(s)"), "7:57 conflicting-sharing"],
    ["a mask that is no integer", inThreads("#pragma omp shuffle up(1.5, 1, s, s)"), "9:24 clause-type"],
    ["a distance that is no integer", inThreads("#pragma omp shuffle up(1, x, s, s)"), "9:27 clause-type"],
    ["a target that is a value", inThreads("#pragma omp shuffle up(-1, 1, s + 1, s)"), "9:31 not-assignable"],
    ["an operator of integers", inThreads("#pragma omp shuffle up(-1, 1, t %=, s)"), "9:31 operand-type"],
    ["too few arguments", inThreads("#pragma omp shuffle up(-1, 1, s)"), "9:32 syntax"],
    ["no argument", inThreads("#pragma omp shuffle up"), "9:13 missing-argument"],
    ["no way", inThreads("#pragma omp shuffle(-1, 1, s, s)"), "9:13 unknown-directive"],
    ["a clause behind it", inThreads(`${shuffle} nowait`), "9:37 misplaced-clause"],
    [
      "the clause on a loop",
      `\n#pragma omp target parallel for shuffle(s)\nfor (i = 0; i < 9; i++) ;`,
      "6:33 misplaced-clause",
    ],
    [
      "a shuffle in a shared loop",
      inThreads(`#pragma omp for\nfor (i = 0; i < 9; i++) {\n${shuffle}\n}`),
      "11:13 construct-nesting",
    ],
    ["a shuffle of one thread", inThreads(`#pragma omp single\n{\n${shuffle}\n}`), "11:13 construct-nesting"],
    [
      "a number of threads that is not known",
      inThreads(shuffle).replace("num_threads(64)", "num_threads(n)"),
      "7:22 parallel-block",
    ],
  ])("%s", (_, text, place) => {
    expect(places(read(inFunction(text)).diagnostics)).toContain(place);
  });

  test("a shuffle in a function that regions call", () => {
    const text = `static void g(int s) {\n${shuffle}\n}\nvoid f(void) {\n#pragma omp target\ng(1);\n}`;
    expect(places(read(text).diagnostics)).toEqual(["2:13 barrier-in-function"]);
  });

  test("one that some threads may not reach, with what decides it", () => {
    const text = inThreads(
      `extern int omp_get_thread_num(void); i = x[omp_get_thread_num()] > 0;\nif (i) {\n${shuffle}\n}`,
      "shuffle(s) private(i)",
    );
    const [found, ...others] = verify(accepted(inFunction(text)));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: "shuffle-in-branch", loc: { line: 11, col: 13 } });
    expect(found?.notes?.[0]?.loc).toMatchObject({ line: 10 });
  });

  describe("memory decides the same for all threads", () => {
    const branch = (test: string, before = "") =>
      verify(
        accepted(
          inFunction(
            inThreads(
              `extern int omp_get_thread_num(void); ${before}\nif (${test}) {\n${shuffle}\n}`,
              "shuffle(s)",
            ),
          ),
        ),
      );

    test.each([
      ["an element at one address", "x[3] > 0"],
      ["an element at an address that all threads compute", "a[n / 2] > x[n]"],
      ["memory behind a pointer", "*(x + n) > 0"],
      [
        "memory of another type than what is written",
        "x[3] > 0",
        "int *q = (int *)x; q[omp_get_thread_num()] = 1;",
      ],
      ["an array beside the one that is written", "a[3] > 0", "static double own[9]; own[1] = 2;"],
    ])("%s, which the region does not write", (_, test, before = "") => {
      expect(branch(test, before)).toEqual([]);
    });

    test.each([
      ["an element at an address of the thread", "x[omp_get_thread_num()] > 0"],
      ["an element that the region writes", "x[3] > 0", "x[omp_get_thread_num()] = 1;"],
      ["memory that another pointer may lead to", "x[3] > 0", "double *q = a; q[omp_get_thread_num()] = 1;"],
      ["an element that is written byte by byte", "x[3] > 0", "char *q = (char *)x; q[8] = 1;"],
      ["an element of an atomic update", "x[3] > 0", ";\n#pragma omp atomic\nx[3] += 1;"],
      ["an element of a pointer of the thread", "p[0] > 0", "double *p = x + omp_get_thread_num();"],
    ])("not %s", (_, test, before = "") => {
      expect(branch(test, before).map(({ code }) => code)).toEqual(["shuffle-in-branch"]);
    });
  });
});
