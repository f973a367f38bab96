import { describe, expect, test } from "vitest";
import {
  alignOf,
  arrayOf,
  BOOL,
  CHAR,
  canonical,
  compatible,
  DOUBLE,
  decay,
  evaluate,
  FLOAT,
  fieldOffset,
  INT,
  intType,
  isArithmetic,
  isInteger,
  isPointer,
  LLONG,
  LONG,
  pointerTo,
  printDecl,
  printExpr,
  qualify,
  SHORT,
  sizeOf,
  type TranslationUnit,
  UCHAR,
  UINT,
  ULONG,
  unqualified,
  usualArithmetic,
} from "../../../../core/lang/index.ts";
import { lastExpr, parsed } from "../parsing.ts";
import { complaints, preprocess } from "../toolchain.ts";

const typeOfLast = (text: string): string => printDecl(lastExpr(text).type);

describe("types", () => {
  test("look through typedefs, qualifiers reaching an array's elements", () => {
    const unit = parsed("typedef int A[3]; const A a; typedef volatile A B; B b;");
    const symbol = (name: string) => unit.scope.lookup(name)?.type ?? INT;
    expect(printDecl(canonical(symbol("a")))).toBe("const int [3]");
    expect(printDecl(canonical(symbol("b")))).toBe("volatile int [3]");
    expect(isInteger(symbol("a"))).toBe(false);
  });

  test("lose their own qualifiers and keep those of what they point to", () => {
    const unit = parsed("typedef const int CI; CI *const p; CI c;");
    expect(printDecl(unqualified(unit.scope.lookup("p")?.type ?? INT))).toBe("CI *");
    expect(printDecl(unqualified(unit.scope.lookup("c")?.type ?? INT))).toBe("int");
  });

  test("decay from arrays and functions to pointers", () => {
    expect(printDecl(decay(arrayOf(arrayOf(INT, 3), 2)))).toBe("int (*)[3]");
    expect(printDecl(decay(parsed("int f(char);").scope.lookup("f")?.type ?? INT))).toBe("int (*)(char)");
  });

  test.each([
    [CHAR, SHORT, INT],
    [BOOL, BOOL, INT],
    [INT, UINT, UINT],
    [UINT, LONG, LONG],
    [ULONG, LLONG, intType("ullong")],
    [LONG, LLONG, LLONG],
    [INT, FLOAT, FLOAT],
    [FLOAT, DOUBLE, DOUBLE],
    [ULONG, FLOAT, FLOAT],
    [intType("int128"), ULONG, intType("int128")],
  ])("%o and %o meet in %o", (a, b, common) => {
    expect(usualArithmetic(a, b)).toBe(common);
    expect(usualArithmetic(b, a)).toBe(common);
  });

  test("without a common arithmetic type have none", () => {
    expect(usualArithmetic(pointerTo(INT), INT)).toBeUndefined();
  });

  test("are compatible through typedefs, with unknown sizes, unprototyped functions and enums", () => {
    const unit = parsed(
      "typedef int T; T a[3]; int b[]; int f(); int g(T); enum e { A = -1 } x; struct s; struct s *p, *q;",
    );
    const type = (name: string) => unit.scope.lookup(name)?.type ?? INT;
    expect(compatible(type("a"), type("b"))).toBe(true);
    expect(compatible(type("f"), type("g"))).toBe(true);
    expect(compatible(type("x"), INT)).toBe(true);
    expect(compatible(type("x"), UINT)).toBe(false);
    expect(compatible(type("p"), type("q"))).toBe(true);
    expect(compatible(pointerTo(INT), pointerTo(qualify(INT, { const: true })))).toBe(false);
    expect(compatible(arrayOf(INT, 2), arrayOf(INT, 3))).toBe(false);
  });

  test("say what they are through typedefs", () => {
    const unit = parsed(
      "typedef enum { A } E; typedef float *P; E e; P p; int n; int main(void) { int v[n]; return sizeof v; }",
    );
    expect(isArithmetic(unit.scope.lookup("e")?.type ?? DOUBLE)).toBe(true);
    expect(isPointer(unit.scope.lookup("p")?.type ?? INT)).toBe(true);
  });
});

