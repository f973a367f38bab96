/** What C23 adds to the language, and texts of before in which its words are names. */
import { describe, expect, it } from "vitest";
import { parse, print, type TranslationUnit } from "../../../../core/lang/index.ts";
import { faults, parsed } from "../parsing.ts";

/** Arrays at file scope with their sizes. */
const arrays = ({ externals }: TranslationUnit): readonly string[] =>
  externals
    .flatMap((e) => (e.kind === "decl" ? e.decls : []))
    .flatMap(({ sym }) => (sym.type.kind === "array" ? [`${sym.name}[${sym.type.size}]`] : []));

const printed = (text: string): string => print(parsed(text));

describe("C23", () => {
  it.each([
    ["bool b = true;", "_Bool b = (_Bool)1;"],
    ["int k = false;", "int k = (_Bool)0;"],
    ["static bool f(bool);", "static _Bool f(_Bool);"],
    ["struct s { bool b : 1; static_assert(1); int k; };", "struct s { _Bool b : 1; int k; };"],
    ["int *p = nullptr;", "int *p = (void *)0;"],
    ["thread_local int t;", "_Thread_local int t;"],
    ["alignas(64) double a[4];", "_Alignas(64) double a[4];"],
    ["unsigned long n = alignof(double);", "unsigned long n = _Alignof(double);"],
    ["constexpr int N = 4; double a[N];", "const int N = 4; double a[4];"],
    ["constexpr static double half = 0.5;", "static const double half = 0.5;"],
    ["static_assert(sizeof(int) == 4);", "_Static_assert(sizeof(int) == 4);"],
    ["const int c = 1; typeof_unqual(c) k = 2;", "const int c = 1; int k = 2;"],
    ["void f(void) { auto k = 7; }", "void f(void) { __auto_type k = 7; }"],
    [
      "int n = 1'000'000; double d = 1'0.5e1'0; int h = 0xFF'FF;",
      "int n = 1000000; double d = 10.5e10; int h = 0xFFFF;",
    ],
    ['[[nodiscard("why")]] int f(void);', "__attribute__((warn_unused_result)) int f(void);"],
    [
      "[[maybe_unused, gnu::aligned(16)]] static int k;",
      "__attribute__((unused, aligned(16))) static int k;",
    ],
    ['int k [[deprecated("old")]];', 'int k __attribute__((deprecated("old")));'],
    ["int f([[maybe_unused]] int x);", "int f(__attribute__((unused)) int x);"],
    ["struct [[gnu::packed]] p { char c; int i; };", "struct __attribute__((packed)) p { char c; int i; };"],
    [
      "enum [[deprecated]] e { A [[maybe_unused]] };",
      "enum __attribute__((deprecated)) e { A __attribute__((unused)) };",
    ],
    [
      "void f(int k) { switch (k) { case 0: k++; [[fallthrough]]; default: k--; } }",
      "void f(int k) { switch (k) { case 0: k++; __attribute__((fallthrough)); default: k--; } }",
    ],
    [
      "void f(int k) { [[unknown::word(1, (2))]] k++; again: [[maybe_unused]] int j; }",
      "void f(int k) { k++; again: __attribute__((unused)) int j; }",
    ],
  ])("%s", (text, before) => {
    expect(printed(text)).toBe(printed(before));
  });

  it("enumerations have the type that they name", () => {
    const text = [
      "enum e : unsigned char { A = 200, B }; enum f : long; enum f : long { C };",
      "enum g { D }; struct s { enum g : 3; enum g b : 2; };",
      "int sizes[sizeof(enum e) * 100 + sizeof(enum f) * 10 + sizeof(enum g)];",
      "enum u : unsigned { E }; int less[(E - 1 < 0) + 1]; int small[(B - 300 < 0) + 1];",
    ].join("\n");
    const unit = parsed(text);
    const again = print(parsed(print(unit)));
    expect(again).toBe(print(unit));
    expect(again).toContain("enum e : unsigned char {");
    for (const array of ["sizes[184]", "less[1]", "small[2]"]) expect(arrays(unit)).toContain(array);
  });

  it("refuses directives in attributes, and `auto` where its meaning depends on the version", () => {
    expect(faults("void f(void) { [[omp::directive(parallel)]] ; }")).toEqual(["1:18 attribute-directive"]);
    expect(faults("void f(void) { auto d = 2.5; }")).toEqual(["1:25 auto-without-type"]);
  });
});

describe("before C23", () => {
  it.each([
    "typedef enum { false, true } bool; bool b = true;",
    "typedef int bool; static const bool true = 1, false = 0; bool f(bool b) { return b == true; }",
    "typedef unsigned char bool; struct s { bool bool; }; enum { nullptr, constexpr };",
    "int thread_local, alignas; void f(int bool, int alignof) { thread_local = bool + alignof; alignas = (bool); }",
    "int static_assert(int k); int g(void) { return static_assert(1); }",
    "void f(int k) { goto bool; constexpr: k++; bool: k--; static_assert: goto true; true: goto constexpr; }",
    "void f(int a[3][2], int i) { int b[3], true; true = a[b[i]][b[0]]; }",
  ])("%s", (text) => {
    const { unit, diagnostics } = parse(text, { file: "test.c" });
    expect(diagnostics).toEqual([]);
    expect(print(unit)).not.toMatch(/_Bool|_Alignas|_Thread_local|_Static_assert|\(void \*\)0/);
  });
});
