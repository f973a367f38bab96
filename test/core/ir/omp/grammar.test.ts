import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusedClauses, refusedDirectives } from "../../../../core/ir/omp/directive/grammar.ts";
import { parseDirective } from "../../../../core/ir/omp/directive/parse.ts";
import { type Pragma, parse, printExpr } from "../../../../core/lang/index.ts";
import { cases } from "../../../cases.ts";
import { pragmas } from "../../lang/parsing.ts";
import { inFunction, read } from "../reading.ts";
import { clausesOf as standard } from "./standard/standard.ts";

/** An argument with which each clause is right, where it needs or takes one. */
const ARGUMENT: Readonly<Record<string, string>> = {
  aligned: "(x: 64)",
  bind: "(teams)",
  collapse: "(1)",
  default: "(none)",
  defaultmap: "(tofrom: scalar)",
  depend: "(out: a[0])",
  device: "(0)",
  device_type: "(any)",
  dist_schedule: "(static, 4)",
  enter: "(whatever)",
  firstprivate: "(t)",
  from: "(a)",
  hint: "(0)",
  if: "(n > 1)",
  is_device_ptr: "(x)",
  lastprivate: "(t)",
  linear: "(i: 2)",
  link: "(table)",
  map: "(a)",
  nontemporal: "(a)",
  num_teams: "(4)",
  num_threads: "(4)",
  order: "(concurrent)",
  private: "(t)",
  proc_bind: "(close)",
  reduction: "(+: s)",
  safelen: "(8)",
  schedule: "(static)",
  shared: "(s)",
  simdlen: "(8)",
  thread_limit: "(32)",
  to: "(whatever)",
  use_device_addr: "(a)",
  use_device_ptr: "(x)",
};
const CLAUSES = [...Object.keys(ARGUMENT), "capture", "nowait", "read", "relaxed", "update", "write"].sort();

function pragmasOf(lines: readonly string[]): readonly Pragma[] {
  const statements = lines.map((line) => `\n#pragma omp ${line}\n;`).join("");
  return pragmas(parse(inFunction(statements), { file: "test.c" }).unit);
}

const firstPragma = (line: string): Pragma => pragmasOf([line])[0] as Pragma;

/** Columns count from the directive's name. */
const problemsOf = (pragma: Pragma): string[] =>
  parseDirective(pragma).diagnostics.map((d) => `${d.loc.col - 13} ${d.severity}[${d.code}]`);
const problems = (line: string): string[] => problemsOf(firstPragma(line));

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
      ...c.vars.map((v) => v.written),
      ...c.exprs.map((e) => (e === "*" ? "*" : printExpr(e))),
    ].join(" "),
  );
}

describe("arguments of clauses are read", () => {
  test.each([
    ["target map(a)", "map a"],
    ["target map(to: a, b[0:n])", "map to a b[0:n]"],
    ["target map(always, present, from: a[:n])", "map always present from a[:n]"],
    ["target map(always to: p.list[0:9])", "map always to p.list[0:9]"],
    ["target map(m[0:2][0:3])", "map m[0:2][0:3]"],
    ["target if(n > 2)", "if n > 2"],
    ["target if(target: n)", "if target n"],
    ["target update to(a) if(target update: n)", "to a", "if target update n"],
    ["target update from(present: a)", "from present a"],
    ["target device(device_num: 0)", "device device_num 0"],
    ["target defaultmap(none)", "defaultmap none"],
    ["target defaultmap(firstprivate: pointer)", "defaultmap firstprivate pointer"],
    ["target depend(inout: a[0], b) nowait", "depend", "nowait"],
    ["teams num_teams(2 : n)", "num_teams n"],
    ["parallel num_threads(strict: 4)", "num_threads 4"],
    ["atomic update memscope(device)", "update", "memscope device"],
    ["teams num_teams(n ? 1 : 2)", "num_teams n ? 1 : 2"],
    ["for schedule(monotonic: dynamic, 4)", "schedule monotonic dynamic 4"],
    ["for reduction(-: s)", "reduction + s"],
    ["for reduction(default, max: s, t)", "reduction default max s t"],
    ["for reduction(&&: s)", "reduction && s"],
    ["simd linear(i: 2) simdlen(8)", "linear i 2", "simdlen 8"],
    ["loop bind(thread), order(concurrent)", "bind thread", "order"],
    ["declare target(whatever, table)", "enter whatever table"],
    ["declare target to(whatever) device_type(nohost)", "to whatever", "device_type nohost"],
  ])("%s", (line, ...wanted) => {
    expect(parsedClauses(line)).toEqual(wanted);
  });
});

