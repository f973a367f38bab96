/** Atomic updates as calls of small functions that the kernel text defines. */

import type { Atomic } from "../../../core/ir/model/ir.ts";
import { canonical, sizeOf } from "../../../core/lang/index.ts";
import type { CType, Expr } from "../../../core/lang/tree/ast.ts";
import { halfNames, isHalf, needsDouble } from "../half/conversions.ts";

/** One helper: `T old = fetch(p, v)` or, for `fresh`, the new value. */
export interface AtomicHelper {
  readonly name: string;
  /** Type of the object, and of the operand. */
  readonly type: CType;
  readonly operand: CType;
  /** The type of the comparison value, if there is one. */
  readonly expected?: CType;
  readonly op: NonNullable<Atomic["op"]>;
  readonly reversed: boolean;
  readonly fresh: boolean;
  /** Address space of the object, if the language has them. */
  readonly space: string;
}

const opNames: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "%": "mod",
  "&": "and",
  "|": "or",
  "^": "xor",
  "<<": "shl",
  ">>": "shr",
  "=": "exchange",
  max: "max",
  min: "min",
  "&&": "and_then",
  "||": "or_else",
  "==": "swap",
};

function typeWord(type: CType): string {
  const c = canonical(type);
  return c.kind === "int" || c.kind === "float" ? c.name : c.kind === "enum" ? "int" : "value";
}

export function helperFor(n: Atomic, space: string): AtomicHelper {
  const value = n.value as Expr;
  const op = n.op as NonNullable<Atomic["op"]>;
  const fresh = n.captureNew === true;
  const { expected } = n;
  const [a, b] = [typeWord(n.target.type), typeWord(value.type)];
  const c = expected && typeWord(expected.type);
  const name = [
    "arc_atomic",
    opNames[op],
    n.reversed ? "reversed" : "",
    fresh ? "fetch" : "",
    a,
    a === b && (!c || a === c) ? "" : b,
    c && (a !== b || a !== c) ? c : "",
    space.replaceAll("_", ""),
  ]
    .filter(Boolean)
    .join("_");
  return {
    name,
    type: n.target.type,
    operand: value.type,
    ...(expected && { expected: expected.type }),
    op,
    reversed: n.reversed === true,
    fresh,
    space,
  };
}

/** The helper's parameters after the object. */
export const operandsOf = (h: AtomicHelper, type: (of: CType) => string): string =>
  [`${type(h.operand)} value`, ...(h.expected ? [`${type(h.expected)} expected`] : [])].join(", ");

/** The C expression of the new value from `old` and `value`. */
export function newValue(h: AtomicHelper, typeName: string): string {
  if (h.op === "=") return `(${typeName})value`;
  if (h.op === "==") return `(${typeName})(old == expected ? value : old)`;
  if (h.op === "max" || h.op === "min")
    return `(${typeName})(old ${h.op === "max" ? ">" : "<"} value ? old : value)`;
  return h.reversed ? `(${typeName})(value ${h.op} old)` : `(${typeName})(old ${h.op} value)`;
}

/** The same where halves are only stored. */
export function storedValue(h: AtomicHelper, typeName: string): string {
  if (!isHalf(h.type)) return newValue(h, typeName);
  const stored = (number: string) =>
    `${needsDouble(h.operand) ? halfNames.ofDouble : halfNames.of}(${number})`;
  const old = `${halfNames.value}(old)`;
  if (h.op === "=") return stored("value");
  if (h.op === "==") return `(${old} == expected ? ${stored("value")} : old)`;
  if (h.op === "max" || h.op === "min")
    return `(${old} ${h.op === "max" ? ">" : "<"} value ? old : ${stored("value")})`;
  return stored(h.reversed ? `value ${h.op} ${old}` : `${old} ${h.op} value`);
}

/**
 * Whether converting `value` to the object's type before the operation does not change the new value: integer sums and
 * bits wrap alike, and the usual conversions may do the same anyway.
 */
export function takesConverted(h: AtomicHelper): boolean {
  if (h.op === "=") return true;
  if (h.reversed) return false;
  const [object, value] = [canonical(h.type), canonical(h.operand)];
  if (h.op === "max" || h.op === "min")
    return object.kind === "int" && value.kind === "int" && object.name === value.name;
  if (object.kind === "int")
    return value.kind === "int" && object.name !== "bool" && ["+", "-", "&", "|", "^"].includes(h.op);
  if (object.kind !== "float" || (h.op !== "+" && h.op !== "-")) return false;
  return value.kind === "int" || (value.kind === "float" && bitsOf(h.operand) <= bitsOf(h.type));
}

function bitsOf(type: CType): number {
  return (sizeOf(type) ?? 4) * 8;
}

/** A language's spelling of the parts of a 32-bit compare-and-swap loop. */
interface SwapSpelling {
  readonly word: string;
  /** A pointer to a word that other items change. */
  readonly pointer: string;
  /** An integer type that holds an address. */
  readonly address: string;
  /** Stores `next` in `*word` if it contains `seen`; returns the previous content. */
  readonly swap: string;
}

/** The body of a helper for an object of one or two bytes: it swaps the word that contains the object. */
export function throughWord(h: AtomicHelper, type: string, size: number, spelling: SwapSpelling): string[] {
  const { word, pointer, address, swap } = spelling;
  const mask = size === 1 ? "0xffu" : "0xffffu";
  const bits = `((${word})(${storedValue(h, type)}) & ${mask})`;
  return [
    `  ${pointer} word = (${pointer})((${address})target & ~(${address})3);`,
    `  const ${word} shift = (${word})((${address})target & 3) * 8;`,
    `  ${word} seen = *word;`,
    `  ${type} old;`,
    "  for (;;) {",
    `    old = (${type})(seen >> shift & ${mask});`,
    `    const ${word} next = (seen & ~(${mask} << shift)) | ${bits} << shift;`,
    `    const ${word} before = ${swap};`,
    "    if (before == seen) break;",
    "    seen = before;",
    "  }",
  ];
}
