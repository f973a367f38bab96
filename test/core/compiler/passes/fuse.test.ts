/** Loops that become one, and those that must not. Regions that become one kernel are in joined-regions.test.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../cases.ts";
import { emit, type Ready, runAll } from "./harness.ts";

const size = 40;
const loops = (first: string, second: string, headers = ["for (int i = 4; i < 30; i++)"], more = "") => `
static int s, a[${size}], b[${size}], c[${size}];
void work(void) {
#pragma acc serial copy(a, b, c, s)
  {
    ${more}
#pragma acc loop
    ${headers[0]} { ${first} }
#pragma acc loop
    ${headers[1] ?? headers[0]} { ${second} }
  }
}`;
const main = `
  for (int k = 0; k < ${size}; k++) { a[k] = k * 7 % 11; b[k] = k * 5 % 13; c[k] = k; }
  s = 3;
  WORK();
  for (int k = 0; k < ${size}; k++) printf("%d %d %d ", a[k], b[k], c[k]);
  printf("%d", s);`;

type Case = readonly [name: string, first: string, second: string, headers?: string[], more?: string];

const legal: readonly Case[] = [
  ["use what the same iteration wrote", "a[i] = b[i] * 2;", "c[i] = a[i] + 1;"],
  ["use what earlier iterations wrote", "a[i] = b[i] * 2;", "c[i] = a[i - 2] + a[i];"],
  ["overwrite what the first has read", "c[i] = a[i] + a[i + 3];", "a[i] = b[i];"],
  ["touch other arrays", "a[i] = i;", "b[i] = c[i + 1];"],
  ["count down", "a[i] = b[i];", "c[i] = a[i + 2];", ["for (int i = 30; i >= 4; i--)"]],
  ["step by three", "a[i] = b[i];", "c[i] = a[i - 3];", ["for (int i = 4; i < 30; i += 3)"]],
  [
    "have other names for their variables",
    "a[i] = i;",
    "c[j] = a[j];",
    ["for (int i = 4; i < 30; i++)", "for (int j = 4; j < 30; j++)"],
  ],
  ["go on with the next one", "if (i % 3) continue; a[i] = i;", "if (i % 2) continue; c[i] = a[i];"],
  ["are nests", "for (int j = 0; j < 3; j++) a[i + j] = 0;", "b[i] = c[i];"],
];
const illegal: readonly (readonly [...Case, RegExp])[] = [
  [
    "use what later iterations write",
    "a[i] = b[i];",
    "c[i] = a[i + 2];",
    undefined,
    undefined,
    /'a\[i \+ 2\]' reads what another iteration writes as 'a\[i\]', 2 iterations apart/,
  ],
  [
    "overwrite what the first has still to read",
    "c[i] = a[i];",
    "a[i + 1] = 0;",
    undefined,
    undefined,
    /'a\[i\]'/,
  ],
  ["use elements that data chooses", "a[b[i] % 9] = 1;", "c[i] = a[i];", undefined, undefined, /'a/],
  [
    "count differently",
    "a[i] = 1;",
    "c[i] = a[i];",
    ["for (int i = 4; i < 30; i++)", "for (int i = 4; i < 29; i++)"],
    undefined,
    /takes 26 iterations .* 25/,
  ],
  ["share a variable", "s += a[i];", "c[i] = s;", undefined, undefined, /'s', which one of them changes/],
];

describe("loops that follow each other", () => {
  it("become one where they may be done by turns, and give the serial result", () => {
    const ready = legal.map(([, first, second, headers, more], k): Ready => {
      const source = loops(first, second, headers, more)
        .replace("work(", `work${k}(`)
        .replace(/\b([abcs])\b(?=[[,;\] +)%]|$)/g, `$1${k}`);
      const own = main.replace(/\b([abcs])\b(?=[[,;\] +)]| =)/g, `$1${k}`);
      return { source, main: own, emitted: emit(source, { fuse: true }) };
    });
    runAll(ready).forEach(({ serial, kernel }, k) => {
      const { emitted } = ready[k] as Ready;
      expect(kernel, `${legal[k]?.[0]}\n${emitted.text}`).toBe(serial);
      const fuseRemarks = emitted.remarks.filter((r) => r.pass === "fuse");
      expect(fuseRemarks, legal[k]?.[0]).toMatchObject([{ applied: true }]);
      expect(fuseRemarks[0]?.message).toMatch(/one loop with that of line \d+/);
    });
  });

  it.each(illegal)(
    "stay apart where they %s, and the story says why",
    (_name, first, second, headers, more, why) => {
      const { remarks } = emit(loops(first, second, headers, more), { fuse: true });
      const fuseRemarks = remarks.filter((r) => r.pass === "fuse");
      expect(fuseRemarks).toMatchObject([{ applied: false }]);
      expect(fuseRemarks[0]?.message).toMatch(why);
    },
  );

  it("become one only where counting their accesses shows that they may, of random loops", () => {
    const access = fc.record({
      by: fc.integer({ min: -2, max: 2 }),
      at: fc.integer({ min: 0, max: 9 }),
      written: fc.boolean(),
    });
    const body = fc.array(access, { minLength: 1, maxLength: 3 });
    const pair = fc.record({
      lower: fc.integer({ min: 0, max: 3 }),
      step: fc.constantFrom(1, 2, -1, -3),
      trips: fc.integer({ min: 1, max: 8 }),
      first: body,
      second: body,
    });
    let [joined, refused] = [0, 0];
    fc.assert(
      fc.property(pair, ({ lower, step, trips, first, second }) => {
        type Access = (typeof first)[number];
        const start = step > 0 ? lower : lower - step * (trips - 1);
        const header = `for (int i = ${start}; i ${step > 0 ? "<" : ">"} ${start + step * trips}; i += ${step})`;
        const text = (accesses: readonly Access[]) =>
          accesses
            .map(({ by, at, written }) => `y[${by} * i + ${at + 30}]${written ? " = i;" : " + s;"}`)
            .map((t) => (t.endsWith("s;") ? `s = ${t}` : t))
            .join(" ");
        const loop = (accesses: readonly Access[]) => `${header} { int s = 0; ${text(accesses)} }`;
        const source = `void work(int *restrict y) {
#pragma acc serial copy(y[0:90])
  {
#pragma acc loop
    ${loop(first)}
#pragma acc loop
    ${loop(second)}
  }
}`;
        const { remarks } = emit(source, { fuse: true });
        const applied = remarks.some((r) => r.pass === "fuse" && r.applied);
        if (applied) joined++;
        else refused++;
        const values = Array.from({ length: trips }, (_, k) => start + k * step);
        const late = values.some((i, m) =>
          values
            .slice(0, m)
            .some((j) =>
              first.some((a) =>
                second.some((b) => (a.written || b.written) && a.by * i + a.at === b.by * j + b.at),
              ),
            ),
        );
        if (late) expect(applied, source).toBe(false);
      }),
      cases(150),
    );
    // Both occur often, whatever the number of cases.
    expect(Math.min(joined, refused)).toBeGreaterThan((joined + refused) / 5);
  });

  it("stay as they are where the variant does not ask", () => {
    const [, first = "", second = ""] = legal[0] ?? [];
    const { remarks, text } = emit(loops(first, second));
    expect(remarks.filter((r) => r.pass === "fuse")).toEqual([]);
    expect(text.match(/for \(/g)).toHaveLength(2);
  });
});
