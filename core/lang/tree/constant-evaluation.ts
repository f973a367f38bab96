/** Constant expressions: integers and addresses as bigint in their type, floating values as number. */
import type { BinaryOp, CType, Expr, OffsetPath } from "./ast.ts";
import { roundToHalf } from "./half.ts";
import { intKind, wrapInteger } from "./integers.ts";
import { alignOf, fieldOffset, sizeOf } from "./layout.ts";
import { canonical, compatibleUnqualified, elementType } from "./types.ts";

type ConstantValue = bigint | number;

/** The value, or undefined if it is not a constant that can be computed here. A comma expression is not a constant. */
export function evaluate(expr: Expr): ConstantValue | undefined {
  switch (expr.kind) {
    case "int":
    case "char":
    case "float":
      return expr.type.kind === "complex" ? undefined : expr.value;
    case "ident":
      return expr.sym.kind === "enumerator" ? expr.sym.value : undefined;
    case "unary":
      return evaluateUnary(expr);
    case "binary":
      return evaluateBinary(expr);
    case "cond":
      return evaluateConditional(expr);
    case "cast":
      return evaluateCast(expr);
    case "sizeof":
      return natural(sizeOf(expr.of ?? expr.arg?.type ?? expr.type));
    case "alignof":
      return natural(alignOf(expr.of ?? expr.arg?.type ?? expr.type));
    case "generic": {
      const chosen = expr.assocs[expr.chosen];
      return chosen && evaluate(chosen.value);
    }
    case "builtin":
      return evaluateBuiltin(expr);
    case "call":
      return evaluateCall(expr);
    default:
      return undefined;
  }
}

/** The value of an integer constant expression. */
export function evaluateInteger(expr: Expr): bigint | undefined {
  const value = evaluate(expr);
  return typeof value === "bigint" ? value : undefined;
}

const natural = (size: number | undefined): bigint | undefined =>
  size === undefined ? undefined : BigInt(size);
const truth = (value: ConstantValue): boolean => value !== 0n && value !== 0;

/** `value` converted to `type`. */
function convert(value: ConstantValue, type: CType): ConstantValue | undefined {
  const seen = canonical(type);
  if (seen.kind === "pointer") return typeof value === "bigint" ? BigInt.asUintN(64, value) : undefined;
  if (seen.kind === "float") {
    const number = Number(value);
    // gcc computes halves as floats, and rounds results where they are converted or stored.
    return ["float", "float32", "float16"].includes(seen.name) ? Math.fround(number) : number;
  }
  const kind = intKind(seen);
  if (kind === undefined) return undefined;
  if (kind === "bool") return truth(value) ? 1n : 0n;
  if (typeof value === "bigint") return wrapInteger(value, kind);
  return Number.isFinite(value) ? wrapInteger(BigInt(Math.trunc(value)), kind) : undefined;
}

function evaluateCast(expr: Expr & { readonly kind: "cast" }): ConstantValue | undefined {
  const value = evaluate(expr.arg);
  if (value === undefined) return undefined;
  const to = canonical(expr.to);
  if (to.kind !== "float" || to.name !== "float16") return convert(value, expr.to);
  const half = roundToHalf(Number(value));
  // An integer beside a half is converted to float, and only one that is assigned to a half is rounded.
  return expr.implicit && half !== Number(value) && typeof value === "bigint" ? undefined : half;
}

function evaluateUnary(expr: Expr & { readonly kind: "unary" }): ConstantValue | undefined {
  if (expr.op === "&") return addressOf(expr.arg);
  const value = evaluate(expr.arg);
  if (value === undefined) return undefined;
  switch (expr.op) {
    case "+":
    case "__extension__":
    case "__real__":
      return convert(value, expr.type);
    case "-":
      return convert(-value, expr.type);
    case "~":
      return typeof value === "bigint" ? convert(~value, expr.type) : undefined;
    case "!":
      return truth(value) ? 0n : 1n;
    default:
      return undefined;
  }
}

