import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  build,
  type CType,
  type Expr,
  INT,
  isDiagnostic,
  LexicalScope,
  lex,
  makeSymbol,
  parse,
  parseExpr,
  pointerTo,
  print,
  printDecl,
  printExpr,
  printStmt,
  type Stmt,
} from "../../../core/lang/index.ts";
import { cases } from "../../cases.ts";
import { body, functionNamed, lastExpr, parsed } from "./parsing.ts";
import { complaints } from "./toolchain.ts";

const scope = new LexicalScope("file");
const variable = (name: string, type: CType): Expr => {
  const sym = makeSymbol(name, "var", type, "file");
  scope.names.set(name, sym);
  return build.ident(sym);
};
const a = variable("a", INT);
const b = variable("b", INT);
const p = variable("p", pointerTo(INT));
const pp = variable("pp", pointerTo(pointerTo(INT)));

/** The tree without places and implicit casts, fully parenthesised. */
function shape(expr: Expr): string {
  switch (expr.kind) {
    case "cast":
      return expr.implicit ? shape(expr.arg) : `(cast ${printDecl(expr.to)} ${shape(expr.arg)})`;
    case "ident":
      return expr.sym.name;
    case "int":
      return expr.text;
    case "unary":
      return `(${expr.op} ${shape(expr.arg)})`;
    case "incdec":
      return `(${expr.prefix ? "pre" : "post"}${expr.op} ${shape(expr.arg)})`;
    case "binary":
    case "assign":
      return `(${expr.op} ${shape(expr.left)} ${shape(expr.right)})`;
    case "comma":
      return `(, ${shape(expr.left)} ${shape(expr.right)})`;
    case "cond":
      return `(? ${shape(expr.test)} ${expr.then ? shape(expr.then) : "-"} ${shape(expr.else)})`;
    case "call":
      return `(call ${[expr.callee, ...expr.args].map(shape).join(" ")})`;
    case "index":
      return `([] ${shape(expr.base)} ${shape(expr.index)})`;
    case "sizeof":
      return `(sizeof ${expr.arg ? shape(expr.arg) : printDecl(expr.of ?? INT)})`;
    default:
      throw new Error(expr.kind);
  }
}

const { value: anyExpr } = fc.letrec<{ value: Expr; place: Expr; pointer: Expr }>((tie) => {
  const value = tie("value");
  const place = tie("place");
  const pointer = tie("pointer");
  const binary = fc.constantFrom(
    ..."+ - * / % << >> & | ^ == != < > <= >= && ||"
      .split(" ")
      .map((op) => op as Parameters<typeof build.binary>[0]),
  );
  return {
    place: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(a, b),
      pointer.map((e) => build.deref(e)),
      fc.tuple(pointer, value).map(([e, i]) => build.index(e, i)),
    ),
    pointer: fc.oneof(
      { maxDepth: 3 },
      fc.constant(p),
      fc.constant(build.deref(pp)),
      place.map((e) => build.addressOf(e)),
      fc.tuple(pointer, value).map(([e, i]) => build.binary("+", e, i)),
      value.map((e) => build.cast(pointerTo(INT), e)),
    ),
    value: fc.oneof(
      { maxDepth: 5 },
      place,
      fc.nat(9).map((n) => build.intLit(n)),
      fc.tuple(fc.constantFrom("+", "-", "~", "!"), value).map(([op, e]) => build.unary(op as "+", e)),
      fc
        .tuple(fc.constantFrom("++", "--"), fc.boolean(), place)
        .map(([op, prefix, e]) => build.incdec(op as "++", prefix, e)),
      fc.tuple(binary, value, value).map(([op, l, r]) => build.binary(op, l, r)),
      fc
        .tuple(place, fc.constantFrom("=", "+=", "<<="), value)
        .map(([l, op, r]) => build.assign(l, r, op as "=")),
      fc.tuple(value, value, value).map(([t, x, y]) => build.cond(t, x, y)),
      fc.tuple(value, value).map(([t, y]) => build.cond(t, undefined, y)),
      fc.tuple(value, value).map(([l, r]) => build.comma(l, r)),
      value.map((e) => build.cast(INT, e)),
      value.map((e) => build.sizeofExpr(e)),
      fc.tuple(pointer, pointer).map(([l, r]) => build.binary("-", l, r)),
    ),
  };
});

function reparsed(text: string): Expr {
  const tokens = lex(text, "printed.c").tokens.slice(0, -1);
  const expr = parseExpr(
    tokens.map(({ kind, text: spelling, loc }) => ({
      kind: kind === "keyword" || kind === "end" ? "ident" : kind,
      text: spelling,
      loc,
    })),
    scope,
  );
  if (isDiagnostic(expr)) throw new Error(`${expr.message} in ${text}`);
  return expr;
}

