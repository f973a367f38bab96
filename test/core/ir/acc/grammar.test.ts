import { describe, expect, test } from "vitest";
import { parseDirective } from "../../../../core/ir/acc/parse.ts";
import { nearestName, type Pragma, parse, printExpr } from "../../../../core/lang/index.ts";
import { pragmas } from "../../lang/parsing.ts";
import { complaints, inFunction, read } from "../reading.ts";

/** OpenACC 3.3, chapter 2: the clauses of each directive, transcribed from its syntax boxes. */
const DATA = "copy copyin copyout create no_create present deviceptr attach";
const COMPUTE = `async wait device_type if self default ${DATA}`;
const SIZES = "num_gangs num_workers vector_length";
const LOOP = "collapse gang worker vector seq independent auto tile device_type private reduction";
const STANDARD: Readonly<Record<string, string>> = {
  parallel: `${COMPUTE} ${SIZES} reduction private firstprivate`,
  kernels: `${COMPUTE} ${SIZES}`,
  serial: `${COMPUTE} reduction private firstprivate`,
  "parallel loop": `${COMPUTE} ${SIZES} reduction private firstprivate ${LOOP}`,
  "kernels loop": `${COMPUTE} ${SIZES} ${LOOP}`,
  "serial loop": `${COMPUTE} reduction private firstprivate ${LOOP}`,
  loop: LOOP,
  data: `if async wait device_type default ${DATA}`,
  "enter data": "if async wait copyin create attach",
  "exit data": "if async wait copyout delete detach finalize",
  host_data: "use_device if if_present",
  cache: "",
  atomic: "read write update capture if", // if: OpenACC 3.4
  update: "async wait device_type if if_present self host device",
  wait: "async if",
  declare: "copy copyin copyout create present deviceptr device_resident link",
  routine: "gang worker vector seq bind device_type nohost",
  init: "device_type device_num if",
  shutdown: "device_type device_num if",
  set: "default_async device_num device_type if",
};

/** An argument with which each clause is right, where it needs or takes one. */
const ARGUMENT: Readonly<Record<string, string>> = {
  attach: "(p.list)",
  bind: "(other)",
  collapse: "(1)",
  copy: "(a)",
  copyin: "(a)",
  copyout: "(a)",
  create: "(a)",
  default: "(none)",
  default_async: "(1)",
  delete: "(a)",
  detach: "(p.list)",
  device: "(a)",
  device_num: "(0)",
  device_resident: "(a)",
  device_type: "(*)",
  deviceptr: "(x)",
  firstprivate: "(t)",
  host: "(a)",
  if: "(n > 1)",
  link: "(table)",
  no_create: "(a)",
  num_gangs: "(8)",
  num_workers: "(4)",
  present: "(a)",
  private: "(t)",
  reduction: "(+: s)",
  tile: "(4)",
  use_device: "(a)",
  vector_length: "(64)",
};
const CLAUSES = Object.keys({
  ...ARGUMENT,
  async: 0,
  auto: 0,
  capture: 0,
  finalize: 0,
  gang: 0,
  if_present: 0,
  independent: 0,
  nohost: 0,
  read: 0,
  self: 0,
  seq: 0,
  update: 0,
  vector: 0,
  wait: 0,
  worker: 0,
  write: 0,
}).sort();

/** A position where each directive is valid. */
function standing(directive: string, clauses: string): string {
  const argument = directive === "cache" ? "(a[0:2])" : directive === "routine" ? "(whatever)" : "";
  return `\n#pragma acc ${directive}${argument} ${clauses}\n`;
}

/** Problems that the parser alone finds; columns count from the directive's name. */
function problems(directive: string, clauses: string, statements = standing(directive, clauses)): string[] {
  const all = pragmas(parse(inFunction(`${statements};`), { file: "test.c" }).unit);
  return all.flatMap((p) =>
    parseDirective(p).diagnostics.map((d) => `${d.severity}[${d.code}] ${d.loc.col - 13}`),
  );
}

const argued = (clause: string, directive: string) =>
  clause === "self" && directive === "update" ? "self(a)" : `${clause}${ARGUMENT[clause] ?? ""}`;

