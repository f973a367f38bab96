/**
 * The unified parallel IR: one set of nodes for OpenACC and OpenMP.
 *
 * The IR is the typed C tree with extension statements for what C cannot say. A compute construct is
 * task > spmd > statements, in which partitioned loops, atomics and barriers appear wherever the
 * user's control flow has them. Readers build it, `normalise` makes every implicit rule explicit,
 * analyses annotate, passes transform, emitters print.
 */
import type { Expr, ExtNode, ExtStmt, Loc, Pragma, Span, Stmt, Symbol } from "../../lang/tree/ast.ts";

export type Visibility = "explicit" | "implicit";

/** How the region sees a variable. */
export const sharings = ["shared", "private", "firstprivate", "lastprivate"] as const;
type Sharing = (typeof sharings)[number];

/**
 * What happens to its storage on the device. `present`, `no-create` and `deviceptr` are assertions and move nothing;
 * `copied` is a copy of the host's for the launch alone, whatever is present; `none` is for values passed with the launch.
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
  "copied",
  "none",
] as const;
export type Mapping = (typeof mappings)[number];

export const accesses = ["read-only", "write-only", "read-write", "none"] as const;
export type Access = (typeof accesses)[number];

/** A variable that takes each value from `first` to `end` exclusively. */
export interface Iteration {
  readonly sym: Symbol;
  readonly first: Expr;
  readonly end: Expr;
  readonly step?: Expr;
}

/** `[start:length:stride]`; absent ends mean "from the first" and "to the declared end". */
export interface SectionDim {
  readonly start?: Expr;
  readonly length?: Expr;
  /** Every how many elements; absent: all. */
  readonly stride?: Expr;
}

export interface DataItem {
  /** The variable at the root: `s` in `s.a[0:n]`. */
  readonly sym: Symbol;
  /** `sym` is a variable of the region only, which stands for the object there. */
  readonly own?: true;
  /** The object the clause names, without its section: `a`, `s.a`, `p->b`. */
  readonly object: Expr;
  readonly section: readonly SectionDim[];
  /** It stands for one item for each value of these variables, the last one fastest: of data regions and movements. */
  readonly each?: readonly Iteration[];
  /** The source text, for messages. */
  readonly written: string;
  /** For messages: why the size of the memory behind a pointer without a section is unknown. */
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
    /** Any part that is present stands for all of it. */
    readonly inPart?: true;
    /** Copy even if the device shares the host's memory. */
    readonly capture?: true;
    /** Each element passes from one region to another, once and in order, so a channel may replace the array. */
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
  /** Queues of other devices, for which the host waits. */
  readonly elsewhere?: readonly { readonly device: Expr; readonly queues: readonly Expr[] }[];
}

/** A directive at its location. */
export interface Site {
  readonly loc: Loc;
  /** Its name in messages: `parallel loop`. */
  readonly what: string;
  readonly pragma?: Pragma;
  /** The C statement it applies to, which the host runs instead. Not traversed. */
  readonly stmt?: Stmt;
}

/** Whether the directive is OpenMP's; other directives with nodes are OpenACC's. */
export const isOpenMp = ({ pragma }: Site): boolean => pragma?.tokens[0]?.text === "omp";

/**
 * A clause in a node's text that arc does not know (`metadirective(...)`): a key, and the tokens in its parentheses. It
 * is preserved and has no effect.
 */
export interface Extension {
  readonly key: string;
  readonly value?: string;
}

export interface Extended extends ExtNode {
  readonly extensions?: readonly Extension[];
}

// ---------------------------------------------------------------- nodes

