/**
 * Expressions without undefined behaviour whose floating-point results are exact, so that any order of
 * evaluation and any contraction gives the same value: each has a known bound on its magnitude.
 */
import type { Tape } from "./tape.ts";

export interface Value {
  readonly text: string;
  /** s: signed, |value| <= max; u: unsigned, wraps; f: a multiple of 2^-frac, |value| <= max. */
  readonly kind: "s" | "u" | "f";
  readonly max: number;
  readonly frac: number;
  /** An unsigned value of 64 bits. */
  readonly wide?: boolean;
}

export interface ElementType {
  readonly name: string;
  readonly kind: Value["kind"];
  /** Bound on every stored value. */
  readonly max: number;
}

export const types: readonly ElementType[] = [
  { name: "int", kind: "s", max: 1000 },
  { name: "float", kind: "f", max: 1000 },
  { name: "double", kind: "f", max: 1000 },
  { name: "unsigned", kind: "u", max: 0 },
  { name: "long", kind: "s", max: 1000 },
  { name: "char", kind: "s", max: 100 },
  { name: "short", kind: "s", max: 1000 },
  { name: "unsigned char", kind: "s", max: 255 },
  { name: "unsigned long", kind: "u", max: 0 },
  { name: "long long", kind: "s", max: 1000 },
  { name: "signed char", kind: "s", max: 100 },
  { name: "unsigned short", kind: "s", max: 255 },
  { name: "unsigned long long", kind: "u", max: 0 },
  { name: "_Bool", kind: "s", max: 1 },
];
export const INT = types[0] as ElementType;

const LARGEST = 1 << 24;

export const integer = (text: string, max: number): Value => ({ text, kind: "s", max, frac: 0 });

export const variable = (text: string, type: ElementType): Value => ({
  text,
  kind: type.kind,
  max: type.max,
  frac: type.kind === "f" ? 2 : 0,
  wide: type.name.startsWith("unsigned long"),
});

const asInteger = (v: Value): Value =>
  v.kind === "f"
    ? integer(`(int)(${v.text})`, v.max)
    : v.kind === "u"
      ? integer(`(int)((${v.text}) % 1000u)`, 1000)
      : v;

const small = (v: Value, max: number): Value =>
  v.max <= max ? v : integer(`(${asInteger(v).text}) % ${max}`, max);

/** Values that a variable of `type` may have. */
export function fit(v: Value, type: ElementType): string {
  if (type.kind === "f") {
    if (v.kind === "u") return `(${v.text}) % 1000u`;
    return v.max <= type.max && v.frac <= 2 ? v.text : `(${asInteger(v).text}) % ${type.max}`;
  }
  if (type.kind === "u") return v.kind === "f" ? asInteger(v).text : v.text;
  const i = asInteger(v);
  if (type.name === "_Bool") return `(${i.text}) & 1`;
  const text = i.max <= type.max ? i.text : `(${i.text}) % ${type.max}`;
  return type.name.startsWith("unsigned") ? `(${text}) & 255` : text;
}

/** A value from 0 to `n` - 1. */
export function subscript(v: Value, n: number): string {
  return `(unsigned)(${asInteger(v).text}) % ${n}u`;
}

export function condition(tape: Tape, leaf: () => Value, depth = 1): string {
  const compare = (): string => {
    const a = expression(tape, leaf, depth);
    const b = expression(tape, leaf, 0);
    return `(${a.text}) ${tape.of(["<", ">", "==", "!=", "<=", ">="])} (${b.text})`;
  };
  switch (tape.below(6)) {
    case 4:
      return `${compare()} && ${compare()}`;
    case 5:
      return `!(${compare()}) || ${compare()}`;
    default:
      return compare();
  }
}

export const sum = (a: Value, b: Value): Value => arithmetic(0, a, b);

export function expression(tape: Tape, leaf: () => Value, depth: number): Value {
  if (depth <= 0 || tape.below(3) === 0) return leaf();
  const a = expression(tape, leaf, depth - 1);
  const which = tape.below(12);
  if (which === 9) return converted(tape, a);
  if (which === 10) return wholeRange(tape, a);
  if (which === 11) return exact(tape, a, expression(tape, leaf, depth - 1));
  if (which === 7) {
    const b = expression(tape, leaf, depth - 1);
    const c = condition(tape, leaf, 0);
    if (a.kind === "u" || b.kind === "u")
      return {
        text: `(unsigned)(${c} ? ${asInteger(a).text} : ${asInteger(b).text})`,
        kind: "u",
        max: 0,
        frac: 0,
      };
    if (a.kind !== "f" && b.kind !== "f" && tape.once(4))
      return integer(`((${a.text}) ?: (${b.text}))`, Math.max(a.max, b.max));
    if (a.kind !== "f" && b.kind !== "f")
      return integer(`(${c} ? ${a.text} : ${b.text})`, Math.max(a.max, b.max));
    return asFloat([a, b], ([x, y]) => `(${c} ? ${x} : ${y})`);
  }
  if (which === 8) {
    if (a.kind === "f") return { ...a, text: `${tape.of(["fabsf", "fabs"])}(${a.text})` };
    if (a.kind === "u") return { ...a, text: `~(${a.text})` };
    const n = small(a, LARGEST);
    return integer(`-(${n.text})`, n.max);
  }
  const b = expression(tape, leaf, depth - 1);
  if (which < 3) return arithmetic(which, a, b);
  return binary(tape, which, a, b);
}

