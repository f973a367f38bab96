import { describe, expect, test } from "vitest";
import { liveAfter } from "../../../../core/ir/analysis/liveness.ts";
import { dependence } from "../../../../core/ir/dependence/dependence.ts";
import type { Proof } from "../../../../core/ir/dependence/proof.ts";
import { asNode, type Loop } from "../../../../core/ir/model/ir.ts";
import { type Stmt, walkStmt } from "../../../../core/lang/index.ts";
import { functionOf, read } from "../reading.ts";

/** Uses what loops write, without keeping pointers to it. */
const KEEP = 'printf("", a, b, c, ia, ca, s, one);';

/** The proof for the first `loop auto` of a function with many things to use. */
function prove(loop: string, before = "", after = KEEP, clauses = ""): Proof {
  const program = read(
    `
    #include-free
    struct pair { double x, y; int list[8]; double *p; union { int i; float f; }; int low : 4, high : 4; };
    extern double sqrt(double), fmax(double, double), fmin(double, double), fabs(double); extern float fmaxf(float, float);
    extern void *malloc(unsigned long); extern int printf(const char *, ...); extern void opaque(double *); extern int other(void);
    static double square(double v) { return v * v; }
    static double third(const double *v) { return v[2]; }
    static int counter; static int count(void) { return ++counter; }
    static double scale = 2; static double scaled(double v) { return v * scale; }
    double g[100], h[100]; int gi; double *gp; volatile int flag;
    void f(int n, int m, int q, unsigned u, unsigned long z, double *x, double *y, double *restrict r, double *restrict w, int *restrict index, float *fp,
           double (*rows)[20], double **jagged, struct pair *pairs, struct pair s, struct pair *sp, unsigned char *bytes, long *longs) {
      double a[100], b[100], c[100][100]; double t; double total, best; int i, j, k, hits; int ia[100]; char ca[100]; struct pair one; static double kept[100];
      ${before}
      #pragma acc parallel loop auto ${clauses}
      ${loop}
      ${after}
    }`.replace("#include-free", ""),
  );
  expect(program.diagnostics.filter((d) => d.severity !== "note")).toEqual([]);
  const def = functionOf(program);
  const found: { at: Stmt; loop: Loop }[] = [];
  walkStmt(def.body, {
    stmt: (s) => {
      const l = asNode(s, "loop");
      if (l?.parallel.independence === "auto") found.push({ at: s, loop: l });
    },
  });
  const [first] = found;
  if (!first) throw new Error("no loop auto");
  return dependence(first.loop, { function: def, liveAfter: (sym) => liveAfter(def.body, first.at, sym) });
}

const why = (proof: Proof): string => (proof.independent ? "independent" : proof.why);

