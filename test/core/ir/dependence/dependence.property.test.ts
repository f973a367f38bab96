/** Claims of independence, and of dependence, against executing the iterations in other orders. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { liveAfter } from "../../../../core/ir/analysis/liveness.ts";
import { dependence } from "../../../../core/ir/dependence/dependence.ts";
import type { Proof } from "../../../../core/ir/dependence/proof.ts";
import { provedRace } from "../../../../core/ir/dependence/race.ts";
import { asNode, type Loop } from "../../../../core/ir/model/ir.ts";
import { type FunctionDef, type Stmt, walkStmt } from "../../../../core/lang/index.ts";
import { cases } from "../../../cases.ts";
import { functionOf, read } from "../reading.ts";

/** A sum of multiples of the loop variables. */
interface Affine {
  readonly i: number;
  readonly j: number;
  readonly c: number;
  /** Multiples of `n * i` and of `n`, which is known at run time only. */
  readonly ni: number;
  readonly n: number;
}

interface Element {
  readonly array: "A" | "B" | "C" | "scratch";
  readonly at: readonly Affine[];
}

type Value =
  | { readonly is: "element"; readonly of: Element }
  | { readonly is: "number"; readonly value: number }
  | { readonly is: "name"; readonly name: "i" | "j" | "t" }
  | { readonly is: "+" | "-" | "*"; readonly a: Value; readonly b: Value };

type Statement =
  | { readonly is: "store"; readonly to: Element; readonly value: Value }
  | { readonly is: "set"; readonly name: "t"; readonly value: Value }
  | { readonly is: "sum" | "largest"; readonly value: Value }
  | { readonly is: "if"; readonly test: Value; readonly body: readonly Statement[] }
  | {
      readonly is: "loop";
      readonly from: Affine;
      readonly to: Affine;
      readonly step: number;
      readonly body: readonly Statement[];
    };

interface Program {
  readonly from: number;
  readonly count: number;
  readonly step: number;
  readonly body: readonly Statement[];
}

// ---------------------------------------------------------------- as C

const OFFSET = 100;

function affineText({ i, j, c, ni, n }: Affine, offset = OFFSET): string {
  const terms = [i && `${i} * i`, j && `${j} * j`, ni && `${ni} * n * i`, n && `${n} * n`].filter((t) => t);
  return [...terms, `${c + offset}`].join(" + ");
}

const elementText = (e: Element) => `${e.array}${e.at.map((a) => `[${affineText(a)}]`).join("")}`;

function valueText(v: Value): string {
  switch (v.is) {
    case "element":
      return elementText(v.of);
    case "number":
      return `${v.value}`;
    case "name":
      return v.name;
    default:
      return `(${valueText(v.a)} ${v.is} ${valueText(v.b)})`;
  }
}

function statementText(s: Statement): string {
  switch (s.is) {
    case "store":
      return `${elementText(s.to)} = ${valueText(s.value)};`;
    case "set":
      return `${s.name} = ${valueText(s.value)};`;
    case "sum":
      return `sum += ${valueText(s.value)};`;
    case "largest":
      return `if (${valueText(s.value)} > largest) largest = ${valueText(s.value)};`;
    case "if":
      return `if (${valueText(s.test)} > 0) { ${s.body.map(statementText).join(" ")} }`;
    case "loop":
      return `for (int j = ${affineText(s.from, 0)}; j < ${affineText(s.to, 0)}; j += ${s.step}) { ${s.body.map(statementText).join(" ")} }`;
  }
}

const claimOf = (p: Program): Proof =>
  judged(p, (loop, def, s) =>
    dependence(loop, { function: def, liveAfter: (sym) => liveAfter(def.body, s, sym) }),
  );

const raceOf = (p: Program) => judged(p, (loop) => provedRace(loop, new Set()));

function judged<T>(p: Program, judge: (loop: Loop, def: FunctionDef, s: Stmt) => T): T {
  const text = `int A[300], B[300], C[300][300]; int g(int, int);
    void f(int n) { int scratch[300]; int t = 7, sum = 0, largest = -1000;
    #pragma acc parallel loop auto
    for (int i = ${p.from}; i < ${p.from + p.count * p.step}; i += ${p.step}) { ${p.body.map(statementText).join(" ")} }
    g(sum, largest); }`;
  const program = read(text);
  expect(program.diagnostics).toEqual([]);
  const def = functionOf(program);
  const results: T[] = [];
  walkStmt(def.body, {
    stmt: (s) => {
      const loop = asNode(s, "loop");
      if (loop) results.push(judge(loop, def, s));
    },
  });
  return results[0] as T;
}

// ---------------------------------------------------------------- executed

