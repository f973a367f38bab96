/** The shapes of the signals that hold values. */
import { firstOf } from "../../../../core/checked/access.ts";
import { bitsOf } from "../../../../core/hw/dfg/ranges.ts";
import { readsVariable, type Shape, type Value } from "../../../../core/hw/dfg/value.ts";
import type { Widths } from "../../../../core/hw/dfg/widths.ts";

/** All places of a delay line have the shape of its input. */
export const shapeOf = (widths: Widths, value: Value): Shape =>
  widths.of(value.op === "delay" ? value.args[0] : value);

/**
 * Whether a conversion only renames bits: the value is the operand, or its low bits. The operand's own shape extends
 * it, unless a negative number becomes a large one.
 */
export function isRenaming(widths: Widths, value: Value): boolean {
  if (value.op !== "resize") return false;
  const [operand] = value.args;
  const [from, to] = [signalShape(widths, operand), widths.of(value)];
  // A variable may have more bits than are used here; a truncation is needed if other bits depend on the rest.
  if (from.bits > to.bits)
    return widths.of(operand).bits === to.bits && bitsOf(widths.ranges.of(value)) > to.bits;
  return to.bits === from.bits || !(from.signed && !to.signed);
}

/** Shape of the signal that a value is read from. */
function signalShape(widths: Widths, value: Value): Shape {
  if (readsVariable(value)) return widths.ofVariable(value.variable);
  if (!isRenaming(widths, value)) return shapeOf(widths, value);
  const [from, to] = [signalShape(widths, firstOf(value.args)), widths.of(value)];
  return from.bits === to.bits ? to : from;
}
