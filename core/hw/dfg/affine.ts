/** Values as linear forms, to compare addresses. */
import { type LinearForm, plus, scaled } from "../linear/form.ts";
import { interpret, isLiteral, type Value } from "./value.ts";

export type AffineForm = LinearForm<Value>;

/**
 * `value` modulo 2^bits. Signed sums and products are assumed not to overflow (undefined in C), so that widening
 * distributes over them.
 */
export function affineForm(value: Value): AffineForm {
  const known = forms.get(value) ?? formOf(value);
  forms.set(value, known);
  return known;
}

/** Values share operands: each form is computed once. */
const forms = new WeakMap<Value, AffineForm>();

function formOf(value: Value): AffineForm {
  const { op, args, shape } = value;
  const [a, b] = args;
  if (isLiteral(value)) return { constant: interpret(value.constant, shape), terms: new Map() };
  if (op === "add" && a && b) return plus(affineForm(a), affineForm(b));
  if (op === "sub" && a && b) return plus(affineForm(a), affineForm(b), -1n);
  if (op === "shl" && a && b && isLiteral(b) && b.constant < BigInt(shape.bits))
    return scaled(affineForm(a), 1n << b.constant);
  if (op === "resize" && a && !a.shape.float && shape.bits >= a.shape.bits && distributes(a))
    return affineForm(a);
  // Truncation distributes over everything that is computed modulo a power of two.
  if (op === "resize" && a && !a.shape.float && shape.bits < a.shape.bits) return affineForm(a);
  return { constant: 0n, terms: new Map([[value, 1n]]) };
}

function distributes(value: Value): boolean {
  return (
    isLiteral(value) ||
    (value.shape.signed && value.shape.bits >= 32 && value.shape.fractionBits === undefined)
  );
}

export const constantForm = (constant: bigint): AffineForm => ({ constant, terms: new Map() });

/**
 * a - b, if it is constant, of two places in memory: as far apart as half of what addresses reach, at most. Their sums may
 * have wrapped around.
 */
export function addressDifference(a: Value, b: Value): bigint | undefined {
  const difference = constantDifference(affineForm(a), affineForm(b));
  return difference === undefined ? undefined : BigInt.asIntN(a.shape.bits, difference);
}

/** a - b, if it is constant. */
export function constantDifference(a: AffineForm, b: AffineForm): bigint | undefined {
  const difference = plus(a, b, -1n);
  return difference.terms.size === 0 ? difference.constant : undefined;
}
