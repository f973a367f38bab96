/**
 * The unified parallel IR: one set of nodes for OpenACC and OpenMP.
 *
 * The IR is the typed C tree with extension statements for what C cannot say. A compute construct is
 * task > spmd > statements, in which partitioned loops, atomics and barriers appear wherever the
 * user's control flow has them. Readers build it, `normalise` makes every implicit rule explicit,
 * analyses annotate, passes transform, emitters print.
 */
import type {
  Expr,
  ExtNode,
  ExtShape,
  ExtStmt,
  Loc,
  Pragma,
  Span,
  Stmt,
  Symbol,
} from "../../lang/tree/ast.ts";

export type Visibility = "explicit" | "implicit";

/** How the region sees a variable. */
export const sharings = ["shared", "private", "firstprivate", "lastprivate"] as const;
export type Sharing = (typeof sharings)[number];

/**
 * What happens to its storage on the device. `present`, `no-create` and `deviceptr` assert instead of
 * moving; `none` is for values that travel with the launch.
 */
export const mappings = [
  "to",
  "from",
  "tofrom",
  "allocate",
  "present",
  "no-create",
  "deviceptr",
  "attach",
  "detach",
  "delete",
  "device-resident",
  "link",
  "update-self",
  "update-device",
  "none",
] as const;
export type Mapping = (typeof mappings)[number];

export const accesses = ["read-only", "write-only", "read-write", "none"] as const;
export type Access = (typeof accesses)[number];

/** `[start:length:stride]`; absent ends mean "from the first" and "to the declared end". */
export interface SectionDim {
  readonly start?: Expr;
  readonly length?: Expr;
  /** Of every so many elements one; absent: of all. */
  readonly stride?: Expr;
}

export interface DataItem {
  /** The variable at the root: `s` in `s.a[0:n]`. */
  readonly sym: Symbol;
  /** `sym` is a variable of the region alone, which stands for the object there. */
  readonly own?: true;
  /** The object the clause names, without its section: `a`, `s.a`, `p->b`. */
  readonly object: Expr;
  readonly section: readonly SectionDim[];
  /** As the user wrote it, for messages. */
  readonly written: string;
  /** Of a pointer without a section, for messages: why it is not known how much it leads to. */
  readonly unsized?: string;
  readonly sharing: { readonly is: Sharing; readonly vis: Visibility };
  readonly mapping: {
    readonly is: Mapping;
    readonly vis: Visibility;
    readonly zero?: true;
    readonly readonly?: true;
    readonly finalize?: true;
    readonly ifPresent?: true;
    readonly alwaysIn?: true;
    readonly alwaysOut?: true;
    /** A copy even where the device shares the host's memory. */
    readonly capture?: true;
    /** Each element passes from one region to another, once and in order: a channel may take the array's place. */
    readonly pipe?: "buffer" | "in" | "out";
  };
  readonly access: Access;
  readonly loc: Loc;
}

export const reductionOps = ["+", "*", "max", "min", "&", "|", "^", "&&", "||"] as const;
export type ReductionOp = (typeof reductionOps)[number];

export interface Reduction {
  readonly op: ReductionOp;
  readonly sym: Symbol;
  readonly loc: Loc;
}

/** An async clause: a queue number, or "default" when it has no argument. */
export type Async = Expr | "default";

export interface WaitList {
  readonly queues: readonly Expr[];
  readonly loc: Loc;
}

/** A directive where it stands. */
export interface Site {
  readonly loc: Loc;
  /** As messages name it: `parallel loop`. */
  readonly what: string;
  readonly pragma?: Pragma;
  /** The statement it applies to, as C: what the host runs instead. Not traversed. */
  readonly stmt?: Stmt;
}

/** Whether the directive is one of OpenMP's; the others that make nodes are OpenACC's. */
export const isOpenMp = ({ pragma }: Site): boolean => pragma?.tokens[0]?.text === "omp";

/**
 * What the text of a node says that arc does not know (`metadirective(...)`): a key, and the tokens in its
 * parentheses. It stays with the node and has no effect.
 */
export interface Extension {
  readonly key: string;
  readonly value?: string;
}

export interface Extended extends ExtNode {
  readonly extensions?: readonly Extension[];
}

// ---------------------------------------------------------------- nodes

/** An offloaded piece of work with its data: what one compute construct asks for. */
export interface Task extends Extended {
  readonly kind: "task";
  readonly flavour: "offload";
  /** Decides the implicit data attributes of scalars, and whether the body may be split. */
  readonly construct: "parallel" | "kernels" | "serial";
  readonly site: Site;
  /** Host code and images find each other by it; set by `normalise`. */
  readonly region?: string;
  readonly async?: Async;
  readonly wait?: WaitList;
  /** Clauses of the host's task that the construct is, where the C compiler makes tasks: `depend(in: a) if(0)`. */
  readonly hostTask?: string;
  /** OpenMP's number of the device: the host's leaves the construct to the host. Absent: the device in use. */
  readonly device?: Expr;
  /** Offload only if this holds. */
  readonly condition?: Expr;
  /** Run on the host if this holds; "always" for `self` without argument. */
  readonly self?: Expr | "always";
  readonly items: readonly DataItem[];
  readonly defaultData?: "none" | "present";
  /** The spmd statement. */
  readonly body: Stmt;
}