describe("every directive takes the clauses that the standard gives it", () => {
  for (const [directive, words] of Object.entries(STANDARD)) {
    const allowed = words.split(" ").filter((w) => w);
    test.each(allowed.map((c) => [argued(c, directive)]))(`${directive} %s`, (clause) => {
      expect(problems(directive, clause)).toEqual([]);
    });
    const others = CLAUSES.filter((c) => !allowed.includes(c));
    test.each(others.map((c) => [argued(c, directive)]))(`${directive} refuses %s`, (clause) => {
      const at = standing(directive, "").indexOf("\n", 1) - 13;
      expect(problems(directive, clause)).toEqual([`error[misplaced-clause] ${at}`]);
    });
  }

  test("lists every directive", () => {
    expect(problems("barrier", "")).toEqual([]);
    expect(problems("nonsense", "")).toEqual(["error[unknown-directive] 0"]);
  });
});

describe("older and shorter clause names mean the new ones", () => {
  const names = {
    pcopy: "copy",
    present_or_copy: "copy",
    pcopyin: "copyin",
    present_or_copyin: "copyin",
    pcopyout: "copyout",
    present_or_copyout: "copyout",
    pcreate: "create",
    present_or_create: "create",
  };
  test.each(Object.entries(names))("%s is %s", (old, name) => {
    expect(parsedClauses(`data ${old}(a)`)).toEqual(parsedClauses(`data ${name}(a)`));
  });

  test("dtype is device_type, and host on update is self", () => {
    expect(parsedClauses("loop dtype(nvidia) gang")).toEqual(parsedClauses("loop device_type(nvidia) gang"));
    expect(parsedClauses("update host(a)")).toEqual(parsedClauses("update self(a)"));
  });
});

function firstPragma(line: string): Pragma {
  return pragmas(parse(inFunction(`\n#pragma acc ${line}\n;`), { file: "test.c" }).unit)[0] as Pragma;
}

/** The clauses of a directive that must be right, as text. */
function parsedClauses(line: string): string[] {
  const { directive, diagnostics } = parseDirective(firstPragma(line));
  expect(diagnostics).toEqual([]);
  const all = [...(directive?.argument ? [directive.argument] : []), ...(directive?.clauses ?? [])];
  return all.map((c) =>
    [
      c.name,
      ...c.modifiers,
      ...(c.op ? [c.op] : []),
      ...c.names,
      ...c.exprs.map((e) => (e === "*" ? "*" : printExpr(e))),
      ...(c.static ? [`static ${c.static === "*" ? "*" : printExpr(c.static)}`] : []),
      ...c.vars.map(
        (v) =>
          `${printExpr(v.object)}${v.section.map((d) => `[${d.start ? printExpr(d.start) : ""}:${d.length ? printExpr(d.length) : ""}]`).join("")}`,
      ),
      ...(c.deviceTypes ? [`for ${c.deviceTypes.join(" ")}`] : []),
    ].join(" "),
  );
}

