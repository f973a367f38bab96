/** Builds nodes of the IR, and says for each kind of node which statements, expressions and variables it has. */

import type { Expr, ExtNode, ExtShape, Stmt, Symbol } from "../../lang/tree/ast.ts";
import type {
  Atomic,
  Cache,
  Critical,
  DataItem,
  DataMove,
  DataRegion,
  Declare,
  DeviceControl,
  DeviceObject,
  DeviceSection,
  ExplicitTask,
  HostData,
  IrNode,
  Iteration,
  Loop,
  LoopHeader,
  LoopHints,
  LoopParallel,
  Reduction,
  SectionDim,
  Shuffle,
  Spmd,
  Sync,
  Task,
  TaskAccess,
  TaskGroup,
  TaskWait,
  Threads,
  WaitList,
} from "./ir.ts";

/** Some of a node's expressions. `set` takes as many as `get` returned, in order. */
interface ExprSlot<N> {
  get(node: N): readonly Expr[];
  set(node: N, exprs: readonly Expr[]): N;
}

const isExpr = (value: unknown): value is Expr => typeof value === "object" && value !== null;

/** Fields that hold an expression, a keyword in its place, or nothing. */
function fields<N>(...names: (keyof N)[]): ExprSlot<N> {
  return {
    get: (node) => names.map((name): unknown => node[name]).filter(isExpr),
    set(node, exprs) {
      const queue = [...exprs];
      const changed: Partial<N> = {};
      for (const name of names) if (isExpr(node[name])) changed[name] = queue.shift() as N[keyof N];
      return { ...node, ...changed };
    },
  };
}

/** A field that may hold a list of things with expressions of their own. */
function each<N, T>(name: keyof N, part: ExprSlot<T>): ExprSlot<N> {
  const items = (node: N) => (node[name] ?? []) as readonly T[];
  return {
    get: (node) => items(node).flatMap((it) => part.get(it)),
    set(node, exprs) {
      if (node[name] === undefined) return node;
      const queue = [...exprs];
      return { ...node, [name]: items(node).map((it) => part.set(it, queue.splice(0, part.get(it).length))) };
    },
  };
}

/** An optional or single sub-record with expressions of its own. */
function within<N, T>(name: keyof N, part: ExprSlot<T>): ExprSlot<N> {
  const inner = (node: N) => node[name] as T | undefined;
  return {
    get: (node) => (inner(node) ? part.get(inner(node) as T) : []),
    set: (node, exprs) => (inner(node) ? { ...node, [name]: part.set(inner(node) as T, exprs) } : node),
  };
}

/** A field that is itself a list of expressions, keywords kept. */
function exprs<N>(name: keyof N): ExprSlot<N> {
  const items = (node: N) => (node[name] ?? []) as readonly unknown[];
  return {
    get: (node) => items(node).filter(isExpr),
    set(node, replaced) {
      if (node[name] === undefined) return node;
      const queue = [...replaced];
      return { ...node, [name]: items(node).map((it) => (isExpr(it) ? queue.shift() : it)) };
    },
  };
}

function all<N>(...slots: ExprSlot<N>[]): ExprSlot<N> {
  return {
    get: (node) => slots.flatMap((slot) => slot.get(node)),
    set(node, replaced) {
      const queue = [...replaced];
      return slots.reduce((n, slot) => slot.set(n, queue.splice(0, slot.get(n).length)), node);
    },
  };
}

const item = all<DataItem>(
  fields("object"),
  each("each", fields<Iteration>("first", "end", "step")),
  each("section", fields<SectionDim>("start", "length", "stride")),
);
const parallel = all<LoopParallel>(fields("gangs", "workers", "lanes"), exprs("tile"));
const header = fields<LoopHeader>("lower", "bound", "step");

/** A node with the variables that some of its fields name mapped by a function. */
type Rename<N> = (node: N, to: (sym: Symbol) => Symbol) => N;

function shape<N extends ExtNode>(slot: ExprSlot<N>, withSymbols?: Rename<N>): ExtShape<N> {
  const body = (node: N) => ("body" in node ? (node.body as Stmt | undefined) : undefined);
  return {
    parts: (node) => ({ stmts: body(node) ? [body(node) as Stmt] : [], exprs: slot.get(node) }),
    withParts: (node, stmts, replaced) => slot.set(body(node) ? { ...node, body: stmts[0] } : node, replaced),
    ...(withSymbols && { withSymbols }),
  };
}

