import { describe, expect, test } from "vitest";
import {
  ExprParser,
  isDiagnostic,
  type Pragma,
  parse,
  print,
  printExpr,
  printPragma,
  spellTokens,
} from "../../../core/lang/index.ts";
import { body, faults, functionNamed, parsed, pragmas } from "./parsing.ts";
import { preprocess } from "./toolchain.ts";

const spelled = (found: readonly Pragma[]): string[] => found.map((pragma) => spellTokens(pragma.tokens));
const inFunction = (text: string): string => `void f(int n, float *a) {\n${text}\n}\n`;

describe("pragmas in functions", () => {
  test("are attached to the statement that follows, several in order", () => {
    const [loop] = body(inFunction("#pragma acc parallel\n#pragma acc loop\nfor (;;) ;"));
    expect(loop?.kind).toBe("for");
    expect(spelled(loop?.pragmas ?? [])).toEqual(["acc parallel", "acc loop"]);
  });

  test("are attached to a declaration", () => {
    const [declaration] = body(inFunction("#pragma acc declare create(b)\nint b[4];"));
    expect(declaration?.kind).toBe("decl");
    expect(spelled(declaration?.pragmas ?? [])).toEqual(["acc declare create(b)"]);
  });

  test("at the end of a block are attached to an empty statement", () => {
    const statements = body(inFunction("n++;\n#pragma acc wait"));
    expect(statements.map(({ kind }) => kind)).toEqual(["expr", "expr"]);
    expect(statements[1]).toMatchObject({ kind: "expr", pragmas: [{}] });
    expect(statements[1]).not.toHaveProperty("expr");
  });

  test("are attached to a body without braces", () => {
    const [branch, loop] = body(
      inFunction(
        "if (n)\n#pragma acc loop\nfor (;;) ;\nelse\n#pragma acc wait\nn--;\nwhile (n)\n#pragma acc update self(a)\nn--;",
      ),
    );
    expect(branch).toMatchObject({
      kind: "if",
      then: { kind: "for", pragmas: [{}] },
      else: { kind: "expr", pragmas: [{}] },
    });
    expect(loop).toMatchObject({ kind: "while", body: { kind: "expr", pragmas: [{}] } });
  });

  test("are attached after labels and cases", () => {
    const [label, choice] = body(
      inFunction("again:\n#pragma acc loop\nfor (;;) ;\nswitch (n) { case 1:\n#pragma acc wait\nn++; }"),
    );
    expect(label).toMatchObject({ kind: "label", body: { kind: "for", pragmas: [{}] } });
    expect(choice).toMatchObject({
      kind: "switch",
      body: { body: [{ kind: "case", body: { pragmas: [{}] } }] },
    });
  });

  test("may be written with _Pragma, several on a line, in macros", () => {
    const source = preprocess(
      '#define LOOP _Pragma("acc loop") for\nvoid f(void) { _Pragma("acc parallel") LOOP (;;) ; }\n',
    );
    const unit = parsed(source);
    expect(spelled(pragmas(unit))).toEqual(["acc parallel", "acc loop"]);
    const raw = parsed('void f(void) { _Pragma("acc data copy(x[\\"a\\"])") { } }');
    expect(spelled(pragmas(raw))).toEqual(['acc data copy(x["a"])']);
  });

  test("see the names declared before them and no later ones", () => {
    const { unit } = parse(
      "int a;\nvoid f(int n) {\n#pragma acc first\n{ }\nfloat a[n];\n#pragma acc second\n{ int n; }\nint b;\n}\nint later;\n",
      { file: "a.c" },
    );
    const [first, second] = pragmas(unit);
    expect(first?.scope.lookup("a")?.scope).toBe("file");
    expect(second?.scope.lookup("a")?.type.kind).toBe("array");
    expect(second?.scope.lookup("n")?.kind).toBe("param");
    expect(second?.scope.lookup("b")).toBeUndefined();
    expect(second?.scope.lookup("later")).toBeUndefined();
  });

  test("keep the place of their line", () => {
    const unit = parsed('# 30 "src/k.c"\nvoid f(void) {\n  #pragma acc wait\n;}');
    expect(pragmas(unit)[0]?.span).toEqual({
      start: { file: "src/k.c", line: 31, col: 3 },
      end: { file: "src/k.c", line: 31, col: 19 },
    });
    expect(pragmas(unit)[0]?.tokens[1]?.loc).toEqual({ file: "src/k.c", line: 31, col: 15 });
  });

  test("print before their statement", () => {
    const text = inFunction("  if (n)\n#pragma acc parallel loop copy(a[0:n])\n    for (;;)\n      ;");
    const once = print(parsed(text));
    expect(once).toContain("  if (n)\n    #pragma acc parallel loop copy(a[0:n])\n    for (;;)\n");
    expect(print(parsed(once))).toBe(once);
  });
});