describe("arguments of clauses", () => {
  const right: readonly (readonly [string, ...string[]])[] = [
    ["parallel async", "async"],
    ["parallel async(n + 1)", "async n + 1"],
    ["parallel num_gangs(2, 3, 4)", "num_gangs 2 3 4"],
    ["parallel wait", "wait"],
    ["parallel wait(1, n) wait(2)", "wait 1 n", "wait 2"],
    ["parallel wait(queues: 1, 2)", "wait 1 2"],
    ["wait"],
    ["wait(1, 2) async(3)", "wait 1 2", "async 3"],
    ["parallel self", "self"],
    ["parallel self(n > 3)", "self n > 3"],
    ["parallel default(present)", "default present"],
    ["parallel if(n ? 1 : 0)", "if n ? 1 : 0"],
    ["loop gang", "gang"],
    ["loop gang(4)", "gang 4"],
    ["loop gang(num: 4)", "gang 4"],
    ["loop gang(static: *)", "gang static *"],
    ["loop gang(num: 4, static: 8)", "gang 4 static 8"],
    ["loop gang(static: n, 2 * 2)", "gang 2 * 2 static n"],
    ["loop worker(num: 2)", "worker 2"],
    ["loop vector(length: 32)", "vector 32"],
    ["loop vector(n)", "vector n"],
    ["loop collapse(force: 2)", "collapse force 2"],
    ["loop tile(*, 4)", "tile * 4"],
    ["loop tile(n * 2)", "tile n * 2"],
    ["loop reduction(max: s, t)", "reduction max s t"],
    ["loop reduction(&&: s) reduction(+: t)", "reduction && s", "reduction + t"],
    [
      "loop device_type(nvidia, host) vector device_type(*) worker",
      "device_type nvidia host",
      "vector for nvidia host",
      "device_type *",
      "worker for *",
    ],
    ["data copyin(readonly: a, b)", "copyin readonly a b"],
    ["data copyout(zero: a) create(zero: b)", "copyout zero a", "create zero b"],
    ["data copy(always: a)", "copy always a"],
    ["data copy(alwaysin, alwaysout: a)", "copy alwaysin alwaysout a"],
    ["cache(readonly: a[i:2])", "cache readonly a[i:2]"],
    ["cache(a[i], x[0:n])", "cache a[i:1] x[0:n]"],
    ["data copy(a, b) copy(t)", "copy a b", "copy t"],
    ["data copy(a) , copyin(b)", "copy a", "copyin b"],
    ["data copy(x[0:n])", "copy x[0:n]"],
    ["data copy(x[:n])", "copy x[:n]"],
    ["data copy(a[2:])", "copy a[2:]"],
    ["data copy(a[:])", "copy a[:]"],
    ["data copy(m[2:3][:])", "copy m[2:3][:]"],
    ["data copy(m[2][1:4])", "copy m[2:1][1:4]"],
    ["data copy(a[n ? 1 : 2 : 3])", "copy a[n ? 1 : 2:3]"],
    ["data copy(p.first, p.list[0:n])", "copy p.first p.list[0:n]"],
    ["data copy(rows[0:n][0:20])", "copy rows[0:n][0:20]"],
    ["routine(whatever) seq bind(other)", "routine whatever", "seq", "bind other"],
    ['routine(whatever) seq bind("other")', "routine whatever", "seq", "bind other"],
    [
      "set default_async(2) device_num(n) device_type(nvidia)",
      "default_async 2",
      "device_num n",
      "device_type nvidia",
    ],
  ];
  test.each(right.map(([line, ...expected]) => [line, expected] as const))("%s", (line, expected) => {
    expect(parsedClauses(line)).toEqual(expected);
  });

  /** The line with the error, and its range: the caret is under the named text. */
  const wrong: readonly (readonly [line: string, at: string, code: string])[] = [
    ["parallel loop gangs", "gangs", "unknown-clause"],
    ["parallel 3", "3", "unknown-clause"],
    ["paralel loop", "paralel", "unknown-directive"],
    ["enter copyin(a)", "enter", "unknown-directive"],
    ["enter", "enter", "unknown-directive"],
    ["parallel copyin", "copyin", "missing-argument"],
    ["parallel if", "if", "missing-argument"],
    ["loop reduction", "reduction", "missing-argument"],
    ["loop collapse", "collapse", "missing-argument"],
    ["parallel default", "default", "missing-argument"],
    ["cache", "cache", "missing-argument"],
    ["loop seq(1)", "(1", "unexpected-argument"],
    ["exit data finalize(a)", "(a", "unexpected-argument"],
    ["parallel copyin()", "()", "empty-argument"],
    ["loop gang()", "()", "empty-argument"],
    ["loop reduction()", "()", "empty-argument"],
    ["parallel copyin(a", "", "expected-parenthesis"],
    ["parallel if(n 3)", "3)", "expected-parenthesis"],
    ["parallel num_workers(1, 2)", ", 2", "expected-parenthesis"],
    ["parallel default(shared)", "shared", "unexpected-word"],
    ["parallel default(none, present)", ", present", "expected-parenthesis"],
    ["loop reduction(-: s)", "-: s", "unknown-reduction-operator"],
    ["loop reduction(+ s)", "s)", "expected-colon"],
    ["data copyin(zero: a)", "zero", "unknown-modifier"],
    ["data copyout(readonly: a)", "readonly", "unknown-modifier"],
    ["data copy(readonly: a)", "readonly", "unknown-modifier"],
    ["data present(zero: a)", "zero", "unknown-modifier"],
    ["data create(zeros: a)", "zeros", "unknown-modifier"],
    ["parallel async async(2)", "async(2", "repeated-clause"],
    ["parallel if(n) if(n > 1)", "if(n > 1", "repeated-clause"],
    ["loop gang gang", "gang", "repeated-clause"],
    ["parallel num_gangs(1, 2, 3, 4)", "4)", "too-many-arguments"],
    ["data copy(a[0:n)", ")", "expected-bracket"],
    ["data copy(nothing)", "nothing", "undeclared-identifier"],
    ["data copy(whatever)", "whatever", "not-a-variable"],
    ["data copy(3)", "3", "expected-variable"],
    ["data copy(p.fist)", "fist", "no-such-member"],
    ["data copy(p[0:2].first)", ".first", "section-of-members"],
    ["parallel num_gangs(nothing)", "nothing", "undeclared-identifier"],
    ["parallel num_gangs()", "()", "empty-argument"],
    ["parallel async()", "()", "empty-argument"],
    ["wait()", "()", "empty-argument"],
    ["routine()", "()", "empty-argument"],
    ["loop bind(3)", "bind", "misplaced-clause"],
    ["routine(whatever) seq bind(3)", "3)", "unexpected-word"],
  ];
  test.each(wrong)("%s: the fault is at '%s': %s", (line, at, code) => {
    const [problem, ...more] = parseDirective(firstPragma(line)).diagnostics;
    const column = at === "" ? line.length : line.lastIndexOf(at);
    expect({ code: problem?.code, column: (problem?.loc.col ?? 0) - 13 }).toEqual({ code, column });
    expect(more).toEqual([]);
  });

  test.each(wrong)("%s: has a remedy", (line) => {
    for (const d of parseDirective(firstPragma(line)).diagnostics) expect(d.remedy, d.message).toMatch(/\w/);
  });
});

