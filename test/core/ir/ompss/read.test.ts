/** Task directives: their IR, what is refused, and that the IR's text is parsed back. */
import { describe, expect, it } from "vitest";
import type { ExplicitTask, TaskAccess, TaskWait } from "../../../../core/ir/model/ir.ts";
import type { Program, TaskFunction } from "../../../../core/ir/model/program.ts";
import { withKernelFiles } from "../../../../core/ir/ompss/kernel-files.ts";
import { parseProgram } from "../../../../core/ir/text/parse.ts";
import { programText } from "../../../../core/ir/text/print.ts";
import { verify } from "../../../../core/ir/verify/verify.ts";
import { evaluateInteger, printExpr } from "../../../../core/lang/index.ts";
import { accepted, described, functionOf, inFunction, nodes, read } from "../reading.ts";
import { difference } from "../same.ts";

const task = (statements: string): ExplicitTask =>
  nodes(functionOf(accepted(inFunction(statements))).body, "explicit-task")[0] as ExplicitTask;

const taskFunction = (text: string): TaskFunction => {
  const [first] = accepted(text).taskFunctions?.values() ?? [];
  if (!first) throw new Error("no task");
  return first;
};

/** `mode object [start+length]...` */
function spelled({ mode, weak, only, object, section }: TaskAccess): string {
  const number = (e: (typeof section)[number]["start"]) =>
    e ? String(evaluateInteger(e) ?? printExpr(e)) : "";
  const dims = section.map(({ start, length }) => `[${number(start)}+${number(length)}]`);
  return `${weak ? "weak " : ""}${only ? `${only} ` : ""}${mode} ${printExpr(object)}${dims.join("")}`;
}

const accesses = (clauses: string): string[] => {
  const { accesses: found } = task(`#pragma omp task ${clauses}\n;`);
  return found.map(spelled);
};

const codes = (text: string): string[] =>
  [...read(text).diagnostics, ...verify(read(text))]
    .filter((d) => d.severity !== "note")
    .map((d) => `${d.loc.line}:${d.loc.col} ${d.severity} ${d.code}`);

describe("sections are read", () => {
  it.each([
    ["in([n]x)", ["in x[0+n]"]],
    ["in([64 * 64]x)", ["in x[0+4096]"]],
    ["in(x[2;5])", ["in x[2+5]"]],
    ["in(x[2:5])", ["in x[2+4]"]],
    ["in(x[i:i + 3])", ["in x[i+i + 3 - i + 1]"]],
    ["in(x[:5])", ["in x[+6]"]],
    ["in(a)", ["in a"]],
    ["in(a[3:])", ["in a[3+]"]],
    ["in(*x)", ["in *x"]],
    ["out(a[i], x[i + 1])", ["out a[i+1]", "out x[i + 1+1]"]],
    ["inout([n][8]x)", ["inout (double (*)[8])x[0+n][0+8]"]],
    ["inout([n][8]x[2;2][4:5])", ["inout (double (*)[8])x[2+2][4+2]"]],
    ["in([n][8]x[2;2])", ["in (double (*)[8])x[2+2][0+8]"]],
    ["in(m[1;2][i;n])", ["in m[1+2][i+n]"]],
    ["in(p.list[i ? 1 : 2;n])", ["in p.list[i ? 1 : 2+n]"]],
    ["depend(in: x[2:5])", ["in x[2+5]"]],
    ["depend(mutexinoutset: t)", ["commutative t"]],
    ["weakinout(x[0;n]) concurrent(s)", ["weak inout x[0+n]", "concurrent s"]],
  ])("%s", (clauses, expected) => expect(accesses(clauses)).toEqual(expected));
});

