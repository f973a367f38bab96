import { describe, expect, test } from "vitest";
import { asNode, type IrNode } from "../../../../core/ir/model/ir.ts";
import { readDirectives } from "../../../../core/ir/read/read.ts";
import { parse, printExpr, type Stmt } from "../../../../core/lang/index.ts";
import {
  accepted,
  complaints,
  functionOf,
  inFunction,
  nodeIn,
  nodes,
  nodesIn,
  places,
  read,
} from "../reading.ts";

/** The nodes and plain statements that statements become, as nested lists. */
function shape(statements: string): unknown[] {
  const def = functionOf(accepted(inFunction(statements)));
  // After the four declarations of the frame.
  return def.body.body.slice(4).map(outline);
}

function outline(s: Stmt): unknown {
  if (s.kind === "ext") {
    const n = s.ext as IrNode;
    const inner = n.shape.parts(n as never).stmts.map(outline);
    return inner.length ? { [n.kind]: inner.length === 1 ? inner[0] : inner } : n.kind;
  }
  switch (s.kind) {
    case "compound":
      return s.body.map(outline);
    case "if":
      return s.else ? { if: outline(s.then), else: outline(s.else) } : { if: outline(s.then) };
    case "for":
    case "while":
    case "do":
    case "switch":
    case "case":
    case "label":
      return { [s.kind]: outline(s.body) };
    case "expr":
      return s.expr ? printExpr(s.expr) : ";";
    default:
      return s.kind;
  }
}

const region = (inner: unknown) => ({ task: { spmd: inner } });

describe("a directive applies to the statement after it", () => {
  test("which may be a block, a loop or an expression", () => {
    expect(shape("\n#pragma acc parallel\n{ s = 1; }\n s = 2;")).toEqual([region(["s = 1"]), "s = 2"]);
    expect(shape("\n#pragma acc serial\n s = 1; s = 2;")).toEqual([region("s = 1"), "s = 2"]);
    expect(shape("\n#pragma acc kernels\n for (i = 0; i < n; i++) a[i] = 0;")).toEqual([
      region({ for: "a[i] = 0" }),
    ]);
  });

  test("which may be the body of an if, an else or a loop without braces", () => {
    expect(
      shape("if (n)\n#pragma acc parallel\n s = 1;\n else\n#pragma acc serial\n s = 2;\n s = 3;"),
    ).toEqual([{ if: region("s = 1"), else: region("s = 2") }, "s = 3"]);
    expect(
      shape("for (k = 0; k < n; k++)\n#pragma acc parallel loop\n for (i = 0; i < n; i++) a[i] = k;"),
    ).toEqual([{ for: region({ loop: "a[i] = k" }) }]);
    expect(shape("while (n)\n#pragma acc data copy(a)\n n--;")).toEqual([{ while: { data: "n--" } }]);
    expect(shape("do\n#pragma acc parallel\n s = 1;\n while (n);")).toEqual([{ do: region("s = 1") }]);
  });

  test("which may follow a case or a label", () => {
    expect(shape("switch (n) { case 1:\n#pragma acc parallel\n s = 1;\n break; }")).toEqual([
      { switch: [{ case: region("s = 1") }, "break"] },
    ]);
  });

  test("and nests in others on the same statement, the first outermost", () => {
    expect(
      shape(
        "\n#pragma acc data copy(a)\n#pragma acc parallel\n#pragma acc loop gang\n for (i = 0; i < n; i++)\n#pragma acc loop vector\n for (j = 0; j < n; j++) m[i][j] = 1;",
      ),
    ).toEqual([{ data: region({ loop: { loop: "m[i][j] = 1" } }) }]);
  });

  test("a combined construct is the compute construct around the loop", () => {
    const { body } = nodeIn(
      "\n#pragma acc parallel loop gang num_gangs(3) reduction(+: s) private(t)\n for (i = 0; i < n; i++) s += i;",
      "task",
    );
    const spmd = asNode(body, "spmd");
    expect(spmd?.numTeams && printExpr(spmd.numTeams)).toBe("3");
    // Clauses of the loop are not the construct's.
    expect([spmd?.reductions, spmd?.privates]).toEqual([[], []]);
    const loop = spmd && asNode(spmd.body, "loop");
    expect(loop?.reductions.map((r) => `${r.op} ${r.sym.name}`)).toEqual(["+ s"]);
    expect(loop?.privates.map((p) => p.name)).toEqual(["t"]);
  });
});