describe("printed expressions", () => {
  test("parse back to the same tree, whatever they nest", () => {
    fc.assert(
      fc.property(anyExpr, (expr) => {
        expect(shape(reparsed(printExpr(expr)))).toBe(shape(expr));
      }),
      cases(3000),
    );
  });

  test("draw no -Wparentheses warning from gcc", () => {
    const lines: string[] = [];
    const found = ["!a | b", "!(a + 1) & b", "b & !a"].map(reparsed);
    for (const expr of [...found, ...fc.sample(anyExpr, cases(300))]) {
      lines.push(`  use((${printExpr(expr)}));`);
    }
    const text = `extern int a, b, *p, **pp; void use(int);\nvoid f(void) {\n${lines.join("\n")}\n}\n`;
    const warnings = complaints(text, ["-Werror=parentheses"]).split("\n");
    // About the meaning of `(a == b) ?: c`, not about its parentheses.
    const aboutMeaning = /omitted middle operand|being treated as errors/;
    expect(warnings.filter((line) => line !== "" && !aboutMeaning.test(line))).toEqual([]);
  });

  test.each([
    "a + b * a",
    "(a + b) * a",
    "a - (b - a)",
    "a - b - a",
    "- -a",
    "-(a + b)",
    "*p++",
    "(*p)++",
    "&p[a]",
    "(&p)[0]",
    "a ? b : a ? b : a",
    "(a ? b : a) ? b : a",
    "a = b = a",
    "(int)a + b",
    "(int)(a + b)",
    "sizeof(a)",
    "!(a && b)",
    "p[a, b]",
    "*&a",
    "a+++b",
  ])("keep no parenthesis more than needed in %s", (text) => {
    expect(printExpr(reparsed(text)).replace(/ /g, "")).toBe(text.replace(/ /g, ""));
  });

  test("leave implicit conversions out", () => {
    const expr = lastExpr("double f(float x, int i, char c) { return x + i * c; }");
    expect(expr).toMatchObject({ kind: "cast", implicit: true });
    expect(printExpr(expr)).toBe("x + i * c");
  });
});

describe("printed declarations", () => {
  test.each([
    ["int x", "int x"],
    ["int *x", "int *x"],
    ["int *const *x", "int *const *x"],
    ["const char *x", "const char *x"],
    ["int x[3]", "int x[3]"],
    ["int (*x)[3]", "int (*x)[3]"],
    ["int *x[3]", "int *x[3]"],
    ["int (*x)(void)", "int (*x)(void)"],
    ["int (*x[3])(int, ...)", "int (*x[3])(int, ...)"],
    ["int (*(*x)(char))(double)", "int (*(*x)(char))(double)"],
    ["char (*(*x[3])())[5]", "char (*(*x[3])())[5]"],
    ["unsigned long long x", "unsigned long long x"],
    ["long unsigned x[2][3]", "unsigned long x[2][3]"],
    ["_Complex double x", "_Complex double x"],
    ["struct s *x", "struct s *x"],
    ["volatile const int x", "const volatile int x"],
  ])("%s", (text, wanted) => {
    const { externals } = parsed(`extern ${text};`);
    const [declaration] = externals;
    if (declaration?.kind !== "decl") throw new Error("no declaration");
    const sym = declaration.decls[0]?.sym;
    expect(printDecl(sym?.type ?? INT, "x")).toBe(wanted);
  });

  test("keep one declaration for several declarators", () => {
    const text = "int f(void) {\n  int a = 1, *b = &a, c[3] = {1, 2}, (*d)(void);\n  return *b + c[0];\n}\n";
    expect(print(parsed(text))).toBe(text);
  });

  test("keep unnamed structs with all that they declare", () => {
    const text = "struct {\n  int x;\n} a, *b = &a, c[2];\n";
    expect(print(parsed(text))).toBe(text);
  });

  test("print a struct's body where it was defined and its name elsewhere", () => {
    const text =
      "struct s {\n  int x;\n  struct s *next;\n};\nstruct s a;\nstruct t {\n  struct s in;\n} b;\n";
    expect(print(parsed(text))).toBe(text);
  });

  test("keep the specifiers of each redeclaration", () => {
    const text =
      "extern int f(int a) __attribute__((nothrow));\nint f(int);\nstatic int g(void);\nint g(void);\n";
    expect(print(parsed(text))).toBe(text);
  });

  test("spell typedefs as the user does", () => {
    const text = "typedef unsigned int uint;\ntypedef uint *puint;\nuint f(puint p, const uint n);\n";
    expect(print(parsed(text))).toBe(text);
  });
});

