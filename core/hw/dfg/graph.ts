/**
 * The dataflow graph of one iteration: typed SSA values, if-converted and predicated. Iterations communicate through
 * variables (read at the start, updated at the end) and delay lines.
 *
 * An integer of shape {bits, signed} is taken modulo 2^bits; every operation has the meaning that C gives it on
 * operands of that shape. Equal operations are one value; constants are folded when values are made.
 */
import type { Loc } from "../../lang/tree/ast.ts";

export interface Shape {
  readonly bits: number;
  readonly signed: boolean;
  /** Set if the bits are a floating-point number. */
  readonly float?: Format;
  /** Fixed point: the integer counts units of 2^-places. */
  readonly places?: number;
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
  a.places === b.places;

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

export type Op =
  | "const"
  | "read"
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "rem"
  | "and"
  | "or"
  | "xor"
  | "not"
  | "shl"
  | "shr"
  | "eq"
  | "lt"
  | "mux"
  | "concat"
  | "resize"
  | "table"
  | "load"
  | "receive"
  | "delay"
  | "fetch"
  | FloatOp;

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

export interface Value {
  readonly id: number;
  readonly op: Op;
  readonly shape: Shape;
  /** load: address, guard. fetch: address. receive: guard. mux: condition, then, else. concat: high bits, low bits. */
  readonly args: readonly Value[];
  /** const: in 0 .. 2^bits - 1. */
  readonly constant?: bigint;
  /** read: the variable before the iteration. */
  readonly variable?: Variable;
  /** table: the entry for each value of the operand, in 0 .. 2^bits - 1; 0 beyond its end. */
  readonly entries?: readonly bigint[];
  /** For fixed-point circuits: their integers count units of 2^-places. */
  readonly places?: number;
  /** delay: how many iterations old the value is. */
  readonly distance?: number;
  /** receive: the next value of this channel. */
  readonly channel?: string;
  /** load */
  readonly memory?: MemoryReference;
  readonly fetch?: Fetch;
  /** A name from the source. */
  readonly hint?: string;
  readonly loc?: Loc;
}

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
  word?.takesWord ?? (load.args[1] as Value);

/** Whether a value comes from memory or a channel. */
export const comesIn = ({ op }: Value): boolean => op === "load" || op === "receive";

/** Whether a value is read from outside the graph: inputs, and words of local arrays. */
export const isRead = (value: Value): boolean => comesIn(value) || value.op === "fetch";

/** The value as C interprets it. */
export function interpret(raw: bigint, shape: Shape): bigint {
  return shape.signed ? BigInt.asIntN(shape.bits, raw) : BigInt.asUintN(shape.bits, raw);
}

const asBit = (truth: boolean): bigint => (truth ? 1n : 0n);

/** The result of an integer operation on raw operands; undefined where C defines none. */
export function compute(
  op: Op,
  shape: Shape,
  args: readonly (readonly [bigint, Shape])[],
): bigint | undefined {
  const values = args.map(([raw, of]) => interpret(raw, of));
  const [a = 0n, b = 0n, c = 0n] = values;
  const result = ((): bigint | undefined => {
    switch (op) {
      case "add":
        return a + b;
      case "sub":
        return a - b;
      case "mul":
        return a * b;
      case "div":
        return b === 0n ? undefined : a / b;
      case "rem":
        return b === 0n ? undefined : a % b;
      case "and":
        return a & b;
      case "or":
        return a | b;
      case "xor":
        return a ^ b;
      case "not":
        return ~a;
      case "shl":
        return b < 0n || b >= BigInt(shape.bits) ? undefined : a << b;
      case "shr":
        return b < 0n || b >= BigInt(shape.bits) ? undefined : a >> b;
      case "eq":
        return asBit(a === b);
      case "lt":
        return asBit(a < b);
      case "mux":
        return a !== 0n ? b : c;
      case "concat":
        return (a << BigInt(args[1]?.[1].bits ?? 0)) | (args[1]?.[0] ?? 0n);
      case "resize":
        return a;
      default:
        return undefined;
    }
  })();
  return result === undefined ? undefined : BigInt.asUintN(shape.bits, result);
}

/** Whether the roots have a pointer in common, or one is unknown. */
export const shareRoot = (a: Roots, b: Roots): boolean =>
  a === "any" || b === "any" || [...a].some((root) => b.has(root));

export class Graph {
  private readonly mayAlias: (a: Roots, b: Roots) => boolean;
  /** Operands come before their users. */
  readonly values: Value[] = [];
  readonly stores: Store[] = [];
  /** Writes to local arrays, in program order. */
  readonly writes: RamWrite[] = [];
  /** Loads and stores whose addresses the port counts. */
  readonly streams = new Map<Value | Store, Stream>();
  readonly sends: Send[] = [];
  /** Values received from channels, including unused ones. */
  readonly receives: Value[] = [];
  /** The variables' values after the iteration. */
  readonly updates = new Map<Variable, Value>();
  /**
   * Rotating variables: the value set by an iteration is read only this many iterations later. For all others:
   * by the next one.
   */
  readonly distances = new Map<Variable, number>();
  /** Names of values in the source; the first name given is kept. */
  readonly names = new Map<Value, string>();
  private readonly known = new Map<string, Value>();
  private place: Loc | undefined;

