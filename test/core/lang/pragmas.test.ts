import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ExprParser,
  isDiagnostic,
  lex,
  type Pragma,
  parse,
  print,
  printExpr,
  printPragma,
  spellTokens,
} from "../../../core/lang/index.ts";
import { cases } from "../../cases.ts";
import { body, faults, functionNamed, parsed, pragmas } from "./parsing.ts";
import { preprocess, run } from "./toolchain.ts";

const spelled = (found: readonly Pragma[]): string[] => found.map((pragma) => spellTokens(pragma.tokens));
const inFunction = (text: string): string => `void f(int n, float *a) {\n${text}\n}\n`;

describe("macros in pragmas", () => {
  const expanded = (defines: string, line: string): string => {
    const [pragma] =
      lex(`${defines}\n#pragma ${line}\n`, "a.c", { expandPragmas: ["acc"] }).tokens[0]?.pragmas ?? [];
    return spellTokens(pragma?.tokens ?? []);
  };

  test("are expanded, object-like and function-like, nested", () => {
    expect(
      expanded("#define N 10\n#define TWICE(x) (2 * (x))\n#define M TWICE(N)", "acc loop num_gangs(M)"),
    ).toBe("acc loop num_gangs((2 * (10)))");
  });

  test("are those in force at the line", () => {
    const { tokens } = lex(
      "#define N 1\n#pragma acc a(N)\nx\n#undef N\n#pragma acc b(N)\ny\n#define N 2\n#pragma acc c(N)\nz\n",
      "a.c",
      { expandPragmas: ["acc"] },
    );
    const lines = tokens.flatMap((token) => token.pragmas ?? []).map((line) => spellTokens(line.tokens));
    expect(lines).toEqual(["acc a(1)", "acc b(N)", "acc c(2)"]);
  });

  test("do not expand inside themselves", () => {
    expect(expanded("#define a a + b\n#define b a", "acc x(a)")).toBe("acc x(a + a)");
  });

  test("paste and stringize their arguments unexpanded", () => {
    expect(
      expanded("#define N 3\n#define CAT(x, y) x##y\n#define STR(x) #x", "acc v(CAT(N, 4)) s(STR(N + 1))"),
    ).toBe('acc v(N4) s("N + 1")');
  });

  test("take variable arguments, and drop the comma before empty ones", () => {
    const defines =
      "#define LIST(...) copy(__VA_ARGS__)\n#define F(a, ...) f(a, ## __VA_ARGS__)\n#define G(x...) g(x)";
    expect(expanded(defines, "acc LIST(a, b[0:n]) F(1) F(1, 2) G(3, 4)")).toBe(
      "acc copy(a, b[0:n]) f(1) f(1, 2) g(3, 4)",
    );
  });

  test("with parameters stay when no parenthesis follows", () => {
    expect(expanded("#define F(x) x", "acc F F(1)")).toBe("acc F 1");
  });

  test("come back with pop_macro", () => {
    const text =
      '#define N 1\n#pragma push_macro("N")\n#undef N\n#define N 2\n#pragma pop_macro("N")\n#pragma acc a(N)\nx';
    const last = lex(text, "a.c", { expandPragmas: ["acc"] }).tokens[0]?.pragmas?.at(-1);
    expect(spellTokens(last?.tokens ?? [])).toBe("acc a(1)");
  });

  test("stay verbatim in namespaces that do not ask for expansion", () => {
    const { unit } = parse("#define N 8\nvoid f(void) {\n#pragma GCC unroll N\nfor (;;) ;\n}\n", {
      file: "a.c",
      expandPragmas: ["acc"],
    });
    expect(spelled(pragmas(unit))).toEqual(["GCC unroll N"]);
  });

  test("expand as gcc expands them in ordinary text", () => {
    const names = ["A", "B", "F", "G"] as const;
    const word = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("A", "B", "F", "G", "x", "y", "1", "+", ",") },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          "F(A)",
          "G(B, x)",
          "F(F(y))",
          "G(A, F(1))",
          "(A)",
          "F ( x + A )",
          "G((x, y), B)",
        ),
      },
    );
    const plain = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
    const withParams = fc
      .array(fc.oneof(word, fc.constantFrom("p", "q", "# p", "p ## q", "p ## 1", "x ## q")), {
        minLength: 1,
        maxLength: 5,
      })
      .map((words) => words.join(" "));
    const property = fc.property(plain, plain, withParams, withParams, plain, (a, b, f, g, text) => {
      const defines = `#define A ${a}\n#define B ${b}\n#define F(p) ${f.replace(/\bq\b/g, "p")}\n#define G(p, q) ${g}\n`;
      let wanted: string;
      try {
        wanted = run("gcc", ["-E", "-P", "-x", "c", "-"], { input: `${defines}${text}\n` });
      } catch {
        return; // gcc refuses: too few arguments, or a paste that is no token
      }
      const squeeze = (t: string): string => t.replace(/\s+/g, "");
      const tokens = lex(`${defines}#pragma acc ${text}\n`, "a.c", { expandPragmas: ["acc"] }).tokens[0]
        ?.pragmas?.[0]?.tokens;
      expect(squeeze(spellTokens(tokens?.slice(1) ?? []))).toBe(squeeze(wanted));
    });
    fc.assert(property, cases(60, 20240));
    expect(names.length).toBe(4);
  });
});

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

  test("stand before a body without braces", () => {
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

  test("stand behind labels and cases", () => {
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
  test("between functions stand in the unit, in order", () => {
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

  test("leave the function they stand in alone", () => {
    const unit = parsed("int f(void) {\n#pragma acc wait\nreturn 1; }");
    expect(functionNamed(unit, "f").body.body[0]).toMatchObject({
      kind: "return",
      pragmas: [{ kind: "pragma" }],
    });
  });
});
