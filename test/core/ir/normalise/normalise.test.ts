import { describe, expect, test } from "vitest";
import type { Program } from "../../../../core/ir/model/program.ts";
import { argumentsOf } from "../../../../core/ir/model/region.ts";
import { normalise, tasksOf } from "../../../../core/ir/normalise/normalise.ts";
import { readDirectives } from "../../../../core/ir/read/read.ts";
import { irText } from "../../../../core/ir/text/print.ts";
import { verify } from "../../../../core/ir/verify/verify.ts";
import { parse } from "../../../../core/lang/index.ts";
import { preprocessed, sources } from "../programs.ts";
import { accepted, inFunction, loopsOf, normalised, taskIn, tasks } from "../reading.ts";

/** `name: sharing mapping access`, implicit ones in parentheses. */
function items(statements: string): string[] {
  return taskIn(statements).items.map((i) => {
    const text = `${i.written}: ${i.sharing.is} ${i.mapping.is} ${i.access}`;
    return i.mapping.vis === "implicit" && i.sharing.vis === "implicit" ? `(${text})` : text;
  });
}

const region = (clauses: string, body: string) => `\n#pragma acc ${clauses}\n{ ${body} }`;

describe("variables without a clause", () => {
  test("scalars are firstprivate in parallel and serial", () => {
    for (const construct of ["parallel", "serial"])
      expect(items(region(construct, "a[0] = t + n;"))).toEqual([
        "(t: firstprivate none read-only)",
        "(n: firstprivate none read-only)",
        "(a: shared tofrom write-only)",
      ]);
  });

  test("sizes of arrays read what they name", () => {
    expect(items(region("parallel", "int own[n]; own[0] = 1; a[0] = own[0];"))).toContain(
      "(n: firstprivate none read-only)",
    );
  });

  test("scalars that are set first are private to each gang", () => {
    expect(items(region("parallel", "t = n; a[0] = t;"))).toContain("(t: private none read-write)");
    expect(items(region("parallel", "if (n) t = 1; a[0] = t;"))).toContain(
      "(t: firstprivate none read-write)",
    );
  });

  test("scalars that kernels writes come back", () => {
    expect(items(region("kernels", "s = n;"))).toEqual([
      "(n: firstprivate none read-only)",
      "(s: shared tofrom write-only)",
    ]);
  });

  test("pointers must be present, or as far as the region surely reaches they are copied", () => {
    expect(items(region("parallel", "x[i] = 1;"))).toContain("(x: shared present read-write)");
    expect(items(region("parallel", "x[0] = 1;"))).toEqual(["(x: shared tofrom read-write)"]);
  });

  test("records are copied", () => {
    expect(items(region("parallel", "p.first = 1;"))).toEqual(["(p: shared tofrom write-only)"]);
  });

  test("default(present) holds for arrays and records", () => {
    expect(items(region("parallel default(present)", "a[0] = t;"))).toEqual([
      "(t: firstprivate none read-only)",
      "(a: shared present write-only)",
    ]);
  });

  test("default(none) requires a clause, reported at the use", () => {
    const program = normalise(accepted(inFunction(region("parallel default(none) copy(a)", "a[0] = b[n];"))));
    const errors = program.diagnostics.filter((d) => d.severity === "error");
    expect(errors.map((d) => `${d.code} ${d.message.split(" ")[0]}`).sort()).toEqual([
      "default-none 'b'",
      "default-none 'n'",
    ]);
    expect(errors.every((d) => d.remedy !== undefined)).toBe(true);
  });

  test("what a data region around holds is present", () => {
    expect(items(region("data copyin(b) create(a)", region("parallel", "a[0] = b[0];")))).toEqual([
      "(b: shared present read-only)",
      "(a: shared present write-only)",
    ]);
  });

  test("what declare holds is present", () => {
    const text =
      "double table[9];\n#pragma acc declare create(table)\nvoid f(void) {\n#pragma acc parallel\n table[0] = 1; }";
    expect(tasks(text)[0]?.items.map((i) => `${i.written} ${i.mapping.is}`)).toEqual(["table present"]);
  });

  test("globals that functions use belong to the region", () => {
    const text =
      "double scale, all[4]; double g(double v) { all[1] = v; return v * scale; }\nvoid f(double *x) {\n#pragma acc parallel\n x[0] = g(x[1]); }";
    expect(
      tasks(text)[0]
        ?.items.map((i) => `${i.written} ${i.mapping.is}`)
        .sort(),
    ).toEqual(["all tofrom", "scale none", "x present"]);
  });

  test("a region's reduction variable is copied", () => {
    expect(items("\n#pragma acc parallel loop reduction(+: s)\nfor (i = 0; i < n; i++) s += i;")).toContain(
      "(s: shared tofrom read-write)",
    );
  });
});