/** The results of a run, and the locations that each iteration touched. */
interface Run {
  readonly memory: ReadonlyMap<string, number>;
  readonly sum: number;
  readonly largest: number;
  readonly touched: ReadonlyMap<string, { readonly readers: Set<number>; readonly writers: Set<number> }>;
  /** An inner loop had nothing to do once. */
  readonly idle: boolean;
}

/** Two iterations reached one place, and at least one wrote it. */
const conflicts = ({ touched }: Run): boolean =>
  [...touched].some(
    ([at, { readers, writers }]) =>
      at !== "t" && writers.size > 0 && new Set([...readers, ...writers]).size > 1,
  );

const initial = (place: string) =>
  [...place].reduce((h, ch) => (Math.imul(h, 31) + ch.charCodeAt(0)) | 0, 7) % 50;

/** `own`: variables private to each iteration, with meaningless initial values. */
function run(p: Program, order: readonly number[], n: number, own: ReadonlySet<string> = new Set()): Run {
  const memory = new Map<string, number>();
  const touched = new Map<string, { readers: Set<number>; writers: Set<number> }>();
  let [sum, largest, t] = [0, -1000, 7];
  let idle = false;
  for (const k of order) {
    const i = p.from + k * p.step;
    if (own.has("t")) t = 1000 + k;
    const affine = (a: Affine, j: number) => (a.i + a.ni * n) * i + a.j * j + a.n * n + a.c;
    const place = (e: Element, j: number) =>
      `${e.array}${own.has(e.array) ? ` of ${k}` : ""} ${e.at.map((a) => affine(a, j)).join(" ")}`;
    const touch = (at: string, how: "readers" | "writers") => {
      const known = touched.get(at) ?? { readers: new Set(), writers: new Set() };
      known[how].add(k);
      touched.set(at, known);
    };
    const value = (v: Value, j: number): number => {
      switch (v.is) {
        case "element": {
          const at = place(v.of, j);
          touch(at, "readers");
          return memory.get(at) ?? initial(at);
        }
        case "number":
          return v.value;
        case "name":
          if (v.name === "t") touch("t", "readers");
          return { i, j, t }[v.name];
        default: {
          const [a, b] = [value(v.a, j), value(v.b, j)];
          return v.is === "+" ? (a + b) | 0 : v.is === "-" ? (a - b) | 0 : Math.imul(a, b);
        }
      }
    };
    const execute = (list: readonly Statement[], j: number): void => {
      for (const s of list) {
        switch (s.is) {
          case "store": {
            const given = value(s.value, j);
            const at = place(s.to, j);
            touch(at, "writers");
            memory.set(at, given);
            break;
          }
          case "set":
            t = value(s.value, j);
            touch("t", "writers");
            break;
          case "sum":
            sum = (sum + value(s.value, j)) | 0;
            break;
          case "largest":
            largest = Math.max(largest, value(s.value, j));
            break;
          case "if":
            if (value(s.test, j) > 0) execute(s.body, j);
            break;
          case "loop": {
            const end = affine(s.to, j);
            idle ||= affine(s.from, j) >= end;
            for (let q = affine(s.from, j); q < end; q += s.step) execute(s.body, q);
          }
        }
      }
    };
    execute(p.body, 0);
  }
  return { memory, sum, largest, touched, idle };
}

// ---------------------------------------------------------------- random programs

const small = fc.integer({ min: -3, max: 3 });
const zero = fc.constant(0);
const affine = (inner: boolean): fc.Arbitrary<Affine> => {
  const j = inner ? fc.oneof(fc.constant(1), small) : zero;
  const seldom = fc.oneof({ weight: 5, arbitrary: zero }, small);
  const one = { weight: 3, arbitrary: fc.constant(1) };
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ i: fc.oneof(one, small), j, c: small, ni: zero, n: seldom }) },
    // In a row of a matrix with n columns.
    fc.record({ i: zero, j: inner ? fc.constant(1) : zero, c: zero, ni: fc.constant(1), n: zero }),
  );
};

const element = (inner: boolean): fc.Arbitrary<Element> =>
  fc.oneof(
    fc.record({
      array: fc.constantFrom("A" as const, "B" as const, "scratch" as const),
      at: fc.tuple(affine(inner)),
    }),
    fc.record({ array: fc.constant("C" as const), at: fc.tuple(affine(inner), affine(inner)) }),
  );

const value = (inner: boolean): fc.Arbitrary<Value> => {
  const leaf: fc.Arbitrary<Value> = fc.oneof(
    { weight: 3, arbitrary: element(inner).map((of) => ({ is: "element" as const, of })) },
    { weight: 1, arbitrary: small.map((v) => ({ is: "number" as const, value: v })) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...(inner ? (["i", "j", "t"] as const) : (["i", "t"] as const)))
        .map((name) => ({ is: "name" as const, name })),
    },
  );
  return fc.oneof(
    leaf,
    fc.record({ is: fc.constantFrom("+" as const, "-" as const, "*" as const), a: leaf, b: leaf }),
  );
};

