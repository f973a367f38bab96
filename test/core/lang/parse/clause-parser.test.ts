import { describe, expect, test } from "vitest";
import {
  type Diagnostic,
  type Expr,
  ExprParser,
  isDiagnostic,
  parseExpr,
  printDecl,
  printExpr,
} from "../../../../core/lang/index.ts";
import { parsed, pragmas } from "../parsing.ts";

/** A parser for the clauses of the only pragma in `text`, after `acc loop`. */
function clauses(line: string, before = ""): ExprParser {
  const unit = parsed(`${before}\nvoid f(int n, float *a, float b[n][n]) {\n#pragma acc loop ${line}\n;\n}`);
  const [pragma] = pragmas(unit);
  if (!pragma) throw new Error("no pragma");
  return new ExprParser(pragma.tokens.slice(2), pragma.scope, pragma.span.end);
}

function good<T extends object>(value: T | Diagnostic): T {
  if (isDiagnostic(value)) throw new Error(`${value.code}: ${value.message}`);
  return value as T;
}

const shown = (expr: Expr | Diagnostic): string => printExpr(good(expr));

describe("the reader of clause expressions", () => {
  test("reads arguments between commas with the names visible at the pragma", () => {
    const parser = clauses("gang(n * 2, sizeof(float), N + a[0])", "enum { N = 3 };");
    expect(parser.accept("gang")).toBe(true);
    expect(parser.accept("(")).toBe(true);
    const args: string[] = [];
    do args.push(shown(parser.parseAssignment()));
    while (parser.accept(","));
    expect(args).toEqual(["n * 2", "sizeof(float)", "N + a[0]"]);
    expect(parser.expect(")")).toBeUndefined();
    expect(parser.atEnd()).toBe(true);
  });

  test("types what it reads", () => {
    expect(printDecl(good(clauses("a[n] + 1").parseExpression()).type)).toBe("float");
  });

  test("reads a conditional up to the colon of a section", () => {
    const parser = clauses("n ? 1 : 2 : n");
    expect(shown(parser.parseConditional())).toBe("n ? 1 : 2");
    expect(parser.accept(":")).toBe(true);
    expect(shown(parser.parseConditional())).toBe("n");
  });

  test.each([
    ["a[0:n]", "a", "["],
    ["a[n ? 0 : 1]", "a[n ? 0 : 1]", undefined],
    ["a[:n]", "a", "["],
    ["b[1][0:n]", "b[1]", "["],
    ["p->q.r[2:3][4:5]", "p->q.r", "["],
    ["(*p).q.r[n:1]", "(*p).q.r", "["],
    ["p[1].q.r", "p[1].q.r", undefined],
    ["b[(n ? 1 : 2):n]", "b", "["],
    ["b[n ? 1 : 2 : n]", "b", "["],
  ])("reads the variable of %s as %s", (line, variable, next) => {
    const parser = clauses(line, "struct s { struct { float r[9]; } q; } *p;");
    expect(shown(parser.parseVariable())).toBe(variable);
    expect(parser.peek()?.text).toBe(next);
  });

  test("reads type names", () => {
    const parser = clauses("struct s *[3]", "struct s { int x; };");
    expect(parser.startsType()).toBe(true);
    expect(printDecl(good(parser.parseTypeName()))).toBe("struct s *[3]");
  });

  test("goes back to a position", () => {
    const parser = clauses("n + 1");
    const start = parser.position;
    parser.next();
    parser.seek(start);
    expect(shown(parser.parseExpression())).toBe("n + 1");
  });

  test("does not take a string for punctuation", () => {
    expect(clauses('")"').at(")")).toBe(false);
  });

  test("reports undeclared names, with their location and the nearest name", () => {
    const parser = clauses("lenght + 1", "int length;");
    expect(parser.parseExpression()).toMatchObject({
      severity: "error",
      code: "undeclared-identifier",
      loc: { line: 3, col: 18 },
      remedy: "did you mean `length`?",
    });
  });

  test("does not see declarations after the pragma", () => {
    const unit = parsed("void f(void) {\n#pragma acc loop x\n;\nint x;\n}");
    const [pragma] = pragmas(unit);
    expect(parseExpr(pragma?.tokens.slice(2) ?? [], pragma?.scope ?? unit.scope)).toMatchObject({
      code: "undeclared-identifier",
    });
  });

  test.each([
    ["n +", "expected an expression, found the end of the directive"],
    ["(n", "expected `)` to close the parenthesis, found the end of the directive"],
    ["n n", "unexpected `n` after the expression"],
    ["int", "expected an expression, found `int`"],
  ])("says what is wrong with %j", (line, message) => {
    const unit = parsed(`void f(int n) {\n#pragma acc loop ${line}\n;\n}`);
    const [pragma] = pragmas(unit);
    expect(parseExpr(pragma?.tokens.slice(2) ?? [], pragma?.scope ?? unit.scope)).toMatchObject({
      code: "syntax",
      message,
    });
  });

  test("leaves the unit's scope untouched by its mistakes", () => {
    const unit = parsed("void f(void) {\n#pragma acc loop nothing\n;\n}");
    const [pragma] = pragmas(unit);
    parseExpr(pragma?.tokens.slice(2) ?? [], pragma?.scope ?? unit.scope);
    expect(unit.scope.lookup("nothing")).toBeUndefined();
  });

  test("reports the same mistake again when it is made again", () => {
    const parser = clauses("what, what");
    expect(parser.parseAssignment()).toMatchObject({ code: "undeclared-identifier" });
    parser.seek(0);
    expect(parser.parseAssignment()).toMatchObject({ code: "undeclared-identifier" });
  });
});