  /** `mayAlias`: whether pointers from these roots may lead to the same memory; default: never. */
  constructor(mayAlias: (a: Roots, b: Roots) => boolean = () => false) {
    this.mayAlias = mayAlias;
  }

  /** Attributes all values made by `make` to a source position. Existing values keep theirs. */
  from<T>(place: Loc, make: () => T): T {
    const outer = this.place;
    if (place.line > 0) this.place = place;
    try {
      return make();
    } finally {
      this.place = outer;
    }
  }

  /**
   * Whether two accesses may touch the same memory. Through different pointers, accesses of different sizes do not,
   * unless one is a character: C's rule for the types of accesses.
   */
  mayTouch(a: MemoryReference, b: MemoryReference): boolean {
    if (shareRoot(a.roots, b.roots)) return true;
    return this.mayAlias(a.roots, b.roots) && (a.bytes === b.bytes || a.bytes === 1 || b.bytes === 1);
  }

  constant(value: bigint | number, shape: Shape): Value {
    return this.add({ op: "const", shape, args: [], constant: BigInt.asUintN(shape.bits, BigInt(value)) });
  }

  read(variable: Variable): Value {
    return this.add({ op: "read", shape: variable.shape, args: [], variable, hint: variable.name });
  }

  /** Loads happen before all stores, so an unconditional load also serves conditional ones. */
  load(memory: MemoryReference, shape: Shape, address: Value, guard: Value): Value {
    const known = this.unconditional.get(address) ?? [];
    const same = known.find((v) => v.memory?.bytes === memory.bytes && sameShape(v.shape, shape));
    if (same) return same;
    return this.add({
      op: "load",
      shape,
      args: [address, guard],
      memory,
      hint: memory.name,
      loc: memory.loc,
    });
  }

  receive(channel: string, shape: Shape, guard: Value, loc: Loc): Value {
    const value = this.add({ op: "receive", shape, args: [guard], channel, hint: channel, loc });
    this.receives.push(value);
    return value;
  }

  /** The table entry at an unsigned index. */
  table(index: Value, entries: readonly bigint[], shape: Shape): Value {
    const raw = entries.map((entry) => BigInt.asUintN(shape.bits, entry));
    if (index.op === "const") return this.constant(raw[Number(index.constant)] ?? 0n, shape);
    return this.add({ op: "table", shape, args: [index], entries: raw });
  }

  /** Reads a word of a local array. */
  fetch(address: Value, fetch: Fetch, loc: Loc | undefined): Value {
    const { name, cell } = fetch.ram;
    return this.add({
      op: "fetch",
      shape: cell.shape,
      args: [address],
      fetch,
      hint: name,
      ...(loc && { loc }),
    });
  }

  delay(value: Value, distance: number): Value {
    if (distance === 0) return value;
    return this.add({ op: "delay", shape: value.shape, args: [value], distance });
  }

  resize(value: Value, shape: Shape): Value {
    if (sameShape(value.shape, shape)) return value;
    const inner = value.args[0];
    // Widening followed by truncation, or a change of signedness of the same bits.
    if (value.op === "resize" && inner && shape.bits <= value.shape.bits && !inner.shape.float)
      return this.resize(inner, shape);
    return this.make("resize", shape, [value]);
  }

  /** One bit: whether an integer is not zero. */
  truth(value: Value): Value {
    if (value.shape.bits === 1) return this.resize(value, BIT);
    const inner = value.args[0];
    if (value.op === "resize" && inner && inner.shape.bits <= value.shape.bits && !inner.shape.float)
      return this.truth(inner);
    return this.not(this.make("eq", BIT, [value, this.constant(0, value.shape)]));
  }

  not(bit: Value): Value {
    return this.make("xor", BIT, [bit, this.constant(1, BIT)]);
  }

  or(a: Value, b: Value): Value {
    return this.make("or", BIT, [a, b]);
  }

  and(a: Value, b: Value): Value {
    return this.make("and", BIT, [a, b]);
  }

  mux(test: Value, then: Value, otherwise: Value): Value {
    return this.make("mux", then.shape, [test, then, otherwise]);
  }

  /** The same operation on other operands. */
  with({ id: _, ...value }: Value, args: readonly Value[]): Value {
    if (value.op === "resize") return this.resize(args[0] as Value, value.shape);
    return this.simplified(value.op, value.shape, args) ?? this.add({ ...value, args });
  }

