/**
 * Typed SSA values of a dataflow graph, and the accesses that a graph consists of besides.
 *
 * An integer of shape {bits, signed} is taken modulo 2^bits; every operation has the meaning that C gives it on
 * operands of that shape.
 */
import type { Loc } from "../../lang/tree/ast.ts";

export interface Shape {
  readonly bits: number;
  readonly signed: boolean;
  /** Set if the bits are a floating-point number. */
  readonly float?: Format;
  /** Fixed point: the integer counts units of 2^-fractionBits. */
  readonly fractionBits?: number;
}

/** A binary floating-point format with the layout of IEEE 754: a sign, the exponent's bits, the fraction's bits. */
export interface Format {
  readonly exponent: number;
  readonly fraction: number;
  /** Circuits treat subnormal operands and results as 0. Not part of any shape. */
  readonly flush?: true;
}

export const BIT: Shape = { bits: 1, signed: false };
export const sameShape = (a: Shape, b: Shape): boolean =>
  a.bits === b.bits &&
  a.signed === b.signed &&
  a.float?.exponent === b.float?.exponent &&
  a.fractionBits === b.fractionBits;

/** Whether both are integers, or numbers of one floating-point format. */
export const sameFormat = ({ float: a }: Shape, { float: b }: Shape): boolean =>
  a?.exponent === b?.exponent && a?.fraction === b?.fraction;

/** A register of the kernel: a scalar of the program, an element of a small array, or a hidden counter. */
export interface Variable {
  readonly name: string;
  readonly shape: Shape;
  /** The launch sets its value. */
  readonly argument?: true;
  /** For an argument: it is an address. */
  readonly pointer?: true;
}

/** What a memory access may touch: parameters of the kernel, or "any" if that is unknown. */
export type Roots = ReadonlySet<object> | "any";

export interface MemoryReference {
  /** Bytes per element. */
  readonly bytes: number;
  readonly roots: Roots;
  /** Name in the source, for messages and signal names. */
  readonly name: string;
  readonly loc: Loc;
}

/** A local array in block RAM: a word is available in the cycle after its address. */
export interface Ram {
  readonly name: string;
  readonly words: number;
  /** Stands for all words: its range covers all of them. */
  readonly cell: Variable;
  /** Initial words, for a table that is never written. */
  readonly contents?: readonly bigint[];
  readonly loc: Loc;
}

/** What integer circuits compute from two operands. */
export type IntegerOp =
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "rem"
  | "and"
  | "or"
  | "xor"
  | "shl"
  | "shr"
  | "eq"
  | "lt"
  | "concat";

export type UnaryOp = "not" | "resize" | "ftof" | "itof" | "ftoi" | UnaryFloatOp | "ftox" | "xtof" | "xsqrt";
export type BinaryOp =
  | IntegerOp
  | "fadd"
  | "fmul"
  | "fdiv"
  | "feq"
  | "flt"
  | "fle"
  | "fscale"
  | "xdiv"
  | BinaryFloatOp;
export type TernaryOp = "mux" | "ffma";

export type Op =
  | "const"
  | "read"
  | "table"
  | "load"
  | "receive"
  | "delay"
  | "fetch"
  | UnaryOp
  | BinaryOp
  | TernaryOp;

/**
 * Operators on floating-point numbers, which are separate circuits. `fle` and `flt` are false for NaNs, `ftoi`
 * truncates, and the second operand of `fscale` is an integer.
 */
export type FloatOp =
  | "fadd"
  | "fmul"
  | "fdiv"
  | "feq"
  | "flt"
  | "fle"
  | "ftof"
  | "itof"
  | "ftoi"
  | BinaryFloatOp
  | "ffma"
  | "fscale"
  | UnaryFloatOp
  | FixedOp;

/**
 * From two numbers of a format to a third. `fhypot` is rounded once, and so is the three-operand `ffma`; `ffmod`,
 * `fremainder` and `fnextafter` are exact.
 */
export type BinaryFloatOp = "fpow" | "fatan2" | "fhypot" | "ffmod" | "fremainder" | "fnextafter";

/**
 * Circuits for fixed-point numbers, which otherwise are integers: conversions from and to floating point, quotients and
 * square roots. `ftox` rounds to nearest, ties to even, as the others do, and saturates.
 */
export type FixedOp = "ftox" | "xtof" | "xdiv" | "xsqrt";

/** From a format to the same format. */
export type UnaryFloatOp = "fsqrt" | "flogb" | WholeNumber | Elementary;

/** `fround` rounds halves away from 0, `frint` to even. */
export type WholeNumber = "ffloor" | "fceil" | "ftrunc" | "fround" | "frint";

/** Accurate to one ulp. */
export type Elementary =
  | "fexp"
  | "fexp2"
  | "fexp10"
  | "fexpm1"
  | "flog"
  | "flog2"
  | "flog10"
  | "flog1p"
  | "fsin"
  | "fcos"
  | "ftan"
  | "ftanh"
  | "ferf"
  | "ferfc"
  | "frsqrt"
  | "fcbrt"
  | "fasin"
  | "facos"
  | "fatan"
  | "fsinh"
  | "fcosh"
  | "fasinh"
  | "facosh"
  | "fatanh"
  | "ftgamma";

/** What all values have, and what some have: the kinds of `Value` say which. */
export interface AnyValue {
  readonly id: number;
  readonly op: Op;
  readonly shape: Shape;
  readonly args: readonly Value[];
  readonly constant?: bigint;
  readonly variable?: Variable;
  readonly entries?: readonly bigint[];
  /** For fixed-point circuits: their integers count units of 2^-fractionBits. */
  readonly fractionBits?: number;
  readonly distance?: number;
  readonly channel?: string;
  readonly memory?: MemoryReference;
  readonly forwarded?: number;
  readonly fetch?: Fetch;
  /** A name from the source. */
  readonly hint?: string;
  readonly loc?: Loc;
}

