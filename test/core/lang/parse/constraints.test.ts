/**
 * gcc is the reference: code that it accepts violates no constraint, and code that it rejects is rejected at the same
 * location.
 */
import { describe, expect, it } from "vitest";
import { brokenConstraints } from "../../../../core/lang/index.ts";
import type { FunctionDef } from "../../../../core/lang/tree/ast.ts";
import { parsed } from "../parsing.ts";
import { complaints } from "../toolchain.ts";

const declarations = `struct P { int x; const int k; struct { int y; }; } p, *pp; struct Q q; union U { int i; float f; } u;
enum E { A, B } e; int i, a[4], m[2][3]; const int c = 1, ca[2]; float f; double _Complex z; int *ip; void *vp; _Bool b;
const int *cp; char *s; void none(void); int two(int, float); int more(int, ...); int old(); int (*fp)(int); int (*get(void))[3];
struct P made(void); typedef int v4 __attribute__((vector_size(16))); v4 v;
struct Q { int z; };`;

const inFunction = (statement: string) => `${declarations}\nvoid work(int n) {\n${statement}\n}\n`;

function broken(statement: string): string[] {
  const { externals } = parsed(inFunction(statement));
  const work = externals.find(
    (one): one is FunctionDef => one.kind === "function" && one.sym.name === "work",
  );
  return brokenConstraints(work?.body as FunctionDef["body"]).map(
    ({ loc, code }) => `${loc.line - 6}:${loc.col} ${code}`,
  );
}

describe("what C forbids is refused", () => {
  it.each([
    ["c = 2;", "not-assignable"],
    ["ca[0]++;", "not-assignable"],
    ["*cp = 3;", "not-assignable"],
    ["p.k -= 1;", "not-assignable"],
    ["p = *pp;", "not-assignable"],
    ["struct { struct P in[2]; } o; o = o;", "not-assignable"],
    ["a = ip;", "not-assignable"],
    ["i + 1 = 2;", "not-assignable"],
    ["two(1, 2) = 2;", "not-assignable"],
    ["made().x = 2;", "not-assignable"],
    ["(i ? i : n) = 2;", "not-assignable"],
    ["i % 2.0;", "operand-type"],
    ["f << 1;", "operand-type"],
    ["i | ip;", "operand-type"],
    ["n %= f;", "operand-type"],
    ["~f;", "operand-type"],
    ["-ip;", "operand-type"],
    ["!p;", "operand-type"],
    ["q++;", "operand-type"],
    ["p + 1;", "operand-type"],
    ["ip * 2;", "operand-type"],
    ["ip + ip;", "operand-type"],
    ["2 - ip;", "operand-type"],
    ["ip += f;", "operand-type"],
    ["p == p;", "operand-type"],
    ["p && i;", "operand-type"],
    ["i ? none() : none(), i < q;", "operand-type"],
    ["if (p) i = 1;", "operand-type"],
    ["while (u) i = 1;", "operand-type"],
    ["do i = 1; while (none());", "operand-type"],
    ["for (; q;) i = 1;", "operand-type"],
    ["p ? i : n;", "operand-type"],
    ["switch (f) { case 1:; }", "operand-type"],
    ["switch (i) { case 1:; switch (n) { case 1: case 2:; } case 1:; }", "duplicate-case"],
    ["switch (i) { default:; case 1:; default:; }", "duplicate-case"],
    ["i = p;", "conversion"],
    ["q = *pp;", "conversion"],
    ["struct Q r = i;", "conversion"],
    ["i = none();", "conversion"],
    ["int k = { p };", "conversion"],
    ["f = ip;", "conversion"],
    ["ip = f;", "conversion"],
    ["two(p, 1);", "conversion"],
    ["two(1);", "argument-count"],
    ["two(1, 2, 3);", "argument-count"],
    ["more();", "argument-count"],
    ["fp();", "argument-count"],
    ["struct Unknown r;", "incomplete-type"],
  ])("%s", (statement, code) => {
    expect(complaints(inFunction(statement), ["-w"])).toContain(" error: ");
    expect(broken(statement).map((one) => one.replace(/^\S+ /, ""))).toEqual([code]);
  });
});

it("conversions between pointers and integers, which old compilers only warn about, are refused", () => {
  expect(["ip = n;", "i = ip;", "i = a;", "two(ip, 1);"].map(broken)).toEqual([
    ["1:6 conversion"],
    ["1:5 conversion"],
    ["1:5 conversion"],
    ["1:5 conversion"],
  ]);
});

it("what C allows is not", () => {
  const allowed = `ip = 0; ip = (void *)0; vp = ip; ip = vp; cp = ip; s = vp; fp = 0; b = ip; b = a; i = b; f = i; z = f; f = z; e = i; i = e;
  i += f; f *= 2; f += i; ip += 2; ip -= n; ip++; i = ip - a; i = ip < a; i = ip == vp; i = ip == 0; i = !ip; i = ip && f; z = ~z;
  q = (struct Q){1}; struct P r = p; struct Q t = {2}, w = { .z = i }; int k = { 3 }; char text[] = "abc", other[4] = {"abc"};
  int t2[2][2] = {{1, 2}, {3}}; t2[1][0]++; *t2[0] = 1; (*pp).x = 1; pp->y++; pp[1].x = i; u.f = 1; ((struct Q){1}).z = 2; (i) = 3; *&i = 2;
  __real__ z = 1; v = v + v; v += 1; v[1] = 2; v = -v; v = v < v; i = two(1, 2); more(1, p, f); old(1, p); fp = two ? 0 : fp; (*fp)(1); (**fp)(2); get()[0][1] = 1;
  none(); i ? none() : none(); i = made().x; static int kept = sizeof(p); extern struct Unknown far; typedef struct Unknown later; later *there = 0;
  switch (e) { case A: case B: break; case 4 ... 6: default: switch (i) { case 0:; default:; } } if (ip) for (;;) break; do i--; while (vp);
  i = ({ int x = 1; x; }); i = _Generic(i, int: 1, default: 2); a[i = 2] = 1, i = m[1][2]; cp = a; cp++; fp = two ? fp : 0; const char *const *w2 = 0; i = w2 ? 1 : 2;
  i = n ?: 2; __auto_type y = q; y = q; ip = i ? a : 0; vp = i ? vp : ip; _Atomic int at = 1; at++; __builtin_memcpy(a, &n, 4); i = __builtin_expect(ip != 0, 1);`;
  expect(complaints(inFunction(allowed), ["-w"])).toBe("");
  expect(broken(allowed)).toEqual([]);
});
