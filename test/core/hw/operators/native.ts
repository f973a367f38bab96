/** Operators' graphs as C functions, of at most 128 bits in any value: for more operands than an interpreter can do. */

import type { Shape, Value } from "../../../../core/hw/dfg/value.ts";
import type { OperatorGraph } from "../../../../core/hw/operators/operator.ts";

/** `static uint64_t NAME(uint64_t a, …)`, from codes to a code; for a file that includes <stdint.h>. */
export function nativeFunction(name: string, { graph, inputs, output }: OperatorGraph): string {
  const needed = new Set<Value>();
  const need = (value: Value): void => {
    if (needed.has(value)) return;
    needed.add(value);
    value.args.forEach(need);
  };
  const result = graph.updates.get(output) as Value;
  need(result);
  const values = graph.values.filter((v) => needed.has(v));
  const lines = values.map((v) => `  ${declared(v)}`);
  return [
    `static uint64_t ${name}(${inputs.map((i) => `uint64_t arg_${i.name}`).join(", ")}) {`,
    ...lines,
    `  return v${result.id};`,
    "}",
    "",
  ].join("\n");
}

const typeOf = (bits: number): string =>
  bits <= 32 ? "uint32_t" : bits <= 64 ? "uint64_t" : "unsigned __int128";
const signedType = (bits: number): string => (bits <= 32 ? "int32_t" : bits <= 64 ? "int64_t" : "__int128");
const sizeOf = (bits: number): number => (bits <= 32 ? 32 : bits <= 64 ? 64 : 128);

function literal(value: bigint, bits: number): string {
  if (bits <= 64) return `0x${value.toString(16)}ull`;
  const low = BigInt.asUintN(64, value);
  return `((unsigned __int128)0x${(value >> 64n).toString(16)}ull << 64 | 0x${low.toString(16)}ull)`;
}

/** The number of a value, in an integer type of at least `bits` bits. */
function number(value: Value, bits: number): string {
  const { shape } = value;
  if (value.op === "const" && !shape.signed)
    return `(${typeOf(Math.max(bits, shape.bits))})${literal(value.constant as bigint, shape.bits)}`;
  const wide = Math.max(bits, shape.bits);
  if (!shape.signed || shape.float) return `(${typeOf(wide)})v${value.id}`;
  const spare = sizeOf(shape.bits) - shape.bits;
  return `(${signedType(wide)})((${signedType(shape.bits)})(v${value.id} << ${spare}) >> ${spare})`;
}

function declared(value: Value): string {
  const { op, shape, id } = value;
  const { bits } = shape;
  const mask = sizeOf(bits) === bits ? "" : ` & ${literal((1n << BigInt(bits)) - 1n, bits)}`;
  if (op === "table") {
    const entries = value.entries as readonly bigint[];
    const [index] = value.args as [Value];
    const list = entries.map((e) => literal(e, bits)).join(", ");
    return `static const ${typeOf(bits)} t${id}[] = {${list}}; ${typeOf(bits)} v${id} = v${index.id} < ${entries.length} ? t${id}[v${index.id}] : 0;`;
  }
  return `${typeOf(bits)} v${id} = (${typeOf(bits)})(${expression(value)})${mask};`;
}

function expression({ op, shape, args, constant, variable }: Value): string {
  const [a, b, c] = args as [Value, Value, Value];
  const { bits } = shape;
  const common = (...list: Value[]) => Math.max(...list.map((v) => v.shape.bits)) + 1;
  const signed = (v: Value) => v.shape.signed;
  const binary = (operator: string) => `${number(a, bits)} ${operator} ${number(b, bits)}`;
  switch (op) {
    case "const":
      return literal(constant as bigint, bits);
    case "read":
      return `arg_${variable?.name}`;
    case "add":
      return binary("+");
    case "sub":
      return binary("-");
    case "and":
      return binary("&");
    case "or":
      return binary("|");
    case "xor":
      return binary("^");
    case "not":
      return `~${number(a, bits)}`;
    case "shl":
      return `${number(a, bits)} << ${b.constant}`;
    case "shr":
      return `${number(a, bits)} >> ${b.constant}`;
    case "mux":
      return `v${a.id} ? ${asType(b, bits)} : ${asType(c, bits)}`;
    case "concat":
      return `${asType(a, bits)} << ${b.shape.bits} | ${asType({ ...b, shape: unsignedOf(b.shape) }, bits)}`;
    case "resize":
      return asType(a, bits);
    case "eq":
    case "lt": {
      const wide = common(a, b);
      const type = signed(a) || signed(b) ? signedType(wide) : typeOf(wide);
      return `(${type})${number(a, wide)} ${op === "eq" ? "==" : "<"} (${type})${number(b, wide)}`;
    }
    default:
      throw new Error(`no C for ${op}`);
  }
}

const unsignedOf = ({ bits }: Shape): Shape => ({ bits, signed: false });
const asType = (value: Value, bits: number): string =>
  `(${typeOf(Math.max(bits, value.shape.bits))})(${number(value, bits)})`;