/** One of two values as a floating-point number; integers are reduced until they are exact. */
function asFloat(values: readonly [Value, Value], text: (texts: readonly [string, string]) => string): Value {
  const [a, b] = values.map((v) => (v.kind === "s" ? small(v, LARGEST) : v)) as [Value, Value];
  return {
    text: text([a.text, b.text]),
    kind: "f",
    max: Math.max(a.max, b.max),
    frac: Math.max(a.frac, b.frac),
  };
}

/** Converts through another type that can hold part of the value. */
function converted(tape: Tape, a: Value): Value {
  const narrow = [
    ["signed char", 128],
    ["short", 32768],
    ["unsigned char", 255],
    ["unsigned short", 65535],
    ["_Bool", 1],
  ] as const;
  const [name, max] = tape.of(narrow);
  const from = a.kind === "f" ? asInteger(a) : a;
  return integer(`(${name})(${from.text})`, max);
}

/** A signed value of which only the type is known. */
function wholeRange(tape: Tape, a: Value): Value {
  const factor = tape.of(["2654435769u", "0x80000000u", "3u", "65537u"]);
  const by = a.kind === "f" ? asInteger(a).text : a.text;
  return integer(`(int)((unsigned)(${by}) * ${factor})`, 2 ** 31);
}

/** Functions whose results are exact. */
function exact(tape: Tape, a: Value, b: Value): Value {
  if (a.kind === "f")
    switch (tape.below(3)) {
      case 0:
        return { ...a, text: `floor(${a.text})`, max: a.max + 1 };
      case 1:
        return { ...a, text: `trunc(${a.text})` };
      default:
        return b.kind === "u"
          ? { ...a, text: `ceil(${a.text})`, max: a.max + 1 }
          : asFloat([a, b], ([x, y]) => `${tape.of(["fmax", "fmin"])}(${x}, ${y})`);
    }
  if (a.kind === "u")
    return {
      ...a,
      kind: "u",
      wide: true,
      text: `((unsigned long)(${a.text}) * ${tape.of(["6364136223846793005ul", "0x100000001ul"])} >> ${tape.below(60)})`,
    };
  const n = small(a, LARGEST);
  return integer(`abs(${n.text})`, n.max);
}

/** The unsigned type of an operation on both. */
const unsignedOf = (a: Value, b: Value): string => (a.wide || b.wide ? "unsigned long" : "unsigned");
const isWide = (a: Value, b: Value): boolean => Boolean(a.wide || b.wide);

/** Sum, difference or product. */
function arithmetic(which: number, a: Value, b: Value): Value {
  const op = ["+", "-", "*"][which] as string;
  if (a.kind === "u" || b.kind === "u") {
    const [x, y] = [a, b].map((v) => (v.kind === "f" ? asInteger(v).text : v.text)) as [string, string];
    return {
      text: `(${unsignedOf(a, b)})((${x}) ${op} (${y}))`,
      kind: "u",
      max: 0,
      frac: 0,
      wide: isWide(a, b),
    };
  }
  if (a.kind === "f" || b.kind === "f") {
    const product = which === 2;
    const max = product ? a.max * b.max : a.max + b.max;
    const frac = product ? a.frac + b.frac : Math.max(a.frac, b.frac);
    return max * 2 ** frac < LARGEST
      ? { text: `(${a.text}) ${op} (${b.text})`, kind: "f", max, frac }
      : arithmetic(which, asInteger(a), asInteger(b));
  }
  const most = which === 2 ? 1000 : LARGEST;
  const [x, y] = [small(a, most), small(b, most)];
  const max = which === 2 ? x.max * y.max : x.max + y.max;
  return small(integer(`(${x.text}) ${op} (${y.text})`, max), LARGEST);
}

/** The operators of integers. */
function binary(tape: Tape, which: number, a: Value, b: Value): Value {
  if (a.kind === "u" || b.kind === "u") {
    const [x, y] = [a, b].map((v) => (v.kind === "f" ? asInteger(v).text : v.text)) as [string, string];
    const u = unsignedOf(a, b);
    const texts = [
      `(${u})(${x}) / (((${u})(${y}) & 7u) + 1u)`,
      `(${u})(${x}) % (((${u})(${y}) & 15u) + 1u)`,
      `(${x}) ^ (${y})`,
      `(${u})(${x}) ${tape.of([">>", "<<"])} ((${y}) & ${isWide(a, b) ? 63 : 31})`,
    ];
    return { text: `(${u})(${texts[which - 3]})`, kind: "u", max: 0, frac: 0, wide: isWide(a, b) };
  }
  const [x, y] = [asInteger(a), asInteger(b)];
  switch (which) {
    case 3:
      return integer(`(${x.text}) / (((${y.text}) & 7) + 1)`, x.max);
    case 4:
      return integer(`(${x.text}) % (((${y.text}) & 15) + 1)`, Math.min(x.max, 16));
    case 5:
      return integer(`((${small(x, 1000).text}) ${tape.of(["&", "|", "^"])} (${small(y, 1000).text}))`, 2047);
    default:
      return tape.once(2)
        ? integer(`(((${x.text}) & 255) << ${tape.below(4)})`, 2040)
        : integer(`((${x.text}) >> ${tape.below(4)})`, x.max);
  }
}
