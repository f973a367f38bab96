/** Initialisers of local arrays, structs and texts, in every form that C has. */
import { describe, expect, it } from "vitest";
import type { HardwarePlan } from "../../../../core/hw/binding/process.ts";
import { predictCycles } from "../../../../core/hw/schedule/predict.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, ideal, loadsAt, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number): Given => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

const elements = Array.from({ length: 64 }, (_, k) => `{${k}, {${k * 3}, -${k}}}`).join(", ");

interface Program {
  readonly name: string;
  readonly types?: string;
  /** Before the loop over i, and what y[i] gets. */
  readonly tables: string;
  readonly value: string;
  /** Arrays in block RAM. */
  readonly memories: number;
}

const programs: readonly Program[] = [
  {
    name: "structs in arrays, arrays in structs, with designators and without braces",
    types: `struct point { short x, y; };
struct rule { int weight; struct point at[2]; char name[4]; };`,
    tables: `const struct rule rules[3] = {{1, {{2, 3}, {4, 5}}, "ab"},
      {.at[1].y = -7, .weight = 9, .name = {'x', [2] = 'z'}}, [2].at = {[1] = {6}, [0].y = 8}};
    const struct point path[] = {1, 2, 3, 4, [5] = {9}, {10, -11}};
    int grid[2][3] = {1, 2, 3, {4, 5}}, steps[12] = {[2 ... 5] = 7, 8, [0] = 1};`,
    value: `rules[i % 3].weight + rules[i % 3].at[i & 1].x * 10 + rules[i % 3].at[1].y * 100 +
      rules[i % 3].name[x[i] & 3] + path[i % 7].x + path[6].y + grid[i & 1][i % 3] + steps[i % 12]`,
    memories: 0,
  },
  {
    name: "structs of structs, some of which are values",
    types: "struct p { int a, b; };\nstruct q { struct p one, two; int c; };",
    tables: `struct p p = {n, 2};
    struct q q = {p, {3, .a = n}, 5}, r[2] = {[1] = {.two = {7, 8}, .one.b = n}, [0] = q};
    struct p pair[2] = {p, {n}};`,
    value: `q.one.a + q.two.a * 10 + q.two.b + q.c + r[i & 1].two.b * 3 + r[1].one.b + r[0].one.a +
      pair[0].a + pair[i & 1].a`,
    memories: 0,
  },
  {
    name: "a table of structs, which is there when the part is configured",
    types: "struct e { unsigned char key; short value[2]; };",
    tables: `const struct e table[128] = {${elements}, [100] = {1, {2}}, [120].value[1] = 5};`,
    value: "table[x[i] & 127].key + table[(x[i] + i) & 127].value[i & 1] + table[100].value[0]",
    // An element at a constant index is a constant.
    memories: 2,
  },
  {
    name: "members without a name, ranges that are changed again, and the last member of a union",
    types: `struct word { short kind; union { short whole; signed char half[2]; }; };
union either { int b; short a; };
struct pair { int a, b; };`,
    tables: `struct word w[2] = {{1, {.half = {2, -3}}}, {.whole = 9, .kind = n}}, v = {4, 5};
    union either first = {.a = 7, .b = 5}, last = {.b = 70000, .a = n};
    struct pair r[4] = {[0 ... 3] = {1, n}, [2] = {3, 9}};`,
    value: `w[i & 1].kind + w[0].half[i & 1] * 10 + w[1].whole * 100 + v.whole + v.kind + first.b + last.a +
      r[i & 3].b * 7 + r[2].a`,
    memories: 0,
  },
  {
    name: "texts, in arrays and by themselves",
    types: "static int length(const char *s) { int n = 0; while (*s++) n++; return n; }",
    tables: `char text[] = "hello", four[4] = "wide", padded[8] = {"a" "b"};
    const char *names[3] = {"x", "longer"};`,
    value: `text[i % 6] + four[i & 3] + padded[i & 7] + "ACGT"[x[i] & 3] + length(names[i & 1]) * 1000 +
      length(x[i] & 1 ? "odd" : "even") + (names[2] ? 1 : 2)`,
    memories: 0,
  },
];

describe("initialisers", () => {
  const given = { n: 16, x: ints(16, (k) => (k * 7919) % 97), y: ints(16, () => 0) };
  const cases = programs.map(({ types = "", tables, value }) => ({
    source: `${types}
void work(int n, const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:n]) copyout(y[0:n])
  {
    ${tables}
    for (int i = 0; i < n; i++)
      y[i] = ${value};
  }
}`,
    given,
  }));
  const serial = serialArrays(cases);
  it.each(programs.map((p, k) => [p.name, p, k] as const))(
    "give the serial result, in the cycles that the schedule predicts: %s",
    (_, { memories }, k) => {
      const made = designed((cases[k] as (typeof cases)[number]).source);
      expect(lint(made.design.text)).toBe("");
      const run = simulate(made, given, ideal);
      expect(serial[k]).toMatchObject(run.arrays);
      const runs = run.runs.map((r) => ({ ...r, loads: loadsAt(r, made.design.kernel.reads) }));
      expect(predictCycles(made.design.plans[0] as HardwarePlan, runs, ideal)).toBe(run.cycles);
      expect(serial[k]).toMatchObject(simulate(made, given, { latency: 3, stalls: 6, seed: 2 }).arrays);
      expect(made.design.text.match(/^ {2}reg \[.*\] \w+_ram\d \[/gm) ?? []).toHaveLength(memories);
    },
  );
});