/** Teams of units of lanes that run one program: gangs, workers, vector lanes. */
export interface Spmd extends Extended {
  readonly kind: "spmd";
  readonly numTeams?: Expr;
  readonly numUnits?: Expr;
  readonly numLanes?: Expr;
  /** `serial`: one of each. */
  readonly serial?: true;
  readonly privates: readonly Symbol[];
  readonly firstprivates: readonly Symbol[];
  readonly reductions: readonly Reduction[];
  readonly hints?: SpmdHints;
  readonly body: Stmt;
}

/** Replication that the user asks of an FPGA compiler: lanes in lock-step, copies of the whole kernel; or the opposite. */
export interface SpmdHints {
  readonly simd?: number;
  readonly computeUnits?: number;
  /** How many circuits of an operator (`fadd`) the operations of a loop take turns on. */
  readonly operators?: Readonly<Record<string, number>>;
  /** Leave out the check that a work-item has an iteration where all provably have one. */
  readonly exact?: true;
  /** Subnormal numbers are 0. */
  readonly flush?: true;
  /** What the region computes in where the source says float. */
  readonly format?: "f16" | "bf16" | FixedPoint;
  readonly steps?: Steps;
}

/**
 * The region sets `output` to what some steps of time make of `input`, 1 to `most`. Its body is a block that begins by
 * declaring a variable, which the launch sets to their number. The program launches the region for one step; launches
 * that take turns with the two arrays may become one of several.
 */
export interface Steps {
  readonly most: number;
  readonly input: Symbol;
  readonly output: Symbol;
}

/** Two's complement of whole + places bits, which counts 2^-places. */
export interface FixedPoint {
  /** With the sign. */
  readonly whole: number;
  readonly places: number;
}

export type Level = "gang" | "worker" | "vector";

/** One counted loop of a nest, in normal form: `for (var = lower; var REL bound; var += step)`. */
export interface LoopHeader {
  readonly var: Symbol;
  /** The loop declares its variable itself. */
  readonly declares: boolean;
  readonly lower: Expr;
  readonly relation: "<" | "<=" | ">" | ">=" | "!=";
  readonly bound: Expr;
  /** Signed: negative for loops that count down. */
  readonly step: Expr;
  readonly span: Span;
}

/** How the iterations of a loop nest are shared out; absent levels are left to the compiler. */
export interface LoopParallel {
  readonly levels: readonly Level[];
  /** The user left the levels open, or named none: a device may choose others. */
  readonly free?: true;
  /** seq: run in order; auto: only if analysis proves independence. */
  readonly independence: "independent" | "auto" | "seq";
  readonly gangs?: Expr;
  /** gang(dim: n) */
  readonly dimension?: true;
  readonly workers?: Expr;
  readonly lanes?: Expr;
  readonly tile?: readonly (Expr | "*")[];
}

/** `window(input, outputs...)`: keep the neighbourhood of `input` that iterations read in registers. */
export interface WindowRequest {
  readonly input: Symbol;
  readonly outputs: readonly Symbol[];
  readonly loc: Loc;
}

/** Iterations of a loop that touch the same element of an array, one of them writing it, are so many iterations apart. */
export interface Apart {
  readonly array: Symbol;
  /** At least; absent: there are no such iterations. */
  readonly distance?: number;
  /** No iteration loads what an earlier one has stored: what they share is loaded before it is stored. */
  readonly loadsFirst?: true;
}

/** What the user asks of the compiler for one loop beyond sharing it out, and what passes tell it. */
export interface LoopHints {
  /** Copies of the body; 0: as many as there are iterations. */
  readonly unroll?: number;
  /** One for each array, none of them empty. */
  readonly windows?: readonly WindowRequest[];
  /** What was proved of arrays that the body writes. */
  readonly apart?: readonly Apart[];
}

/** A nest of `headers.length` collapsed loops: what runs. `parallel` says how. */
export interface Loop extends Extended {
  readonly kind: "loop";
  readonly headers: readonly LoopHeader[];
  readonly parallel: LoopParallel;
  readonly privates: readonly Symbol[];
  readonly reductions: readonly Reduction[];
  readonly hints?: LoopHints;
  readonly body: Stmt;
  readonly site: Site;
}

/**
 * Code that all items of a group run together, each with variables of its own: barriers may stand anywhere in it where
 * all of them come by, and loops over vector lanes are shared by the items that are there.
 */
