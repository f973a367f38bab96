/** Numbers of C as operations of arith: names of values in, the name of a value out. */
import { canonical, intKind, LONG, usualArithmetic } from "../../core/lang/index.ts";
import type { BinaryOp, CType } from "../../core/lang/tree/ast.ts";
import type { Code } from "./code.ts";
import { isFloat, isUnsigned, NotInMlir, scalar } from "./types.ts";

/** A value's name, and its type in C. */
interface Typed {
  readonly value: string;
  readonly type: CType;
}

export class Numbers {
  private readonly code: Code;

  constructor(code: Code) {
    this.code = code;
  }

  constant(value: bigint | number, type: CType): string {
    const name = scalar(type);
    if (isFloat(type)) return this.code.value(`arith.constant ${float(Number(value), name)} : ${name}`);
    const bits = Number(name.slice(1));
    return this.code.value(`arith.constant ${BigInt.asIntN(bits, BigInt(value))} : ${name}`);
  }

  index(value: number): string {
    return this.code.value(`arith.constant ${value} : index`);
  }

  /** An i1. */
  nonZero(value: string, type: CType): string {
    const zero = this.constant(0n, type);
    const test = isFloat(type) ? "arith.cmpf une," : "arith.cmpi ne,";
    return this.code.value(`${test} ${value}, ${zero} : ${scalar(type)}`);
  }

  either(test: string, type: string, then: () => string, other: () => string): string {
    const name = this.code.fresh();
    this.code.line(`${name} = scf.if ${test} -> (${type}) {`);
    this.code.inside(() => this.code.line(`scf.yield ${then()} : ${type}`));
    this.code.line("} else {");
    this.code.inside(() => this.code.line(`scf.yield ${other()} : ${type}`));
    this.code.line("}");
    return name;
  }

  fromTruth(is: string, type: CType): string {
    return this.code.value(`arith.extui ${is} : i1 to ${scalar(type)}`);
  }

  arithmetic(op: BinaryOp, left: string, right: string, type: CType): string {
    const unsigned = !isFloat(type) && isUnsigned(type);
    const words: Readonly<Partial<Record<BinaryOp, readonly [integer: string, float?: string]>>> = {
      "+": ["addi", "addf"],
      "-": ["subi", "subf"],
      "*": ["muli", "mulf"],
      "/": [unsigned ? "divui" : "divsi", "divf"],
      "%": [unsigned ? "remui" : "remsi"],
      "<<": ["shli"],
      ">>": [unsigned ? "shrui" : "shrsi"],
      "&": ["andi"],
      "|": ["ori"],
      "^": ["xori"],
    };
    const word = words[op]?.[isFloat(type) ? 1 : 0];
    if (word === undefined) throw new NotInMlir(`'${op}' of these operands`);
    return this.code.value(`arith.${word} ${left}, ${right} : ${scalar(type)}`);
  }

  /** `left op right` computed as in C, converted to a type. */
  combined(op: BinaryOp, left: Typed, right: Typed, to: CType): string {
    const shift = op === "<<" || op === ">>";
    const common = usualArithmetic(left.type, shift ? left.type : right.type);
    if (common === undefined) throw new NotInMlir(`'${op}=' of a pointer`);
    const as = ({ value, type }: Typed): string => this.converted(value, type, common);
    return this.converted(this.arithmetic(op, as(left), as(right), common), common, to);
  }

  converted(value: string, from: CType, to: CType): string {
    const [a, b] = [scalar(from), scalar(to)];
    if (intKind(canonical(to)) === "bool" && intKind(canonical(from)) !== "bool")
      return this.code.value(`arith.extui ${this.nonZero(value, from)} : i1 to i8`);
    if (a === b) return value;
    const cast = (word: string) => this.code.value(`arith.${word} ${value} : ${a} to ${b}`);
    if (isFloat(from) && isFloat(to)) return cast(bits(a) < bits(b) ? "extf" : "truncf");
    if (isFloat(from)) return cast(isUnsigned(to) ? "fptoui" : "fptosi");
    if (isFloat(to)) return cast(isUnsigned(from) ? "uitofp" : "sitofp");
    if (bits(a) > bits(b)) return cast("trunci");
    return cast(isUnsigned(from) ? "extui" : "extsi");
  }

  /** C's `a < b ? b : a`. */
  extreme(op: "max" | "min", a: string, b: string, type: CType): string {
    const word = op === "max" ? "lt" : "gt";
    const test = isFloat(type)
      ? `arith.cmpf o${word}, ${a}, ${b} : ${scalar(type)}`
      : `arith.cmpi ${isUnsigned(type) ? "u" : "s"}${word}, ${a}, ${b} : ${scalar(type)}`;
    return this.code.value(`arith.select ${this.code.value(test)}, ${b}, ${a} : ${scalar(type)}`);
  }

  longOf(value: string): string {
    return this.code.value(`arith.index_cast ${value} : index to ${scalar(LONG)}`);
  }
}

const bits = (name: string): number => (name === "bf16" ? 16 : Number(name.slice(1)));

/** Numbers without a decimal form are written as their bits. */
const special: Readonly<Record<string, readonly [infinity: string, minus: string, none: string]>> = {
  f32: ["0x7F800000", "0xFF800000", "0x7FC00000"],
  f64: ["0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000"],
};

function float(value: number, type: string): string {
  if (!Number.isFinite(value)) {
    const known = special[type]?.[Number.isNaN(value) ? 2 : value > 0 ? 0 : 1];
    if (known === undefined) throw new NotInMlir("an infinite constant");
    return known;
  }
  const text = value.toExponential();
  const [digits = "", exponent = "0"] = text.split("e");
  return `${digits.includes(".") ? digits : `${digits}.0`}e${exponent.replace("+", "")}`;
}
