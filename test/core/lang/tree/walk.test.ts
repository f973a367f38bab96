import { describe, expect, test } from "vitest";
import {
  build,
  copyWithFreshLocals,
  declaredSymbols,
  type Expr,
  freeVariables,
  INT,
  mapExpr,
  mapStmt,
  printStmt,
  type Stmt,
  type Symbol,
  substitute,
  walkStmt,
} from "../../../../core/lang/index.ts";
import { body, functionNamed, parsed } from "../parsing.ts";

const TEXT = `
int g;
int f(int n, int *a) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    int t[n];
    t[0] = a[i] + g;
    s += t[0] ? ({ int u = t[0]; u * n; }) : sizeof(int[n]);
  }
  return s;
}`;

const names = (symbols: Iterable<Symbol>): string[] => [...symbols].map((sym) => sym.name);

function paramNamed(text: string, name: string): Symbol {
  const found = functionNamed(parsed(text), "f").params.find((sym) => sym.name === name);
  if (!found) throw new Error(name);
  return found;
}

describe("walking", () => {
  test("visits expressions in source order, array sizes included", () => {
    const seen: string[] = [];
    for (const stmt of body(TEXT)) {
      walkStmt(stmt, { expr: (expr) => void (expr.kind === "ident" && seen.push(expr.sym.name)) });
    }
    expect(seen.join(" ")).toBe("i n i n t a i g s t t u n n s");
  });

  test("leaves out the parts of a node that the visitor declines", () => {
    const kinds: string[] = [];
    for (const stmt of body(TEXT)) {
      walkStmt(stmt, {
        stmt: (inner) => {
          kinds.push(inner.kind);
          return inner.kind !== "for";
        },
      });
    }
    expect(kinds).toEqual(["decl", "for", "return"]);
  });
});

describe("mapping", () => {
  test("returns the same object when nothing changes", () => {
    for (const stmt of body(TEXT)) {
      expect(mapStmt(stmt, { expr: (expr) => expr, stmt: (inner) => inner })).toBe(stmt);
    }
  });

  test("shares what does not change", () => {
    const [, loop] = body(TEXT);
    const changed = mapStmt(loop as Stmt, {
      expr: (expr) => (expr.kind === "incdec" ? build.assign(expr.arg, build.intLit(2), "+=") : expr),
    });
    if (loop?.kind !== "for" || changed.kind !== "for") throw new Error("no loop");
    expect(changed).not.toBe(loop);
    expect(changed.body).toBe(loop.body);
    expect(printStmt(changed)).toContain("for (int i = 0; i < n; i += 2)");
  });

  test("puts several statements for one into the block, or makes a block", () => {
    const twice = (stmt: Stmt): Stmt | readonly Stmt[] => (stmt.kind === "expr" ? [stmt, stmt] : stmt);
    const [block, branch] = body("void f(int n) { { n++; } if (n) n--; }");
    expect(printStmt(mapStmt(block as Stmt, { stmt: twice }))).toBe("{\n  n++;\n  n++;\n}");
    expect(printStmt(mapStmt(branch as Stmt, { stmt: twice }))).toBe("if (n) {\n  n--;\n  n--;\n}");
  });

  test("removes statements", () => {
    const [block] = body("void f(int n) { { n++; ; n--; } }");
    const removed = mapStmt(block as Stmt, {
      stmt: (stmt) => (stmt.kind === "expr" && !stmt.expr ? [] : stmt),
    });
    expect(printStmt(removed)).toBe("{\n  n++;\n  n--;\n}");
  });

  test("goes through the nodes of layers above C", () => {
    interface Doubled {
      readonly kind: "doubled";
      readonly value: Expr;
      readonly shape: unknown;
    }
    const shape = {
      parts: (node: Doubled) => ({ stmts: [], exprs: [node.value] }),
      withParts: (node: Doubled, _: readonly Stmt[], exprs: readonly Expr[]): Doubled => ({
        ...node,
        value: exprs[0] as Expr,
      }),
    };
    const [use] = body("void f(int n) { n; }");
    if (use?.kind !== "expr" || use.expr?.kind !== "ident") throw new Error("no use");
    const ext = { kind: "doubled", value: use.expr, shape };
    const stmt: Stmt = { kind: "ext", ext: ext as never, span: use.span };
    expect(names(freeVariables(stmt))).toEqual(["n"]);
    const made = substitute(stmt, new Map([[use.expr.sym, build.intLit(7)]]));
    expect(made.kind === "ext" && (made.ext as unknown as Doubled).value).toMatchObject({
      kind: "int",
      value: 7n,
    });
    expect(mapStmt(stmt, {})).toBe(stmt);
  });
});

describe("free variables", () => {
  test("are those used and not declared inside, globals among them", () => {
    const [, loop] = body(TEXT);
    expect(names(freeVariables(loop as Stmt))).toEqual(["n", "a", "g", "s"]);
    expect(names(declaredSymbols(loop as Stmt))).toEqual(["i", "t", "u"]);
  });

  test("distinguish an inner variable from an outer one of the same name", () => {
    const [block] = body("void f(int n) { { int m = n; { int n = m; n++; } } }");
    expect(names(freeVariables(block as Stmt))).toEqual(["n"]);
    expect([...freeVariables(block as Stmt)][0]?.kind).toBe("param");
  });
});

