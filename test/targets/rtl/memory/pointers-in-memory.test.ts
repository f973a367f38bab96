/**
 * Pointers that the kernel reads from memory or writes there: rows, lists, structs with pointers in them. Such a kernel
 * has whole addresses, and what it reaches through these pointers may be any array.
 */
import { describe, expect, it } from "vitest";
import type { PortOptions, Ports } from "../../../../targets/rtl/design/design.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, type GivenArray, ideal, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number, bytes = 4): GivenArray => ({
  bytes,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

/** Words of 64 bits: pointers to elements of arrays, and numbers. */
function words(...list: readonly (number | readonly [GivenArray, number])[]): GivenArray {
  const leads = list.flatMap((word, k) =>
    typeof word === "number" ? [] : [[k, { to: word[0], at: word[1] }] as const],
  );
  return {
    bytes: 8,
    values: list.map((word) => (typeof word === "number" ? word : 0)),
    leads: new Map(leads),
  };
}

/** A list of {next, value}: `order` has the nodes as they follow one another. */
function list(order: readonly number[]): GivenArray {
  const leads = new Map<number, { to: GivenArray; at: number }>();
  const nodes: GivenArray = {
    bytes: 8,
    values: order.flatMap((_, k) => [0, 10 * k + 3]),
    leads,
  };
  order.forEach((node, k) => {
    const next = order[k + 1];
    if (next !== undefined) leads.set(2 * node, { to: nodes, at: 2 * next });
  });
  return nodes;
}

interface Program {
  readonly name: string;
  readonly source: string;
  readonly given: () => Readonly<Record<string, Given>>;
}

const rows = (a: GivenArray, ...at: readonly number[]) => words(...at.map((k) => [a, k] as const));

