/** `goto` in kernels and in their functions becomes choices and loops; what would lead into a block is refused. */
import { describe, expect, it } from "vitest";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, designsOf, simulate } from "../simulation.ts";

const functions = `static int ordered(int a, int b) {
  int z, sign = 1;
  if (a < 0) goto negative;
  if (b > a) goto swapped;
  z = a - b;
  goto scaled;
negative:
  a = -a;
swapped:
  z = b - a;
  sign = -1;
  if (z == 3) return 7;
scaled:;
  int twice = z * 2;
  return twice * sign;
}
static int searched(const int *t, int key) {
  int found = -1;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      if (t[4 * i + j] < 0) goto next_row;
      switch (t[4 * i + j] & 7) {
      case 5: found = 100 + i; goto out;
      case 6: goto next;
      default: if (t[4 * i + j] == key) { found = 4 * i + j; goto out; }
      }
      found--;
    next:
      if (j == 2) break;
      continue;
    next_row:
      break;
    }
out:
  return found;
}
static int repeated(int k) {
  int tries = 0, s = 0;
again:
  tries++;
  s += k % 7;
  k = k * 5 + 3 & 255;
  if (s > 40) goto done;
  while (s < tries * 4) { s++; if (s == 33) goto again; }
  if (tries < 6) goto again;
  s = -s;
done:
  return s * 100 + tries;
}`;

const programs = [
  { name: "forward, past declarations, with returns", body: "y[i] = ordered(x[i] - 40, i * 9);" },
  { name: "out of loops and switches", body: "y[i] = searched(x, x[i]);" },
  { name: "backward, from inside a loop", body: "y[i] = repeated(x[i]);" },
  {
    name: "in the region itself",
    body: `int s = x[i];
  retry:
    if (s < 0) goto end;
    s -= 17 + i;
    if (s & 1) goto retry;
    y[i] = s;
    goto after;
  end:
    y[i] = -1;
  after: ;`,
  },
];

describe("jumps", () => {
  const ints = (f: (k: number) => number) => ({
    bytes: 4,
    values: Array.from({ length: 16 }, (_, k) => f(k)),
  });
  const given = { n: 16, x: ints((k) => ((k * 7919) % 97) - (k % 5 === 4 ? 60 : 0)), y: ints((k) => -k) };
  const sourceOf = (body: string) => `${functions}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:16]) copy(y[0:16])
  for (int i = 0; i < n; i++) {
    ${body}
  }
}`;
  const cases = programs.map(({ body }) => ({ source: sourceOf(body), given }));
  const serial = serialArrays(
    cases.map((c, k) => ({
      ...c,
      source: c.source.replace(/\b(ordered|searched|repeated)\b/g, `$1${k}`),
    })),
  );
  it.each(programs.map(({ name }, k) => [name, k] as const))("give the serial result: %s", (_, k) => {
    const made = designed((cases[k] as (typeof cases)[number]).source);
    expect(lint(made.design.text)).toBe("");
    expect(serial[k]).toMatchObject(simulate(made, given, { latency: 2, stalls: 0, seed: k }).arrays);
  });

  it("refuses a jump into a block, at the jump", () => {
    const body = "if (x[i] > 3) goto inside; while (y[i] < 9) { y[i] += 2; inside: y[i]++; }";
    expect(designsOf(sourceOf(body))).toMatchObject([
      {
        diagnostics: [
          { code: "no-hardware", message: expect.stringMatching(/goto.*leads into/), loc: { line: 53 } },
        ],
      },
    ]);
  });
});