describe("tasks on functions", () => {
  it("take clauses over their parameters, also below members of one that is passed by value", () => {
    const { accesses: found, label } = taskFunction(
      "struct c { int window_size[2]; };\n#pragma omp task in([jc.window_size[0] / 4]x) label(slice)\nvoid f(struct c jc, float *x);",
    );
    expect(found.map(spelled)).toEqual(["in x[0+jc.window_size[0] / 4]"]);
    expect(label).toBe("slice");
  });

  it.each([
    ["copy_deps", "inout y[0+n]"],
    ["no_copy_deps", "order inout y[0+n]"],
    ["copy_in([n]y)", "order inout y[0+n], copy in y[0+n]"],
    ["copy_deps copy_out([n]y)", "inout y[0+n], copy out y[0+n]"],
    ["copy_inout(y[0;2])", "order inout y[0+n], copy inout y[0+2]"],
  ])("with %s have these dependences and copies", (clause, expected) => {
    const text = `#pragma omp target device(smp) ${clause}\n#pragma omp task inout([n]y)\nvoid f(int n, float *y);`;
    expect(taskFunction(text).accesses.map(spelled).join(", ")).toBe(expected);
    const program = accepted(text);
    expect(programText(parseProgram(programText(program), "text.ir"))).toBe(programText(program));
  });

  it("are the same with target before and after", () => {
    const target = "#pragma omp target device(smp) copy_deps\n";
    const work = "#pragma omp task inout([n]y)\n";
    const declared = "void f(int n, float *y);";
    const [one, two] = [target + work, work + target].map((text) => taskFunction(text + declared));
    expect(one?.accesses.map(spelled)).toEqual(two?.accesses.map(spelled));
  });

  it("refer to the arrays that parameters are declared as", () => {
    const found = taskFunction("#pragma oss task inout(m)\nvoid f(int n, double m[n][4]);");
    expect(found.accesses.map(spelled)).toEqual(["inout m[0+n]"]);
  });
});

describe("variables", () => {
  const sharing = ({ privates, firstprivates, shareds }: ExplicitTask) =>
    [privates, firstprivates, shareds].map((list) => list.map((sym) => sym.name).join(" "));

  it("are captured by value, but for memory that OmpSs's clauses name", () => {
    const body = "{ a[0] = *x + b[1] + t + table[0]; i = 1; p.first = 2; }";
    expect(sharing(task(`#pragma omp task in([n]x) inout(a) out(p.first) private(i)\n${body}`))).toEqual([
      "i",
      "x b t",
      "a p",
    ]);
    expect(sharing(task(`#pragma omp task depend(inout: a)\n${body}`))).toEqual(["", "x b t a i p", ""]);
  });

  it("are shared where all constructs around share them", () => {
    const found = task(
      "#pragma omp parallel private(j)\n#pragma omp single\n{ int own = 0;\n#pragma omp task\nt = own + i + j; }",
    );
    expect(sharing(found)).toEqual(["", "own j_own", "i t"]);
  });
});

describe("refused directives", () => {
  it.each<[string, string, string]>([
    ["on(x)", "#pragma omp task on(n)\nvoid f(int n);", "1:18 error misplaced-clause"],
    ["a result", "#pragma oss task in([n]x)\nint f(int n, int *x);", "1:13 error task-with-result"],
    ["copies", "#pragma oss task in(n)\nvoid f(int n);", "1:21 error parameter-by-value"],
    ["whole pointers", "#pragma oss task in(x)\nvoid f(int *x);", "1:21 error parameter-by-value"],
    [
      "shmem without ndrange",
      "#pragma omp target device(opencl) shmem(8)\n#pragma omp task in(*x)\nvoid f(int *x);",
      "1:35 error shmem-without-ndrange",
    ],
    [
      "devices",
      "#pragma omp target device(fpga) ndrange(1, 8, 8)\n#pragma omp task in(*x)\nvoid f(int *x);",
      "1:33 error unsupported-device",
    ],
    [
      "functions without anything for an FPGA",
      "#pragma omp target device(fpga)\n#pragma omp task in(*x)\nvoid f(int *x) { *x += 0; }",
      "1:20 error unsupported-device",
    ],
    [
      "statements for an FPGA",
      inFunction("#pragma omp target device(fpga)\n#pragma omp task in(a)\n;"),
      "5:20 error unsupported-device",
    ],
    ["target alone", "#pragma omp target device(smp)\nint x;", "1:13 warning target-without-task"],
    ["oss without function", "#pragma oss task in(x)\nint x;", "1:13 error directive-outside-function"],
    [
      "iterators",
      inFunction("#pragma oss task depend(iterator(k=0:4), in: a[k])\n;"),
      "5:25 error unsupported-modifier",
    ],
    ["leaving", inFunction("#pragma oss task\nreturn;"), "6:1 error branch-out-of-region"],
    [
      "leaving a group",
      inFunction("for (;;) {\n#pragma oss taskgroup\nbreak; }"),
      "7:1 error branch-out-of-region",
    ],
    ["misspelled clauses", inFunction("#pragma oss task inn(a)\n;"), "5:18 error unknown-clause"],
    ["misspelled directives", inFunction("#pragma oss taskwiat\n;"), "5:13 error unknown-directive"],
    [
      "reductions of arrays",
      inFunction("#pragma oss task reduction(+: a)\n;"),
      "5:31 error unsupported-reduction",
    ],
    ["no default", inFunction("#pragma oss task default(none) in(a)\na[0] = t;"), "6:8 error default-none"],
    ["what is no loop", inFunction("#pragma oss taskloop\n;"), "5:13 error expected-loop"],
    ["loops without a count", inFunction("#pragma oss taskloop\nfor (;;);"), "6:1 error not-a-counted-loop"],
    [
      "leaving a loop of tasks",
      inFunction("#pragma oss taskloop\nfor (i = 0; i < n; i++)\nbreak;"),
      "7:1 error branch-out-of-loop",
    ],
  ])("%s", (_, text, expected) => expect(codes(text)).toContain(expected));
});

