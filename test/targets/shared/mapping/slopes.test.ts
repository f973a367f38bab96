/** How far apart neighbouring iterations access memory where subscripts are not affine. */
import { describe, expect, it } from "vitest";
import { parse } from "../../../../core/lang/index.ts";
import { distanceOf, following } from "../../../../targets/shared/mapping/slopes.ts";

/** The distance along `i` of `a[SUBSCRIPT]`, behind some declarations. */
function distance(subscript: string, before = ""): number | undefined {
  const { unit } = parse(`void f(int i, int n, int *c, float *a) { ${before} a[${subscript}]; }`, {
    file: "a.c",
  });
  const [def] = unit.externals;
  if (def?.kind !== "function") throw new Error("no function");
  const last = def.body.kind === "compound" ? def.body.body.at(-1) : undefined;
  const [i] = def.params;
  if (last?.kind !== "expr" || !last.expr || !i) throw new Error("no access");
  return distanceOf(last.expr, following(def.body, i))?.by;
}

describe("the distance of an access", () => {
  it.each([
    ["i % n", 1],
    ["(i + n - 1) % n", 1],
    ["i > 0 ? i - 1 : n - 1", 1],
    ["i == n - 1 ? 0 : i + 1", 1],
    ["i / 2", 0.5],
    ["i >> 3", 0.125],
    ["i << 2", 4],
    ["3 * (i % 64) + 1", 3],
    ["n / 4 + c[n]", 0],
    ["c[n] * 2 + i", 1],
    ["i * n", Number.POSITIVE_INFINITY],
  ])("a[%s] is %d", (subscript, by) => {
    expect(distance(subscript)).toBe(by);
  });

  it.each(["c[i]", "n % i", "i * i", "i ^ 1", "i / n"])("a[%s] is unknown", (subscript) => {
    expect(distance(subscript)).toBeUndefined();
  });

  it("looks through variables that keep their first values", () => {
    expect(distance("left", "int left = (i + n - 1) % n;")).toBe(1);
    expect(distance("next", "int left = i - 1; int next = left + 2;")).toBe(1);
    expect(distance("left", "int left = i; left = 3 * i;")).toBeUndefined();
    expect(distance("left", "int left = left + i;")).toBeUndefined();
  });
});
