/** Local structs and arrays of them, and arrays that functions are given: registers and block RAM of their own. */
import { describe, expect, it } from "vitest";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, ideal, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number) => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

const programs = [
  {
    name: "structs, arrays of them, and copies",
    source: `struct pair { int a, b; };
struct row { struct pair last; int of[2]; };
void *memcpy(void *, const void *, unsigned long);
void work(int n, const int *restrict x, struct pair *restrict p, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copy(p[0:n]) copyout(y[0:n])
  {
    struct row row;
    const int turn[2][2] = {{0, 1}, {[1] = -1}}, plain[2][2] = {1, 2, 3};
    struct pair ring[3] = {{1, 2}, {3}, {.b = 5}};
    const struct pair start = {.b = -4, .a = 9};
    row.last = start;
    row.of[0] = row.of[1] = 0;
    for (int i = 0; i < n; i++) {
      struct pair now = p[i], next;
      next.a = now.a + ring[i % 3].b;
      next.b = x[i] * 3;
      ring[(i + 1) % 3] = next;
      row.of[i & 1] += row.last.a;
      row.last = ring[i % 3];
      struct pair before, *place = p + i;
      memcpy(&before, place, sizeof before);
      p[i] = row.last;
      y[i] = before.b * turn[i & 1][x[i] & 1] + plain[x[i] & 1][i & 1] + row.of[0] - row.of[1] + next.b;
    }
  }
}`,
  },
  {
    name: "structs whose copies move what tells where they are",
    source: `struct couple { int a, b; };
struct line { struct couple last; int of[3]; };
static int next(int k) { while (k % 7) k++; return k + 1; }
void work(int n, const int *restrict x, struct couple *restrict p, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copy(p[0:n]) copyout(y[0:n])
  {
    struct couple ring[4] = {{1, 2}, {3, 0}, {2, 5}, {0, 7}}, r = {2, 1}, s = r;
    struct line rows[2] = {[1] = {r, {4, 5, 6}}, [0].of[2] = 9}, row = {.of = {n, n + 1}, .last = ring[r.a]};
    struct { struct line in; int c; } both = {rows[1], next(3)};
    struct couple *to = p;
    for (int i = 0; i < n; i++) {
      int k = x[i] & 3;
      r = ring[r.a & 3];
      ring[k++ & 3] = s;
      s = r = ring[(k += 1) & 3];
      *to++ = i & 1 ? r : ring[(r.b ^ k) & 3];
      p[p[i].a & 15] = ring[i & 3];
      row.last = row.of[0] & 1 ? r : p[i];
      row.of[0] += row.last.a;
      rows[row.of[0] & 1] = row;
      both.in = rows[i & 1];
      struct line own[2] = {row, {ring[k++ & 3], {i}}};
      int got = (k -= 2) ?: 40;
      y[i] = k + got + both.in.of[i % 3] + both.c + own[i & 1].of[k & 1] + own[1].last.b + s.a * 100 + r.b * 10;
    }
  }
}`,
  },
  {
    name: "arrays that functions read and change",
    source: `static int weighted(const int *v, int by) {
  int sum = 0;
  for (int k = 0; k < 4; k++) sum += v[k] * by;
  return sum;
}
static void put(int *v, int at, int value) { v[at] = value; }
static int both(int v[], int at) { put(v, at & 3, at); return weighted(v, 2) + *v; }
void work(int n, const int *restrict x, int *restrict p, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copy(p[0:2*n]) copyout(y[0:n])
  {
    int small[4] = {0}, large[100] = {[3] = 7, [64] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (int i = 0; i < n; i++) {
      int own[4];
      for (int k = 0; k < 4; k++) own[k] = x[i] + k;
      put(large, (x[i] & 31) + 50, i);
      y[i] = weighted(own, i) + both(small, x[i]) + large[(x[i] + 3) & 63];
      p[i] = weighted(&p[n], i);
    }
  }
}`,
  },
];

describe("local structs, and arrays passed to functions", () => {
  const given = programs.map(({ name }) => {
    const pairs = name.startsWith("structs");
    return {
      n: 20,
      x: ints(20, (k) => (k * 7919) % 97),
      p: ints(pairs ? 40 : 44, (k) => k * k - 30),
      y: ints(20, () => 0),
    };
  });
  const serial = serialArrays(programs.map(({ source }, k) => ({ source, given: given[k] as never })));
  it.each(programs.map((p, k) => [p.name, p, k] as const))(
    "give the serial result: %s",
    (_, { source }, k) => {
      const made = designed(source);
      expect(lint(made.design.text)).toBe("");
      const run = simulate(made, given[k] as never, ideal);
      expect(run.arrays).toEqual(serial[k]);
    },
  );

  it("are copied from where the launch has them", () => {
    const source = `struct filter { int weight[6]; struct { short low; char by; } range; float scale; };
void work(int n, const struct filter *given, const int *restrict x, int *restrict y) {
  struct filter f = *given;
  int table[4] = {3, 1, 4, 1};
#pragma acc serial firstprivate(f, table) copyin(x[0:n]) copyout(y[0:n])
  {
    f.weight[1] += 2;
    for (int i = 0; i < n; i++) {
      table[i & 3] += x[i];
      y[i] = table[x[i] & 3] * f.weight[i % 6] + f.range.low - f.range.by + (int)(f.scale * i);
    }
  }
}`;
    const x = ints(20, (k) => (k * 7919) % 97);
    const given = {
      n: 20,
      f: ints(8, (k) => [3, -1, 4, 1, -5, 9, 0x00071234, 0x3fc00000][k] ?? 0),
      x,
      y: ints(20, () => 0),
    };
    const [serial] = serialArrays([{ source, given }]);
    const made = designed(source);
    expect(lint(made.design.text)).toBe("");
    const run = simulate(made, { ...given, table: ints(4, (k) => [3, 1, 4, 1][k] ?? 0) }, ideal);
    expect(run.arrays.y).toEqual(serial?.y);
    expect(run.arrays.f).toEqual(serial?.f);
  });
});
