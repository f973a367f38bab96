/** A builder for circuits: unsigned bit vectors on a dataflow graph. */
import { Graph } from "../../dfg/graph.ts";
import { BIT, type Shape, type Value } from "../../dfg/value.ts";

export class Circuit {
  readonly graph = new Graph();
  readonly no = this.constant(0, 1);
  readonly yes = this.constant(1, 1);

  input(name: string, bits: number): Value {
    return this.graph.read({ name, shape: { bits, signed: false }, argument: true });
  }

  constant(value: bigint | number, bits: number): Value {
    return this.graph.constant(value, { bits, signed: false });
  }

  /** Gives a value a readable name. */
  named(name: string, value: Value): Value {
    if (value.op !== "const" && value.op !== "read" && !this.graph.names.has(value))
      this.graph.names.set(value, name);
    return value;
  }

  /** `bits` bits from bit `low` up. */
  slice(value: Value, low: number, bits: number): Value {
    const shifted = low === 0 ? value : this.shr(value, low);
    return this.resized(shifted, bits);
  }

  private shr(value: Value, by: number): Value {
    return this.graph.make("shr", value.shape, [value, this.constant(by, 32)]);
  }

  bit(value: Value, at: number): Value {
    return this.slice(value, at, 1);
  }

  /** Most significant first; parts of width 0 are skipped. */
  concat(...parts: readonly Value[]): Value {
    return parts
      .filter(({ shape }) => shape.bits > 0)
      .reduce((high, low) =>
        this.graph.make("concat", { bits: high.shape.bits + low.shape.bits, signed: high.shape.signed }, [
          high,
          low,
        ]),
      );
  }

  /** Truncates or extends, with the sign for signed values. */
  resized(value: Value, bits: number): Value {
    return this.graph.resize(value, { bits, signed: false });
  }

  signed(value: Value, bits: number): Value {
    return this.graph.resize(value, { bits, signed: true });
  }

  not(value: Value): Value {
    return value.shape.bits === 1 ? this.graph.not(value) : this.graph.make("not", value.shape, [value]);
  }

  and(...bits: readonly Value[]): Value {
    return bits.reduce((a, b) => this.graph.and(a, b));
  }

  or(...bits: readonly Value[]): Value {
    return bits.reduce((a, b) => this.graph.or(a, b));
  }

  xor(a: Value, b: Value): Value {
    return this.graph.make("xor", a.shape, [a, b]);
  }

  /** One bit: any bit is set. */
  any(value: Value): Value {
    return this.graph.truth(value);
  }

  none(value: Value): Value {
    return this.not(this.any(value));
  }

  /** One bit: every bit is set. */
  all(value: Value): Value {
    return this.equal(value, this.constant(-1, value.shape.bits));
  }

  equal(a: Value, b: Value): Value {
    return this.graph.make("eq", BIT, [a, b]);
  }

  less(a: Value, b: Value): Value {
    return this.graph.make("lt", BIT, [a, b]);
  }

  mux(test: Value, then: Value, otherwise: Value): Value {
    return this.graph.mux(test, then, otherwise);
  }

  /** The value if the bit is set, else 0. */
  masked(test: Value, value: Value): Value {
    return this.mux(test, value, this.graph.constant(0, value.shape));
  }

  /** The entry at an unsigned index; 0 beyond the last one. */
  table(index: Value, entries: readonly bigint[], shape: Shape): Value {
    return this.graph.table(index, entries, shape);
  }

  /** Modulo 2^bits of the shape. */
  add(shape: Shape, a: Value, b: Value): Value {
    return this.graph.make("add", shape, [this.graph.resize(a, shape), this.graph.resize(b, shape)]);
  }

  sub(shape: Shape, a: Value, b: Value): Value {
    return this.graph.make("sub", shape, [this.graph.resize(a, shape), this.graph.resize(b, shape)]);
  }

  /** a + b + carry in one carry chain. */
  addWithCarry(shape: Shape, a: Value, b: Value, carry: Value): Value {
    if (carry.op === "const" && carry.constant === 0n) return this.add(shape, a, b);
    const wide: Shape = { bits: shape.bits + 1, signed: shape.signed };
    const sum = this.add(
      wide,
      this.concat(this.graph.resize(a, shape), this.yes),
      this.concat(this.graph.resize(b, shape), carry),
    );
    return this.graph.resize(this.graph.make("shr", wide, [sum, this.constant(1, 32)]), shape);
  }
}

export const unsigned = (bits: number): Shape => ({ bits, signed: false });
export const signed = (bits: number): Shape => ({ bits, signed: true });