describe("the types of expressions", () => {
  test.each([
    ["char c; int f(void) { return c + c; }", "int"],
    ["float x; int n; double f(void) { (void)(x * n); return x; }", "double"],
    ["int a[2][3]; int *f(void) { return a[1]; }", "int *"],
    ["int f(unsigned n) { return sizeof n; }", "int"],
    ["struct s { const int x; } *p; void f(void) { p->x; }", "const int"],
    ["const struct s { int x[2]; } v; void f(void) { v.x[1]; }", "const int"],
    ["void f(int *p, int *q) { p - q; }", "long"],
    ["void f(int n, void *p, int *q) { n ? p : q; }", "void *"],
    ["void f(int n, const int *p, int *q) { n ? p : q; }", "const int *"],
    ["void f(int n, int *q) { n ? 0 : q; }", "int *"],
    ['void f(void) { "abc"; }', "char [4]"],
    ['void f(void) { L"abc"; }', "int [4]"],
    ["void f(void) { 'a'; }", "int"],
    ["void f(void) { 2147483648; }", "long"],
    ["void f(void) { 0x80000000; }", "unsigned int"],
    ["void f(void) { 1.5f; }", "float"],
    ["void f(void) { &f; }", "void (*)(void)"],
    ["void f(void) { ({ char c; c; }); }", "char"],
    ["void f(_Bool b) { !b; }", "int"],
    ["void f(short s) { s++; }", "short"],
    ["void f(short s, int i) { s = i; }", "short"],
    ["void f(char c) { c, c; }", "char"],
    ["void f(float x) { _Generic(x, float: (char)1, default: 2); }", "char"],
    ["struct s; void f(struct s *p) { p; }", "struct s *"],
    ["int g(); void f(void) { g(1, 2); }", "int"],
    ["void f(unsigned char a, unsigned char b) { a << b; }", "int"],
    ["void f(double d) { (int)d; }", "int"],
    ["void f(void) { (int[]){1, 2, 3}; }", "int [3]"],
    ["typedef int v4 __attribute__((vector_size(16))); void f(v4 v) { v[0]; }", "int"],
    [
      "typedef float v4 __attribute__((vector_size(16))); void f(v4 v) { v < v; }",
      "__attribute__((vector_size(16))) int",
    ],
    ["void f(int n) { int a[n][n + 1]; a[0]; }", "int [n + 1]"],
  ])("%s", (text, type) => {
    expect(typeOfLast(text)).toBe(type);
  });

  test("carry the implicit conversions of their operands", () => {
    const sum = lastExpr("void f(char c, unsigned u) { c + u; }");
    expect(sum).toMatchObject({
      kind: "binary",
      left: { kind: "cast", implicit: true, type: { name: "uint" }, arg: { kind: "ident" } },
      right: { kind: "ident" },
    });
    const call = lastExpr("void g(double); void f(int i) { g(i); }");
    expect(call).toMatchObject({
      kind: "call",
      args: [{ kind: "cast", implicit: true, type: { name: "double" } }],
    });
    const passed = lastExpr("void g(int *); void f(void) { int a[3]; g(a); }");
    expect(passed).toMatchObject({ args: [{ kind: "cast", implicit: true, type: { kind: "pointer" } }] });
  });

  test("leave the base of an index an array and the callee a function", () => {
    expect(lastExpr("void f(void) { int a[3]; a[1]; }")).toMatchObject({
      base: { kind: "ident", type: { kind: "array" } },
    });
    expect(lastExpr("void g(void); void f(void) { g(); }")).toMatchObject({
      callee: { type: { kind: "function" } },
    });
  });

  test("convert the values of initialisers and returns", () => {
    expect(lastExpr("double f(int i) { return i; }")).toMatchObject({
      kind: "cast",
      implicit: true,
      type: { name: "double" },
    });
    const { externals } = parsed("struct { char c; struct { float x[2]; } in; } v = {300, 1, 2};");
    const [declaration] = externals;
    const init = declaration?.kind === "decl" ? declaration.decls[0]?.init : undefined;
    expect(init).toMatchObject({
      items: [
        { init: { expr: { type: { name: "char" } } } },
        { init: { expr: { type: { name: "float" } } } },
        { init: { expr: { type: { name: "float" } } } },
      ],
    });
  });
});

describe("constant expressions", () => {
  test.each([
    ["1 + 2 * 3", 7n],
    ["-7 / 2", -3n],
    ["-7 % 3", -1n],
    ["1u - 2", 4294967295n],
    ["(unsigned char)300", 44n],
    ["(signed char)200", -56n],
    ["1 ? 2 : 1 / 0", 2n],
    ["0 && 1 / 0", 0n],
    ["0 && n", undefined],
    ["1 || f(1)", undefined],
    ["1 ? 2 : n", undefined],
    ["1 || sizeof(n)", 1n],
    ["1 || 1 / 0", 1n],
    ["1 / 0", undefined],
    ["1 << 40", 0n],
    ["1ll << 40", 1099511627776n],
    ["~0u >> 31", 1n],
    ["-1 >> 1", -1n],
    ["-1 < 0u", 0n],
    ["sizeof(int[3])", 12n],
    ["_Alignof(double)", 8n],
    ["'a'", 97n],
    ["(int)2.9", 2n],
    ["1.5 > 1", 1n],
    ["0.1f == 0.1", 0n],
    ["!3", 0n],
    ["(long)&((struct s *)0)->b", 4n],
    ["__builtin_offsetof(struct s, c[2])", 10n],
    ["__builtin_types_compatible_p(int, signed)", 1n],
    ["__builtin_choose_expr(0, 1, 2)", 2n],
    ["_Generic(1.0, int: 1, double: 2)", 2n],
    ["E2", 6n],
    ["n", undefined],
    ["(1, 2)", undefined],
  ])("%s is %s", (text, value) => {
    const expr = lastExpr(
      `struct s { int a, b; char c[4]; }; enum { E1 = 5, E2 }; void f(int n) { ${text}; }`,
    );
    expect(evaluate(expr)).toBe(value);
  });

  test("give array sizes and enumerators values while keeping their spelling", () => {
    const unit = parsed("enum { N = 4 }; int a[N * 2];");
    const type = unit.scope.lookup("a")?.type;
    expect(type).toMatchObject({ kind: "array", size: 8 });
    expect(type?.kind === "array" && type.sizeExpr && printExpr(type.sizeExpr)).toBe("N * 2");
  });

  test("with run-time sizes make variable-length arrays", () => {
    expect(lastExpr("void f(int n) { int a[n + 1]; a; }").type).toMatchObject({
      kind: "array",
      size: { kind: "binary" },
    });
  });
});

