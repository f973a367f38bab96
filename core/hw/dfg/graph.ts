/**
 * The dataflow graph of one iteration: typed SSA values, if-converted and predicated. Iterations communicate through
 * variables (read at the start, updated at the end) and delay lines. Equal operations are one value; constants are
 * folded when values are made.
 */
import { firstOf } from "../../checked/access.ts";
import type { Loc } from "../../lang/tree/ast.ts";
import type { LinearForm } from "../linear/form.ts";
import { simplified } from "./simplify.ts";
import {
  type AnyValue,
  BIT,
  type Fetch,
  type FixedOp,
  type MemoryReference,
  type Op,
  type RamWrite,
  type Roots,
  type Send,
  type Shape,
  type Store,
  type Stream,
  sameShape,
  shareRoot,
  type Value,
  type Variable,
} from "./value.ts";

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
  private location: Loc | undefined;

  /**
   * Sums of variables, as they are before an iteration, that are 0 or more then. Undefined: addresses may have been
   * computed modulo a power of two, so that nothing follows from sums.
   */
  readonly bounds: readonly LinearForm[] | undefined;

  /** `mayAlias`: whether pointers from these roots may lead to the same memory; default: never. */
  constructor(mayAlias: (a: Roots, b: Roots) => boolean = () => false, bounds?: readonly LinearForm[]) {
    this.mayAlias = mayAlias;
    this.bounds = bounds;
  }

  /** Attributes all values made by `make` to a source position. Existing values keep theirs. */
  from<T>(location: Loc, make: () => T): T {
    const outer = this.location;
    if (location.line > 0) this.location = location;
    try {
      return make();
    } finally {
      this.location = outer;
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

  /**
   * Loads happen before all stores, so an unconditional load also serves conditional ones. `forwarded`: what so many
   * iterations before have stored is taken from registers.
   */
  load(memory: MemoryReference, shape: Shape, address: Value, guard: Value, forwarded?: number): Value {
    const known = this.unconditional.get(address) ?? [];
    const same = known.find(
      (v) => v.memory?.bytes === memory.bytes && sameShape(v.shape, shape) && v.forwarded === forwarded,
    );
    if (same) return same;
    return this.add({
      op: "load",
      shape,
      args: [address, guard],
      memory,
      hint: memory.name,
      loc: memory.loc,
      ...(forwarded !== undefined && { forwarded }),
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
    if (value.op === "resize") return this.resize(firstOf(args), value.shape);
    return simplified(this, value.op, value.shape, args) ?? this.add({ ...value, args });
  }

  /** An operation, simplified as far as its operands allow. */
  make(op: Op, shape: Shape, args: readonly Value[], loc?: Loc): Value {
    return simplified(this, op, shape, args) ?? this.add({ op, shape, args, ...(loc && { loc }) });
  }

  /** A fixed-point circuit. */
  fixedPoint(op: FixedOp, shape: Shape, args: readonly Value[], fractionBits: number, loc?: Loc): Value {
    return this.add({ op, shape, args, fractionBits, ...(loc && { loc }) });
  }

  private add(value: NewValue): Value {
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

  private newValue(value: NewValue): Value {
    const loc = value.loc ?? this.location;
    const numbered = { ...value, ...(loc && { loc }), id: this.values.length } as Value;
    this.values.push(numbered);
    if (numbered.op === "load") {
      const [address, guard] = numbered.args;
      if (guard.op === "const")
        this.unconditional.set(address, [...(this.unconditional.get(address) ?? []), numbered]);
    }
    return numbered;
  }

  private readonly reads = new Map<Variable, Value>();
  /** Unconditional loads, by address. */
  private readonly unconditional = new Map<Value, readonly Value[]>();
}

/** A value before it has its number. Its operator and operands are the maker's word: `make` takes any of them. */
type NewValue = Omit<AnyValue, "id">;

/** Equal for equal operations on the same operands. */
function keyOf(value: NewValue): string {
  const { op, shape, args, constant, distance, memory, channel, entries, fetch, fractionBits, forwarded } =
    value;
  let key = `${op} ${shape.bits}${shape.signed ? "s" : "u"}`;
  if (shape.float) key += `f${shape.float.exponent}`;
  if (shape.fractionBits !== undefined) key += `p${shape.fractionBits}`;
  for (const { id } of args) key += ` ${id}`;
  if (constant !== undefined) return `${key}=${constant}`;
  if (distance !== undefined) key += ` distance ${distance}`;
  if (fractionBits !== undefined) key += ` places ${fractionBits}`;
  if (memory) key += ` bytes ${memory.bytes} ${forwarded}`;
  if (channel !== undefined) key += ` channel ${channel}`;
  if (entries) key += ` entries ${entries}`;
  if (fetch) key += ` fetch ${fetch.ram.name} ${fetch.after} ${fetch.blind}`;
  return key;
}