describe("printed statements", () => {
  test("put braces around an if that would take another's else", () => {
    const [outer] = body("void f(int a, int b) { if (a) { if (b) a++; } else b++; }");
    if (outer?.kind !== "if" || outer.then.kind !== "compound") throw new Error("no if");
    const inner = outer.then.body[0] as Stmt;
    expect(printStmt({ ...outer, then: inner })).toBe("if (a) {\n  if (b)\n    a++;\n} else\n  b++;");
  });

  test("put braces around a declaration where a single statement is required", () => {
    const [declaration] = body("void f(void) { int x = 1; }");
    const loop = build.forStmt(undefined, undefined, undefined, declaration as Stmt);
    expect(printStmt(loop)).toBe("for (;;) {\n  int x = 1;\n}");
  });

  test("indent switches, chains of else and loops", () => {
    const text = [
      "int f(int a) {",
      "  switch (a) {",
      "    case 1:",
      "    case 2:",
      "      a++;",
      "      break;",
      "    default:",
      "      return 0;",
      "  }",
      "  if (a) {",
      "    a--;",
      "  } else if (a > 2)",
      "    a++;",
      "  else {",
      "    a = 3;",
      "  }",
      "  do {",
      "    a++;",
      "  } while (a < 3);",
      "  for (int i = 0, j = 1; i < a; i++, j--)",
      "    while (j)",
      "      ;",
      "  return a;",
      "}",
      "",
    ].join("\n");
    expect(print(parsed(text))).toBe(text);
  });
});

describe("the hooks of the printer", () => {
  const unit = parsed(
    "typedef float real;\nvoid f(float *a, const float **b, int n) { float t = a[n] + 1; a[n] = t * 2; }",
  );
  const [, definition] = unit.externals;
  const only = { ...unit, externals: definition ? [definition] : [] };

  test("rename types, also of implicit conversions that a hook prints", () => {
    const text = print(only, { typeName: (type) => (type.kind === "float" ? "half" : undefined) });
    expect(text).toContain("void f(half *a, const half **b, int n)");
  });

  test("qualify what pointers point to, at every level", () => {
    const text = print(only, { pointeeQualifier: () => "__global" });
    expect(text).toContain("void f(__global float *a, __global const float *__global *b, int n)");
  });

  test("prefix declarations", () => {
    const text = print(only, { declPrefix: (sym) => (sym.name === "t" ? "__shared__" : undefined) });
    expect(text).toContain("  __shared__ float t = a[n] + 1;");
  });

  test("replace expressions, printing parts and the node itself", () => {
    const text = print(only, {
      expr: (expr, printPart) => {
        if (expr.kind === "index") return `load(${printPart(expr.base)}, ${printPart(expr.index)})`;
        return expr.kind === "binary" && expr.op === "*" ? `wrap(${printPart(expr)})` : undefined;
      },
    });
    expect(text).toContain("load(a, n) = wrap(t * 2);");
  });

  test("replace statements, printing the node itself inside", () => {
    const text = print(only, {
      stmt: (stmt, printPart) => (stmt.kind === "decl" ? ["/* declared */", ...printPart(stmt)] : undefined),
    });
    expect(text).toContain("  /* declared */\n  float t = a[n] + 1;");
  });

  test("rename symbols", () => {
    const text = print(only, { name: (sym) => (sym.kind === "param" ? `arg_${sym.name}` : undefined) });
    expect(text).toContain("void f(float *arg_a, const float **arg_b, int arg_n)");
    expect(text).toContain("float t = arg_a[arg_n] + 1;");
  });

  test("drop pragmas", () => {
    const { unit: withPragma } = parse("void f(void) {\n#pragma acc wait\n;}", { file: "a.c" });
    expect(print(withPragma, { pragma: () => [] })).toBe("void f(void) {\n  ;\n}\n");
  });

  test("must print the nodes of layers above C", () => {
    const shape = { parts: () => ({ stmts: [], exprs: [] }), withParts: (node: { kind: string }) => node };
    const ext: Stmt = {
      kind: "ext",
      ext: { kind: "delay-line", shape } as never,
      span: functionNamed(unit, "f").span,
    };
    expect(() => printStmt(ext)).toThrow("delay-line");
    expect(printStmt(ext, { stmt: (stmt) => (stmt.kind === "ext" ? ["line();"] : undefined) })).toBe(
      "line();",
    );
  });
});

test("keywords that C99 brought are spelled as compilers know them in C90 too", () => {
  const unit = parsed(`static __inline int sum(const int *__restrict a, int *restrict b) { return *a + *b; }
int one(int *__restrict__ a) { return sum(a, a); }`);
  expect(complaints(print(unit), ["-w", "-std=c90"])).toBe("");
});
