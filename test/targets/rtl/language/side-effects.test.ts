/** Expressions with several side effects on memory, which one step cannot do. */
import { describe, expect, it } from "vitest";
import { serialArrays } from "../serial.ts";
import { designed, ideal, simulate } from "../simulation.ts";

const bodies: readonly (readonly [string, string])[] = [
  ["numbers of two sizes in one assignment", "s[(*v)++ & 7] = i;"],
  ["three in one", "s[(c[i]++ + (*v)++) & 7] += i;"],
  ["one whose value is another's", "*v = s[i] = c[i] = i * 300;"],
  ["what is read after a change", "*v += (s[i & 3] = *v + 5) + s[1] + s[(i + 1) & 3];"],
  ["in a test", "if ((s[i & 1] += 3) > *v && c[i]++ > 2) *v = i; else s[7]--;"],
  ["in the arms of a choice", "*v = i & 1 ? s[i]++ : c[i]--;"],
  ["in the arms of a choice that is declared", "short t = *v & 1 ? s[i]++ : (*v)++ + c[i]--; s[7] ^= t;"],
  ["one after the other", "s[i] = 5, c[s[i] & 7] += 2, *v += c[5];"],
  ["in a declaration", "int t = s[i & 3]++, u = (*v)-- + c[i]++; s[7] += t - u;"],
];
const sourceOf = (body: string) => `void work(short *s, int *v, unsigned char *c) {
#pragma acc serial copy(s[0:8], v[0:1], c[0:8])
  for (int i = 0; i < 8; i++) { ${body} }
}`;
// All in one array: what one size stores, the others read.
const memory = { bytes: 8, values: [0x1234_5678n, 0xf0e1_0005n << 20n, 77n, 3n, 9n, 1n << 33n] };
const apart = () => ({
  s: { bytes: 2, values: [1, 2, 3, 4, 5, 6, 7, 8] },
  v: { bytes: 4, values: [10] },
  c: { bytes: 1, values: [9, 8, 7, 6, 5, 4, 3, 2] },
});

describe("side effects in one expression happen in an order that C allows", () => {
  const cases = bodies.flatMap(([name, body]) => [
    { name: `${name}, apart`, source: sourceOf(body), given: apart() },
    {
      name: `${name}, through one pointer`,
      source: `void work(void *m) {
#pragma acc serial copy(((char *)m)[0:48])
  {
    short *s = m; int *v = m; unsigned char *c = m;
    for (int i = 0; i < 8; i++) { ${body} }
  }
}`,
      given: { m: memory },
    },
  ]);
  const want = serialArrays(cases.map(({ source, given }) => ({ source, given })));
  it.each(cases.map(({ name }, k) => [name, k] as const))("%s", (_, k) => {
    const { source, given } = cases[k] as (typeof cases)[number];
    expect(simulate(designed(source), given, ideal).arrays).toEqual(want[k]);
  });
});