describe("a loop is independent", () => {
  const cases: readonly string[] = [
    // one dimension
    "for (i = 0; i < n; i++) a[i] = b[i];",
    "for (i = 0; i < n; i++) a[i] = a[i] + 1;",
    "for (i = 0; i < n; i++) a[i + 1] = a[i + 1] * 2;",
    "for (i = 0; i < n; i++) a[2 * i] = a[2 * i + 1];",
    "for (i = 0; i < n; i += 2) a[i] = a[i + 1];",
    "for (i = 1; i < n; i += 3) { a[i] = 1; a[i + 1] = a[i + 2]; }",
    "for (i = n - 1; i >= 0; i--) a[i] = b[n - i];",
    "for (i = 0; i < n; i++) a[n - i] = b[i];",
    "for (i = 0; i < 10; i++) a[i + 10] = a[i];",
    "for (i = 0; i < n; i++) a[i + n] = a[i];",
    "for (i = 1; i < n; i++) a[i] = a[0];",
    "for (i = 0; i < n; i++) a[i << 1] = 3;",
    "for (i = 0; i < n; i++) a[-i + 90] = 3;",
    "for (unsigned k = 0; k < u; k++) a[k] = 1;",
    "for (unsigned long k = 0; k < z; k++) a[k] = a[k] + 1;",
    "for (i = 0; i < n; i++) *(r + i) = i;",
    "for (i = 0; i < n; i++) i[a] = i;",
    "for (i = 0; i < n; i++) (&a[5])[i] = a[i + 5];",
    "for (double *v = r; v < r + n; v++) *v = 2 * *v;",
    "for (i = 0; i < n; i++) g[i] = h[i];",
    // several dimensions
    "for (i = 0; i < n; i++) for (j = 0; j < n; j++) c[i][j] = c[i][j] + 1;",
    "for (i = 0; i < n; i++) for (j = 1; j < n; j++) c[i][j] = c[i][j - 1];",
    "for (j = 0; j < n; j++) for (i = 1; i < n; i++) c[i][j] = c[i - 1][j];",
    "for (i = 0; i < n; i++) for (j = 0; j < n; j++) rows[i][j] = rows[i][j] + i;",
    "for (i = 0; i < n; i++) for (j = 0; j < m; j++) r[i * m + j] = w[j * n + i];",
    "for (j = 0; j < m; j++) for (i = 0; i < n; i++) r[i * m + j] = r[i * m + j] + 1;",
    "for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (k = 0; k < q; k++) r[(i * m + j) * q + k] = 0;",
    "for (j = 0; j < m; j++) for (i = 0; i < n; i++) for (k = 0; k < q; k++) r[(i * m + j) * q + k] = 0;",
    "for (i = 0; i < n; i++) for (j = 0; j < i; j++) r[i * n + j] = r[i * n + j] / 2;",
    "for (i = 0; i < n; i++) for (j = i; j < n; j++) r[i * n + j] = 1;",
    "for (i = 0; i < n; i++) for (j = 0; j < 10; j++) r[i * 10 + j] = 1;",
    "for (i = 0; i < n; i++) for (j = 0; j < 10; j += 3) r[i * 10 + j] = 1;",
    "for (i = 0; i < n; i++) { int row = i * m; for (j = 0; j < m; j++) r[row + j] = 1; }",
    "for (i = 0; i < n; i++) { double *row = r + i * m; for (j = 0; j < m; j++) row[j] = row[j] + 1; }",
    "for (i = 0; i < n; i++) { double *row = c[i]; for (j = 0; j < 100; j++) row[j] = 1; }",
    "for (i = 0; i < n; i++) { double *row = &r[i * m]; for (j = 0; j < m; j++) *(row + j) = 1; }",
    // records
    "for (i = 0; i < n; i++) { pairs[i].x = pairs[i].y; pairs[i].y = 1; }",
    "for (i = 0; i < n; i++) pairs[i].x = pairs[i + 1].y;",
    "for (i = 0; i < n; i++) s.list[i] = i;",
    "for (i = 0; i < n; i++) sp->list[i] = sp->list[i] + 1;",
    "for (i = 0; i < n; i++) s.p[i] = s.p[i] * 2;",
    "for (i = 0; i < n; i++) (*sp).list[i] = (*sp).list[i];",
    // scalars
    "for (i = 0; i < n; i++) { t = b[i]; a[i] = t * t; }",
    "for (i = 0; i < n; i++) { double v = b[i]; v += 1; a[i] = v; }",
    "for (i = 0; i < n; i++) { if (b[i] > 0) t = 1; else t = 2; a[i] = t; }",
    "for (i = 0; i < n; i++) total += b[i];",
    "for (i = 0; i < n; i++) { total = total + b[i]; hits++; }",
    "for (i = 0; i < n; i++) total -= b[i] * 2;",
    "for (i = 0; i < n; i++) total = b[i] + total + 1;",
    "for (i = 0; i < n; i++) total *= b[i];",
    "for (i = 0; i < n; i++) hits ^= ia[i];",
    "for (i = 0; i < n; i++) hits = hits && ia[i];",
    "for (i = 0; i < n; i++) if (b[i] > best) best = b[i];",
    "for (i = 0; i < n; i++) if (best > b[i]) { best = b[i]; }",
    "for (i = 0; i < n; i++) if (ia[i] && b[i] > best && i != 3) best = b[i];",
    "for (i = 0; i < n; i++) best = b[i] > best ? b[i] : best;",
    "for (i = 0; i < n; i++) best = best < b[i] ? best : b[i];",
    "for (i = 0; i < n; i++) best = fmax(best, fabs(b[i]));",
    "for (i = 0; i < n; i++) best = fmin(b[i], best);",
    "for (i = 0; i < n; i++) for (j = 0; j < n; j++) total += c[i][j];",
    "for (i = 0; i < n; i++) { total = 0; for (j = 0; j < n; j++) total += c[i][j]; a[i] = total; }",
    // calls
    "for (i = 0; i < n; i++) a[i] = sqrt(b[i]) + square(i) + scaled(b[i]);",
    "for (i = 0; i < n; i++) a[i] = third(b);",
    // pointers that cannot meet
    "for (i = 0; i < n; i++) r[i] = w[index[i]];",
    "for (i = 0; i < n; i++) r[i] = x[i];",
    "for (i = 0; i < n; i++) a[i] = x[i];",
    "for (i = 0; i < n; i++) x[i] = a[i];",
    "for (i = 0; i < n; i++) x[i] = x[i] + ia[longs[i]];",
    "for (i = 0; i < n; i++) x[i] = fp[i];",
    "for (i = 0; i < n; i++) x[i] = index[i];",
    // atomics are the user's own order
    "for (i = 0; i < n; i++) {\n#pragma acc atomic\n ia[index[i]]++; }",
    // private ones
    "for (i = 0; i < n; i++) { switch (index[i]) { case 1: t = 1; break; default: t = 2; } a[i] = t; }",
    "for (i = 0; i < n; i++) { if (b[i] > 0) continue; a[i] = 1; }",
    "for (i = 0; i < n; i++) { for (j = 0; j < n; j++) if (c[i][j] > 0) break; a[i] = j; }",
  ];
  test.each(cases)("%s", (loop) => expect(why(prove(loop))).toBe("independent"));

  test.each([
    "for (i = 0; i < n; i++) { for (j = 0; j < 10; j++) a[j] = c[i][j]; for (j = 0; j < 10; j++) c[i][j] = a[9 - j]; }",
    "for (i = 0; i < n; i++) { a[0] = b[i]; a[1] = 2 * b[i]; c[i][0] = a[0] + a[1]; }",
    "for (i = 0; i < n; i++) { for (j = 0; j < m; j++) { a[j] = j; c[i][j] = a[j]; } }",
    "for (i = 0; i < n; i++) { one.x = b[i]; one.y = one.x; b[i] = one.x + one.y; }",
    "for (i = 0; i < n; i++) { double own[4]; own[i % 4] = 1; b[i] = own[0]; }",
    "for (i = 0; i < n; i++) a[i / 2] = 1;",
  ])("with scratch memory that nothing reads later: %s", (loop) => {
    expect(why(prove(loop, "", ""))).toBe("independent");
    const local = loop.includes("own[4]");
    expect(why(prove(loop))).toMatch(local ? /independent/ : /several iterations may write/);
  });

  test.each([
    "for (i = 0; i < n; i++) { for (j = 0; j < m; j++) a[j] = c[i][j]; b[i] = a[0]; }",
    "for (i = 0; i < n; i++) { for (j = 0; j < m; j++) a[5] = c[i][j]; b[i] = a[5]; }",
  ])("but not if an inner loop without iterations leaves the scratch memory unwritten: %s", (loop) => {
    expect(why(prove(loop, "", ""))).toMatch(/several iterations may write/);
    expect(why(prove(loop.replace("j < m", "j < 10"), "", ""))).toBe("independent");
  });

  test("if its pointers lead to different allocations", () => {
    const before =
      "double *one_ = malloc(n * 8); double *two_ = (double *)malloc(n * 8), *three_ = two_ + 1;";
    expect(
      why(prove("for (i = 0; i < n; i++) one_[i] = two_[i] + x[i] + a[i] + gp[i] + g[i];", before)),
    ).toBe("independent");
    expect(why(prove("for (i = 0; i < n; i++) three_[i] = one_[i];", before))).toBe("independent");
    expect(why(prove("for (i = 0; i < n; i++) three_[i] = two_[i];", before))).toContain(
      "may be the same memory",
    );
    expect(why(prove("for (i = 0; i < n; i++) one_[i] = gp[i];", `${before} gp = one_;`))).toContain(
      "may be the same memory",
    );
    expect(why(prove("for (i = 0; i < n; i++) one_[i] = gp[i];", `${before} opaque(one_);`))).toContain(
      "may be the same memory",
    );
  });

  test("if it is collapsed only in all its variables", () => {
    const nest = (body: string) =>
      why(prove(`for (i = 0; i < n; i++) for (j = 0; j < m; j++) ${body}`, "", KEEP, "collapse(2)"));
    expect(nest("c[i][j] = c[i][j] + 1;")).toBe("independent");
    expect(nest("c[j][i] = r[i * m + j];")).toBe("independent");
    expect(nest("r[i * m + j] = w[j];")).toBe("independent");
    expect(nest("r[j * n + i] = 1;")).toBe("independent");
    expect(nest("a[i] = c[i][j];")).toContain("several iterations");
    expect(nest("c[i][j] = c[i][j + 1];")).toContain("1 iteration apart");
    expect(nest("c[i + 1][j] = c[i][j];")).toContain("reads what");
    expect(nest("r[i * m + 2 * j] = 1;")).toContain("several iterations");
    expect(nest("total += c[i][j];")).toBe("independent");
  });
});