describe("a standalone directive", () => {
  test("is a separate statement before the following one", () => {
    expect(
      shape(
        "\n#pragma acc update self(a)\n s = 1;\n#pragma acc wait\n#pragma acc enter data copyin(a)\n s = 2;",
      ),
    ).toEqual(["data-move", "s = 1", "sync", "data-move", "s = 2"]);
  });

  test("may end a block", () => {
    expect(shape("{ s = 1;\n#pragma acc update self(a)\n#pragma acc wait(1)\n }")).toEqual([
      ["s = 1", "data-move", "sync"],
    ]);
  });

  test("may precede a construct on the same statement", () => {
    expect(shape("\n#pragma acc update device(a)\n#pragma acc parallel\n s = 1;")).toEqual([
      "data-move",
      region("s = 1"),
    ]);
  });

  test.each([
    "update self(a)",
    "wait",
    "enter data copyin(a)",
    "exit data delete(a)",
    "init",
    "shutdown",
    "set device_num(0)",
  ])("%s cannot be the whole body of an if, a loop or a switch", (line) => {
    const outer = ["if (n)", "if (n) ; else", "for (;;)", "while (n)", "do", "switch (n)"];
    for (const head of outer) {
      const tail = head === "do" ? "while (n);" : "";
      expect(complaints(`${head}\n#pragma acc ${line}\n s = 1; ${tail}`)).toEqual([
        "2:13 standalone-as-body",
      ]);
    }
  });
});

describe("statements that a directive cannot apply to", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["{ s = 1;\n#pragma acc parallel\n }", "2:13 missing-statement"],
    ["{\n#pragma acc data copy(a)\n }", "2:13 missing-statement"],
    ["{\n#pragma acc parallel loop\n }", "2:13 missing-statement"],
    ["\n#pragma acc parallel\n int z = 3;", "2:13 expected-statement"],
    ["\n#pragma acc data copy(a)\n double z;", "2:13 expected-statement"],
    ["\n#pragma acc parallel loop\n while (n) n--;", "2:13 expected-loop"],
    ["\n#pragma acc parallel loop\n { for (i = 0; i < n; i++) ; }", "2:13 expected-loop"],
    [
      "\n#pragma acc parallel loop collapse(2)\n for (i = 0; i < n; i++) { s = 1; for (j = 0; j < n; j++) ; }",
      "3:26 imperfect-nest",
    ],
    ["\n#pragma acc parallel loop collapse(2)\n for (i = 0; i < n; i++) a[i] = 0;", "3:26 imperfect-nest"],
    ["\n#pragma acc parallel loop collapse(n)\n for (i = 0; i < n; i++) a[i] = 0;", "2:27 collapse-argument"],
    ["\n#pragma acc parallel loop collapse(0)\n for (i = 0; i < n; i++) a[i] = 0;", "2:27 collapse-argument"],
    [
      "\n#pragma acc parallel loop tile(2) collapse(2)\n for (i = 0; i < n; i++) for (j = 0; j < n; j++) ;",
      "2:35 tile-with-collapse",
    ],
  ];
  test.each(cases)("%s", (statements, place) => expect(complaints(statements)).toEqual([place]));
});

describe("the header of a counted loop", () => {
  const header = (loop: string) => {
    const [h] = nodeIn(`\n#pragma acc parallel loop\n ${loop} ;`, "loop").headers;
    return (
      h &&
      `${h.declares ? "own " : ""}${h.var.name} = ${printExpr(h.lower)}; ${h.relation} ${printExpr(h.bound)}; ${printExpr(h.step)}`
    );
  };
  test.each([
    ["for (i = 0; i < n; i++)", "i = 0; < n; 1"],
    ["for (int q = 0; q <= n; ++q)", "own q = 0; <= n; 1"],
    ["for (i = n - 1; i >= 0; i--)", "i = n - 1; >= 0; -1"],
    ["for (i = n; i > 0; i -= 2)", "i = n; > 0; -2"],
    ["for (i = 0; n > i; i += s)", "i = 0; < n; s"],
    ["for (i = 0; n != i; i = i + 3)", "i = 0; != n; 3"],
    ["for (i = 0; i < n; i = 3 + i)", "i = 0; < n; 3"],
    ["for (i = 9; 0 <= i; i = i - 3)", "i = 9; >= 0; -3"],
    ["for (long q = 0; q < n; q += 1)", "own q = 0; < n; 1"],
    ["for (unsigned char q = 0; q < n; q++)", "own q = 0; < n; 1"],
    ["for (double *q = x; q < x + n; q++)", "own q = x; < x + n; 1"],
  ])("%s", (loop, expected) => expect(header(loop)).toBe(expected));

  test.each([
    "for (; i < n; i++)",
    "for (i = 0, j = 0; i < n; i++)",
    "for (int q = 0, r = 0; q < n; q++)",
    "for (i = 0; ; i++)",
    "for (i = 0; i < n;)",
    "for (i = 0; j < n; i++)",
    "for (i = 0; i < n && s; i++)",
    "for (i = 0; i < n; j++)",
    "for (i = 0; i < n; i *= 2)",
    "for (i = 0; i < n; i = i * 2)",
    "for (i = 0; i < n; i = s - i)",
    "for (i = 0; i == n; i++)",
    "for (t = 0; t < n; t++)",
    "for (a[0] = 0; a[0] < n; a[0]++)",
    "for (i += 0; i < n; i++)",
  ])("is not found in %s", (loop) => {
    expect(complaints(`\n#pragma acc parallel loop\n${loop} ;`)).toEqual(["3:1 not-a-counted-loop"]);
  });
});

