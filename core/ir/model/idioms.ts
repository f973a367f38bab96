/**
 * Hardware idioms that FPGA passes put into the IR. A pass never writes shift loops: it states the hardware structure.
 * Each emitter prints the pattern that its vendor's compiler recognises, or lowers the idiom to registers and memory.
 */
import type { CType, Expr, ExtShape, ExtStmt, Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { Extended, ReductionOp } from "./ir.ts";

/**
 * One step of a delay line: the `length` elements of the array `line` move down by `shift`, and the top `shift`
 * elements get new values. Element `length - shift + lane` gets `value` if `guard` holds; otherwise its content is
 * never read. The array is an ordinary local variable declared before the loop.
 */
export interface DelayLine extends Extended {
  readonly kind: "delayline";
  readonly line: Expr;
  readonly type: CType;
  readonly length: number;
  readonly shift: number;
  /** Elements that the loop's body reads; "all" if an index is not constant. */
  readonly taps: readonly number[] | "all";
  /** Elements that the body may also write: the written value moves on in the next step. Absent: none. */
  readonly written?: readonly number[];
  /** An int in `value` and `guard` that counts 0 to `shift` - 1; absent if `shift` is 1. */
  readonly lane?: Symbol;
  readonly guard?: Expr;
  readonly value: Expr;
}

/**
 * A loop that accumulates through `depth` partial results, so that an operator of that latency starts every cycle.
 * `register` is a local array of `depth` + 1 elements, declared before. Sets all elements to `init`, runs `body`, then
 * combines the first `depth` elements into `drain`.
 */
export interface Accumulator extends Extended {
  readonly kind: "accumulator";
  readonly op: ReductionOp;
  readonly type: CType;
  /** Iterations that start together. */
  readonly lanes: number;
  readonly depth: number;
  readonly register: Expr;
  readonly init: Expr;
  /** The variable that receives the result. */
  readonly drain: Expr;
  readonly body: Stmt;
}

/** One iteration: during `body`, `partial` holds the oldest partial result; afterwards it becomes the newest. */
export interface Accumulate extends Extended {
  readonly kind: "accumulate";
  readonly register: Expr;
  readonly depth: number;
  /** Declared by this node. */
  readonly partial: Symbol;
  readonly body: Stmt;
}

/** Sends a value to the kernel at the channel's other end; blocks while the channel is full. */
export interface ChannelWrite extends Extended {
  readonly kind: "channel-write";
  readonly channel: string;
  readonly value: Expr;
}

/** Declares `into` with the next value from the channel; blocks while the channel is empty. */
export interface ChannelRead extends Extended {
  readonly kind: "channel-read";
  readonly channel: string;
  readonly into: Symbol;
}

export type Idiom = DelayLine | Accumulator | Accumulate | ChannelWrite | ChannelRead;

/** What an idiom is built from. */
export type IdiomFields<N extends Idiom = Idiom> = N extends Idiom ? Omit<N, "shape"> : never;

const shapes: { readonly [K in Idiom["kind"]]: ExtShape<Extract<Idiom, { kind: K }>> } = {
  delayline: {
    parts: (n) => ({ stmts: [], exprs: [n.line, n.value, ...(n.guard ? [n.guard] : [])] }),
    withParts: (n, _, [line, value, guard]) => ({
      ...n,
      line: line as Expr,
      value: value as Expr,
      ...(guard && { guard }),
    }),
  },
  accumulator: {
    parts: (n) => ({ stmts: [n.body], exprs: [n.register, n.init, n.drain] }),
    withParts: (n, [body], [register, init, drain]) => ({
      ...n,
      register: register as Expr,
      init: init as Expr,
      drain: drain as Expr,
      body: body as Stmt,
    }),
  },
  "channel-write": {
    parts: (n) => ({ stmts: [], exprs: [n.value] }),
    withParts: (n, _, [value]) => ({ ...n, value: value as Expr }),
  },
  "channel-read": { parts: () => ({ stmts: [], exprs: [] }), withParts: (n) => n },
  accumulate: {
    parts: (n) => ({ stmts: [n.body], exprs: [n.register] }),
    withParts: (n, [body], [register]) => ({ ...n, register: register as Expr, body: body as Stmt }),
  },
};

/** The statement of an idiom, with the location of `at`. */
export function idiom<N extends Idiom>(from: IdiomFields<N>, at: { readonly span: Stmt["span"] }): ExtStmt {
  return { kind: "ext", ext: { ...from, shape: shapes[from.kind] }, span: at.span };
}

export function asIdiom<K extends Idiom["kind"]>(s: Stmt, kind: K): Extract<Idiom, { kind: K }> | undefined {
  return s.kind === "ext" && s.ext.kind === kind ? (s.ext as Extract<Idiom, { kind: K }>) : undefined;
}
