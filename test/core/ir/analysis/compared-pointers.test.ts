import { describe, expect, it } from "vitest";
import { comparedPointers } from "../../../../core/ir/analysis/compared-pointers.ts";
import { accepted, functionOf } from "../reading.ts";

const compared = (statements: string): readonly string[] => {
  const source = `extern void take(int *); struct s { int *at; };
    void f(int *p, int *q, int r, struct s s, int **t) { ${statements} }`;
  return [...comparedPointers(functionOf(accepted(source)).body)].map((sym) => sym.name).sort();
};

describe("pointers whose value is all that code uses", () => {
  it.each([
    ["r = p == q;", ["p", "q"]],
    ["r = p != 0 && !q;", ["p", "q"]],
    ["if (p) r = 1; while (q < p + 1) r++;", ["p", "q"]],
    ["r = q - p;", ["p", "q"]],
    ["r = (int)(long)p;", ["p"]],
    ["int *own = p; r = own == q;", ["p", "q"]],
    ["int *own; own = r ? p : q; own++; r = own == 0;", ["p", "q"]],
  ])("%s", (statements, found) => expect(compared(statements)).toEqual(found));

  it.each([
    ["r = *p + (p == q);", ["q"]],
    ["r = p[1] + (p < q);", ["q"]],
    ["for (int *i = p; i < q; i++) *i = 0;", ["q"]],
    ["int *own = p, *other = own; r = *other + (q == 0);", ["q"]],
    ["take(p);", []],
    ["s.at = p;", []],
    ["*t = p; r = q == 0;", ["q"]],
    ["int **own = &p; r = **own;", []],
    ["long own = (long)p; r = *(int *)own;", []],
    ["q = p; r = *q;", []],
  ])("not those that lead to what is used: %s", (statements, found) =>
    expect(compared(statements)).toEqual(found),
  );
});