describe("RX-05: read-only arrays", () => {
  test("are not copied back", () => {
    expect(items(region("parallel", "a[0] = b[1];"))).toContain("(b: shared to read-only)");
  });

  test("are copied back if they are written, or may be through a pointer", () => {
    expect(items(region("parallel", "b[0] = b[1];"))).toContain("(b: shared tofrom read-write)");
    expect(items(region("parallel", "double *q = b; q[0] = b[1];"))).toContain(
      "(b: shared tofrom read-write)",
    );
    expect(items(region("parallel", "double *q = &b[1]; *q = 1;"))).toContain(
      "(b: shared tofrom read-write)",
    );
  });
});

describe("RX-03: a normalised region", () => {
  test("has an item for every variable from outside that it uses", () => {
    const names = taskIn(region("parallel", "double own = t; x[n] = own + a[i] + p.first;")).items.map(
      (i) => i.written,
    );
    expect(names.sort()).toEqual(["a", "i", "n", "p", "t", "x"]);
  });

  test("passes each as one argument, in the order of its items", () => {
    const task = taskIn(region("parallel", "x[n] = a[0] + p.first;"));
    expect(
      argumentsOf(task)
        .map((a) => `${a.name} ${a.how}`)
        .sort(),
    ).toEqual(["a buffer", "n value", "p object", "x buffer"]);
  });

  test("has a name that depends on what it does, not on its location", () => {
    const name = (text: string) => tasks(text)[0]?.region;
    const plain = inFunction(region("parallel copy(a)", "a[0] = 1;"));
    expect(name(plain)).toMatch(/^f_[0-9a-f]{8}$/);
    expect(name(plain.replace("{ a[0]", "{ /* why */\n\n  a[0]"))).toBe(name(plain));
    expect(name(plain.replace("copy(a)", "copy( a ) "))).toBe(name(plain));
    expect(name(plain.replace("a[0] = 1", "a[0] = 2"))).not.toBe(name(plain));
  });
});

describe("RX-10: kernels", () => {
  const parts = (body: string) =>
    tasks(inFunction(region("kernels", body))).map((t) => loopsOf(t).map((l) => l.parallel.independence));

  test("run the independent loop in parallel and the dependent one in order", () => {
    expect(parts("for (i = 0; i < n; i++) a[i] = b[i];\nfor (i = 1; i < n; i++) a[i] = a[i - 1];")).toEqual([
      ["independent"],
      ["seq"],
    ]);
  });

  test("say why a loop runs in order, at the access", () => {
    const { diagnostics } = normalised(
      inFunction(region("kernels", "for (i = 1; i < n; i++)\n a[i] = a[i - 1];")),
    );
    const note = diagnostics.find((d) => d.code === "loop-sequential");
    expect(note?.message).toContain("'a[i - 1]' reads what another iteration writes as 'a[i]'");
    expect(note && [note.loc.line - 4, note.loc.col]).toEqual([4, 9]);
  });

  test("keep statements between loops in their order", () => {
    expect(parts("for (i = 0; i < n; i++) a[i] = 1;\n s = 2;\n for (i = 0; i < n; i++) b[i] = s;")).toEqual([
      ["independent"],
      [],
      ["independent"],
    ]);
  });

  test("do not privatise variables that are read after a loop", () => {
    expect(parts("for (i = 0; i < n; i++) { t = b[i]; a[i] = t; }\n a[0] = t;")).toEqual([["seq"], []]);
    expect(parts("for (i = 0; i < n; i++) { t = b[i]; a[i] = t; }")).toEqual([["independent"]]);
  });

  test("are also split after declarations", () => {
    expect(
      parts(
        "int q; double v; for (q = 0; q < n; q++) { v = b[q]; a[q] = v; }\n for (q = 0; q < n; q++) b[q] = 1;",
      ),
    ).toEqual([["independent"], ["independent"]]);
  });

  test("are split where a declared variable is the same in every part, and say what holds them together", () => {
    const two = "for (i = 0; i < n; i++) a[i] = q;\n for (i = 0; i < n; i++) b[i] = q;";
    expect(parts(`int p = n, q = p + 1; ${two}`)).toEqual([["independent"], ["independent"]]);
    for (const value of ["b[0]", "(n = 3)"]) {
      const whole = normalised(inFunction(region("kernels", `int q = ${value}; ${two}`)));
      expect(whole.diagnostics.map((d) => d.message)).toContain(
        "one gang runs the whole region: 'q' hands a value from one of its statements to another",
      );
    }
  });

  test("distribute the loops of an unsplit region over lanes", () => {
    const body = "int q = b[0]; for (i = 0; i < n; i++) a[i] = q;\n for (i = 0; i < n; i++) b[i] = q;";
    const [task] = tasks(inFunction(region("kernels", body)));
    expect(task && loopsOf(task).map((l) => l.parallel.levels)).toEqual([["vector"], ["vector"]]);
  });
});

