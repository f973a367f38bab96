/** Values that a circuit of their own computes: integer divisions that share none, and tables. */
import type { Value } from "../../../../core/hw/dfg/value.ts";
import { commonShape } from "../../../../core/hw/operators/timing.ts";
import { literal, range, resized, zeros } from "../text/text.ts";
import type { Signals } from "./expression-text.ts";

export function divide(signals: Signals, value: Value, cycle: number): void {
  const { module, widths } = signals;
  const name = signals.nameOf(value);
  const [a, b] = value.args as [Value, Value];
  const common = commonShape(widths.of(a), widths.of(b));
  const { bits } = widths.of(value);
  const fullResult = `${name}_whole`;
  const other = `${name}_unused`;
  module.declare(`wire ${range(common.bits)}${fullResult};`);
  module.declare(`wire ${range(common.bits)}${other};`);
  module.declare(`wire ${range(bits)}${name};`);
  const isQuotient = value.op === "div";
  module.instance("arc_divide", { WIDTH: common.bits, SIGNED: common.signed ? 1 : 0 }, `${name}_unit`, {
    clk: "clk",
    a: signals.operand(a, cycle, common.bits),
    b: signals.operand(b, cycle, common.bits),
    quotient: isQuotient ? fullResult : other,
    remainder: isQuotient ? other : fullResult,
  });
  module.assign(name, resized(fullResult, common, bits));
  module.leave(fullResult, bits, common.bits);
}

/** A read-only memory in lookup tables. */
export function table(signals: Signals, value: Value, cycle: number): void {
  const { module, widths } = signals;
  const name = signals.nameOf(value);
  const { bits } = widths.of(value);
  const [index] = value.args as [Value];
  const indexBits = widths.of(index).bits;
  module.declare(`reg ${range(bits)}${name};`);
  module.choice(
    signals.operand(index, cycle, indexBits),
    name,
    // An index is only as wide as its range.
    (value.entries ?? [])
      .slice(0, 2 ** indexBits)
      .map((entry, k) => [literal(BigInt(k), indexBits), literal(entry, bits)]),
    zeros(bits),
  );
}