/** A number known when the hardware is made. */
export interface Literal extends AnyValue {
  readonly op: "const";
  readonly args: readonly [];
  /** In 0 .. 2^bits - 1. */
  readonly constant: bigint;
}

/** What a variable was before the iteration. */
export interface VariableRead extends AnyValue {
  readonly op: "read";
  readonly args: readonly [];
  readonly variable: Variable;
}

export interface TableLookup extends AnyValue {
  readonly op: "table";
  readonly args: readonly [index: Value];
  /** The entry for each value of the operand, in 0 .. 2^bits - 1; 0 beyond its end. */
  readonly entries: readonly bigint[];
}

export interface Load extends AnyValue {
  readonly op: "load";
  readonly args: readonly [address: Value, guard: Value];
  readonly memory: MemoryReference;
  /** What so many iterations before have stored there is taken from registers. */
  readonly forwarded?: number;
}

/** A word of a local array. */
export interface FetchedWord extends AnyValue {
  readonly op: "fetch";
  readonly args: readonly [address: Value];
  readonly fetch: Fetch;
}

/** The next value of a channel. */
export interface Receive extends AnyValue {
  readonly op: "receive";
  readonly args: readonly [guard: Value];
  readonly channel: string;
}

/** A value some iterations ago. */
export interface Delayed extends AnyValue {
  readonly op: "delay";
  readonly args: readonly [value: Value];
  readonly distance: number;
}

export interface UnaryOperation extends AnyValue {
  readonly op: UnaryOp;
  readonly args: readonly [Value];
}

export interface BinaryOperation extends AnyValue {
  readonly op: BinaryOp;
  /** concat: high bits, low bits. */
  readonly args: readonly [Value, Value];
}

export interface TernaryOperation extends AnyValue {
  readonly op: TernaryOp;
  /** mux: condition, then, else. */
  readonly args: readonly [Value, Value, Value];
}

export type Value =
  | Literal
  | VariableRead
  | TableLookup
  | Load
  | FetchedWord
  | Receive
  | Delayed
  | UnaryOperation
  | BinaryOperation
  | TernaryOperation;

export interface Store {
  readonly address: Value;
  readonly data: Value;
  /** One bit. */
  readonly guard: Value;
  readonly memory: MemoryReference;
}

/** When in an iteration a word of a local array is read, relative to the graph's writes. */
export interface Fetch {
  readonly ram: Ram;
  /** It sees the results of this many of the writes, counted from the first. */
  readonly after: number;
  /**
   * It comes before all writes from this index on. Writes between `after` and `before` never touch its word, or their
   * results are forwarded separately.
   */
  readonly before: number;
  /** The results of the previous iteration's writes are forwarded separately. */
  readonly blind?: true;
}

/** A write to a word of a local array. */
export interface RamWrite {
  readonly ram: Ram;
  readonly address: Value;
  /** Has the cell's shape. */
  readonly data: Value;
  /** One bit. */
  readonly guard: Value;
  readonly loc: Loc;
}

/** Consecutive elements accessed one after the other through a port that counts addresses itself. */
export interface Stream {
  /** Address of the first element: a constant, or a variable that the loop does not change. */
  readonly address: Value;
  /** For loads: the number of elements, valid until the first is taken; and the first iteration that takes one. */
  readonly beats?: Value;
  readonly first?: number;
  /** Several accesses of an iteration are transferred as a word. */
  readonly word?: Word;
}

/**
 * Adjacent elements, as many as an iteration advances by. The streams of all lanes are one object. For loads its
 * address is that of the lowest lane in the first iteration that loads; for stores, in the very first iteration: each
 * iteration makes a word, and the lanes' guards say which parts are stored.
 */
export interface Word {
  /** The lowest address first. */
  readonly lanes: (Value | Store)[];
  /** For loads: the lowest lanes of the first word, which are not used. */
  readonly lead?: number;
  /** For loads, one bit: an iteration takes a word. */
  takesWord?: Value;
}

export const isOperand = (value: Value, { args }: AnyValue): boolean => args.includes(value);

export const isLiteral = (value: Value): value is Literal => value.op === "const";

export const readsVariable = (value: Value): value is VariableRead => value.op === "read";

/** Sends a value to a channel. */
export interface Send {
  readonly channel: string;
  readonly data: Value;
  /** One bit. */
  readonly guard: Value;
  readonly loc: Loc;
}

/** One bit: whether an iteration takes an element, or a word, from a stream. */
export const takesElement = (load: Value, { word }: Stream): Value =>
  word?.takesWord ?? (load as Load).args[1];

/** Whether a value comes from memory or a channel. */
export const comesIn = ({ op }: Value): boolean => op === "load" || op === "receive";

/** Whether a value is read from outside the graph: inputs, and words of local arrays. */
export const isRead = (value: Value): boolean => comesIn(value) || value.op === "fetch";

/** The value as C interprets it. */
export function interpret(raw: bigint, shape: Shape): bigint {
  return shape.signed ? BigInt.asIntN(shape.bits, raw) : BigInt.asUintN(shape.bits, raw);
}

/** Whether the roots have a pointer in common, or one is unknown. */
export const shareRoot = (a: Roots, b: Roots): boolean =>
  a === "any" || b === "any" || [...a].some((root) => b.has(root));