/** An offloaded piece of work with its data: one compute construct. */
export interface Task extends Extended {
  readonly kind: "task";
  readonly flavour: "offload";
  /** Decides the implicit data attributes of scalars, and whether the body may be split. */
  readonly construct: "parallel" | "kernels" | "serial";
  readonly site: Site;
  /** The name by which host code finds the image's kernel; set by `normalise`. */
  readonly region?: string;
  readonly async?: Async;
  readonly wait?: WaitList;
  /** Clauses of the host task that contains the construct, if the C compiler creates tasks: `depend(in: a) if(0)`. */
  readonly hostTask?: string;
  /** The program's own tasks are waited for before it: arc runs them, and `depend` orders the construct among them. */
  readonly afterTasks?: true;
  /** Where a clause leaves it to the host, one thread of a team of its own runs it: the code asks how many there are. */
  readonly hostAlone?: true;
  /** OpenMP device number: the host's makes the construct run there. Absent: the current device. */
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

/** Teams of lanes that run one program: gangs, workers, vector lanes. */
export interface Spmd extends Extended {
  readonly kind: "spmd";
  readonly numTeams?: Expr;
  readonly numUnits?: Expr;
  readonly numLanes?: Expr;
  /** `serial`: one gang, worker and lane. */
  readonly serial?: true;
  readonly privates: readonly Symbol[];
  readonly firstprivates: readonly Symbol[];
  readonly reductions: readonly Reduction[];
  readonly hints?: SpmdHints;
  readonly body: Stmt;
}

/**
 * Replication that the user requests from an FPGA compiler: lanes in lock-step or copies of the whole kernel. Also the
 * opposite, sharing of operators.
 */
export interface SpmdHints {
  readonly simd?: number;
  readonly computeUnits?: number;
  /** For each operator (`fadd`), how many circuits the operations of a loop share. */
  readonly operators?: Readonly<Record<string, number>>;
  /** Omit the check that a work-item has an iteration, where all provably have one. */
  readonly exact?: true;
  /** Treat subnormal numbers as 0. */
  readonly flush?: true;
  /** The format that replaces float in the region. */
  readonly format?: "f16" | "bf16" | FixedPoint;
  readonly steps?: Steps;
}

/**
 * The region computes `output` from `input` by 1 to `most` time steps. Its body is a block that begins with the
 * declaration of a variable, which the launch sets to the number of steps. The program launches the region for one
 * step; launches that alternate between the two arrays may be merged into one of several steps.
 */
export interface Steps {
  readonly most: number;
  readonly input: Symbol;
  readonly output: Symbol;
}

/** Two's complement with `whole` + `fractionBits` bits, in units of 2^-fractionBits. */
export interface FixedPoint {
  /** Including the sign. */
  readonly whole: number;
  readonly fractionBits: number;
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

/** How the iterations of a loop nest are distributed; absent levels are left to the compiler. */
export interface LoopParallel {
  readonly levels: readonly Level[];
  /** The user named no levels, or left them open, so a device may choose others. In order: the user did not ask for the order. */
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

/** The distance between iterations that access the same element of an array, at least one writing it. */
export interface Apart {
  readonly array: Symbol;
  /** A lower bound; absent: there are no such iterations. */
  readonly distance?: number;
  /** No iteration loads what an earlier one stored: shared elements are loaded before they are stored. */
  readonly loadsFirst?: true;
}

/** Requests by the user for one loop other than its distribution, and results of passes. */
export interface LoopHints {
  /** Copies of the body; 0: full unrolling. */
  readonly unroll?: number;
  /** One per array, none of them empty. */
  readonly windows?: readonly WindowRequest[];
  /** Scans (`inscan`) are its only dependence between iterations, so that partial results may be combined. */
  readonly scan?: true;
  /** Proven facts about arrays that the body writes. */
  readonly apart?: readonly Apart[];
}

/** A nest of `headers.length` collapsed loops; `parallel` says how it runs. */
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
 * Code that all items of a group run together, each with private variables. Barriers may appear wherever all items
 * pass. Loops over vector lanes are divided among the items.
 */
export interface Threads extends Extended {
  readonly kind: "threads";
  /** The number of items, a constant. Absent: whatever suits the device. */
  readonly size?: Expr;
  /** The launch gives their number: the region's `numLanes`, which the program computes. */
  readonly atLaunch?: true;
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
  /** The region stands for a `kernels` construct that was split; its condition and `self` apply to all parts. */
  readonly kernels?: true;
  readonly self?: Expr | "always";
}

/** enter data, exit data, update. */
export interface DataMove extends Extended {
  readonly kind: "data-move";
  readonly what: "enter" | "exit" | "update";
  readonly site: Site;
  readonly hostTask?: string;
  readonly afterTasks?: true;
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

/** A variable of which a section is on the device that begins behind the variable's first element. */
export interface DeviceSection {
  readonly variable: Symbol;
  readonly first: Expr;
}

/** host_data: inside the body the variables hold device addresses. */
export interface DeviceObject {
  readonly object: Expr;
  readonly pointer: Symbol;
  /** The object's own value is an address: an array or a pointer. */
  readonly leads: boolean;
}

export interface HostData extends Extended {
  readonly kind: "host-data";
  readonly site: Site;
  readonly variables: readonly Symbol[];
  readonly sections?: readonly DeviceSection[];
  /** Scalars, structures and members: in the body they stand for a pointer that belongs to it, or for its target. */
  readonly objects?: readonly DeviceObject[];
  readonly device?: Expr;
  readonly condition?: Expr;
  readonly ifPresent: boolean;
  readonly body: Stmt;
}

export interface Sync extends Extended {
  readonly kind: "sync";
  /** wait: for queues; barrier: for the units of a team; flush: makes memory consistent between threads. */
  readonly name: "wait" | "barrier" | "flush";
  readonly site: Site;
  readonly condition?: Expr;
  /** The device whose queues are meant. Absent: the current device. */
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
  /** A step of an array reduction; `max`, `min`, `&&` and `||` always are one. */
  readonly reduction?: true;
  readonly value?: Expr;
  /** "==": the value the target must have to become `value`. */
  readonly expected?: Expr;
  readonly captured?: Expr;
  readonly captureNew?: boolean;
  readonly site: Site;
}

/** sync: the thread with this number in the warp; up, down: at a distance before or after; xor: with these bits flipped. */
export const shuffleWays = ["sync", "up", "down", "xor"] as const;
export type ShuffleWay = (typeof shuffleWays)[number];

/**
 * All threads of a team must reach it. Each thread whose bit in `mask` is set runs an assignment with another thread's
 * value of a private variable. Threads exchange values in warps of 32, by thread number. A thread gets its own value
 * if the other one is not in its warp, not in the team or not in `mask`.
 */
export interface Shuffle extends Extended {
  readonly kind: "shuffle";
  readonly way: ShuffleWay;
  readonly mask: Expr;
  /** The number of the other thread in the warp, or its distance. */
  readonly lane: Expr;
  /** `x += v`, where `v` is the other thread's. */
  readonly assignment: Expr;
  readonly site: Site;
}

/** cache(list): the sections should be kept in fast memory while the enclosing loop's body runs. */
export interface Cache extends Extended {
  readonly kind: "cache";
  readonly site: Site;
  readonly items: readonly DataItem[];
}

/**
 * How a task uses memory. Tasks that use the same memory as `concurrent` or `commutative` are not ordered among each
 * other.
 */
export const taskModes = ["in", "out", "inout", "concurrent", "commutative"] as const;
export type TaskMode = (typeof taskModes)[number];

/** Memory that a task uses: it waits for earlier tasks whose access to it conflicts. */
export interface TaskAccess {
  readonly mode: TaskMode;
  /** Only tasks created by the task use it. */
  readonly weak?: true;
  /** A dependence or a copy only; without this the access is both. */
  readonly only?: "order" | "copy";
  /** An array, or a pointer to the first element; `[n]x` is a cast of `x`. */
  readonly object: Expr;
  readonly section: readonly SectionDim[];
  /** The source text, for messages. */
  readonly written: string;
  readonly loc: Loc;
}

/** The clauses of a task, on a statement or a function. Expressions are evaluated where the task is created. */
export interface TaskTraits {
  readonly accesses: readonly TaskAccess[];
  /** If it does not hold, the program continues only after the task has run. */
  readonly condition?: Expr;
  /** Tasks created by this one run immediately. */
  readonly final?: Expr;
  readonly priority?: Expr;
  readonly label?: string;
}

/** Work on the host that is deferred until its data is ready. */
export interface ExplicitTask extends Extended, TaskTraits {
  readonly kind: "explicit-task";
  readonly site: Site;
  /** Variables of the enclosing function that the body uses: each is in one of these lists. */
  readonly privates: readonly Symbol[];
  /** Captured by value where the task is created. */
  readonly firstprivates: readonly Symbol[];
  readonly shareds: readonly Symbol[];
  readonly reductions: readonly Reduction[];
  readonly body: Stmt;
}

/** Waits for all tasks that the current one created, or for those that use some memory. */
export interface TaskWait extends Extended {
  readonly kind: "task-wait";
  readonly site: Site;
  /** None: all tasks. */
  readonly accesses: readonly TaskAccess[];
  /** Data written by devices may stay there. */
  readonly noflush?: true;
}

/** Its end waits for all tasks created inside and their descendants. */
export interface TaskGroup extends Extended {
  readonly kind: "task-group";
  readonly site: Site;
  /** Generated by arc: a loop whose iterations are tasks. */
  readonly made?: true;
  /** Its end does not wait. */
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
  | Shuffle
  | Cache
  | ExplicitTask
  | TaskWait
  | TaskGroup
  | Critical;

export function extStmt<N extends IrNode>(ext: N, span: Span): ExtStmt & { readonly ext: N } {
  return { kind: "ext", ext, span };
}

/** The IR node of a statement, if it is of the given kind. */
export function asNode<K extends IrNode["kind"]>(
  stmt: Stmt,
  kind: K,
): Extract<IrNode, { kind: K }> | undefined {
  return stmt.kind === "ext" && stmt.ext.kind === kind
    ? (stmt.ext as Extract<IrNode, { kind: K }>)
    : undefined;
}