describe("kernels", () => {
  const kernel = (
    target: string,
    clauses = "in([n]x) out([n]y)",
    parameters = "int n, float *x, float *y, float *l",
  ) =>
    withKernelFiles(
      `#pragma omp target device(opencl) ${target}\n#pragma omp task ${clauses}\nvoid f(${parameters});`,
      (name) => (name === "k.cl" ? { path: `src/${name}`, text: "__kernel void f() {}\n" } : undefined),
    );

  it("are read with their text, and read back", () => {
    const program = accepted(kernel("ndrange(2, n, n / 2, 16, 8) shmem(16384-2048) file(k.cl) name(g)"));
    const [made] = program.taskFunctions?.values() ?? [];
    expect(made?.kernel).toMatchObject({
      name: "g",
      file: "k.cl",
      place: "src/k.cl",
      source: "__kernel void f() {}\n",
    });
    expect(made?.kernel?.global.map((e) => printExpr(e))).toEqual(["n", "n / 2"]);
    expect(made?.kernel?.shared.map((e) => evaluateInteger(e))).toEqual([14336n]);
    const printed = programText(program);
    const back = parseProgram(printed, "text.ir");
    expect(back.diagnostics.map(described)).toEqual([]);
    expect(programText(back)).toBe(printed);
  });

  it.each([
    ["ndrange(1, n, 64) file(k.cl)", "shmem-sizes"],
    ["ndrange(1, n, 64) shmem(8, 8) file(k.cl)", "shmem-sizes"],
    ["shmem(8) file(k.cl)", "shmem-without-ndrange"],
    ["file(k.cl)", "kernel-without-ndrange"],
    ["ndrange(0) shmem(8) file(k.cl)", "ndrange-dimensions"],
    ["ndrange(4, 1, 1, 1, 1) shmem(8) file(k.cl)", "ndrange-dimensions"],
    ["ndrange(n, n, 64) shmem(8) file(k.cl)", "ndrange-dimensions"],
    ["ndrange(2, n, 64, 1) shmem(8) file(k.cl)", "ndrange-sizes"],
    ["ndrange(3, n, 64, 1, 2) shmem(8) file(k.cl)", "ndrange-sizes"],
    ["ndrange(1, n) shmem(8)", "kernel-without-file"],
    ["ndrange(1, n) shmem(8) file(other.cl)", "kernel-file"],
    ["ndrange(1, n) shmem(8) file(k.cl) implements(g)", "implements"],
    ["ndrange(1, n) shmem(8) file(k.cl) onto(1, 2)", "onto"],
    ["ndrange(1, n) shmem(8) file(k.cl) copy_deps no_copy_deps", "contrary-clauses"],
    ["ndrange(1, n) shmem(8) file(k.cl) no_copy_deps", "shmem-sizes"],
  ])("%s is refused", (target, code) => {
    expect(codes(kernel(target)).map((found) => found.split(" ").at(-1))).toContain(code);
  });

  it.each(["cuda", "hip"])("of %s have one piece of shared memory, which is no parameter", (device) => {
    const found = (target: string, parameters?: string) =>
      codes(kernel(target, undefined, parameters).replace("opencl", device)).map((c) => c.split(" ").at(-1));
    expect(found("ndrange(1, n, 64) file(k.cl)", "int n, float *x, float *y")).toEqual([]);
    expect(found("ndrange(1, n, 64) shmem(n) file(k.cl)", "int n, float *x, float *y")).toEqual([]);
    expect(found("ndrange(1, n, 64) shmem(8, 8) file(k.cl)", "int n, float *x, float *y")).toEqual([
      "shmem-sizes",
    ]);
    expect(found("ndrange(1, n, 64) shmem(8) file(k.cl)")).toEqual(["shmem-sizes"]);
  });

  it("are refused where a file and the program both define them", () => {
    const here = (file: string) =>
      kernel(`ndrange(1, n) ${file}`, "inout([n]x)", "int n, float *x").replace(
        "void f(int n, float *x);",
        "__kernel void f(int n, __global float *x) { x[0] = get_global_id(0); }",
      );
    const whole = (file: string) => codes(withKernelFiles(here(file), (path) => ({ path, text: "text" })));
    expect(whole("")).toEqual([]);
    expect(whole("file(k.cl)").map((found) => found.split(" ").at(-1))).toEqual(["kernel-twice"]);
  });

  it("are refused where a pointer has several sections", () => {
    const text = kernel("ndrange(1, n) shmem(8) file(k.cl)", "in(x[0;2], x[4;2]) out([n]y)");
    expect(codes(text).map((found) => found.split(" ").at(-1))).toEqual(["several-sections"]);
  });
});