describe("after a fault", () => {
  test("the other clauses are still read and checked", () => {
    expect(problems("parallel", "gangs(3) copyin(zero: a) if(n) fence")).toEqual([
      "error[unknown-clause] 9",
      "error[unknown-modifier] 25",
      "error[unknown-clause] 40",
    ]);
  });

  test("the directives after it are still read", () => {
    expect(complaints("\n#pragma acc paralel\n;\n#pragma acc loop zap\nfor (i = 0; i < n; i++) ;")).toEqual([
      "2:13 unknown-directive",
      "4:18 unknown-clause",
    ]);
  });
});

describe("a misspelled name is guessed", () => {
  const remedy = (line: string) => parseDirective(firstPragma(line)).diagnostics[0]?.remedy ?? "";
  test.each([
    ["paralel loop", "parallel loop"],
    ["kernel", "kernels"],
    ["enterdata", "enter data"],
    ["parallel copyinn(a)", "copyin"],
    ["parallel privat(t)", "private"],
    ["loop reductions(+: s)", "reduction"],
  ])("%s", (line, guess) => expect(remedy(line)).toContain(`'${guess}'`));

  test("suggests nothing if no name is similar", () => {
    expect(nearestName("xyzzy", Object.keys(STANDARD))).toBeUndefined();
    expect(remedy("parallel xyzzy")).toContain("allowed here");
  });
});

describe("macros in clauses", () => {
  test("are expanded, and places are those of the clause", () => {
    expect(complaints("\n#define SIZE 4\n#pragma acc parallel num_gangs(SIZE) zap(SIZE)\n;")).toEqual([
      "3:38 unknown-clause",
    ]);
  });
});

test("directives of other namespaces are left alone", () => {
  const { diagnostics, unit } = read("void f(void) {\n#pragma GCC ivdep nonsense\n;\n}");
  expect(diagnostics).toEqual([]);
  expect(pragmas(unit).map((p) => p.tokens[0]?.text)).toEqual(["GCC"]);
});

test("pragmas that resemble OpenACC or OpenMP are named, those of other compilers are not", () => {
  const meant = (line: string) => {
    const [found] = read(`#pragma ${line}\nvoid f(void);`).diagnostics;
    return found && /'#pragma (.*)'/.exec(found.remedy ?? "")?.[1];
  };
  expect(["ACC data", "acc_", "Acc", "openACC loop", "open_acc loop"].map(meant)).toEqual([
    "acc data",
    "acc",
    "acc",
    "acc loop",
    "acc loop",
  ]);
  expect(["accparallel loop", "acc_kernels", "openaccdata copy(a)", "omptarget teams"].map(meant)).toEqual([
    "acc parallel loop",
    "acc kernels",
    "acc data copy",
    "omp target teams",
  ]);
  expect(["cac loop", "ac parallel", "enter data", "target teams"].map(meant)).toEqual([
    "acc loop",
    "acc parallel",
    "acc enter data",
    "omp target teams",
  ]);
  const others =
    "once|pack(1)|GCC ivdep|unroll 4|ompx loop|parallel|loop|ac|accel data|STDC FP_CONTRACT ON|clang loop";
  expect(others.split("|").map(meant)).toEqual(others.split("|").map(() => undefined));
});
