/** Each invariant of a region catches a region that was broken on purpose, and a pass that breaks it is named. */
import { describe, expect, it } from "vitest";
import { BrokenRegion, runPass } from "../../../core/compiler/passes/pipeline.ts";
import type { Pass } from "../../../core/compiler/passes/rewrite/pass.ts";
import { loopsIn, mapLoops, withBody, withSpmd } from "../../../core/compiler/passes/rewrite/region.ts";
import { type Accumulate, type Accumulator, type DelayLine, idiom } from "../../../core/ir/model/idioms.ts";
import {
  asNode,
  type Cache,
  type DataMove,
  extStmt,
  type Loop,
  type LoopHeader,
  type Spmd,
  type Task,
} from "../../../core/ir/model/ir.ts";
import { node } from "../../../core/ir/model/node-shapes.ts";
import { spmdOf } from "../../../core/ir/model/region.ts";
import { normalise, tasksOf } from "../../../core/ir/normalise/normalise.ts";
import { verifyRegion } from "../../../core/ir/verify/region.ts";
import {
  arrayOf,
  DOUBLE,
  type Expr,
  INT,
  NOWHERE,
  type Stmt,
  type Symbol,
} from "../../../core/lang/index.ts";
import {
  assign,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  index,
  intLit,
} from "../../../core/lang/tree/build.ts";
import { stratixV } from "../compiler/passes/harness.ts";
import { accepted } from "./reading.ts";

const source = (construct: string) => `
int count(void);
void f(int n, double *x, double *y, double s) {
#pragma acc ${construct} copy(x[0:n], y[0:n]) reduction(+: s)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 4; j++) x[i] += j;
    double t = y[i];
    s += t * x[i];
  }
}`;

function region(construct = "parallel loop"): Task {
  const [first] = tasksOf(normalise(accepted(source(construct))));
  if (!first) throw new Error("no region");
  return first.task;
}

const codes = (task: Task, before?: Task) => [...new Set(verifyRegion(task, before).map((d) => d.code))];

// ---------------------------------------------------------------- ways to break a region

const sym = (task: Task, name: string): Symbol => {
  const found = task.items.find((i) => i.sym.name === name)?.sym;
  if (!found) throw new Error(`no item ${name}`);
  return found;
};
const inLoop = (task: Task, change: (loop: Loop) => Loop): Task =>
  withBody(
    task,
    mapLoops(spmdOf(task).body, (loop, at) => extStmt(change(loop), at.span)),
  );
const inHeader = (task: Task, change: (h: LoopHeader) => Partial<LoopHeader>): Task =>
  inLoop(task, (loop) => ({ ...loop, headers: loop.headers.map((h) => ({ ...h, ...change(h) })) }));
const append = (task: Task, ...stmts: readonly Stmt[]): Task =>
  inLoop(task, (loop) => ({ ...loop, body: compound([loop.body, ...stmts]) }));
const loopIn = (task: Task): Loop => loopsIn(spmdOf(task).body)[0] as Loop;
const variable = (task: Task): Symbol => (loopIn(task).headers[0] as LoopHeader).var;
const set = (to: Symbol, value: Expr): Stmt => exprStmt(assign(ident(to), value));
const outer: Stmt = { kind: "goto", label: "out", span: NOWHERE };
const site = { loc: NOWHERE.start, what: "node" };