/** Addresses computed from constants, as in `&((struct s *)0)->member`. */
function addressOf(expr: Expr): bigint | undefined {
  if (expr.kind === "unary" && expr.op === "*") return evaluateInteger(expr.arg);
  if (expr.kind === "member") {
    const base = expr.arrow ? evaluateInteger(expr.base) : addressOf(expr.base);
    const record = canonical(expr.arrow ? (elementType(expr.base.type) ?? expr.base.type) : expr.base.type);
    if (base === undefined || record.kind !== "record") return undefined;
    const offset = fieldOffset(record.decl, expr.name);
    return offset === undefined ? undefined : base + BigInt(offset / 8);
  }
  if (expr.kind === "index") {
    const isArray = canonical(expr.base.type).kind === "array";
    const base = isArray ? addressOf(expr.base) : evaluateInteger(expr.base);
    const index = evaluateInteger(expr.index);
    const size = sizeOf(expr.type);
    if (base === undefined || index === undefined || size === undefined) return undefined;
    return base + index * BigInt(size);
  }
  return undefined;
}

function evaluateConditional(expr: Expr & { readonly kind: "cond" }): ConstantValue | undefined {
  const test = evaluate(expr.test);
  if (test === undefined) return undefined;
  // An unevaluated operand may divide by zero, but may not call or name a variable (C11 6.6p6).
  if (!isConstantForm(truth(test) ? expr.else : (expr.then ?? expr.test))) return undefined;
  const chosen = truth(test) ? (expr.then ? evaluate(expr.then) : test) : evaluate(expr.else);
  return chosen === undefined ? undefined : convert(chosen, expr.type);
}

function evaluateBinary(expr: Expr & { readonly kind: "binary" }): ConstantValue | undefined {
  const { op } = expr;
  const left = evaluate(expr.left);
  if (left === undefined) return undefined;
  if (op === "&&" && !truth(left)) return isConstantForm(expr.right) ? 0n : undefined;
  if (op === "||" && truth(left)) return isConstantForm(expr.right) ? 1n : undefined;
  const right = evaluate(expr.right);
  if (right === undefined) return undefined;
  if (op === "&&" || op === "||") return truth(right) ? 1n : 0n;
  if (canonical(expr.left.type).kind === "pointer" || canonical(expr.right.type).kind === "pointer") {
    return pointerArithmetic(expr, left, right);
  }
  if (typeof left === "bigint" && typeof right === "bigint") {
    const value = integerOperation(op, left, right);
    return value === undefined ? undefined : convert(value, expr.type);
  }
  const value = floatOperation(op, Number(left), Number(right));
  return value === undefined ? undefined : convert(value, expr.type);
}

/** Whether the expression consists of constants and operators only, whether or not it can be evaluated. */
function isConstantForm(expr: Expr): boolean {
  switch (expr.kind) {
    case "unary":
      return evaluate(expr) !== undefined || (expr.op !== "*" && expr.op !== "&" && isConstantForm(expr.arg));
    case "binary":
      return isConstantForm(expr.left) && isConstantForm(expr.right);
    case "cond":
      return (
        isConstantForm(expr.test) && (!expr.then || isConstantForm(expr.then)) && isConstantForm(expr.else)
      );
    case "cast":
      return isConstantForm(expr.arg);
    case "sizeof":
    case "alignof":
      return true;
    default:
      return evaluate(expr) !== undefined;
  }
}

function pointerArithmetic(
  expr: Expr & { readonly kind: "binary" },
  left: ConstantValue,
  right: ConstantValue,
): bigint | undefined {
  if (typeof left !== "bigint" || typeof right !== "bigint") return undefined;
  const leftTo = canonical(expr.left.type).kind === "pointer" ? elementType(expr.left.type) : undefined;
  const rightTo = canonical(expr.right.type).kind === "pointer" ? elementType(expr.right.type) : undefined;
  const size = natural(sizeOf(leftTo ?? rightTo ?? expr.type));
  if (size === undefined || size === 0n) return undefined;
  if (expr.op === "+") return leftTo ? left + right * size : right + left * size;
  if (expr.op === "-") return leftTo && rightTo ? (left - right) / size : left - right * size;
  return integerOperation(expr.op, left, right);
}

