/** RX-04, RX-06, RX-08: the text of the IR reads back as what was printed. */
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runPasses } from "../../../core/compiler/passes/pipeline.ts";
import { deviceFunctions } from "../../../core/ir/analysis/routines.ts";
import type { Program } from "../../../core/ir/model/program.ts";
import { spmdOf } from "../../../core/ir/model/region.ts";
import { trimmed } from "../../../core/ir/model/trim.ts";
import { normalise, tasksOf } from "../../../core/ir/normalise/normalise.ts";
import { readOpenarc } from "../../../core/ir/openarc/read.ts";
import { readDirectives } from "../../../core/ir/read/read.ts";
import { parseProgram } from "../../../core/ir/text/parse.ts";
import { programText } from "../../../core/ir/text/print.ts";
import { verify } from "../../../core/ir/verify/verify.ts";
import { type Expr, INT, parse } from "../../../core/lang/index.ts";
import {
  assign,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  index,
} from "../../../core/lang/tree/build.ts";
import type { Assignment } from "../../../schema/document/axis.ts";
import { findDevice } from "../../../targets/devices/devices.ts";
import { openclEmitter } from "../../../targets/opencl/emit.ts";
import { lower } from "../../../targets/shared/lower/lower.ts";
import { cases } from "../../cases.ts";
import { sampled } from "../../sampled.ts";
import { preprocessed, sources } from "./programs.ts";
import { programs } from "./random.ts";
import { accepted, described, functionOf, inFunction, mapTasks, places } from "./reading.ts";
import { difference } from "./same.ts";

const root = path.join(import.meta.dirname, "../../..");

function read(name: string, folder?: string): Program {
  const { unit, diagnostics } = parse(preprocessed(name, folder), { file: name });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return readOpenarc(readDirectives(unit));
}

/** The text, read back: it must be right, the same, and print the same. */
function reread(program: Program): Program {
  const text = programText(program);
  const back = parseProgram(text, "text.ir");
  expect(back.diagnostics.filter((d) => d.severity === "error").map(described)).toEqual([]);
  expect(difference(program, back)).toBeUndefined();
  expect(programText(back)).toBe(text);
  return back;
}

/** Every region after all passes. */
function passed(program: Program, choice: Assignment): Program {
  const device = findDevice("stratix-v");
  if (!device) throw new Error("no device table");
  return mapTasks(program, (task) => runPasses(task, choice, device).task);
}

function kernels(program: Program): readonly string[] {
  return tasksOf(program).map(({ task }) => {
    const { functions } = deviceFunctions(program, spmdOf(task).body, { kind: "separate" });
    return openclEmitter.emit(lower({ task, functions, model: openclEmitter.model })).text;
  });
}

const single: Assignment = { model: "swi", collapse: true, hoist: true, window: 2 };
const range: Assignment = { model: "nd", collapse: true, elim: true, hoist: true, simd: 2 };

describe("a program reads back from its text after reading, normalisation and passes", () => {
  // Neighbours by name are about one construct.
  it.each(sampled(sources, 4))("%s", (name) => {
    const program = trimmed(read(name));
    reread(program);
    const once = normalise(program, { kind: "separate" });
    const back = reread(once);
    expect(kernels(back)).toEqual(kernels(once));
    expect(programText(normalise(back, { kind: "separate" }))).toBe(programText(back));
    reread(passed(once, single));
  });

  const projects = ["axpy", "histogram", "hotspot", "jacobi", "matmul", "nw", "sobel", "spmv", "srad"];
  const fpga = ["fd3d", "heat", "hotspot", "pathfinder", "sobel", "srad"];
  it.each([
    ...projects.map((name) => `examples/${name}/src/${name}.c`),
    ...fpga.map((name) => `test/programs/fpga/${name}.c`),
  ])("%s", (name) => {
    const program = trimmed(read(name, root));
    reread(program);
    const once = normalise(program);
    const back = reread(once);
    expect(kernels(back)).toEqual(kernels(once));
    const chained = { model: "swi", "time-steps": 3 };
    for (const choice of [single, range, { model: "swi", unroll: 4, reduction: 2 }, chained])
      reread(passed(once, choice));
  });

  it("with all declarations of its headers", () => {
    reread(normalise(read("examples/jacobi/src/jacobi.c", root)));
  });
});

