import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  add,
  constant,
  constantValue,
  content,
  extreme,
  multiply,
  notNegative,
  type Polynomial,
  replace,
  same,
  splitAt,
  subtract,
  variable,
  variables,
} from "../../../../../core/ir/analysis/loops/polynomial.ts";
import { cases } from "../../../../cases.ts";

const names = ["a", "b", "c"];
const value: Readonly<Record<string, bigint>> = { a: 3n, b: -2n, c: 7n };

function evaluate(p: Polynomial, at: Readonly<Record<string, bigint>> = value): bigint {
  let sum = 0n;
  for (const [m, c] of p)
    sum += m
      .split("*")
      .filter((v) => v)
      .reduce((x, v) => x * (at[v] as bigint), c);
  return sum;
}

const polynomials = fc
  .array(fc.tuple(fc.array(fc.constantFrom(...names), { maxLength: 3 }), fc.integer({ min: -5, max: 5 })), {
    maxLength: 4,
  })
  .map((terms) =>
    terms.reduce(
      (p: Polynomial, [vs, c]) =>
        add(
          p,
          vs.reduce((t, v) => multiply(t, variable(v)), constant(c)),
        ),
      constant(0),
    ),
  );

test("sums, differences and products have the values of their operands", () => {
  fc.assert(
    fc.property(polynomials, polynomials, (p, q) => {
      expect(evaluate(add(p, q))).toBe(evaluate(p) + evaluate(q));
      expect(evaluate(subtract(p, q))).toBe(evaluate(p) - evaluate(q));
      expect(evaluate(multiply(p, q))).toBe(evaluate(p) * evaluate(q));
      expect(same(multiply(p, q), multiply(q, p))).toBe(true);
    }),
    cases(100),
  );
});

test("replacing a variable equals evaluating it, and splitting is lossless", () => {
  fc.assert(
    fc.property(polynomials, polynomials, (p, q) => {
      const parts = splitAt(p, "a");
      const replaced = replace(p, "a", q);
      expect(parts === undefined).toBe(replaced === undefined);
      if (!parts || !replaced) return;
      expect(same(add(multiply(parts.slope, variable("a")), parts.rest), p)).toBe(true);
      expect(evaluate(replaced)).toBe(evaluate(p, { ...value, a: evaluate(q) }));
    }),
    cases(100),
  );
});

test("a polynomial proved not negative is not negative wherever the facts hold", () => {
  const small = fc.bigInt({ min: -4n, max: 4n });
  fc.assert(
    fc.property(
      polynomials,
      fc.array(polynomials, { maxLength: 3 }),
      small,
      small,
      small,
      (p, facts, a, b, c) => {
        const at = { a, b, c };
        fc.pre(notNegative(p, facts) && facts.every((f) => evaluate(f, at) >= 0n));
        expect(evaluate(p, at)).toBeGreaterThanOrEqual(0n);
      },
    ),
    cases(300),
  );
});

describe("ends of ranges", () => {
  const n = variable("n");
  const m = variable("m");
  const i = variable("i");
  const j = variable("j");
  const below = (v: Polynomial) => ({ low: constant(0), high: subtract(v, constant(1)) });
  const facts = [subtract(n, constant(1)), subtract(m, constant(1))];

  test("rows of a matrix do not reach into each other", () => {
    // m - (greatest j - least j) is at least 1.
    const greatest = extreme("greatest", j, [["j", below(m)]], facts) as Polynomial;
    expect(constantValue(subtract(subtract(m, greatest), constant(1)))).toBe(0n);
  });

  test("ranges may speak of variables that come later", () => {
    const p = add(multiply(i, constant(2)), j);
    const greatest = extreme(
      "greatest",
      p,
      [
        ["j", below(i)],
        ["i", below(n)],
      ],
      facts,
    ) as Polynomial;
    expect(same(greatest, add(multiply(n, constant(3)), constant(-4)))).toBe(true);
  });

  test("an unknown sign or end gives no answer", () => {
    expect(extreme("greatest", multiply(variable("k"), j), [["j", below(m)]], facts)).toBeUndefined();
    expect(extreme("least", j, [["j", { high: n }]], facts)).toBeUndefined();
    expect(extreme("greatest", multiply(n, j), [["j", below(m)]], facts)).toBeDefined();
  });
});

test("the content divides every coefficient", () => {
  expect(
    content(
      add(add(multiply(variable("a"), constant(6)), multiply(variable("b"), constant(-4))), constant(3)),
    ),
  ).toBe(2n);
  expect(content(constant(5))).toBe(0n);
  expect([...variables(multiply(variable("a"), variable("b")))]).toEqual(["a", "b"]);
});
