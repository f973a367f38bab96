/** What a project adds stands in the text where a programmer would have written it, and keeps its own place. */
import { describe, expect, it } from "vitest";
import { withAdded } from "../../../../core/ir/added/added.ts";
import { readDirectiveFile } from "../../../../core/ir/added/directive-file.ts";
import { type Addition, errorsOf } from "../../../../core/ir/added/model.ts";
import { parse, statementsIn } from "../../../../core/lang/index.ts";
import type { Loc, Pragma } from "../../../../core/lang/tree/ast.ts";

const text = (first: string, second: string) => `# 1 "a.c"
# 1 "head.h" 1
void helper(void);
# 2 "a.c" 2
void f(double *a, int n) {
#pragma acc data copy(a[0:n])
  {
#pragma acc parallel loop${first}
    for (int i = 0; i < n; i++) a[i] = i;
# 20 "a.c"
#pragma acc update self(a[0:n])
#pragma acc kernels loop${second}
    for (int i = 0; i < n; i++) a[i] += i;
  }
}
static void g(double *a) {
#pragma omp target teams loop map(a[0:9])
  for (int i = 0; i < 9; i++) a[i] = i;
  for (int i = 0; i < 9; i++) { for (int j = 0; j < 9; j++) a[j] += i; }
}
`;
const source = text("", "");

describe("clauses of arc.yaml", () => {
  const added = (of: string, clauses: string, number?: number): Addition => ({
    by: "kernels: k: add",
    anchor: { function: of, of: "region", ...(number !== undefined && { number }) },
    is: "clauses",
    text: clauses,
  });

  it("are put behind those of the construct that is meant, data constructs not counted", () => {
    expect(
      withAdded(source, "a.c", [added("f", "vector_length(64)", 1), added("f", "gang", 2)]),
    ).toMatchObject({ text: text(" vector_length(64)", " gang") });
  });

  it("go to the only construct of a function without being told its number", () => {
    expect(withAdded(source, "a.c", [added("g", "num_teams(4)")])).toMatchObject({
      text: source.replace("map(a[0:9])", "map(a[0:9]) num_teams(4)"),
    });
  });

  it.each([
    [added("h", "gang"), "a.c defines no function h"],
    [added("f", "gang"), "f of a.c has 2 compute constructs"],
    [added("f", "gang", 3), "f of a.c has 2 compute constructs, and no number 3"],
  ] as const)("find no place: %j", (asked, message) => {
    expect(withAdded(source, "a.c", [asked])).toMatchObject({ refused: [{ diagnostic: { message } }] });
  });
});

/** The text with the entries of a file; throws where one is refused. */
function made(entries: string, of = source): string {
  const { additions, diagnostics } = readDirectiveFile(entries, "a.c.directives");
  expect(diagnostics).toEqual([]);
  const result = withAdded(of, "a.c", additions);
  if ("refused" in result)
    throw new Error(
      errorsOf(result.refused)
        .map((d) => d.message)
        .join("\n"),
    );
  return result.text;
}

interface Spot {
  /** The first token behind the pragmas. */
  readonly at: Loc;
  readonly pragmas: readonly string[];
}

const shown = ({ tokens }: Pragma): string => tokens.map((token) => token.text).join(" ");

/** Functions and statements of the text with the pragmas in front of them. */
function spots(of: string): readonly Spot[] {
  const { unit, diagnostics } = parse(of, { file: "a.c" });
  expect(diagnostics).toEqual([]);
  const found: Spot[] = [];
  let before: string[] = [];
  for (const external of unit.externals) {
    if (external.kind === "pragma") before.push(shown(external));
    if (external.kind !== "function") continue;
    found.push({ at: external.span.start, pragmas: before });
    before = [];
    for (const stmt of statementsIn(external.body))
      found.push({ at: stmt.span.start, pragmas: (stmt.pragmas ?? []).map(shown) });
  }
  return found;
}