const statement = (inner: boolean, depth: number): fc.Arbitrary<Statement> => {
  const plain: fc.Arbitrary<Statement>[] = [
    fc.record({ is: fc.constant("store" as const), to: element(inner), value: value(inner) }),
    fc.record({ is: fc.constant("store" as const), to: element(inner), value: value(inner) }),
    fc.record({ is: fc.constant("set" as const), name: fc.constant("t" as const), value: value(inner) }),
    fc.record({ is: fc.constantFrom("sum" as const, "largest" as const), value: value(inner) }),
  ];
  if (depth === 0) return fc.oneof(...plain);
  const list = (nested: boolean) => fc.array(statement(nested, depth - 1), { minLength: 1, maxLength: 2 });
  const branch = fc.record({ is: fc.constant("if" as const), test: value(inner), body: list(inner) });
  if (inner) return fc.oneof(...plain, branch);
  const end = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        i: fc.constantFrom(0, 0, 1),
        j: zero,
        c: fc.integer({ min: 0, max: 4 }),
        ni: zero,
        n: zero,
      }),
    },
    fc.constant({ i: 0, j: 0, c: 0, ni: 0, n: 1 }),
  );
  const start = fc.record({
    i: fc.constantFrom(0, 0, 0, 1),
    j: zero,
    c: fc.constantFrom(0, 0, 0, -1, 1, 2),
    ni: zero,
    n: zero,
  });
  const loop = fc.record({
    is: fc.constant("loop" as const),
    from: start,
    to: end,
    step: fc.constantFrom(1, 1, 2),
    body: list(true),
  });
  return fc.oneof(...plain, branch, loop);
};

const program: fc.Arbitrary<Program> = fc.record({
  from: fc.integer({ min: -2, max: 3 }),
  count: fc.integer({ min: 1, max: 7 }),
  step: fc.constantFrom(1, 1, 1, 2, 3),
  body: fc.array(statement(false, 2), { minLength: 1, maxLength: 3 }),
});

const forward = (n: number) => Array.from({ length: n }, (_, k) => k);

test("a loop claimed independent gives the same in every order", () => {
  let claimed = 0;
  fc.assert(
    fc.property(program, fc.integer({ min: -2, max: 5 }), fc.infiniteStream(fc.nat()), (p, n, numbers) => {
      const claim = claimOf(p);
      if (!claim.independent) return;
      claimed++;
      const order = forward(p.count);
      const shuffled = order
        .map((k) => [numbers.next().value as number, k] as const)
        .sort(([a], [b]) => a - b);
      const expected = run(p, order, n);
      const own = new Set(claim.privates.map((v) => v.name));
      const shared = (r: Run) => new Map([...r.memory].filter(([at]) => !at.startsWith("scratch")).sort());
      for (const other of [[...order].reverse(), shuffled.map(([, k]) => k)]) {
        const seen = run(p, other, n, own);
        expect(shared(seen)).toEqual(shared(expected));
        expect([seen.sum, seen.largest]).toEqual([expected.sum, expected.largest]);
      }
    }),
    cases(2000),
  );
  // A prover that refuses everything would pass too.
  expect(claimed).toBeGreaterThan(300);
});

test("iterations claimed to meet do meet", () => {
  let claimed = 0;
  fc.assert(
    fc.property(program, fc.integer({ min: -2, max: 5 }), (p, n) => {
      if (!raceOf(p)) return;
      const seen = run(p, forward(p.count), n);
      if (seen.idle) return;
      claimed++;
      expect(conflicts(seen)).toBe(true);
    }),
    cases(4000),
  );
  expect(claimed).toBeGreaterThan(20);
});

test("two accesses with the same stride are distinguished exactly", () => {
  const at = fc.record({ i: fc.constantFrom(-2, -1, 1, 2, 3), j: zero, c: zero, ni: zero, n: zero });
  const shift = fc.integer({ min: -9, max: 9 });
  fc.assert(
    fc.property(program, at, shift, shift, fc.boolean(), (p, stride, one, two, write) => {
      const a: Element = { array: "A", at: [{ ...stride, c: one }] };
      const b: Element = { array: write ? "A" : "B", at: [{ ...stride, c: two }] };
      const source: Element = { array: write ? "B" : "A", at: [{ ...stride, c: two }] };
      const both: Program = {
        ...p,
        body: [
          { is: "store", to: a, value: { is: "element", of: source } },
          { is: "store", to: b, value: { is: "number", value: 1 } },
        ],
      };
      const met = conflicts(run(both, forward(both.count), 1));
      expect(claimOf(both).independent).toBe(!met);
      expect(raceOf(both) !== undefined).toBe(met);
    }),
    cases(500),
  );
});