  /** An operation, simplified as far as its operands allow. */
  make(op: Op, shape: Shape, args: readonly Value[], loc?: Loc): Value {
    return this.simplified(op, shape, args) ?? this.add({ op, shape, args, ...(loc && { loc }) });
  }

  /** A fixed-point circuit. */
  fixedPoint(op: FixedOp, shape: Shape, args: readonly Value[], places: number, loc?: Loc): Value {
    return this.add({ op, shape, args, places, ...(loc && { loc }) });
  }

  private simplified(op: Op, shape: Shape, args: readonly Value[]): Value | undefined {
    if (args.length > 0 && args.every(isConstant)) {
      const folded = compute(
        op,
        shape,
        args.map((a) => [a.constant as bigint, a.shape] as const),
      );
      if (folded !== undefined) return this.constant(folded, shape);
    }
    const [a, b, c] = args as [Value, Value, Value];
    switch (op) {
      case "add":
        if (is(b, 0n)) return a;
        if (is(a, 0n)) return b;
        return a.op === "const" ? this.make("add", shape, [b, a]) : this.concatenation(shape, a, b);
      case "sub":
        if (a === b) return this.constant(0, shape);
        if (b.op === "const")
          return this.make("add", shape, [a, this.constant(-(b.constant as bigint), shape)]);
        return undefined;
      case "mul":
        if (a.op === "const") return this.make("mul", shape, [b, a]);
        return b.op === "const" ? this.scaled(shape, a, b.constant as bigint) : undefined;
      case "and":
        if (is(a, 0n) || isOnes(b, shape)) return a;
        if (is(b, 0n) || isOnes(a, shape) || a === b) return b;
        return this.ordered(op, shape, a, b);
      case "or":
        if (is(a, 0n) || isOnes(b, shape)) return b;
        if (is(b, 0n) || isOnes(a, shape) || a === b) return a;
        return this.ordered(op, shape, a, b);
      case "xor":
        if (is(b, 0n)) return a;
        if (is(a, 0n)) return b;
        if (a === b) return this.constant(0, shape);
        // A bit inverted twice.
        if (is(b, 1n) && shape.bits === 1 && a.op === "xor" && is(a.args[1], 1n)) return a.args[0];
        return this.ordered(op, shape, a, b);
      case "shl":
      case "shr":
        return is(b, 0n) ? a : undefined;
      case "div":
        return is(b, 1n) ? a : this.divided(shape, a, b, false);
      case "rem":
        return this.divided(shape, a, b, true);
      case "eq":
        if (a === b) return this.constant(1, shape);
        return this.ordered(op, shape, a, b);
      case "lt":
        return a === b ? this.constant(0, shape) : undefined;
      case "mux":
        if (is(a, 1n) || b === c) return b;
        if (is(a, 0n)) return c;
        if (a.op === "xor" && is(a.args[1], 1n)) return this.mux(a.args[0] as Value, c, b);
        if (shape.bits === 1 && is(b, 1n) && is(c, 0n)) return a;
        return this.magnitude(shape, a, b, c);
      default:
        return undefined;
    }
  }

  /** x < 0 ? -x : x inverts all bits and adds 1 if x < 0: an adder after one level of logic. */
  private magnitude(shape: Shape, test: Value, then: Value, otherwise: Value): Value | undefined {
    const [x, bound] = test.args;
    const isNegative = test.op === "lt" && x === otherwise && bound?.op === "const" && bound.constant === 0n;
    const isNegation = then.op === "sub" && then.args[0]?.constant === 0n && then.args[1] === otherwise;
    if (!isNegative || !isNegation || shape.float) return undefined;
    const turned = this.mux(test, this.make("not", shape, [otherwise]), otherwise);
    return this.make("add", shape, [turned, this.resize(test, shape)]);
  }

  /** Canonical order for commutative operations: constants last, other operands by id. */
  private ordered(op: Op, shape: Shape, a: Value, b: Value): Value | undefined {
    if (b.op === "const" || (a.op !== "const" && a.id <= b.id)) return undefined;
    return this.make(op, shape, [b, a]);
  }

  /** (x + 1) + 2 is x + 3. */
  private concatenation(shape: Shape, a: Value, b: Value): Value | undefined {
    if (b.op !== "const" || a.op !== "add") return undefined;
    const [x, y] = a.args as [Value, Value];
    if (y.op !== "const") return undefined;
    return this.make("add", shape, [
      x,
      this.constant((y.constant as bigint) + (b.constant as bigint), shape),
    ]);
  }

