/** Unions, bit-fields and other ways to the bits of numbers: as gcc's program has them. */
import { describe, expect, it } from "vitest";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, designsOf, ideal, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number) => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

const programs = [
  {
    name: "numbers and their codes, bytes of them, and copies",
    source: `#include <string.h>
union word { float f; unsigned u; short half[2]; unsigned char bytes[4]; };
union wide { double d; unsigned long bits; struct { int low, high; } part; };
static union word turned(union word w) { w.u ^= 0x80000000u; return w; }
static float inverse_root(float x) {
  float half = 0.5f * x;
  int i = *(int *)&x;
  i = 0x5f3759df - (i >> 1);
  x = *(float *)&i;
  return x * (1.5f - half * x * x);
}
void work(int n, const int *restrict x, union word *restrict p, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copy(p[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++) {
    union word w, other = { x[i] * 0.25f }, third = { .u = 7 };
    union wide d = { .d = x[i] + 0.125 };
    w.f = (i % 2 ? -1.0f : 1.0f) * (i + 1);
    int sign = w.bytes[3] >> 7;
    w.bytes[i & 3] += 3;
    w.half[1] -= 1;
    d.part.high += w.half[0];
    p[i] = i % 3 ? turned(w) : p[i];
    p[i].bytes[1] = other.bytes[i & 3] + third.u;
    unsigned code;
    float number = inverse_root(x[i] + 2);
    memcpy(&code, &number, sizeof code);
    int last = (int)(d.bits >> 40) + (int)d.d;
    y[i] = sign + code + last + ((union word){ .f = 1.5f }).half[1] + ((const unsigned char *)&number)[2];
  }
}`,
  },
  {
    name: "bit-fields, in registers, in arrays and in memory",
    source: `struct packed { unsigned low : 5; signed mid : 7; unsigned high : 20; };
struct flags { unsigned char ready : 1, kind : 3; signed char level : 4, more; short rest; };
void work(int n, const int *restrict x, struct packed *restrict p, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copy(p[0:n]) copyout(y[0:n])
  {
    union { struct packed fields; unsigned all; } table[3] = {{{1, -2, 3}}, {.all = 99}};
    table[2].all = 5;
    for (int i = 0; i < n; i++) {
      struct flags f = {1, .level = -3};
      struct packed own = p[i];
      f.kind += i;
      f.level -= i;
      f.rest = x[i];
      f.more = i - 3;
      own.mid = i * 5;
      own.low++;
      p[i].high = 5000 * i;
      p[i].low = own.low + f.ready;
      table[i % 3].fields.mid += x[i];
      y[i] = table[(i + 1) % 3].all * 3 + own.mid + f.kind * 100 + f.level + f.more + f.rest + p[i].mid;
    }
  }
}`,
  },
];

describe("the bits of numbers", () => {
  const given = {
    n: 13,
    x: ints(13, (k) => (k * 7919) % 97),
    p: ints(13, (k) => k * 123456789),
    y: ints(13, () => 0),
  };
  const serial = serialArrays(programs.map(({ source }) => ({ source, given })));
  it.each(programs.map((p, k) => [p.name, p, k] as const))("are C's: %s", (_, { source }, k) => {
    const made = designed(
      source.replace("#include <string.h>", "void *memcpy(void *, const void *, unsigned long);"),
    );
    expect(lint(made.design.text)).toBe("");
    expect(simulate(made, given, ideal).arrays).toEqual(serial[k]);
  });

  it("are refused with their place if they are larger", () => {
    const [outcome] = designsOf(`void work(int *x) {
#pragma acc serial copy(x[0:4])
  for (int i = 0; i < 4; i++)
  {
    union { float f[3]; int i[3]; } u; u.f[0] = x[i]; x[i] = u.i[0];
  }
}`);
    const [found] = outcome && "diagnostics" in outcome ? outcome.diagnostics : [];
    expect(`${found?.loc.line}: ${found?.code}`).toBe("5: no-operator");
    expect(found?.remedy).toBeTruthy();
  });
});