describe("dependent loops are refused, at the access that depends", () => {
  const cases: readonly (readonly [loop: string, at: string, reason: RegExp])[] = [
    [
      "for (i = 1; i < n; i++) a[i] = a[i - 1];",
      "a[i - 1]",
      /'a\[i - 1\]' reads what another iteration writes as 'a\[i\]', 1 iteration apart/,
    ],
    ["for (i = 0; i < n; i++) a[i] = a[i + 4];", "a[i + 4]", /4 iterations apart/],
    ["for (i = 0; i < n; i += 2) a[i] = a[i + 4];", "a[i + 4]", /2 iterations apart/],
    ["for (i = 0; i < n; i++) { a[i] = 1; a[i + 1] = 2; }", "a[i + 1] = 2", /writes what another/],
    ["for (i = 0; i < n; i++) a[n - i] = a[i];", "a[i];", /reads what another/],
    ["for (i = 0; i < n; i++) a[i / 2] = 1;", "a[i / 2]", /several iterations may write/],
    ["for (i = 0; i < n; i++) a[i % 4] = 1;", "a[i % 4]", /several iterations/],
    ["for (i = 0; i < n; i++) a[0] = i;", "a[0]", /several iterations/],
    ["for (i = 0; i < n; i++) a[index[i]] = i;", "a[index[i]]", /several iterations/],
    ["for (i = 0; i < n; i++) a[(unsigned char)i] = i;", "a[(unsigned char)i]", /several iterations/],
    ["for (i = 0; i < m; i++) a[i * n] = 1;", "a[i * n]", /several iterations/],
    ["for (i = 0; i < n; i++) a[(unsigned)i * 2147483648u] = 1;", "a[(unsigned", /several iterations/],
    ["for (i = 0; i < n; i++) a[i + 10] = a[i];", "a[i];", /10 iterations apart/],
    [
      "for (i = 0; i < n; i++) for (j = 1; j < n; j++) c[j][i] = c[j - 1][i + 1];",
      "c[j - 1][i + 1]",
      /reads what/,
    ],
    [
      "for (i = 1; i < n; i++) for (j = 0; j < n; j++) c[i][j] = c[i - 1][j];",
      "c[i - 1][j]",
      /1 iteration apart/,
    ],
    ["for (i = 0; i < n; i++) for (j = 0; j < n; j++) c[j][j] = i;", "c[j][j]", /several iterations/],
    [
      "for (i = 0; i < n; i++) for (j = 0; j <= m; j++) r[i * m + j] = 1;",
      "r[i * m + j]",
      /several iterations/,
    ],
    [
      "for (i = 0; i < n; i++) for (j = 0; j < n; j++) r[i * m + j] = 1;",
      "r[i * m + j]",
      /several iterations/,
    ],
    ["for (i = 0; i < n; i++) for (j = 0; j < m; j++) r[i + j] = 1;", "r[i + j]", /several iterations/],
    ["for (i = 0; i < n; i++) jagged[i][0] = 1;", "jagged[i][0]", /several iterations/],
    ["for (i = 0; i < n; i++) pairs[i].x = pairs[i + 1].x;", "pairs[i + 1].x", /1 iteration apart/],
    ["for (i = 0; i < n; i++) pairs[i].i = pairs[i + 1].f;", "pairs[i + 1].f", /reads what|same memory/],
    ["for (i = 0; i < n; i++) pairs[0].low = i;", "pairs[0].low", /several iterations/],
    ["for (i = 0; i < n; i++) s.x = i;", "s.x", /several iterations/],
    ["for (i = 0; i < n; i++) sp->p[i] = sp->p[i + 1];", "sp->p[i + 1]", /1 iteration apart/],
    ["for (i = 0; i < n; i++) r[i] = r[i + gi];", "r[i + gi]", /reads what/],
    // aliases
    ["for (i = 0; i < n; i++) x[i] = y[i];", "y[i]", /'y\[i\]' and 'x\[i\]' may be the same memory/],
    ["for (i = 0; i < n; i++) g[i] = x[i];", "x[i]", /same memory/],
    ["for (i = 0; i < n; i++) gp[i] = x[i];", "x[i]", /same memory/],
    ["for (i = 0; i < n; i++) bytes[i] = x[i];", "x[i]", /same memory/],
    ["for (i = 0; i < n; i++) x[i] = bytes[i];", "bytes[i]", /same memory/],
    ["for (i = 0; i < n; i++) s.p[i] = x[i];", "x[i]", /same memory/],
    ["for (i = 0; i < n; i++) x[i] = scaled(x[i]);", "scaled(x[i])", /same memory/],
    ["for (i = 0; i < n; i++) fp[i] = gi; ", "", /independent/],
    // scalars
    ["for (i = 0; i < n; i++) { a[i] = t; t = b[i]; }", "t = b", /'t' carries a value/],
    ["for (i = 0; i < n; i++) { if (b[i] > 0) t = b[i]; a[i] = t; }", "t = b", /'t' carries a value/],
    ["for (i = 0; i < n; i++) { total += b[i]; a[i] = total; }", "total += b", /'total' carries/],
    ["for (i = 0; i < n; i++) { total += b[i]; total *= 2; }", "total += b", /'total' carries/],
    ["for (i = 0; i < n; i++) hits += b[i];", "hits += b", /'hits' carries/],
    ["for (i = 0; i < n; i++) total = b[i] - total;", "total = b", /'total' carries/],
    ["for (i = 0; i < n; i++) if (b[i] > best && hits++) best = b[i];", "best = b", /'best' carries/],
    ["for (i = 0; i < n; i++) if (b[i] > best) best = 2 * b[i];", "best = 2", /'best' carries/],
    [
      "for (i = 0; i < n; i++) if (b[i] > best) { best = b[i]; hits = i; }",
      "best = b",
      /'best' carries|'hits'/,
    ],
    ["for (i = 0; i < n; i++) gi = i;", "gi = i", /used after the loop/],
    ["for (i = 0; i < n; i++) { i++; a[i] = 1; }", "i++; a", /changes its own variable/],
    ["for (i = 0; i < n; i++) { int *pt = &hits; *pt = i; }", "hits; *pt", /address of 'hits'/],
    ["for (i = 0; i < n; i++) { static int last; a[i] = last; last = i; }", "last = i", /'last' carries/],
    ["for (i = 0; i < n; i++) kept[0] = i;", "kept[0]", /several iterations/],
    // arrays that are not filled first
    [
      "for (i = 0; i < n; i++) { for (j = 1; j < 10; j++) a[j] = c[i][j]; for (j = 0; j < 10; j++) c[i][j] = a[j]; }",
      "a[j] = c",
      /reads what|write/,
    ],
    [
      "for (i = 0; i < n; i++) { for (j = 0; j < 10; j++) if (j > i) a[j] = 1; for (j = 0; j < 10; j++) c[i][j] = a[j]; }",
      "a[j]",
      /iteration/,
    ],
    ["for (i = 0; i < n; i++) { for (j = 0; j < 10; j += 2) a[j] = 1; c[i][0] = a[1]; }", "a[", /iteration/],
    // control and calls
    ["for (i = 0; i < n; i++) { if (b[i] < 0) break; a[i] = 1; }", "break", /'break' may end it early/],
    ["for (i = 0; i < n; i++) a[i] = count();", "count()", /calls 'count', which may have side effects/],
    ["for (i = 0; i < n; i++) { a[i] = 1; opaque(a); }", "opaque(a)", /calls 'opaque'/],
    ['for (i = 0; i < n; i++) printf("x");', "printf", /calls 'printf'/],
    ["for (i = 0; i < n; i++) a[i] = flag;", "flag", /volatile/],
    ["for (i = 0; i < n; i++) a[i] = third(a);", "third(a)", /reads what/],
    ["for (i = 0; i < n; i++) { again: a[i] = 1; if (b[i] > 0) goto again; }", "again: a", /goto/],
    ["for (i = 0; i < ia[0]; i++) ia[i] = 3;", "ia[0]", /reads|writes/],
    ["for (i = 0; i < n; i++) {\n#pragma acc atomic\n ia[index[i]]++;\n a[i] = ia[i]; }", "ia[i]; }", /ia/],
  ];
  test.each(cases)("%s", (loop, at, reason) => {
    const proof = prove(loop);
    expect(why(proof)).toMatch(reason);
    if (proof.independent) return;
    const lines = `      ${loop}`.split("\n");
    const { line, col } = proof.loc;
    const text = lines[line - 16] ?? "";
    expect(text.slice(col - 1).startsWith(at) || at === "", `caret at '${text.slice(col - 1)}'`).toBe(true);
  });

  test("a value that is used later is not private", () => {
    const loop = "for (i = 0; i < n; i++) { t = b[i]; a[i] = t; }";
    expect(why(prove(loop))).toBe("independent");
    expect(why(prove(loop, "", "b[0] = t;"))).toContain("used after the loop");
    expect(why(prove(loop, "", "t = 1; b[0] = t;"))).toBe("independent");
    expect(
      why(
        prove(
          `for (i = 0; i < n; i++) { for (j = 0; j < 10; j++) a[j] = c[i][j]; b[i] = a[3]; }`,
          "",
          "b[0] = a[2];",
        ),
      ),
    ).toContain("several iterations");
  });
});

describe("a proof of independence", () => {
  test("lists private variables, and reductions with their operators", () => {
    const proof = prove(
      "for (i = 0; i < n; i++) { t = b[i]; for (j = 0; j < 3; j++) total += t; best = fmax(best, t); hits |= 1; }",
    );
    if (!proof.independent) throw new Error(proof.why);
    expect(proof.privates.map((s) => s.name).sort()).toEqual(["j", "t"]);
    expect(proof.reductions.map((r) => `${r.op} ${r.sym.name}`).sort()).toEqual([
      "+ total",
      "max best",
      "| hits",
    ]);
  });

  test("that fails gives the location of the other access", () => {
    const proof = prove("for (i = 1; i < n; i++) a[i] = a[i - 1];");
    expect(proof.independent || proof.notes).toMatchObject([
      { message: "'a[i]' writes here", loc: { col: 31 } },
    ]);
  });
});