describe("shuffles", () => {
  const lines = [
    "sync(~0u, 0, x[n], s)",
    "up(1 << n, n % 4, t -=, t)",
    "down(-1, 3, j |=, k)",
    "xor(0xff, 1, r, t)",
  ];
  const text = inFunction(`
#pragma omp target
#pragma omp parallel num_threads(40) shuffle(s, t, k)
{
${lines.map((line) => `#pragma omp shuffle ${line}`).join("\n")}
}`);

  it("read back from their text, with the kernels that they are", () => {
    const program = normalise(accepted(text), { kind: "separate" });
    expect(programText(program)).toContain("#pragma upir shuffle up mask(1 << n) lane(n % 4)\n");
    expect(programText(program)).toMatch(/shuffle down mask\(-1\) lane\(3\)\n +j \|= k_own;/);
    const back = reread(program);
    expect(kernels(back)).toEqual(kernels(program));
    reread(passed(program, range));
  });

  it("decide a region's name", () => {
    const names = ["3", "4"].map((lane) => {
      const [{ task } = { task: undefined }] = tasksOf(
        normalise(accepted(text.replace("-1, 3", `-1, ${lane}`))),
      );
      return task?.region;
    });
    expect(names[0]).not.toBe(names[1]);
  });
});

describe("host_data reads back", () => {
  it.each([
    ["variables", "acc host_data use_device(p, a)", "take(p); take(a);"],
    [
      "sections that begin behind the first element",
      "omp target data use_device_addr(p[3:4], m[2:1][1:2])",
      "take(p); take(m[0]);",
    ],
    [
      "members, scalars and structs",
      "acc host_data use_device(s.p, s.a, x, s.in)",
      "take(s.p); take(s.a); take(&x); take(&s.in.y);",
    ],
    ["conditions", "acc host_data use_device(p) if(n > 3) if_present", "take(p);"],
  ])("%s", (_, clauses, body) => {
    const text = [
      "struct { double *p, a[4]; struct in { int y; } in; } s;",
      "double x, a[9], m[8][8];",
      "void take(void *);",
      `void f(int n, double *p) {\n#pragma ${clauses}\n{ ${body} }\n}`,
    ].join("\n");
    const { unit, diagnostics } = parse(text, { file: "a.c" });
    expect(diagnostics).toEqual([]);
    const program = readOpenarc(readDirectives(unit));
    expect(program.diagnostics.filter((d) => d.severity === "error").map(described)).toEqual([]);
    reread(program);
  });
});

describe("random IR", () => {
  it("reads back from its text", () => {
    fc.assert(
      fc.property(
        programs.map((program) => ({ program, [fc.toStringMethod]: () => programText(program) })),
        ({ program }) => {
          reread(program);
        },
      ),
      cases(200),
    );
  });
});

describe("the text of a unit for people", () => {
  const text = `
# 1 "a.h" 1
typedef unsigned long count;
struct used { count n; struct used *next; };
struct unused { int v; };
int helper(struct used *u); int idle(void);
static inline count twice(count n) { return 2 * n; }
enum { first = 3, second };
# 2 "a.c" 2
int f(struct used *u) { return helper(u) + twice(u->n) + second; }
`;
  it("has what its own file mentions of headers, and what that needs", () => {
    const { unit } = parse(text, { file: "a.c" });
    const kept = programText(trimmed(readDirectives({ ...unit, file: "a.c" })));
    for (const name of ["typedef unsigned long count", "struct used {", "helper", "twice", "enum {"])
      expect(kept).toContain(name);
    for (const name of ["idle", "struct unused {"]) expect(kept).not.toContain(name);
  });
});

describe("names that C would take for others", () => {
  it("are spelled anew", () => {
    const program = accepted("void f(int n, int *x) { x[0] = n; }");
    const def = functionOf(program);
    const [n, x] = def.params.map((sym) => ident(sym)) as [Expr, Expr];
    const inner = freshSymbol("n", INT);
    const body = compound([declare(inner, n), exprStmt(assign(index(x, ident(inner)), n))], def.span);
    const changed = {
      ...program,
      unit: { ...program.unit, externals: [{ ...def, body }] },
    };
    expect(programText(changed)).toContain("int n_2 = n;\n  x[n_2] = n;");
    reread(changed);
  });

  it("are not given to members that clauses name", () => {
    const region = "#pragma acc parallel copy(p.list[0:n])\n{ int p_list = n; p.list[p_list] = p_list; }";
    const program = normalise(accepted(inFunction(`\n${region}`)));
    const text = programText(program);
    expect(text).toContain("data(p.list[0:n] as p_list_2:");
    expect(text).toContain("p_list_2[p_list] = p_list;");
    reread(program);
  });
});

// ---------------------------------------------------------------- what a text may have wrong

const head = "void f(int n, double *x) {\n";
const unitOf = (lines: string) => `${head}${lines}\n}\n`;
const wrong = (lines: string) => places(parseProgram(unitOf(lines), "t.ir").diagnostics);