describe("versions", () => {
  const first = "#pragma omp task in([n]x) inout(*y)\nvoid f(int n, int *x, int *y);\n";
  const last = (text: string) => codes(first + text).map((found) => found.split(" ").at(-1));

  it("have the memory of the task that they implement, and are read back", () => {
    const program = accepted(
      `${first}#pragma omp target device(opencl) implements(f)\nvoid g(int m, int *a, int *b) {\n#pragma acc parallel loop\nfor (int i = 0; i < m; i++) *b += a[i];\n}\n`,
    );
    const made = [...(program.taskFunctions?.values() ?? [])][1];
    expect(made?.implements?.name).toBe("f");
    expect(made?.device).toBe("opencl");
    expect(made?.accesses.map(spelled)).toEqual(["in a[0+m]", "inout *b"]);
    const printed = programText(program);
    const back = parseProgram(printed, "text.ir");
    expect(back.diagnostics.map(described)).toEqual([]);
    expect(programText(back)).toBe(printed);
  });

  it.each<[string, string, string[]]>([
    ["the same", "#pragma oss task in([n]x) inout(*y) implements(f)\nvoid g(int n, int *x, int *y);", []],
    ["another name", "#pragma oss task implements(ff)\nvoid g(int n, int *x, int *y);", ["implements"]],
    ["other parameters", "#pragma oss task implements(f)\nvoid g(long n, int *x, int *y);", ["implements"]],
    [
      "a version of a version",
      "#pragma oss task implements(f)\nvoid g(int n, int *x, int *y);\n#pragma oss task implements(g)\nvoid h(int n, int *x, int *y);",
      ["implements"],
    ],
    [
      "other memory",
      "#pragma oss task in([n]x) out(*y) implements(f)\nvoid g(int n, int *x, int *y);",
      ["version-differs"],
    ],
    [
      "less memory",
      "#pragma oss task inout(*y) implements(f)\nvoid g(int n, int *x, int *y);",
      ["version-differs"],
    ],
    [
      "no regions",
      "#pragma omp target device(cuda) implements(f)\nvoid g(int n, int *x, int *y) { *y = *x; }",
      ["kernel-without-ndrange"],
    ],
    ["statements", inFunction("#pragma oss task implements(f)\n;"), ["misplaced-clause"]],
  ])("%s", (_, text, expected) => expect(last(text)).toEqual(expected));
});

it("a program with tasks reads back from the IR's text", () => {
  const text = [
    "#pragma omp target device(smp)",
    "#pragma omp task in([n][8]x[1;n - 1][2:5]) weakinout(*y) priority(n) final(n < 2) if(n) label(first)",
    "void work(int n, double *x, double *y);",
    inFunction(
      [
        "#pragma oss task in(x[0;n], m[1;2][i;3]) out(t) commutative(*y) reduction(+: s) if(n > 3) priority(i + 1)",
        "{ t = x[0]; s += 1; k = 2; work(n, x, y);",
        "#pragma oss task private(r) shared(j)",
        "j = r = 1;",
        "#pragma omp critical",
        "s++;",
        "}",
        "#pragma oss taskgroup",
        "work(n, x, y);",
        "#pragma oss taskwait on(a[0:n]) noflush",
        "#pragma oss taskwait",
        "#pragma oss taskloop grainsize(n) nogroup reduction(+: s)",
        "for (i = n; i > 0; i -= 2) s += i;",
        "#pragma oss taskloop num_tasks(strict: 4) if(taskloop: n > 2)",
        "for (i = n; i > 0; i -= 2) a[i] = i;",
      ].join("\n"),
    ),
  ].join("\n");
  const program: Program = accepted(text);
  const printed = programText(program);
  const back = parseProgram(printed, "text.ir");
  expect(back.diagnostics.map(described)).toEqual([]);
  expect(difference(program, back)).toBeUndefined();
  expect(programText(back)).toBe(printed);
  const [wait] = nodes(functionOf(back).body, "task-wait") as TaskWait[];
  expect(wait).toMatchObject({ noflush: true });
});