const programs: readonly Program[] = [
  {
    name: "rows of an array are read and written",
    source: `void work(int *a, int *y, int **rows) {
#pragma acc serial copy(rows[0:4], y[0:4])
  for (int i = 0; i < 4; i++) {
    int s = 0;
    for (int j = 0; j < 6; j++) { s += rows[i][j]; rows[3 - i][j] += i * j; }
    y[i] = s;
  }
}`,
    given: () => {
      const a = ints(24, (k) => k * k + 1);
      return { a, y: ints(4, () => 0), rows: rows(a, 6, 0, 18, 12) };
    },
  },
  {
    name: "a list is followed to its end",
    source: `struct node { struct node *next; long value; };
void work(struct node *n, struct node **heads, long *y) {
#pragma acc serial copy(heads[0:2], y[0:4])
  for (int i = 0; i < 2; i++) {
    long s = 0; int k = 0;
    for (struct node *p = heads[i]; p; p = p->next) { s = s * 3 + p->value; k++; }
    y[2 * i] = s; y[2 * i + 1] = k;
  }
}`,
    given: () => {
      const n = list([2, 0, 4, 1, 3]);
      return { n, heads: rows(n, 4, 8), y: ints(4, () => 0, 8) };
    },
  },
  {
    name: "a list is reversed in place",
    source: `struct item { struct item *next; long value; };
void work(struct item *n, long *y) {
#pragma acc serial copy(n[0:5], y[0:5])
  {
    struct item *back = 0, *p = &n[2];
    while (p) { struct item *next = p->next; p->next = back; back = p; p = next; }
    int k = 0;
    for (p = back; p; p = p->next) y[k++] = p->value + (p - n);
  }
}`,
    given: () => ({ n: list([2, 0, 4, 1, 3]), y: ints(5, () => 0, 8) }),
  },
  {
    name: "structs have arrays of their own",
    source: `struct part { short *data; long n; };
void work(short *a, struct part *parts, int *y) {
#pragma acc serial copy(parts[0:3], y[0:3])
  for (int i = 0; i < 3; i++) {
    struct part p = parts[i];
    y[i] = 0;
    for (int j = 0; j < p.n; j++) y[i] += p.data[j] * (j + 1);
    if (p.n > 2) *parts[i].data++ = i;
    y[i] += parts[i].data[0];
  }
}`,
    given: () => {
      const a = ints(16, (k) => 100 - 7 * k, 2);
      return { a, parts: words([a, 1], 5, [a, 9], 2, [a, 4], 8), y: ints(3, () => 0) };
    },
  },
  {
    name: "pointers are stored, and what they lead to is also reached otherwise",
    source: `void work(int *a, int **rows, int *y) {
#pragma acc serial copy(rows[0:4], a[0:16], y[0:16])
  {
    for (int i = 0; i < 4; i++) rows[i] = a + 4 * ((i + 1) & 3);
    int *t = rows[0]; rows[0] = rows[2]; rows[2] = t;
    for (int i = 0; i < 12; i++) { *rows[i & 3] += i; y[i] = a[i] + rows[(i + 1) & 3][i & 1]; }
    y[12] = rows[0] == a + 12; y[13] = rows[1] - a; y[14] = rows[2] < rows[0];
  }
}`,
    given: () => {
      const a = ints(16, (k) => k * 5);
      return { a, rows: rows(a, 0, 0, 0, 0), y: ints(16, () => 0) };
    },
  },
  {
    name: "pointers lead to pointers, some to nothing",
    source: `static int at(int *const *const *p, int i, int j) { return p[i] && p[i][j] ? *p[i][j] : -1; }
void work(int *a, int **rows, int ***all, int *y) {
#pragma acc serial copy(all[0:3], y[0:6])
  for (int k = 0; k < 6; k++) {
    int *const *some = k & 1 ? all[k / 2] : (int *const *)0;
    y[k] = at((int *const *const *)all, k / 2, k & 1) + (some ? 100 : 0);
  }
}`,
    given: () => {
      const a = ints(4, (k) => k + 7);
      const rows = words([a, 3], [a, 1], 0, [a, 2]);
      return { a, rows, all: words([rows, 2], 0, [rows, 0]), y: ints(6, () => 0) };
    },
  },
  {
    name: "pointers are numbers, and bits of unions",
    source: `union word { int *p; unsigned long bits; };
void work(int *a, int **rows, int *y) {
#pragma acc serial copy(rows[0:4], y[0:4], a[0:8])
  for (int i = 0; i < 4; i++) {
    unsigned long tagged = (unsigned long)rows[i] | (i & 3);
    int *p = (int *)(tagged & ~3ul);
    union word w; w.p = rows[3 - i]; w.bits += sizeof *p;
    y[i] = *p * 10 + (int)(tagged & 3) + *w.p; *p = i;
  }
}`,
    given: () => {
      const a = ints(8, (k) => 3 * k + 1);
      return { a, rows: rows(a, 0, 4, 2, 6), y: ints(4, () => 0) };
    },
  },
];

const ports: readonly { readonly ports: Ports; readonly port: PortOptions; readonly stalls: number }[] = [
  { ports: "separate", port: {}, stalls: 0 },
  { ports: "separate", port: {}, stalls: 4 },
  { ports: "one", port: { width: 64, burst: 4 }, stalls: 3 },
];

describe("kernels that follow pointers in memory give the serial result", () => {
  const want = serialArrays(programs.map(({ source, given }) => ({ source, given: given() })));
  it.each(programs.map(({ name }, k) => [name, k] as const))("%s", (_, k) => {
    const { source, given } = programs[k] as Program;
    for (const { ports: how, port, stalls } of ports) {
      const made = designed(source, {}, how, 80, port);
      expect(lint(made.design.text)).toBe("");
      expect(made.design.plans.map(({ region }) => region.addressBits)).toEqual([64]);
      const { arrays } = simulate(made, given(), { ...ideal, stalls });
      expect(arrays).toEqual(want[k]);
    }
  });
});