describe("what published directive compilers stumble over", () => {
  const clauseOf = (text: string, skip: number): { shown: string; rest: string } => {
    const unit = parsed(preprocess(text));
    const pragma = pragmas(unit)[0] as Pragma;
    const parser = new ExprParser(pragma.tokens.slice(skip), pragma.scope);
    const expr = parser.parseVariable();
    if (isDiagnostic(expr)) throw new Error(expr.message);
    return { shown: printExpr(expr), rest: spellTokens(pragma.tokens.slice(skip + parser.position)) };
  };

  test("is read: a pragma under a for or if without braces belongs to the statement below it", () => {
    const [outer] = body(
      inFunction("for (int i = 0; i < n; i++)\n#pragma acc loop\nfor (int j = 0; j < n; j++)\na[j] = i;"),
    );
    expect(outer).toMatchObject({
      kind: "for",
      body: { kind: "for", pragmas: [{}], body: { kind: "expr" } },
    });
    expect(outer).not.toHaveProperty("pragmas");
  });

  test("is read: declarations between statements, and pragmas on either", () => {
    const statements = body(
      inFunction(
        "n++;\n#pragma acc data create(t)\n{ }\nint t[4];\nn--;\nfloat u = n;\n#pragma acc wait\nu++;",
      ),
    );
    expect(statements.map(({ kind }) => kind)).toEqual(["expr", "compound", "decl", "expr", "decl", "expr"]);
  });

  test("is read: struct members in clauses", () => {
    const text =
      "struct s { struct { float *p; int n; } in; };\nvoid f(struct s *v) {\n#pragma acc data copy(v->in.p[0:v->in.n])\n{ } }";
    expect(clauseOf(text, 4)).toEqual({ shown: "v->in.p", rest: "[0:v->in.n])" });
  });

  test("is read: variable-length arrays in clauses", () => {
    const text = "void f(int n, int m, float a[n][m]) {\n#pragma acc data copy(a[1][0:m])\n{ } }";
    expect(clauseOf(text, 4)).toEqual({ shown: "a[1]", rest: "[0:m])" });
    const { unit } = parse(text, { file: "a.c" });
    expect(pragmas(unit)[0]?.scope.lookup("a")?.type).toMatchObject({
      kind: "pointer",
      to: { kind: "array", size: { kind: "ident" } },
    });
  });

  test("is read: macros in clauses, with arguments and from headers", () => {
    const text =
      "#include <limits.h>\n#define SECTION(x, n) x[0:(n)*CHAR_BIT]\nvoid f(char *a) {\n#pragma acc data copy(SECTION(a, 2))\n{ } }";
    expect(clauseOf(text, 4)).toEqual({ shown: "a", rest: "[0:(2)*8])" });
  });

  test("is read: sections that do not start at zero", () => {
    const text = "void f(int n, float *a) {\n#pragma acc data copy(a[n-1:2*n])\n{ } }";
    expect(clauseOf(text, 4)).toEqual({ shown: "a", rest: "[n-1:2*n])" });
  });
});

describe("pragmas elsewhere", () => {
  test("between functions are externals of the unit, in order", () => {
    const unit = parsed(
      "#pragma acc routine seq\nint f(int);\n#pragma omp declare target\nint g;\n#pragma omp end declare target\n",
    );
    expect(unit.externals.map(({ kind }) => kind)).toEqual(["pragma", "decl", "pragma", "decl", "pragma"]);
  });

  test("before the first and after the last token are kept", () => {
    const unit = parsed("#pragma once\n#pragma acc routine(f)\n");
    expect(spelled(pragmas(unit))).toEqual(["once", "acc routine(f)"]);
  });

  test("inside expressions, initialisers and structs are ignored with a warning when they are directives", () => {
    expect(
      faults(
        "struct s {\n#pragma acc shape\nint n; };\nint a[] = {1,\n#pragma omp x\n2,\n#pragma GCC diagnostic pop\n3};",
      ),
    ).toEqual(["2:1 misplaced-pragma", "5:1 misplaced-pragma"]);
  });

  test("of pack change the layout of records", () => {
    const unit = parsed(
      '#pragma pack(push, 1)\nstruct a { char c; int i; };\n#pragma pack(pop)\nstruct b { char c; int i; };\n_Static_assert(sizeof(struct a) == 5, "");\n_Static_assert(sizeof(struct b) == 8, "");',
    );
    expect(unit.externals.length).toBe(6);
  });

  test("spell their tokens as the source does", () => {
    const line = "#pragma acc  parallel loop copy(a[0:n], b[1 : n-1]) if(x->y && !z)  reduction(+:s)";
    const unit = parsed(`${line}\nint x;`);
    expect(printPragma(pragmas(unit)[0] as Pragma)).toBe(line.replace(/ {2,}/g, " "));
  });

  test("do not affect the function that contains them", () => {
    const unit = parsed("int f(void) {\n#pragma acc wait\nreturn 1; }");
    expect(functionNamed(unit, "f").body.body[0]).toMatchObject({
      kind: "return",
      pragmas: [{ kind: "pragma" }],
    });
  });
});