describe("entries of a directive file", () => {
  it.each([
    ["f loop 1: #pragma openarc cuda global(a)", 6, ["acc parallel loop", "openarc cuda global ( a )"]],
    ["g loop 2: #pragma acc loop vector", 28, ["acc loop vector"]],
    ["g loop 3: #pragma acc loop vector", 28, ["acc loop vector"]],
    ["g: #pragma acc routine seq", 25, ["acc routine seq"]],
    [
      "f region 2: #pragma acc data create(a)",
      22,
      ["acc update self ( a [ 0 : n ] )", "acc data create ( a )", "acc kernels loop"],
    ],
    [
      "f loop 2: #pragma acc data create(a)",
      22,
      ["acc update self ( a [ 0 : n ] )", "acc data create ( a )", "acc kernels loop"],
    ],
    [
      "g region: #pragma omp target data map(a[0:9])",
      27,
      ["omp target data map ( a [ 0 : 9 ] )", "omp target teams loop map ( a [ 0 : 9 ] )"],
    ],
    ["g loop 2: #pragma acc loop\ng loop 2: #pragma acc parallel", 28, ["acc parallel", "acc loop"]],
  ] as const)("%s", (entries, line, expected) => {
    const before = spots(source);
    const now = spots(made(entries));
    expect(now.map(({ at }) => at)).toEqual(before.map(({ at }) => at));
    const changed = now.filter(({ pragmas }, i) => String(pragmas) !== String(before[i]?.pragmas));
    expect(changed).toMatchObject([{ at: { line }, pragmas: expected }]);
  });

  it("go to the loop that is meant where several stand in one line", () => {
    const now = spots(made("g loop 3: #pragma acc loop"));
    expect(now.filter(({ pragmas }) => pragmas.includes("acc loop"))).toMatchObject([
      { at: { line: 28, col: 33 } },
    ]);
  });

  it("have the places of their words in the file, behind characters of several bytes as well", () => {
    const { unit } = parse(made("g loop /* é */ 2: #pragma  acc loop vector".replace("/* é */ ", "")), {
      file: "a.c",
    });
    const found = unit.externals.flatMap((e) =>
      e.kind === "function" ? [...statementsIn(e.body)].flatMap((s) => s.pragmas ?? []) : [],
    );
    const pragma = found.find(({ added }) => added === "directive");
    expect(pragma?.tokens.map(({ loc }) => [loc.file, loc.line, loc.col])).toEqual([
      ["a.c.directives", 1, 20],
      ["a.c.directives", 1, 24],
      ["a.c.directives", 1, 29],
    ]);
    expect(pragma?.span.end).toEqual({ file: "a.c.directives", line: 1, col: 35 });
  });

  it("leave the words of the source's own directives where they are", () => {
    const { unit } = parse(made("\nf region 1: vector_length(n) /* é */ gang"), { file: "a.c" });
    const def = unit.externals.find((e) => e.kind === "function");
    const pragmas = [...statementsIn(def?.body as never)].flatMap((s) => s.pragmas ?? []);
    const pragma = pragmas.find(({ added }) => added === "clauses");
    expect(pragma?.tokens.map(({ text: word, loc }) => `${word} ${loc.file}:${loc.line}:${loc.col}`)).toEqual(
      [
        "acc a.c:5:9",
        "parallel a.c:5:13",
        "loop a.c:5:22",
        "vector_length a.c.directives:2:13",
        "( a.c.directives:2:26",
        "n a.c.directives:2:27",
        ") a.c.directives:2:28",
        "gang a.c.directives:2:39",
      ],
    );
  });

  it.each([
    ["h loop 1: #pragma acc loop", "1:1 no-such-place: a.c defines no function h"],
    ["helpe: #pragma acc routine", "1:1 no-such-place: a.c defines no function helpe"],
    ["  f loop 3: #pragma acc loop", "1:3 no-such-place: f of a.c has 2 'for' loops, and no number 3"],
    ["f loop: #pragma acc loop", "1:1 no-such-place: f of a.c has 2 'for' loops"],
    ["g region 2: num_teams(2)", "1:1 no-such-place: g of a.c has 1 compute construct, and no number 2"],
    ["g loop 2: vector", "1:11 no-directive: loop 2 of g has no directive that takes clauses"],
    [
      "f region 1: #pragma acc loop",
      "1:21 misplaced-addition: 'acc loop' is for a loop, and region 1 of f begins with a directive",
    ],
    [
      "f loop 1: #pragma acc loop vector",
      "1:19 contradicting-addition: loop 1 of f has the directive 'acc parallel loop' already",
    ],
    [
      "g loop 1: #pragma omp loop",
      "1:19 contradicting-addition: loop 1 of g has the directive 'omp target teams loop' already",
    ],
    [
      "g loop 2: #pragma acc loop\ng loop 2: #pragma acc loop gang",
      "2:19 contradicting-addition: loop 2 of g has the directive 'acc loop' already",
    ],
    [
      "f region 1: #pragma acc serial",
      "1:21 contradicting-addition: 'acc serial' would be around 'acc parallel loop'",
    ],
    [
      "g region: #pragma omp target",
      "1:19 contradicting-addition: 'omp target' would be around 'omp target teams loop'",
    ],
  ])("%s: %s", (entries, expected) => {
    const { additions } = readDirectiveFile(entries, "a.c.directives");
    const result = withAdded(source, "a.c", additions);
    const errors = "refused" in result ? errorsOf(result.refused) : [];
    expect(errors.map(({ loc, code, message }) => `${loc.line}:${loc.col} ${code}: ${message}`)).toEqual([
      expected,
    ]);
    expect(errors.map(({ remedy }) => remedy?.length ?? 0)).not.toContain(0);
  });

  it("start no work inside a construct, nor around one", () => {
    const nested = `void f(int *a) {
#pragma acc parallel copy(a[0:9])
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) a[j] = 0;
  for (int i = 0; i < 9; i++) {
#pragma acc serial copy(a[0:9])
    a[i] = 1;
  }
}
`;
    const told = (entries: string) => {
      const result = withAdded(nested, "a.c", readDirectiveFile(entries, "d").additions);
      return "refused" in result ? result.refused.map(({ diagnostic }) => diagnostic.message) : result.text;
    };
    expect(told("f loop 2: #pragma acc kernels")).toEqual(["'acc kernels' would be inside 'acc parallel'"]);
    expect(told("f loop 3: #pragma acc kernels")).toEqual(["'acc kernels' would be around 'acc serial'"]);
    expect(told("f loop 2: #pragma acc loop")).toContain(" acc loop\n");
  });
});
