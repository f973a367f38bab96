import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, print } from "../../../core/lang/index.ts";
import { cases } from "../../cases.ts";
import { describeDiagnostic, faults, functionNamed } from "./parsing.ts";

const diagnose = (text: string): string[] => parse(text, { file: "e.c" }).diagnostics.map(describeDiagnostic);

describe("one mistake", () => {
  test.each([
    ["int f(int i) { return a[i][i + 1]; }", ["1:23 undeclared-identifier"]],
    ["int f(int i) { return *(a + i) + a->x + a(i); }", ["1:25 undeclared-identifier"]],
    ["int f(void) { a[0] = 1; return a[1]; }", ["1:15 undeclared-identifier"]],
    ["int f(int i) { return i[0][1].x; }", ["1:23 not-an-array"]],
    ["struct s { int a; } v; int f(void) { return v.b[0]; }", ["1:47 no-such-member"]],
    ["int f(int i, int j) { return i[0] + j[0]; }", ["1:30 not-an-array", "1:37 not-an-array"]],
  ])("is one error: %s", (source, errors) => {
    expect(faults(source)).toEqual(errors);
  });
});

describe("syntax errors", () => {
  test.each([
    ["int x", "1:6 syntax"],
    ["int f(void) { return 1 }", "1:24 syntax"],
    ["int f(void) { if x) ; }", "1:18 syntax"],
    ["int f(void) { x: }", undefined],
    ["int f(void) { for (;;) }", "1:24 syntax"],
    ["int f(void) { int a[3; }", "1:22 syntax"],
    ["int f(void) { return (1 + ; }", "1:27 syntax"],
    ["int f(void) {", "1:14 syntax"],
    ["struct { int a; ", "1:17 syntax"],
    ["enum { A, 3 };", "1:11 syntax"],
    ["foo bar;", "1:1 unknown-type"],
    ["int f(void) { return 0; } _Decimal64 price;", "1:27 unknown-type"],
    ["typedef foo bar;", "1:9 unknown-type"],
    ["int f(int a, foo *b) { return 0; }", "1:14 unknown-type"],
    ["int f(foo *b);", "1:7 unknown-type"],
    ["struct s { foo x; };", "1:12 unknown-type"],
    ["int f(void) { foo x = 1; return 0; }", "1:15 unknown-type"],
    ["int f(void) { foo *x; return 0; }", "1:15 unknown-type"],
    ["int f(void) { return sizeof(foo *); }", "1:29 unknown-type"],
    ["int f(struct { int a) { }", "1:21 syntax"],
    ["int a = ;", "1:9 syntax"],
    ["int f(void) { 1 = ; }", "1:19 syntax"],
    ["long char x;", "1:1 bad-type"],
    ["}", "1:1 syntax"],
  ])("in %j stand at %s", (text, fault) => {
    expect(faults(text)).toEqual(fault === undefined ? [] : [fault]);
  });

  test("say what was expected, where, and what to write", () => {
    const [only] = parse('# 9 "k.c"\nint f(void) { return 1 }', { file: "e.c" }).diagnostics;
    expect(only).toMatchObject({
      severity: "error",
      message: "expected `;` after the returned value, found `}`",
      loc: { file: "k.c", line: 9, col: 24 },
      remedy: "write `;` here",
    });
  });

  test("leave the statements and functions around them alone", () => {
    const text =
      "int a(void) { int x = 1; x = ; x = 2; { x + ; } return x; }\nint b(;\nint c(void) { return 3; }\n";
    const { unit, diagnostics } = parse(text, { file: "e.c" });
    expect(diagnostics.map(({ loc }) => loc.line)).toEqual([1, 1, 2]);
    expect(functionNamed(unit, "a").body.body.map(({ kind }) => kind)).toEqual([
      "decl",
      "expr",
      "compound",
      "return",
    ]);
    expect(functionNamed(unit, "c").body.body.length).toBe(1);
  });
});

describe("errors of meaning", () => {
  test.each([
    ["int f(void) { return lenth; } int length;", "1:22 undeclared-identifier"],
    ["int f(int a) { return a.x; }", "1:23 not-a-record"],
    ["struct s { int a; } *p; int f(void) { return p.a; }", "1:46 not-a-record"],
    ["struct s { int a; } v; int f(void) { return v.b; }", "1:47 no-such-member"],
    ["struct s; int f(struct s *p) { return p->a; }", "1:39 incomplete-type"],
    ["int f(int a) { return *a; }", "1:24 not-a-pointer"],
    ["int f(int a) { return a[1]; }", "1:23 not-an-array"],
    ["int f(int a) { return a(1); }", "1:23 not-a-function"],
    ["typedef int T; int f(void) { return T; }", "1:37 type-not-value"],
    ["int a[-1];", "1:7 negative-array-size"],
    ["int f(void) { int a; float a; return a; }", "1:28 redeclared"],
    ["int f(int a, int a);", "1:18 redeclared"],
    ["struct s { int a; }; struct s { int b; };", "1:22 redefined"],
    ["int f(void) {} int f(void) {}", "1:20 redefined"],
    ['_Static_assert(1 > 2, "no");', "1:1 static-assertion"],
    ["int f(int n) { enum { A = n }; return A; }", "1:27 not-constant"],
    ["struct s { int a : 3.5; };", "1:20 not-constant"],
    ["enum e { A }; struct e *p;", "1:24 wrong-tag"],
    ["int f(char *s) { return _Generic(s, int: 1); }", "1:34 no-generic-match"],
    ["int f(void) { return 0x; }", "1:22 malformed-number"],
    ["void x;", "1:6 void-variable"],
  ])("in %j stand at %s", (text, fault) => {
    expect(faults(text)).toEqual([fault]);
  });

  test("are reported once for each undeclared name", () => {
    expect(faults("int f(void) { return a + a + a; }\nint g(void) { return a; }")).toEqual([
      "1:22 undeclared-identifier",
    ]);
  });

  test("suggest the intended type", () => {
    const [only] = parse("typedef unsigned size_type; void f(sizetype n);", { file: "e.c" }).diagnostics;
    expect(only).toMatchObject({ code: "unknown-type", remedy: "did you mean `size_type`?" });
  });

  test("suggest the intended name", () => {
    const [only] = parse("int f(int width) { return wdith; }", { file: "e.c" }).diagnostics;
    expect(only?.remedy).toBe("did you mean `width`?");
  });
});