function integerOperation(op: BinaryOp, a: bigint, b: bigint): bigint | undefined {
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0n ? undefined : a / b;
    case "%":
      return b === 0n ? undefined : a % b;
    case "<<":
      return b < 0n || b > 127n ? undefined : a << b;
    case ">>":
      return b < 0n || b > 127n ? undefined : a >> b;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    default:
      return compare(op, a, b);
  }
}

function floatOperation(op: BinaryOp, a: number, b: number): ConstantValue | undefined {
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    default:
      return compare(op, a, b);
  }
}

function compare<T extends ConstantValue>(op: BinaryOp, a: T, b: T): bigint | undefined {
  switch (op) {
    case "==":
      return a === b ? 1n : 0n;
    case "!=":
      return a !== b ? 1n : 0n;
    case "<":
      return a < b ? 1n : 0n;
    case ">":
      return a > b ? 1n : 0n;
    case "<=":
      return a <= b ? 1n : 0n;
    case ">=":
      return a >= b ? 1n : 0n;
    default:
      return undefined;
  }
}

function evaluateBuiltin(expr: Expr & { readonly kind: "builtin" }): ConstantValue | undefined {
  const [first, second, third] = expr.args;
  switch (expr.name) {
    case "__builtin_types_compatible_p":
      return compatibleUnqualified(first as CType, second as CType) ? 1n : 0n;
    case "__builtin_choose_expr": {
      const test = evaluate(first as Expr);
      return test === undefined ? undefined : evaluate((truth(test) ? second : third) as Expr);
    }
    case "__builtin_offsetof":
      return offsetOf(first as CType, second as OffsetPath);
    default:
      return undefined;
  }
}

function offsetOf(type: CType, path: OffsetPath): bigint | undefined {
  let at = canonical(type);
  let bytes = 0n;
  for (const part of path.parts) {
    if (typeof part === "string") {
      const offset = at.kind === "record" ? fieldOffset(at.decl, part) : undefined;
      const field = at.kind === "record" ? memberType(at, part) : undefined;
      if (offset === undefined || !field) return undefined;
      bytes += BigInt(offset / 8);
      at = canonical(field);
    } else {
      const index = evaluateInteger(part);
      const of = elementType(at);
      const size = of && natural(sizeOf(of));
      if (index === undefined || !of || size === undefined) return undefined;
      bytes += index * size;
      at = canonical(of);
    }
  }
  return bytes;
}

function memberType(record: CType & { readonly kind: "record" }, name: string): CType | undefined {
  for (const field of record.decl.fields ?? []) {
    if (field.name === name) return field.type;
    const inner = canonical(field.type);
    const found = field.name === undefined && inner.kind === "record" ? memberType(inner, name) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** The builtins that gcc folds and that headers use in constant expressions. */
function evaluateCall(expr: Expr & { readonly kind: "call" }): ConstantValue | undefined {
  if (expr.callee.kind !== "ident") return undefined;
  const [first] = expr.args;
  const value = first && evaluate(first);
  switch (expr.callee.sym.name) {
    case "__builtin_constant_p":
      return value === undefined ? 0n : 1n;
    case "__builtin_expect":
      return value;
    case "__builtin_huge_val":
    case "__builtin_huge_valf":
    case "__builtin_inf":
    case "__builtin_inff":
      return Number.POSITIVE_INFINITY;
    case "__builtin_bswap16":
    case "__builtin_bswap32":
    case "__builtin_bswap64": {
      const bytes = Number(expr.callee.sym.name.slice("__builtin_bswap".length)) / 8;
      return typeof value === "bigint" ? swapBytes(value, bytes) : undefined;
    }
    default:
      return undefined;
  }
}

function swapBytes(value: bigint, bytes: number): bigint {
  let swapped = 0n;
  for (let i = 0; i < bytes; i++) swapped = (swapped << 8n) | ((value >> BigInt(8 * i)) & 0xffn);
  return swapped;
}