describe("atomic statements", () => {
  const atomic = (what: string, statement: string) => {
    const n = nodeIn(`\n#pragma acc parallel\n{\n#pragma acc atomic ${what}\n${statement}\n}`, "atomic");
    const text = (e: typeof n.value) => e && printExpr(e);
    return [n.what, text(n.target), n.op, text(n.value), text(n.captured), n.captureNew, n.reversed].filter(
      (x) => x !== undefined,
    );
  };
  test.each<readonly [string, string, readonly unknown[]]>([
    ["read", "t = x[i];", ["read", "x[i]", "t"]],
    ["write", "x[i] = t * 2;", ["write", "x[i]", "t * 2"]],
    ["", "s++;", ["update", "s", "+", "1"]],
    ["update", "--s;", ["update", "s", "-", "1"]],
    ["update", "s *= n + 1;", ["update", "s", "*", "n + 1"]],
    ["update", "s <<= 1;", ["update", "s", "<<", "1"]],
    ["update", "x[i] = x[i] / t;", ["update", "x[i]", "/", "t"]],
    ["update", "t = 1 - t;", ["update", "t", "-", "1", true]],
    ["update", "s = n | s;", ["update", "s", "|", "n", true]],
    ["update", "{ s += 1; }", ["update", "s", "+", "1"]],
    ["capture", "k = s++;", ["capture", "s", "+", "1", "k", false]],
    ["capture", "k = ++s;", ["capture", "s", "+", "1", "k", true]],
    ["capture", "k = s -= n;", ["capture", "s", "-", "n", "k", true]],
    ["capture", "k = s = s + n;", ["capture", "s", "+", "n", "k", true]],
    ["capture", "{ k = s; s += n; }", ["capture", "s", "+", "n", "k", false]],
    ["capture", "{ s += n; k = s; }", ["capture", "s", "+", "n", "k", true]],
    ["capture", "{ k = s; s++; }", ["capture", "s", "+", "1", "k", false]],
    ["capture", "{ k = s; s = n - s; }", ["capture", "s", "-", "n", "k", false, true]],
    ["capture", "{ k = s; s = n; }", ["capture", "s", "=", "n", "k", false]],
  ])("atomic %s of %s", (what, statement, expected) => expect(atomic(what, statement)).toEqual(expected));

  test.each([
    ["read", "s++;"],
    ["read", "x[i] = t + 1;"],
    ["write", "x[i] += t;"],
    ["write", "{ s = 1; }"],
    ["update", "s = n;"],
    ["update", "s = s + s;"],
    ["update", "x[i] = x[j] + 1;"],
    ["update", "s = 2 * s + 1;"],
    ["update", "s = s < 1;"],
    ["update", "{ s += 1; k += 1; }"],
    ["update", "if (n) s = n;"],
    ["update", "s += s;"],
    ["capture", "s++;"],
    ["capture", "{ k = s; }"],
    ["capture", "{ k = s; s += n; k = s; }"],
    ["capture", "{ k = s; i += n; }"],
    ["capture", "{ s += n; k = i; }"],
    ["capture", "k = s = n;"],
  ])("atomic %s of %s is refused", (what, statement) => {
    expect(complaints(`\n#pragma acc parallel\n{\n#pragma acc atomic ${what}\n${statement}\n}`)).toEqual([
      "5:1 atomic-form",
    ]);
  });

  test("atomic with two kinds is refused", () => {
    expect(complaints("\n#pragma acc atomic read write\n t = x[0];")).toEqual(["2:25 conflicting-clauses"]);
  });
});