describe("layouts", () => {
  const RECORDS = `
    struct plain { char a; int b; short c; double d; char e; };
    struct empty {};
    struct bits1 { unsigned a : 3; unsigned b : 30; unsigned char c : 2; unsigned : 0; int d : 1; };
    struct bits2 { char a; int b : 4; int c : 28; long d : 33; char e : 1; _Bool f : 1; };
    struct bits3 { short a : 9; short b : 9; int : 3; char c; unsigned long d : 60; unsigned e : 5; };
    struct __attribute__((packed)) packed1 { char a; int b; double c; };
    struct packed2 { char a; int b __attribute__((packed)); short c; };
    struct __attribute__((packed)) packed3 { unsigned a : 7; unsigned b : 13; int c : 20; char d; };
    struct aligned1 { char a; int b __attribute__((aligned(16))); char c; } __attribute__((aligned(64)));
    struct aligned2 { char a; _Alignas(8) char b; };
    typedef int aligned_int __attribute__((aligned(32)));
    struct aligned3 { char a; aligned_int b; };
    union mixed { char a[9]; int b; long c; };
    struct nested { char a; struct { char b; union { int c; double d; }; }; char tail[]; };
    struct arrays { char a[3]; struct plain b[2]; short c[3][2]; };
    struct wide { __int128 a; char b; long double c; _Complex float d; };
    struct vectors { char a; float b __attribute__((vector_size(16))); };
    struct pointers { char a; void *b; int (*c)(void); enum { A1 } d; };
    struct __attribute__((packed, aligned(4))) both { char a; short b; char c; };
  `;

  test("of records are those of gcc", () => {
    const unit = parsed(RECORDS);
    const claims = claimsAbout(unit);
    expect(claims.length).toBeGreaterThan(70);
    expect(complaints(`${RECORDS}\n${claims.join("\n")}`)).toBe("");
  });

  test("of records in system headers are those of gcc", () => {
    const headers = [
      "sys/stat.h",
      "pthread.h",
      "netinet/in.h",
      "sys/socket.h",
      "signal.h",
      "dirent.h",
      "time.h",
      "stddef.h",
      "locale.h",
    ];
    const source = preprocess(headers.map((name) => `#include <${name}>\n`).join(""), ["-D_GNU_SOURCE"]);
    const claims = claimsAbout(parsed(source));
    expect(claims.length).toBeGreaterThan(100);
    expect(complaints(`${source.replace(/^#.*$/gm, "")}\n${claims.join("\n")}`)).toBe("");
  });
});

/** Assertions about size, alignment and member offsets of every named record of the unit. */
function claimsAbout(unit: TranslationUnit): string[] {
  const claims: string[] = [];
  const say = (text: string): void => void claims.push(`_Static_assert(${text}, "${text}");`);
  for (const external of unit.externals) {
    if (external.kind !== "decl") continue;
    for (const decl of external.defines) {
      if (decl.kind !== "record-decl" || decl.tag === undefined) continue;
      // Only records at file scope can be named there.
      if (unit.scope.lookupTag(decl.tag) !== decl) continue;
      const name = `${decl.union ? "union" : "struct"} ${decl.tag}`;
      const type = { kind: "record", decl } as const;
      say(`sizeof(${name}) == ${sizeOf(type)}`);
      say(`_Alignof(${name}) == ${alignOf(type)}`);
      for (const field of decl.fields ?? []) {
        if (field.name === undefined || field.bits) continue;
        say(`__builtin_offsetof(${name}, ${field.name}) == ${(fieldOffset(decl, field.name) ?? 0) / 8}`);
      }
    }
  }
  return claims;
}

test("unsigned char is not char", () => {
  expect(compatible(UCHAR, CHAR)).toBe(false);
});