describe("an error in a text has its place, reason and remedy", () => {
  it.each<readonly [what: string, lines: string, expected: readonly string[]]>([
    ["an unknown node", "#pragma upir lop independent\nfor (int i = 0; i < n; i++) ;", ["2:14 unknown-word"]],
    ["a word missing", "#pragma upir task offload\n;", ["2:26 syntax"]],
    ["an unknown word", "#pragma upir sync weight\n;", ["2:19 unknown-word"]],
    ["an unknown variable", "#pragma upir spmd private(y)\n;", ["2:27 unknown-name"]],
    ["a type for a variable", "#pragma upir spmd private(3)\n;", ["2:27 syntax"]],
    ["a bad expression", "#pragma upir spmd teams(n +)\n;", ["2:28 syntax"]],
    ["an undeclared name", "#pragma upir spmd teams(many)\n;", ["2:25 undeclared-identifier"]],
    ["an open parenthesis", "#pragma upir spmd teams(n\n;", ["2:26 syntax"]],
    ["a clause twice", "#pragma upir spmd teams(n) teams(2)\n;", ["2:28 repeated-clause"]],
    ["a clause missing", "#pragma upir channel-write channel(c)\n;", ["2:38 missing-clause"]],
    ["a number missing", "#pragma upir spmd simd(n)\n;", ["2:24 syntax"]],
    ["a mapping", "#pragma upir cache data(x[0:n]: shared too read-only)\n;", ["2:40 unknown-word"]],
    ["a section", "#pragma upir cache data(x[0:n; shared to read-only)\n;", ["2:30 syntax"]],
    ["an item that is no variable", "#pragma upir cache data(f: shared to none)\n;", ["2:25 not-a-variable"]],
    ["an operator", "#pragma upir spmd reduction(-: n)\n;", ["2:29 unknown-reduction-operator"]],
    ["a statement where none belongs", "#pragma upir sync wait\nn = 1;", ["3:1 wrong-statement"]],
    ["no loop", "#pragma upir loop seq\nn = 1;", ["3:1 wrong-statement"]],
    [
      "too few loops",
      "#pragma upir loop seq nest(2)\nfor (int i = 0; i < n; i++) ;",
      ["3:29 wrong-statement"],
    ],
    ["a loop that cannot be counted", "#pragma upir loop seq\nfor (;;) ;", ["3:1 not-a-counted-loop"]],
    ["a shuffle without its mask", "#pragma upir shuffle up lane(1)\nn = n;", ["2:32 missing-clause"]],
    ["a shuffle of no assignment", "#pragma upir shuffle up mask(1) lane(1)\nn++;", ["3:1 wrong-statement"]],
    ["a shuffle of a value", "#pragma upir shuffle up mask(1) lane(1)\nn = 2;", ["3:1 wrong-statement"]],
    ["another atomic", "#pragma upir atomic read\nn += 1;", ["3:1 atomic-form"]],
    [
      "a variable that no item's region declares",
      "#pragma upir data data(x[0:n] as y: shared to none)\n;",
      ["3:1 wrong-statement"],
    ],
    ["C that is wrong", "#pragma upir spmd\nn = ;", ["3:5 syntax"]],
  ])("%s", (_, lines, expected) => {
    const { diagnostics } = parseProgram(unitOf(lines), "t.ir");
    expect(wrong(lines)).toEqual(expected);
    for (const d of diagnostics) expect(d).toMatchObject({ severity: "error", remedy: expect.any(String) });
  });

  it("between functions", () => {
    const at = (line: string) => places(parseProgram(`${line}\n${head}}\n${line}\n`, "t.ir").diagnostics);
    expect(at("#pragma upir task offload parallel")).toEqual(["1:14 unknown-word", "4:14 unknown-word"]);
    expect(at("#pragma upir routine seq function(f)")).toEqual(["1:35 unknown-name"]);
  });
});

describe("RX-08: what arc does not know on a line", () => {
  const lines =
    "#pragma upir loop seq metadirective(when(device: 3), x) unrol(4)\nfor (int i = 0; i < n; i++) x[i] = 1;";

  it("gets a warning at its location, with a suggestion", () => {
    const { diagnostics } = parseProgram(unitOf(lines), "t.ir");
    expect(diagnostics.map(described)).toEqual([
      "2:23 warning[unknown-extension] 'metadirective' has no meaning for 'loop': it is kept and has no effect",
      "2:57 warning[unknown-extension] 'unrol' has no meaning for 'loop': it is kept and has no effect",
    ]);
    expect(diagnostics[1]?.remedy).toBe("did you mean 'unroll'?");
  });

  it("is kept", () => {
    const program = parseProgram(unitOf(lines), "t.ir");
    expect(programText(program)).toContain("loop seq metadirective(when(device: 3), x) unrol(4)\n");
    reread(program);
  });

  it("has no effect: verification, region names and kernels are as without it", () => {
    const around = (extension: string) =>
      unitOf(`#pragma upir task offload parallel${extension}
#pragma upir spmd${extension}
#pragma upir loop independent${extension}
for (int i = 0; i < n; i++) x[i] = 1;`);
    const [without, having] = ["", " metadirective(x)"].map((e) => parseProgram(around(e), "t.ir")) as [
      Program,
      Program,
    ];
    expect(verify(having)).toEqual([]);
    const [plain, extended] = [normalise(without), normalise(having)];
    expect(tasksOf(extended)[0]?.task.region).toBe(tasksOf(plain)[0]?.task.region);
    expect(kernels(extended)).toEqual(kernels(plain));
    expect(programText(extended).match(/metadirective\(x\)/g)).toHaveLength(3);
  });
});
