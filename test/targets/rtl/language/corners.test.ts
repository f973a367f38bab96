/** What random programs found: small corners of C, as gcc's program has them. */
import { describe, expect, it } from "vitest";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, ideal, simulate } from "../simulation.ts";

interface Corner {
  readonly name: string;
  /** With the local variables that are passed on to `y` afterwards. */
  readonly body: string;
}

const corners: readonly Corner[] = [
  {
    name: "a loop whose trips are not counted, and which its first iteration always leaves",
    body: "for (short i = 0; i < n; i++) { y[i] += 5; if ((unsigned char)-16) break; }",
  },
  {
    name: "a variable that a loop cuts to its low bits, of which it looks at no others",
    body: "unsigned w = 9698; for (int i = 0; i < 12; i++) w = (unsigned char)w; y[0] = w;",
  },
  {
    name: "a variable of one branch that no one sets",
    body: "for (int i = 0; i < n; i++) { if (x[i] > 3) y[i] = 5; else { int unused; y[i] = i; } }",
  },
];

describe("corners of C", () => {
  const given = {
    n: 9,
    x: { bytes: 4, values: [4, -7, 3, 12, 0, 1, -100, 70000, 5] },
    y: { bytes: 4, values: Array.from({ length: 9 }, (_, k) => 10 * k) },
  };
  const cases = corners.map(({ name, body }) => ({
    name,
    given,
    source: `void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copy(y[0:n])
  { ${body} }
}`,
  }));
  const serial = serialArrays(cases);
  it.each(cases.map((one, k) => [one.name, one.source, k] as const))(
    "give C's result: %s",
    (_, source, k) => {
      const made = designed(source);
      expect(lint(made.design.text)).toBe("");
      expect(serial[k]).toMatchObject(simulate(made, given, ideal).arrays);
    },
  );
});