describe("an error is located at the mistake", () => {
  test.each([
    ["target teams distrbute", "13 error[unknown-clause]"],
    ["targe teams", "0 error[unknown-directive]"],
    ["target mapp(a)", "7 error[unknown-clause]"],
    ["target map", "7 error[missing-argument]"],
    ["target map()", "10 error[empty-argument]"],
    ["target map(tofrm: a)", "11 error[unknown-modifier]"],
    ["target map(near, to: a)", "11 error[unknown-modifier]"],
    ["target update to(near: a)", "17 error[unknown-modifier]"],
    ["target map(a[0:n:2:1])", "18 error[expected-bracket]"],
    ["target map(nothing)", "11 error[undeclared-identifier]"],
    ["target map(whatever)", "11 error[not-a-variable]"],
    ["task untied(1)", "11 error[unexpected-argument]"],
    ["teams default(private: scalar)", "21 error[unsupported-clause]"],
    ["for reduction(original(private), +: s)", "30 error[unsupported-clause]"],
    ["target if(n) if(n", "17 error[expected-parenthesis]"],
    ["target parallel for num_threads(2) num_threads(4)", "35 error[repeated-clause]"],
    ["for reduction(steady, +: s)", "14 error[unknown-modifier]"],
    ["for reduction(%: s)", "14 error[unknown-reduction-operator]"],
    ["for schedule(steady)", "13 error[unexpected-word]"],
    ["target default(none)", "7 error[unsupported-clause]"],
    ["target filter(1)", "7 error[misplaced-clause]"],
    ["teams default(present)", "14 error[unexpected-word]"],
    ["parallel for nowait", "13 error[misplaced-clause]"],
  ])("%s", (line, wanted) => {
    expect(problems(line)).toEqual([wanted]);
  });
});

describe("what arc does not honour is refused by name, with a remedy", () => {
  test.each(Object.entries(refusedDirectives))("%s: %s", (name, remedy) => {
    const [problem, ...more] = parseDirective(firstPragma(name)).diagnostics;
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ severity: "error", code: "unsupported-directive", remedy });
    expect(problem?.message).toContain(`'${name}'`);
  });

  test.each([
    ["parallel copyin(s)", "copyin"],
    ["task detach(e)", "detach"],
    ["tile sizes(4) apply(grid: reverse)", "apply"],
    ["unroll partial(2) apply(reverse)", "apply"],
  ])("%s", (line, clause) => {
    const [problem, ...more] = parseDirective(firstPragma(line)).diagnostics;
    expect(more).toEqual([]);
    expect(problem).toMatchObject({
      severity: "error",
      code: "unsupported-clause",
      remedy: refusedClauses[clause]?.remedy,
      loc: { col: 13 + line.indexOf(clause) },
    });
  });
});

test("a misspelled name is guessed", () => {
  const remedy = (line: string) => parseDirective(firstPragma(line)).diagnostics[0]?.remedy;
  expect(remedy("targe teams")).toContain("target teams");
  expect(remedy("target teams firstprivat(t)")).toContain("firstprivate");
});

describe("any text of a directive", () => {
  const words = [
    ...Object.keys(standard),
    ...CLAUSES.map((c) => `${c}${ARGUMENT[c] ?? ""}`),
    "(",
    ")",
    ",",
    ":",
    "a",
    "7",
  ];
  const line = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((w) => w.join(" "));

  test("is read, or refused with a place and a remedy", () => {
    fc.assert(
      fc.property(line, line, (outer, inner) => {
        const loop = `\n#pragma omp ${inner}\nfor (i = 0; i < n; i++) a[i] = b[i] + t;`;
        for (const d of read(inFunction(`\n#pragma omp target ${outer}\n{ ${loop} }`)).diagnostics) {
          expect(d.loc.line).toBeGreaterThan(4);
          if (d.severity === "error" && d.code !== "syntax" && d.code !== "error-directive")
            expect(d.remedy, d.message).toMatch(/\w/);
        }
      }),
      cases(150),
    );
  });
});