describe("a region that passes leave", () => {
  it("is accepted as normalised and if unchanged", () => {
    for (const construct of ["parallel loop", "serial loop"]) {
      const task = region(construct);
      expect(verifyRegion(task, task)).toEqual([]);
    }
  });

  const cases: readonly (readonly [code: string, what: string, mutate: (task: Task) => Task])[] = [
    ["region-shape", "has an spmd node", (t) => ({ ...t, body: spmdOf(t).body })],
    ["region-shape", "has one only", (t) => withBody(t, t.body)],
    ["region-name", "has a name", ({ region: _, ...t }) => t],
    ["region-name", "keeps its name", (t) => ({ ...t, region: "g_01234567" })],
    ["region-arguments", "keeps its items", (t) => ({ ...t, items: [...t.items].reverse() })],
    [
      "region-arguments",
      "keeps how they travel",
      (t) => ({
        ...t,
        items: t.items.map((i) =>
          i.sym.name === "n" ? { ...i, sharing: { is: "shared", vis: "implicit" } } : i,
        ),
      }),
    ],
    // nesting
    [
      "nested-region",
      "holds no other",
      (t) => append(t, extStmt({ ...t, body: compound([], NOWHERE) }, NOWHERE)),
    ],
    [
      "host-directive-in-region",
      "does nothing of the host's",
      (t) =>
        append(t, extStmt(node<DataMove>({ kind: "data-move", what: "update", site, items: [] }), NOWHERE)),
    ],
    [
      "cache-outside-loop",
      "caches inside loops",
      (t) =>
        withBody(
          t,
          compound([extStmt(node<Cache>({ kind: "cache", site, items: [] }), NOWHERE), spmdOf(t).body]),
        ),
    ],
    [
      "level-nesting",
      "nests levels downwards",
      (t) =>
        append(
          t,
          extStmt(
            {
              ...loopIn(t),
              headers: [{ ...(loopIn(t).headers[0] as LoopHeader), var: freshSymbol("q", INT) }],
              reductions: [],
              body: compound([], NOWHERE),
            },
            NOWHERE,
          ),
        ),
    ],
    // control
    ["branch-out-of-region", "is left at its end", (t) => withBody(t, compound([outer, spmdOf(t).body]))],
    [
      "branch-out-of-loop",
      "has independent loops that run to their end",
      (t) => append(t, { kind: "break", span: NOWHERE }),
    ],
    [
      "branch-into-region",
      "has loops that are entered at their start",
      (t) =>
        withBody(
          append(t, { kind: "label", name: "out", body: { kind: "expr", span: NOWHERE }, span: NOWHERE }),
          compound([
            outer,
            spmdOf(append(t, { kind: "label", name: "out", body: compound([], NOWHERE), span: NOWHERE }))
              .body,
          ]),
        ),
    ],
    // variables of constructs
    [
      "conflicting-sharing",
      "shares a variable in one way",
      (t) => inLoop(t, (l) => ({ ...l, privates: [sym(t, "s")] })),
    ],
    [
      "duplicate-variable",
      "names a variable once",
      (t) => inLoop(t, (l) => ({ ...l, reductions: [...l.reductions, ...l.reductions] })),
    ],
    [
      "reduction-of-loop-variable",
      "does not reduce what its loops count with",
      (t) => inLoop(t, (l) => ({ ...l, reductions: [{ op: "+", sym: variable(t), loc: site.loc }] })),
    ],
    [
      "pointer-needed",
      "asserts addresses of pointers",
      (t) => ({
        ...t,
        items: t.items.map((i) =>
          i.sym.name === "s" ? { ...i, mapping: { is: "deviceptr", vis: "explicit" } } : i,
        ),
      }),
    ],
    // loops
    ["zero-step", "steps its loops", (t) => inHeader(t, () => ({ step: intLit(0) }))],
    ["step-direction", "steps them towards their bounds", (t) => inHeader(t, () => ({ step: intLit(-1) }))],
    [
      "non-rectangular-collapse",
      "has nests of known trip counts",
      (t) =>
        inLoop(t, (l) => ({
          ...l,
          headers: [
            ...l.headers,
            { ...(l.headers[0] as LoopHeader), var: freshSymbol("q", INT), bound: ident(variable(t)) },
          ],
        })),
    ],
    ["loop-variable-assigned", "lets loops alone count", (t) => append(t, set(variable(t), intLit(1)))],
    ["loop-bound-changed", "keeps bounds while loops run", (t) => append(t, set(sym(t, "n"), intLit(1)))],
    // scopes
    [
      "variable-without-item",
      "has an item for what it uses",
      (t) => append(t, set(freshSymbol("lost", INT), intLit(1))),
    ],
    [
      "variable-without-item",
      "uses variables where they are declared",
      (t) => {
        const local = freshSymbol("local", INT);
        return append(t, compound([declare(local, intLit(1))]), set(local, intLit(2)));
      },
    ],
    [
      "hidden-variable",
      "has names that find their variables",
      (t) => append(t, compound([declare(freshSymbol("n", INT)), exprStmt(ident(sym(t, "n")))])),
    ],
    [
      "declared-twice",
      "declares a name once in a block",
      (t) => append(t, declare(freshSymbol("u", INT)), declare(freshSymbol("u", INT))),
    ],
  ];

  it.each(cases)("[%s] %s", (code, _, mutate) => {
    const task = region();
    expect(codes(mutate(task), task)).toEqual([code]);
  });
});