export interface Threads extends Extended {
  readonly kind: "threads";
  /** How many items: a constant. Absent: as many as suit the device. */
  readonly size?: Expr;
  readonly body: Stmt;
  readonly site: Site;
}

/** A structured data region. */
export interface DataRegion extends Extended {
  readonly kind: "data";
  readonly site: Site;
  readonly device?: Expr;
  readonly condition?: Expr;
  readonly async?: Async;
  readonly wait?: WaitList;
  readonly items: readonly DataItem[];
  readonly body: Stmt;
  /** The region stands for a `kernels` construct that was split; its condition and `self` choose for all of it. */
  readonly kernels?: true;
  readonly self?: Expr | "always";
}

/** enter data, exit data, update. */
export interface DataMove extends Extended {
  readonly kind: "data-move";
  readonly what: "enter" | "exit" | "update";
  readonly site: Site;
  readonly hostTask?: string;
  readonly device?: Expr;
  readonly condition?: Expr;
  readonly async?: Async;
  readonly wait?: WaitList;
  readonly items: readonly DataItem[];
}

/** A declare directive inside a function or at file scope. */
export interface Declare extends Extended {
  readonly kind: "declare";
  readonly site: Site;
  readonly items: readonly DataItem[];
}

/** host_data: inside the body the variables hold device addresses. */
export interface HostData extends Extended {
  readonly kind: "host-data";
  readonly site: Site;
  readonly variables: readonly Symbol[];
  /** Scalars and structures: the body means by them what a pointer of its own leads to. */
  readonly objects?: readonly { readonly sym: Symbol; readonly pointer: Symbol }[];
  readonly device?: Expr;
  readonly condition?: Expr;
  readonly ifPresent: boolean;
  readonly body: Stmt;
}

export interface Sync extends Extended {
  readonly kind: "sync";
  /** wait: of queues; barrier: of the units of a team; flush: memory is seen by other threads, and theirs by this one. */
  readonly name: "wait" | "barrier" | "flush";
  readonly site: Site;
  readonly condition?: Expr;
  /** Of whose queues it speaks. Absent: of the device in use. */
  readonly device?: Expr;
  readonly async?: Async;
  readonly queues: readonly Expr[];
}

/** init, shutdown, set. */
export interface DeviceControl extends Extended {
  readonly kind: "device-control";
  readonly what: "init" | "shutdown" | "set";
  readonly site: Site;
  readonly condition?: Expr;
  readonly deviceType?: string;
  readonly deviceNum?: Expr;
  readonly defaultAsync?: Expr;
}

/**
 * One atomic access to `target`. update: `target = target op value` (`value op target` when
 * `reversed`); capture stores the old value into `captured`, or the new one if `captureNew`;
 * read stores target into `captured`; write stores `value`.
 */
export interface Atomic extends Extended {
  readonly kind: "atomic";
  readonly what: "read" | "write" | "update" | "capture";
  readonly target: Expr;
  /** "=": capture that replaces the value. */
  readonly op?:
    | "+"
    | "-"
    | "*"
    | "/"
    | "&"
    | "|"
    | "^"
    | "<<"
    | ">>"
    | "="
    | "max"
    | "min"
    | "&&"
    | "||"
    | "==";
  readonly reversed?: boolean;
  /** A step of an array reduction, as `max`, `min`, `&&` and `||` always are. */
  readonly reduction?: true;
  readonly value?: Expr;
  /** "==": what the target must equal to become `value`. */
  readonly expected?: Expr;
  readonly captured?: Expr;
  readonly captureNew?: boolean;
  readonly site: Site;
}

/** cache(list): the sections are worth keeping close while the enclosing loop's body runs. */
export interface Cache extends Extended {
  readonly kind: "cache";
  readonly site: Site;
  readonly items: readonly DataItem[];
}

/** How a task uses memory. Tasks that use the same memory in one of the last two ways have no order among each other. */
export const taskModes = ["in", "out", "inout", "concurrent", "commutative"] as const;
export type TaskMode = (typeof taskModes)[number];

/** Memory that a task uses: it waits for earlier tasks that use some of it in another way. */
export interface TaskAccess {
  readonly mode: TaskMode;
  /** Only tasks that the task creates use it. */
  readonly weak?: true;
  /** Of a dependence and a copy, the one that it is not: it does both without this. */
  readonly only?: "order" | "copy";
  /** An array, or a pointer to the first element; `[n]x` is a cast of `x`. */
  readonly object: Expr;
  readonly section: readonly SectionDim[];
  /** As the user wrote it, for messages. */
  readonly written: string;
  readonly loc: Loc;
}

