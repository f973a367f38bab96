/** Scalars that stand for an expression. */
import { expect, test } from "vitest";
import { definitionsIn } from "../../../../core/ir/analysis/locals.ts";
import { printExpr } from "../../../../core/lang/index.ts";
import { accepted, functionOf } from "../reading.ts";

function definitions(statements: string): Record<string, string> {
  const { body } = functionOf(accepted(`void f(int n, int m) {\n${statements}\n}`));
  return Object.fromEntries(
    [...definitionsIn(body)].map(([sym, value]) => [sym.name, printExpr(value)] as const),
  );
}

test.each<[string, Record<string, string>]>([
  ["int x = n + 1; n = x;", {}],
  ["int x = n + 1; use(x);", { x: "n + 1" }],
  ["int x; x = n + 1; use(x);", { x: "n + 1" }],
  ["int x; for (;;) { use(x); x = n + 1; }", {}],
  ["int x; x = n; x = m;", {}],
  ["int x; x = n; take(&x);", {}],
  ["int x; if (m) x = n;", {}],
  ["int x; x = n; int y; y = x + m; use(y);", { x: "n", y: "x + m" }],
])("of { %s }", (statements, expected) => {
  expect(definitions(`extern void use(int), take(int *);\n${statements}`)).toEqual(expected);
});

test("are found in a time in proportion to the code, also where each variable is set many times", () => {
  const statements = (count: number): string =>
    ["int t0 = n, t1 = n, t2 = n, t3 = n, t4 = n, t5 = n, t6 = n, t7 = n;"]
      .concat(Array.from({ length: count }, (_, at) => `t${at % 8} = t${(at + 3) % 8} * ${at} + n;`))
      .join("\n");
  /** Processor time, in µs. */
  const cost = (count: number): number => {
    const { body } = functionOf(accepted(`void f(int n) {\n${statements(count)}\n}`));
    const before = process.cpuUsage();
    definitionsIn(body);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const least = (count: number): number => Math.min(...Array.from({ length: 3 }, () => cost(count)));
  // Sixteen times the code; where each assignment walks all of it, it is far more than a hundred times the work.
  expect(least(4000)).toBeLessThan(100 * Math.max(1000, least(250)));
});