describe("idioms of a single work-item", () => {
  const line = freshSymbol("line", arrayOf(DOUBLE, 9));
  const partial = freshSymbol("partial", DOUBLE);
  const delay = (task: Task, change: Partial<DelayLine> = {}) =>
    idiom<DelayLine>(
      {
        kind: "delayline",
        line: ident(line),
        type: DOUBLE,
        length: 9,
        shift: 1,
        taps: [0, 8],
        value: index(ident(sym(task, "x")), intLit(0)),
        ...change,
      },
      { span: NOWHERE },
    );
  const accumulate = (change: Partial<Accumulate> = {}) =>
    idiom<Accumulate>(
      {
        kind: "accumulate",
        register: ident(line),
        depth: 8,
        partial,
        body: set(partial, intLit(1)),
        ...change,
      },
      { span: NOWHERE },
    );
  const accumulator = (task: Task, change: Partial<Accumulator> = {}) =>
    idiom<Accumulator>(
      {
        kind: "accumulator",
        op: "+",
        type: DOUBLE,
        lanes: 1,
        depth: 8,
        register: ident(line),
        init: intLit(0),
        drain: ident(sym(task, "s")),
        body: accumulate(),
        ...change,
      },
      { span: NOWHERE },
    );
  const having = (task: Task, stmt: Stmt): Task => append(task, declare(line), stmt);

  it.each([delay, accumulator])("are allowed in a serial region", (make) => {
    const [serial, parallel] = [region("serial loop"), region()];
    expect(codes(having(serial, make(serial)))).toEqual([]);
    expect(codes(having(parallel, make(parallel)))).toEqual(["idiom-in-parallel"]);
  });

  it.each<readonly [what: string, change: Partial<DelayLine>]>([
    ["moves by some of its places", { shift: 0 }],
    ["has places for all that it takes", { shift: 10, lane: freshSymbol("lane", INT) }],
    ["is read at its places", { taps: [9] }],
    ["is written at its places", { written: [-1] }],
    ["counts its lanes", { shift: 2 }],
    ["counts several lanes", { lane: freshSymbol("lane", INT) }],
    ["is an array of its length", { length: 8, taps: [] }],
    ["is of its elements' type", { type: INT }],
    ["is an array", { line: ident(partial) }],
  ])("a delay line %s", (_, change) => {
    const task = region("serial loop");
    expect(codes(having(task, declare(partial)), task)).toEqual([]);
    expect(codes(append(task, declare(line), declare(partial), delay(task, change)))).toEqual(["delayline"]);
  });

  it("an accumulator has a register of one place more than partial results", () => {
    const task = region("serial loop");
    expect(codes(having(task, accumulator(task, { depth: 9 })))).toEqual(["accumulator"]);
    expect(codes(having(task, accumulator(task, { lanes: 0 })))).toEqual(["accumulator"]);
  });

  it("an accumulation must be inside the accumulator of its register", () => {
    const task = region("serial loop");
    expect(codes(having(task, accumulate()))).toEqual(["accumulate"]);
  });

  it("a channel must have a name", () => {
    const task = region("serial loop");
    const value = ident(sym(task, "s"));
    const write = (channel: string) =>
      idiom({ kind: "channel-write", channel, value } as never, { span: NOWHERE });
    expect(codes(append(task, write("c")))).toEqual([]);
    expect(codes(append(task, write("")))).toEqual(["channel-write"]);
  });
});

describe("a pass that breaks a region", () => {
  const faulty = (change: (task: Task) => Task): Pass => ({
    name: "faulty",
    description: "",
    axes: [],
    run: ({ task }) => ({ task: change(task), remarks: [] }),
  });
  const input = { task: region(), choice: {}, device: stratixV };

  it("is an internal error that names the pass, the region, the place and the invariant", () => {
    const run = () =>
      runPass(
        faulty((t) => append(t, set(variable(t), intLit(1)))),
        input,
      );
    expect(run).toThrow(BrokenRegion);
    expect(run).toThrow(
      /^pass 'faulty' broke region 'f_[0-9a-f]{8}' \(test\.c:4:13\): .*: the loop's body changes its variable 'i' \[loop-variable-assigned\]$/,
    );
  });

  it("may change anything that is not an invariant", () => {
    const changed = (spmd: Spmd): Spmd => ({ ...spmd, hints: { simd: 4 } });
    const result = runPass(
      faulty((t) => withSpmd(t, changed)),
      input,
    );
    expect("task" in result && asNode(result.task.body, "spmd")?.hints).toEqual({ simd: 4 });
  });
});