describe("substitution", () => {
  test("replaces uses by identity: a shadowing variable stays", () => {
    const text = "void f(int n) { n++; { int n = 2; n--; } n--; }";
    const unit = parsed(text);
    const definition = functionNamed(unit, "f");
    const other = build.freshSymbol("m", INT);
    const made = substitute(definition.body, new Map([[definition.params[0] as Symbol, build.ident(other)]]));
    expect(printStmt(made)).toBe("{\n  m++;\n  {\n    int n = 2;\n    n--;\n  }\n  m--;\n}");
  });

  test("gives local arrays of a replaced size new symbols, in declaration and uses", () => {
    const definition = functionNamed(parsed("void f(int n) { int t[n]; t[0] = sizeof t; }"), "f");
    const made = substitute(definition.body, new Map([[definition.params[0] as Symbol, build.intLit(8)]]));
    expect(printStmt(made)).toBe("{\n  int t[8];\n  t[0] = sizeof(t);\n}");
    const before = definition.body.body[0];
    const after = made.kind === "compound" ? made.body[0] : undefined;
    if (before?.kind !== "decl" || after?.kind !== "decl") throw new Error("no declaration");
    expect(after.decls[0]?.sym).not.toBe(before.decls[0]?.sym);
    expect(printStmt(before)).toBe("int t[n];");
  });

  test("without replacements gives the same object", () => {
    const [stmt] = body("void f(int n) { n++; }");
    expect(substitute(stmt as Stmt, new Map())).toBe(stmt);
    expect(substitute(stmt as Stmt, new Map([[paramNamed("void f(int q) {}", "q"), build.intLit(1)]]))).toBe(
      stmt,
    );
  });

  test("of a copy's locals makes them its own", () => {
    const [loop] = body("void f(int n) { for (int i = 0; i < n; i++) { int t[i + 1], *p = t; p[0] = i; } }");
    const copy = copyWithFreshLocals(loop as Stmt);
    expect(printStmt(copy)).toBe(printStmt(loop as Stmt));
    const [before, after] = [declaredSymbols(loop as Stmt), declaredSymbols(copy)];
    expect(names(after)).toEqual(names(before));
    for (const sym of after) expect(before.has(sym)).toBe(false);
    expect(names(freeVariables(copy))).toEqual(["n"]);
  });
});

describe("builders", () => {
  test("type what they build, conversions written out", () => {
    const definition = functionNamed(parsed("void f(char c, double d, int *p) {}"), "f");
    const [c, d, p] = definition.params.map((sym) => build.ident(sym)) as [Expr, Expr, Expr];
    expect(build.binary("+", c, d)).toMatchObject({
      type: { name: "double" },
      left: { kind: "cast", implicit: true },
    });
    expect(build.index(p, c)).toMatchObject({
      type: { name: "int" },
      index: { kind: "cast", implicit: true },
    });
    expect(build.assign(c, d)).toMatchObject({
      type: { name: "char" },
      right: { kind: "cast", implicit: true },
    });
    expect(build.deref(p)).toMatchObject({ type: { name: "int" } });
  });

  test("spell constants so that they have their type", () => {
    const text = (value: bigint | number, name: "int" | "uint" | "long" | "ullong") =>
      printStmt(build.exprStmt(build.intLit(value, { kind: "int", name })));
    expect(text(-3, "int")).toBe("-3;");
    expect(text(-(1n << 31n), "int")).toBe("-2147483647 - 1;");
    expect(text(7, "uint")).toBe("7u;");
    expect(text(7, "long")).toBe("7l;");
    expect(text((1n << 64n) - 1n, "ullong")).toBe("18446744073709551615ull;");
    expect(printStmt(build.exprStmt(build.floatLit(2, { kind: "float", name: "float" })))).toBe("2.0f;");
    expect(printStmt(build.exprStmt(build.floatLit(-1e30)))).toBe("-1e+30;");
  });

  test("build statements that print as C", () => {
    const i = build.freshSymbol("i", INT);
    const use = build.exprStmt(build.incdec("++", true, build.ident(i)));
    const loop = build.forStmt(
      build.declare(i, build.intLit(0)),
      build.binary("<", build.ident(i), build.intLit(4)),
      build.assign(build.ident(i), build.intLit(1), "+="),
      build.compound([build.ifStmt(build.ident(i), use), build.returnStmt()]),
    );
    expect(printStmt(loop)).toBe("for (int i = 0; i < 4; i += 1) {\n  if (i)\n    ++i;\n  return;\n}");
  });

  test("keep an expression that changes nothing", () => {
    const [stmt] = body("void f(int n) { n + 1; }");
    const expr = stmt?.kind === "expr" ? stmt.expr : undefined;
    expect(mapExpr(expr as Expr, {})).toBe(expr);
  });
});
