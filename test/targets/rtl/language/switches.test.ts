/** Switches, and what leaves loops out of them, in pipelines and in loops that are cut into steps. */
import { describe, expect, it } from "vitest";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, simulate } from "../simulation.ts";

const functions = `static int next(int k) { do k++; while (k % 3 == 0); return k; }
static int promoted(signed char c) {
  int s = 0;
  switch (c) {
  case 200: for (int k = 0; k < 40; k++) s += k; break;
  case -56: while (s * s < 300) s++; break;
  case -20 ... 190: for (int k = 0; k < c; k++) s += 3; break;
  default: s = -9;
  }
  return s;
}
static int stepping(int k) {
  int s = 0;
  for (; k < 40; k = next(k)) {
    switch (k & 7) { case 1: s += k; continue; case 2: s++; break; case 5: if (s & 1) continue; s += 2; }
    if (s > 60) break;
    s ^= 5;
  }
  return s * 100 + k;
}
static int testing(int k) {
  int s = 0;
  do {
    k++;
    switch (k % 5) { case 1: s += k; continue; case 2: s++; break; }
    if (s > 50) break;
    s += 4;
  } while (next(k) < 40);
  return s;
}`;

const programs = [
  {
    name: "labels of a type that is promoted",
    body: `signed char c = x[i] * 7;
    unsigned char u = x[i] - 3;
    switch (c) { case 200: y[i] = 1; break; case -56: y[i] = 2; break; case 250 ... 300: y[i] = 5; break; case -20 ... 190: y[i] = 3; break; default: y[i] = 4; }
    switch (u) { case -1: y[i] += 10; break; case 255: y[i] += 20; break; case 0: case 256: y[i] += 30; }
    y[i] += promoted(c) * 100;`,
  },
  {
    name: "a continue in a switch of a loop that is cut into steps",
    body: `int s = i;
    switch (x[i] & 3) {
    case 0: continue;
    case 1:
      for (int j = 0; j < x[i] % 20 + 33; j++) {
        switch (j & 7) { case 3: continue; case 5: s += j; break; default: s++; }
        s ^= j;
        if (s > 500) break;
      }
      break;
    case 2:
      switch (x[i] & 4) { case 4: if (i & 1) continue; s = -s; case 0: for (int j = 0; j < n; j++) s += j; }
      s *= 3;
    default: s += 7;
    }
    if (s == -1000) break;
    y[i] = s;`,
  },
  {
    name: "a variable of the switch, which is set where control comes by",
    body: `int at = i, s = 0;
    switch (x[i] % 3) {
    case 0: ; int t = at++; for (int j = 0; j < t; j++) s += j; break;
    case 1: t = 5; s = t;
    default: s += at;
    }
    y[i] = s * 100 + at;`,
  },
  {
    name: "out of loops with calls in their headers",
    body: "y[i] = stepping(i + 28) * 1000 + testing(x[i] % 9 + 30);",
  },
];

describe("switches", () => {
  const ints = (f: (k: number) => number) => ({
    bytes: 4,
    values: Array.from({ length: 9 }, (_, k) => f(k)),
  });
  const given = { n: 9, x: ints((k) => (k * 7919) % 97), y: ints((k) => -k) };
  const cases = programs.map(({ body }) => ({
    source: `${functions}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++) {
    ${body}
  }
}`,
    given,
  }));
  const serial = serialArrays(
    cases.map((c, k) => ({
      ...c,
      source: c.source.replace(/\b(next|promoted|stepping|testing)\b/g, `$1${k}`),
    })),
  );
  it.each(programs.map(({ name }, k) => [name, k] as const))("give the serial result: %s", (_, k) => {
    const made = designed((cases[k] as (typeof cases)[number]).source);
    expect(lint(made.design.text)).toBe("");
    expect(serial[k]).toMatchObject(simulate(made, given, { latency: 2, stalls: 0, seed: k }).arrays);
  });
});