  /** Products with constants become shifts and adds if the signed-digit form has few digits. */
  private scaled(shape: Shape, a: Value, factor: bigint): Value | undefined {
    if (factor === 0n) return this.constant(0, shape);
    if (factor === 1n) return a;
    const digits = signedDigits(BigInt.asIntN(shape.bits, factor));
    if (digits.length > 4) return undefined;
    const shifted = (by: number) => this.make("shl", shape, [a, this.constant(by, shape)]);
    const positive = digits.filter((d) => !d.negative);
    const negative = digits.filter((d) => d.negative);
    const sum = (list: readonly { by: number }[]) =>
      list.map((d) => shifted(d.by)).reduce((x, y) => this.make("add", shape, [x, y]));
    if (negative.length === 0) return sum(positive);
    const less = sum(negative);
    return this.make("sub", shape, [positive.length ? sum(positive) : this.constant(0, shape), less]);
  }

  /**
   * Quotients and remainders of a power of two are shifts and masks. C rounds towards 0, so one less than the divisor is
   * added to what is negative first.
   */
  private divided(shape: Shape, a: Value, b: Value, remainder: boolean): Value | undefined {
    if (b.op !== "const" || !sameShape(a.shape, shape)) return undefined;
    const by = interpret(b.constant as bigint, b.shape);
    const size = by < 0n ? -by : by;
    const places = size.toString(2).length - 1;
    if (size !== 1n << BigInt(places) || places === 0 || places >= shape.bits - 1) return undefined;
    const low = this.constant(size - 1n, shape);
    const isNegative = this.make("lt", BIT, [a, this.constant(0, shape)]);
    const bias = shape.signed ? this.mux(isNegative, low, this.constant(0, shape)) : undefined;
    const sum = bias ? this.make("add", shape, [a, bias]) : a;
    if (remainder) {
      const rest = this.make("and", shape, [sum, low]);
      return bias ? this.make("sub", shape, [rest, bias]) : rest;
    }
    const quotient = this.make("shr", shape, [sum, this.constant(places, shape)]);
    return by < 0n ? this.make("sub", shape, [this.constant(0, shape), quotient]) : quotient;
  }

  private add(value: Omit<Value, "id">): Value {
    const { op, variable } = value;
    if (op === "read" && variable) {
      const read = this.reads.get(variable) ?? this.newValue(value);
      this.reads.set(variable, read);
      return read;
    }
    const key = keyOf(value);
    const same = this.known.get(key) ?? this.newValue(value);
    this.known.set(key, same);
    return same;
  }

  private newValue(value: Omit<Value, "id">): Value {
    const loc = value.loc ?? this.place;
    const numbered: Value = { ...value, ...(loc && { loc }), id: this.values.length };
    this.values.push(numbered);
    const [address, guard] = numbered.args;
    if (numbered.op === "load" && address && guard?.op === "const")
      this.unconditional.set(address, [...(this.unconditional.get(address) ?? []), numbered]);
    return numbered;
  }

  private readonly reads = new Map<Variable, Value>();
  /** Unconditional loads, by address. */
  private readonly unconditional = new Map<Value, readonly Value[]>();
}

const isConstant = ({ op }: Value): boolean => op === "const";
const is = (v: Value | undefined, constant: bigint): boolean =>
  v !== undefined && v.op === "const" && v.constant === constant;
const isOnes = (v: Value, { bits }: Shape): boolean =>
  v.op === "const" && v.constant === BigInt.asUintN(bits, -1n);

/** Equal for equal operations on the same operands. */
function keyOf(value: Omit<Value, "id">): string {
  const { op, shape, args, constant, distance, memory, channel, entries, fetch, places } = value;
  let key = `${op} ${shape.bits}${shape.signed ? "s" : "u"}`;
  if (shape.float) key += `f${shape.float.exponent}`;
  if (shape.places !== undefined) key += `p${shape.places}`;
  for (const { id } of args) key += ` ${id}`;
  if (constant !== undefined) return `${key}=${constant}`;
  if (distance !== undefined) key += ` distance ${distance}`;
  if (places !== undefined) key += ` places ${places}`;
  if (memory) key += ` bytes ${memory.bytes}`;
  if (channel !== undefined) key += ` channel ${channel}`;
  if (entries) key += ` entries ${entries}`;
  if (fetch) key += ` fetch ${fetch.ram.name} ${fetch.after} ${fetch.blind}`;
  return key;
}

/** The canonical signed-digit form of a number: no two adjacent digits are nonzero. */
function signedDigits(value: bigint): { by: number; negative: boolean }[] {
  const digits: { by: number; negative: boolean }[] = [];
  let rest = value;
  for (let by = 0; rest !== 0n; by++, rest >>= 1n) {
    if ((rest & 1n) === 0n) continue;
    const negative = (rest & 3n) === 3n;
    digits.push({ by, negative });
    rest += negative ? 1n : -1n;
  }
  return digits;
}
