/**
 * Pointers that lead into one array, one of them `restrict`: the others are based on it (C11 6.7.3.1p3), so that its
 * promise says nothing about them. They are set before the region, in it, or in each iteration, where a `restrict` of
 * their own is a promise for that iteration.
 */
import { describe, expect, it } from "vitest";
import { serialArrays } from "../serial.ts";
import { designed, ideal, simulate } from "../simulation.ts";

const N = 40;
const EDGE = 4;
const slow = process.env.ARC_SLOW_TESTS !== undefined;

type Where = "before" | "region" | "iteration" | "own promise";

interface Body {
  readonly text: (d: number) => string;
  /** Elements around `i` that an iteration accesses through `p`. */
  readonly reach: readonly number[];
}

const bodies: Readonly<Record<string, Body>> = {
  copies: { text: (d) => `q[i + ${d}] = p[i] + 1;`, reach: [0] },
  updates: { text: (d) => `q[i + ${d}] += p[i];`, reach: [0] },
  "sums a window": { text: (d) => `q[i + ${d}] = p[i - 1] + p[i] + p[i + 1];`, reach: [-1, 0, 1] },
  "updates in place": { text: (d) => `p[i] = p[i - 1] + p[i + 1]; s += q[i + ${d}];`, reach: [-1, 0, 1] },
  "writes, then reads": { text: (d) => `p[i] = i * 3 + s; s += q[i + ${d}];`, reach: [0] },
  "writes twice": { text: (d) => `p[i] += 5; q[i + ${d}] = p[i] * 2;`, reach: [0] },
};
const variants = { plain: {}, window: { window: "auto" }, unrolled: { unroll: 2 } } as const;

function sourceOf(where: Where, body: string): string {
  const own = (at: Where) => (where === at ? "int *q = p;" : "");
  return `void work(int *restrict p) {
  int s = 1;
  ${own("before")}
#pragma acc serial copy(p[0:${N}])${where === "before" ? ` copy(q[0:${N}])` : ""}
  {
    ${own("region")}
    for (int i = ${EDGE}; i < ${N - EDGE}; i++) {
      ${own("iteration")} ${where === "own promise" ? "int *restrict q = p;" : ""}
      ${body}
    }
    p[0] = s;
  }
}`;
}

const given = () => ({ bytes: 4, values: Array.from({ length: N }, (_, k) => (k * 7919 + 31) % 1000) });

const all = (["before", "region", "iteration", "own promise"] as const).flatMap((where) =>
  Object.entries(bodies).flatMap(([what, { text, reach }]) =>
    [-3, -1, 0, 1, 2]
      .filter((d) => where !== "own promise" || !reach.includes(d))
      .flatMap((d) =>
        Object.entries(variants).map(([variant, choice]) => ({
          title: `${what} at distance ${d}, set ${where}, ${variant}`,
          where,
          choice,
          source: sourceOf(where, text(d)),
        })),
      ),
  ),
);
const cases = slow ? all : all.filter((_, k) => k % 13 === 4);

describe("a pointer based on a restrict pointer may lead to its memory", () => {
  const want = serialArrays(cases.map(({ source }) => ({ source, given: { p: given() } })));
  it.each(cases.map((one, k) => [one.title, k] as const))("%s", (_, k) => {
    const { source, choice, where } = cases[k] as (typeof cases)[number];
    const memory = given();
    const { arrays } = simulate(
      designed(source, choice),
      { p: memory, s: 1, ...(where === "before" && { q: memory }) },
      ideal,
    );
    expect(arrays.p).toEqual(want[k]?.p);
  });
});
