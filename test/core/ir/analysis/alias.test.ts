import { describe, expect, test } from "vitest";
import { aliasesOf } from "../../../../core/ir/analysis/alias.ts";
import { walkStmt } from "../../../../core/lang/index.ts";
import type { Symbol } from "../../../../core/lang/tree/ast.ts";
import { accepted, functionOf } from "../reading.ts";

const DECLARATIONS = `
typedef unsigned long uintptr_t; extern void *malloc(unsigned long);
struct box { int *in; };
extern int *shared; extern int *given(void); extern void take(int *);
`;

/** Whether what `p` and `q` point to may overlap, in a function with these parameters and statements. */
function mayMeet(parameters: string, statements: string): boolean {
  const def = functionOf(accepted(`${DECLARATIONS}\nvoid f(${parameters}) { ${statements} }`));
  const named = new Map<string, Symbol>(def.params.map((sym) => [sym.name, sym]));
  walkStmt(def.body, {
    stmt(s) {
      if (s.kind === "decl") for (const { sym } of s.decls) named.set(sym.name, sym);
    },
  });
  const [p, q] = ["p", "q"].map((name) => ({ is: "pointee", sym: named.get(name) as Symbol }) as const);
  if (!p || !q) throw new Error("no p or q");
  return aliasesOf(def).mayMeet(p, undefined, q, undefined);
}

describe("pointers", () => {
  test.each([
    ["int *p, int *q", ""],
    ["int *p", "int *q = p + 1;"],
    ["int *p, int n", "int a[9]; int *q = n ? p : a;"],
    ["int *p", "int *q = given();"],
    ["int *p", "int *q = shared;"],
    ["int *restrict p", "int *q = p;"],
    ["int *restrict p", "struct box b; b.in = p; int *q = b.in;"],
    ["int *restrict p", "struct box b = {p}; int *q = b.in;"],
    ["int *restrict p", "shared = p; int *q = shared;"],
    ["int *restrict p", "take(p); int *q = given();"],
    ["int *restrict p", "uintptr_t n = (uintptr_t)p; int *q = (int *)n;"],
    ["int *restrict p, int **rows", "rows[0] = p; int *q = rows[0];"],
    ["int *a", "int *restrict p = a; struct box b; b.in = p; int *q = b.in;"],
    ["", "int *p = malloc(4); shared = p; int *q = shared;"],
  ])("may lead to the same memory: f(%s) { %s }", (parameters, statements) => {
    expect(mayMeet(parameters, statements)).toBe(true);
  });

  test.each([
    ["int *restrict p, int *q", ""],
    ["int *restrict p, int **rows", "int *q = rows[0];"],
    ["int *restrict p", "int *q = shared;"],
    ["int *a, int *b", "int *restrict p = a; int *restrict q = b;"],
    ["int *p", "int *q = malloc(4);"],
    ["", "int *p = malloc(4); int *q = malloc(4);"],
    ["", "int a[9], b[9]; int *p = a; int *q = b;"],
    ["int *p", "int a[9]; int *q = a;"],
  ])("lead to different memory: f(%s) { %s }", (parameters, statements) => {
    expect(mayMeet(parameters, statements)).toBe(false);
  });
});