describe("RX-11: loops without levels", () => {
  const levels = (directives: readonly string[]) => {
    const text = directives
      .map((d, k) => `\n#pragma acc ${d}\nfor (int q${k} = 0; q${k} < n; q${k}++)`)
      .join("");
    return loopsOf(taskIn(`${text} { x[q0] + 1; }`)).map((l) => l.parallel.levels.join(" "));
  };
  test.each<readonly [readonly string[], readonly string[]]>([
    [["parallel loop"], ["gang vector"]],
    [
      ["parallel loop", "loop"],
      ["gang", "vector"],
    ],
    [
      ["parallel loop", "loop", "loop"],
      ["gang", "", "vector"],
    ],
    [["parallel loop gang"], ["gang vector"]],
    [
      ["parallel loop gang", "loop"],
      ["gang", "vector"],
    ],
    [
      ["parallel loop gang", "loop worker", "loop"],
      ["gang", "worker", "vector"],
    ],
    [
      ["parallel loop", "loop gang"],
      ["", "gang vector"],
    ],
    [
      ["parallel loop", "loop vector"],
      ["gang", "vector"],
    ],
    [
      ["parallel loop", "loop seq"],
      ["gang vector", ""],
    ],
    [
      ["serial loop", "loop"],
      ["", ""],
    ],
  ])("%j get %j", (directives, expected) => expect(levels(directives)).toEqual(expected));

  test("have their levels reported", () => {
    const { diagnostics } = normalised(
      inFunction("\n#pragma acc parallel loop\nfor (i = 0; i < n; i++) a[i] = 1;"),
    );
    expect(diagnostics.map((d) => `${d.severity}[${d.code}]`)).toEqual(["note[levels-chosen]"]);
  });
});

describe("the variable of a loop with a directive", () => {
  const loops = "\n#pragma acc loop\nfor (i = 0; i < n; i++) a[i] = i;";
  const codes = (body: string) =>
    normalise(accepted(inFunction(region("parallel copy(a, b)", body)))).diagnostics.flatMap((d) =>
      d.severity === "note" ? [] : [d.code],
    );
  const names = (body: string) =>
    loopsOf(taskIn(region("parallel copy(a, b)", body))).map((l) => l.headers.map((h) => h.var.name).join());

  test("is its own where other code of the region uses the name", () => {
    expect(names(`i = 3; ${loops}`)).toEqual(["i_2"]);
    expect(names(`${loops} ${loops.replace("a[i]", "b[i]")}`)).toEqual(["i", "i"]);
    expect(names(`${loops} for (i = 0; i < 3; i++) b[i] = 1;`)).toEqual(["i_2"]);
    expect(items(region("parallel copy(a, b)", `i = 3; ${loops}`))).toContain("(i: private none write-only)");
  });

  test("has no value after the loop, and code that reads it gets a warning", () => {
    expect(codes(`${loops} b[0] = i;`)).toEqual(["lost-value"]);
    expect(codes(`${loops} i = 3; b[0] = i;`)).toEqual([]);
  });
});

/** All functions of a program, with their nodes. */
function text({ unit }: Program): string {
  return unit.externals.flatMap((e) => (e.kind === "function" ? [irText(e.body)] : [])).join("\n");
}

describe("every program of test/programs", () => {
  test.each(sources)("%s: normalisation is idempotent, and the verifier accepts the result", (name) => {
    const program = readDirectives(parse(preprocessed(name), { file: name }).unit);
    expect(verify(program).filter((d) => d.severity === "error")).toEqual([]);
    const once = normalise(program, { kind: "separate" });
    const twice = normalise(once, { kind: "separate" });
    expect(text(twice)).toBe(text(once));
    expect(tasksOf(twice).map((t) => t.task.region)).toEqual(tasksOf(once).map((t) => t.task.region));
    expect(verify(once).filter((d) => d.severity === "error")).toEqual([]);
  });
});