const itemNames = <N extends { readonly items: readonly DataItem[] }>(): Rename<N> => {
  return (node, to) => ({ ...node, items: node.items.map((i) => ({ ...i, sym: to(i.sym) })) });
};

const reductionNames = (reductions: readonly Reduction[], to: (sym: Symbol) => Symbol) =>
  reductions.map((r) => ({ ...r, sym: to(r.sym) }));

const spmdNames: Rename<Spmd> = (node, to) => {
  const steps = node.hints?.steps;
  return {
    ...node,
    privates: node.privates.map(to),
    firstprivates: node.firstprivates.map(to),
    reductions: reductionNames(node.reductions, to),
    ...(steps && {
      hints: { ...node.hints, steps: { ...steps, input: to(steps.input), output: to(steps.output) } },
    }),
  };
};

const loopNames: Rename<Loop> = (node, to) => ({
  ...node,
  headers: node.headers.map((h) => ({ ...h, var: to(h.var) })),
  privates: node.privates.map(to),
  reductions: reductionNames(node.reductions, to),
  ...(node.hints && { hints: hintNames(node.hints, to) }),
});

function hintNames(hints: LoopHints, to: (sym: Symbol) => Symbol): LoopHints {
  const { windows, apart } = hints;
  return {
    ...hints,
    ...(windows && {
      windows: windows.map((w) => ({ ...w, input: to(w.input), outputs: w.outputs.map(to) })),
    }),
    ...(apart && { apart: apart.map((a) => ({ ...a, array: to(a.array) })) }),
  };
}

const taskAccesses = <N extends ExtNode>() =>
  each<N, TaskAccess>(
    "accesses" as keyof N,
    all<TaskAccess>(fields("object"), each("section", fields<SectionDim>("start", "length"))),
  );

const taskNames: Rename<ExplicitTask> = (node, to) => ({
  ...node,
  privates: node.privates.map(to),
  firstprivates: node.firstprivates.map(to),
  shareds: node.shareds.map(to),
  reductions: reductionNames(node.reductions, to),
});

const items = <N extends { readonly items: readonly DataItem[] }>() => each<N, DataItem>("items", item);
const waiting = <N extends { readonly wait?: WaitList }>() => within<N, WaitList>("wait", exprs("queues"));

const shapes = {
  task: shape(all<Task>(fields("async", "device", "condition", "self"), waiting(), items()), itemNames()),
  spmd: shape(fields<Spmd>("numTeams", "numUnits", "numLanes"), spmdNames),
  loop: shape(all<Loop>(each("headers", header), within("parallel", parallel)), loopNames),
  threads: shape(fields<Threads>("size")),
  data: shape(
    all<DataRegion>(fields("async", "device", "condition", "self"), waiting(), items()),
    itemNames(),
  ),
  "data-move": shape(all<DataMove>(fields("async", "device", "condition"), waiting(), items()), itemNames()),
  declare: shape(items<Declare>(), itemNames()),
  "host-data": shape(
    all<HostData>(
      fields("device", "condition"),
      each("objects", fields<DeviceObject>("object")),
      each("sections", fields<DeviceSection>("first")),
    ),
    (node, to) => ({
      ...node,
      variables: node.variables.map(to),
      ...(node.sections && { sections: node.sections.map((s) => ({ ...s, variable: to(s.variable) })) }),
    }),
  ),
  sync: shape(all<Sync>(fields("async", "device", "condition"), exprs("queues"))),
  "device-control": shape(fields<DeviceControl>("condition", "deviceNum", "defaultAsync")),
  atomic: shape(fields<Atomic>("target", "value", "expected", "captured")),
  shuffle: shape(fields<Shuffle>("mask", "lane", "assignment")),
  cache: shape(items<Cache>(), itemNames()),
  "explicit-task": shape(
    all<ExplicitTask>(fields("condition", "final", "priority"), taskAccesses()),
    taskNames,
  ),
  "task-wait": shape(taskAccesses<TaskWait>()),
  "task-group": shape(fields<TaskGroup>()),
  critical: shape(fields<Critical>()),
} satisfies { [K in IrNode["kind"]]: ExtShape<Extract<IrNode, { kind: K }>> };

/** The fields from which a node is built: all but its shape, which its kind determines. */
export type Fields<N extends IrNode> = Omit<N, "shape">;

export function node<N extends IrNode>(from: Fields<N>): N {
  return { ...from, shape: shapes[from.kind] } as N;
}