describe("loop clauses", () => {
  const parallel = (line: string) =>
    nodeIn(`\n#pragma acc ${line}\n for (i = 0; i < n; i++) ;`, "loop").parallel;

  test("levels are listed from the outermost, in whatever order they are written", () => {
    expect(parallel("parallel loop vector gang worker").levels).toEqual(["gang", "worker", "vector"]);
  });

  test("a loop of parallel is independent, one of kernels only if proved, unless a clause decides", () => {
    expect(parallel("parallel loop").independence).toBe("independent");
    expect(parallel("serial loop").independence).toBe("independent");
    expect(parallel("kernels loop").independence).toBe("auto");
    expect(parallel("kernels loop independent").independence).toBe("independent");
    expect(parallel("parallel loop auto").independence).toBe("auto");
    expect(parallel("parallel loop seq").independence).toBe("seq");
  });

  test("a loop directive inside kernels needs a proof as well", () => {
    const [loop] = nodesIn(
      "\n#pragma acc kernels\n{\n#pragma acc loop\n for (i = 0; i < n; i++) ;\n}",
      "loop",
    );
    expect(loop?.parallel.independence).toBe("auto");
  });

  test.each([
    ["seq gang", "2:31 seq-with-level"],
    ["vector seq", "2:34 seq-with-level"],
    ["seq independent", "2:31 conflicting-clauses"],
    ["seq auto", "2:31 conflicting-clauses"],
    ["independent auto", "2:39 conflicting-clauses"],
  ])("%s contradict each other", (clauses, place) => {
    expect(complaints(`\n#pragma acc parallel loop ${clauses}\n for (i = 0; i < n; i++) ;`)).toEqual([place]);
  });

  test("levels without independence in kernels are the user's promise", () => {
    expect(parallel("kernels loop gang").independence).toBe("independent");
  });
});

describe("device_type", () => {
  const gangs = (clauses: string) => {
    const program = read(inFunction(`\n#pragma acc parallel ${clauses}\n s = 1;`));
    expect(program.diagnostics.filter((d) => d.severity !== "note")).toEqual([]);
    const [spmd] = nodes(functionOf(program).body, "spmd");
    return {
      gangs: spmd?.numTeams && printExpr(spmd.numTeams),
      notes: program.diagnostics.map((d) => d.code),
    };
  };

  test("the clauses before it hold where no other do", () => {
    expect(gangs("num_gangs(1) device_type(*) num_gangs(2)").gangs).toBe("1");
    expect(gangs("device_type(*) num_gangs(2)").gangs).toBe("2");
    expect(gangs("device_type(default) num_gangs(2)").gangs).toBe("2");
  });

  test("clauses for one device only are ignored, with a warning", () => {
    expect(gangs("num_gangs(1) device_type(nvidia) num_gangs(2)")).toEqual({
      gangs: "1",
      notes: ["device-type"],
    });
    expect(gangs("device_type(nvidia) num_gangs(2)")).toEqual({ gangs: undefined, notes: ["device-type"] });
  });
});

describe("data clauses", () => {
  const items = (line: string) =>
    nodeIn(`\n#pragma acc ${line}\n ;`, "data").items.map((i) =>
      `${i.written}: ${i.mapping.is} ${Object.keys(i.mapping)
        .filter((k) => k !== "is" && k !== "vis")
        .join(" ")}`.trim(),
    );

  test("say what happens to the storage", () => {
    expect(
      items("data copy(a) copyin(b) copyout(x[0:n]) create(y[0:n]) present(p) no_create(m) deviceptr(rows)"),
    ).toEqual([
      "a: tofrom",
      "b: to",
      "x[0:n]: from",
      "y[0:n]: allocate",
      "p: present",
      "m: no-create",
      "rows: deviceptr",
    ]);
  });

  test("keep their modifiers", () => {
    expect(items("data copyin(readonly: a) copyout(zero: b) copy(always: x[0:1])")).toEqual([
      "a: to readonly",
      "b: from zero",
      "x[0:1]: tofrom alwaysIn alwaysOut",
    ]);
    expect(items("data copyin(always: a) copyout(always: b)")).toEqual([
      "a: to alwaysIn",
      "b: from alwaysOut",
    ]);
  });

  test("default of a data construct applies to compute constructs inside without one", () => {
    const [first, second, third] = nodesIn(
      "\n#pragma acc data default(present)\n{\n#pragma acc parallel\n s = 1;\n#pragma acc parallel default(none) private(s)\n s = 1;\n#pragma acc data default(none)\n#pragma acc serial\n k = 1;\n}",
      "task",
    );
    expect([first?.defaultData, second?.defaultData, third?.defaultData]).toEqual([
      "present",
      "none",
      "none",
    ]);
  });

  test.each([
    ["parallel private(x[0:2][0:n])", "2:30 private-behind-pointer"],
    ["parallel private(p.first)", "2:30 not-a-whole-variable"],
    ["parallel firstprivate(x[0:2][0:n])", "2:35 private-behind-pointer"],
    ["host_data use_device(x[0:n])", "2:34 not-a-whole-variable"],
    ["host_data", "2:13 host-data-without-variables"],
    ["update if(n)", "2:13 update-without-data"],
    ["enter data", "2:13 data-without-clause"],
    ["exit data if(n)", "2:13 data-without-clause"],
    ["data", "2:13 data-without-clause"],
    ["set", "2:13 set-without-clause"],
  ])("%s is refused", (line, place) => expect(complaints(`\n#pragma acc ${line}\n ;`)).toEqual([place]));
});