/** What clauses say of a task, wherever it stands. Expressions are evaluated where it is created. */
export interface TaskTraits {
  readonly accesses: readonly TaskAccess[];
  /** Else the program goes on when the task has run. */
  readonly condition?: Expr;
  /** Tasks that it creates run at once. */
  readonly final?: Expr;
  readonly priority?: Expr;
  readonly label?: string;
}

/** Work of the host that is put off until what it uses is there. */
export interface ExplicitTask extends Extended, TaskTraits {
  readonly kind: "explicit-task";
  readonly site: Site;
  /** Variables of the function around that the body uses: each in one of these lists. */
  readonly privates: readonly Symbol[];
  /** Captured by value where the task is created. */
  readonly firstprivates: readonly Symbol[];
  readonly shareds: readonly Symbol[];
  readonly reductions: readonly Reduction[];
  readonly body: Stmt;
}

/** Until all tasks are complete that the current one created, or those that use some memory. */
export interface TaskWait extends Extended {
  readonly kind: "task-wait";
  readonly site: Site;
  /** None: all tasks. */
  readonly accesses: readonly TaskAccess[];
  /** What devices wrote may stay there. */
  readonly noflush?: true;
}

/** Its end is reached when all tasks are complete that were created inside, and those that they created. */
export interface TaskGroup extends Extended {
  readonly kind: "task-group";
  readonly site: Site;
  /** The body is not what the user wrote: that of a loop whose iterations are tasks. */
  readonly made?: true;
  /** Its end waits for nothing. */
  readonly nogroup?: true;
  readonly body: Stmt;
}

/** Tasks run the body one at a time. */
export interface Critical extends Extended {
  readonly kind: "critical";
  readonly site: Site;
  readonly body: Stmt;
}

export type IrNode =
  | Task
  | Spmd
  | Loop
  | Threads
  | DataRegion
  | DataMove
  | Declare
  | HostData
  | Sync
  | DeviceControl
  | Atomic
  | Cache
  | ExplicitTask
  | TaskWait
  | TaskGroup
  | Critical;

// ---------------------------------------------------------------- traversal

/** Some of a node's expressions. `set` takes back as many as `get` gave, in order. */
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

/** A field that holds a list of things with expressions of their own. */
function each<N, T>(name: keyof N, part: ExprSlot<T>): ExprSlot<N> {
  const items = (node: N) => node[name] as readonly T[];
  return {
    get: (node) => items(node).flatMap((it) => part.get(it)),
    set(node, exprs) {
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
  each("section", fields<SectionDim>("start", "length", "stride")),
);
const wait = within<{ readonly wait?: WaitList }, WaitList>("wait", exprs("queues"));
const parallel = all<LoopParallel>(fields("gangs", "workers", "lanes"), exprs("tile"));
const header = fields<LoopHeader>("lower", "bound", "step");

/** A node with the variables that some of its fields name put through a function. */
type Rename<N> = (node: N, to: (sym: Symbol) => Symbol) => N;

function shape<N extends ExtNode>(slot: ExprSlot<N>, withSymbols?: Rename<N>): ExtShape<N> {
  const body = (node: N) => (node as unknown as { readonly body?: Stmt }).body;
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
const waiting = <N>() => wait as unknown as ExprSlot<N>;

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
  "host-data": shape(fields<HostData>("device", "condition"), (node, to) => ({
    ...node,
    variables: node.variables.map(to),
  })),
  sync: shape(all<Sync>(fields("async", "device", "condition"), exprs("queues"))),
  "device-control": shape(fields<DeviceControl>("condition", "deviceNum", "defaultAsync")),
  atomic: shape(fields<Atomic>("target", "value", "expected", "captured")),
  cache: shape(items<Cache>(), itemNames()),
  "explicit-task": shape(
    all<ExplicitTask>(fields("condition", "final", "priority"), taskAccesses()),
    taskNames,
  ),
  "task-wait": shape(taskAccesses<TaskWait>()),
  "task-group": shape(fields<TaskGroup>()),
  critical: shape(fields<Critical>()),
} satisfies { [K in IrNode["kind"]]: ExtShape<Extract<IrNode, { kind: K }>> };

/** What a node is made from: everything but its shape, which its kind decides. */
export type Fields<N extends IrNode> = Omit<N, "shape">;

export function node<N extends IrNode>(from: Fields<N>): N {
  return { ...from, shape: shapes[from.kind as IrNode["kind"]] } as unknown as N;
}

export function extStmt<N extends IrNode>(ext: N, span: Span): ExtStmt & { readonly ext: N } {
  return { kind: "ext", ext, span };
}

/** The IR node of a statement, if it is one of the given kind. */
export function asNode<K extends IrNode["kind"]>(
  stmt: Stmt,
  kind: K,
): Extract<IrNode, { kind: K }> | undefined {
  return stmt.kind === "ext" && stmt.ext.kind === kind
    ? (stmt.ext as unknown as Extract<IrNode, { kind: K }>)
    : undefined;
}