describe("warnings", () => {
  test("report calls before a declaration, once, and give them type int", () => {
    expect(diagnose("int f(void) { return g(1) + g(2); }")).toEqual([
      "e.c:1:22: warning[implicit-function]: `g` is called before it is declared",
    ]);
  });

  test("report implicit int", () => {
    expect(diagnose("f(a) { return a; }")).toEqual([
      "e.c:1:1: warning[implicit-int]: `f` has no type; int is assumed",
    ]);
  });

  test("are not raised about system headers", () => {
    expect(diagnose('# 1 "sys.h" 1 3\nint f(void) { return g(1); }\n')).toEqual([]);
  });
});

describe("nesting", () => {
  const places: readonly (readonly [string, (n: number) => string])[] = [
    ["parentheses", (n) => `int f(int a) { return ${"(".repeat(n)}a${")".repeat(n)}; }`],
    ["unary operators", (n) => `int f(int a) { return ${"!".repeat(n)}a; }`],
    ["sums", (n) => `int f(int a) { return a${" + a".repeat(n)}; }`],
    ["conditionals", (n) => `int f(int a) { return ${"a ? 1 : ".repeat(n)}0; }`],
    ["blocks", (n) => `int f(int a) { ${"{".repeat(n)}${"}".repeat(n)} return 0; }`],
    ["chains of else", (n) => `int f(int a) { ${"if (a) a++; else ".repeat(n)}; return 0; }`],
    [
      "cases",
      (n) =>
        `int f(int a) { switch (a) { ${Array.from({ length: n }, (_, i) => `case ${i}: `).join("")}; } }`,
    ],
    ["declarators", (n) => `int ${"(".repeat(n)}a${")".repeat(n)};`],
    ["pointers", (n) => `int ${"*".repeat(n)}a;`],
    ["subscripts", (n) => `int f(int a) { return ${"a[".repeat(n)}0${"]".repeat(n)}; }`],
    ["initialisers", (n) => `int a = ${"{".repeat(n)}1${"}".repeat(n)};`],
    ["structs", (n) => `${"struct { ".repeat(n)}int a; ${"} a; ".repeat(n)}`],
    ["commas", (n) => `void f(int a) { ${"a++, ".repeat(n)}a; }`],
  ];

  test.each(places)("of %s to 200 levels is accepted", (_, text) => {
    const codes = parse(text(200), { file: "e.c" }).diagnostics.map(({ code }) => code);
    expect(codes.filter((code) => code === "nested-too-deep" || code === "syntax")).toEqual([]);
  });

  test.each(places)("of %s without end is an error, not a crash", (_, text) => {
    const { unit, diagnostics } = parse(`${text(50_000)}\nint after;`, { file: "e.c" });
    expect(diagnostics.map(({ code }) => code)).toContain("nested-too-deep");
    print(unit);
    expect(unit.scope.lookup("after")).toBeDefined();
  });
});

describe("any input", () => {
  const corpus = join(dirname(fileURLToPath(import.meta.url)), "corpus");
  const programs = readdirSync(corpus).map((name) =>
    readFileSync(join(corpus, name), "utf8").replace(/^#.*$/gm, ""),
  );

  test("cut off anywhere is parsed and printed without an exception", () => {
    fc.assert(
      fc.property(fc.constantFrom(...programs), fc.nat(6000), fc.nat(200), (program, from, length) => {
        const { unit } = parse(program.slice(from, from + length * 10), { file: "e.c" });
        print(unit);
      }),
      cases(400),
    );
  });

  test("with tokens left out or doubled is parsed and printed without an exception", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...programs),
        fc.array(fc.nat(3000), { maxLength: 6 }),
        fc.boolean(),
        (program, places, double) => {
          const tokens = program.split(/(?<=\W)|(?=\W)/);
          for (const place of places)
            tokens.splice(
              place % tokens.length,
              double ? 0 : 1,
              ...(double ? [tokens[place % tokens.length] ?? ""] : []),
            );
          print(parse(tokens.join(""), { file: "e.c" }).unit);
        },
      ),
      cases(300),
    );
  });

  test("of random characters is parsed without an exception", () => {
    const soup = fc.array(
      fc.constantFrom(
        ..."{}()[];,*&=<>?:#\"'\\\n \t0aif+-.%@é$".split(""),
        "int ",
        "struct ",
        "for",
        "#pragma acc ",
        "_Pragma(",
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(soup, (parts) => {
        print(parse(parts.join(""), { file: "e.c" }).unit);
      }),
      cases(3000),
    );
  });
});