describe("routines", () => {
  const levels = (text: string) =>
    [...accepted(text).routines.values()].map((r) => `${r.sym.name} ${r.level}${r.bind ? ` ${r.bind}` : ""}`);

  test("a directive before a definition or a declaration marks it", () => {
    expect(
      levels(
        "\n#pragma acc routine seq\nint f(int x) { return x; }\n#pragma acc routine gang\nvoid g(void);",
      ),
    ).toEqual(["f seq", "g gang"]);
  });

  test("a directive may name functions declared before or after it", () => {
    expect(
      levels(
        "int f(int);\n#pragma acc routine(f) vector bind(f2)\n#pragma acc routine(g) worker\nint g(void);",
      ),
    ).toEqual(["f vector f2", "g worker"]);
  });

  test("a directive inside a function may name one", () => {
    expect(levels("int f(int);\nvoid g(void) {\n#pragma acc routine(f) seq\n f(1); }")).toEqual(["f seq"]);
  });

  test.each([
    ["#pragma acc routine seq\nint x;", "1:13 routine-without-function"],
    ["#pragma acc routine seq\n", "1:13 routine-without-function"],
    ["#pragma acc routine(x) seq\nint x;", "1:21 not-a-function"],
    ["#pragma acc routine(none) seq\nint x;", "1:21 not-a-function"],
    ["void f(void) {\n#pragma acc routine seq\n;\n}", "2:13 routine-without-function"],
    ["void f(void) {\n#pragma acc routine(none) seq\n;\n}", "2:21 not-a-function"],
    ["#pragma acc routine gang seq\nvoid f(void);", "1:26 conflicting-clauses"],
    ["#pragma acc routine\nvoid f(void);", "1:13 routine-without-level"],
    [
      "#pragma acc routine seq\nvoid f(void);\n#pragma acc routine gang\nvoid f(void);",
      "3:13 routine-level-differs",
    ],
    ["#pragma acc parallel\nvoid f(void);", "1:13 directive-outside-function"],
    ["#pragma acc loop\nint x;", "1:13 directive-outside-function"],
  ])("%s is refused", (text, place) => expect(places(read(text).diagnostics)).toEqual([place]));
});

test("statements without directives stay the same objects", () => {
  const { unit } = parse(inFunction("s = 1; while (n) { k = 2; }\n#pragma acc parallel\n k = 3;"), {
    file: "test.c",
  });
  const before = unit.externals.find((e) => e.kind === "function");
  const after = readDirectives(unit).unit.externals.find((e) => e.kind === "function");
  const same = after?.body.body.map((s, i) => s === before?.body.body[i]);
  expect(same).toEqual([true, true, true, true, true, true, false]);
});

test("every error has a remedy", () => {
  const faults = [
    "\n#pragma acc parallel\n",
    "\n#pragma acc loop\n n++;",
    "\n#pragma acc update\n;",
    "if (n)\n#pragma acc wait\n n++;",
    "\n#pragma acc parallel loop seq gang\nfor (i = 0; i < n; i++) ;",
  ];
  for (const f of faults) {
    const { diagnostics } = read(inFunction(f));
    expect(diagnostics.length).toBeGreaterThan(0);
    for (const d of diagnostics) expect(d.remedy, d.message).toMatch(/\w/);
  }
});
