/** The device profile for the passes at a given clock: latencies of accumulations depend on arc's own operators. */

import { operatorPipeline } from "../../core/hw/binding/operator-pipeline.ts";
import { binary32, binary64, floatShape } from "../../core/hw/dfg/float-format.ts";
import type { Operation } from "../../core/hw/modulo/constraints.ts";
import { schedule } from "../../core/hw/modulo/schedule.ts";
import type { LogicDevice } from "../../core/hw/operators/device.ts";
import type { FloatOperator } from "../../core/hw/operators/operator.ts";
import type { LogicTiming } from "../../core/hw/operators/timing.ts";
import type { OperatorEntry } from "../../core/ir/model/device-profile.ts";

const types = { float: floatShape(binary32), double: floatShape(binary64) };

export function profileAt(device: LogicDevice, megahertz: number): LogicDevice {
  const operators = Object.entries(types).flatMap(([type, shape]) =>
    (["fadd", "fmul"] as const).map((op): OperatorEntry => {
      const circuit = { op, from: shape, to: shape, constants: [undefined, undefined] };
      return {
        op: op === "fadd" ? "+" : "*",
        type,
        // Computed on demand: most regions have no accumulation.
        get latency() {
          return roundTrip(circuit, device.logic, 1000 / megahertz);
        },
        source: `scheduled for ${megahertz} MHz`,
      };
    }),
  );
  return { ...device, operators };
}

/**
 * Cycles from a partial result to the next one made from it by an operator. The places of partial results are selected
 * in front of the operator, and so are its operands if the loop that adds up the places shares it; the result is stored
 * through a multiplexer.
 */
function roundTrip(operator: FloatOperator, logic: LogicTiming, period: number): number {
  const { timing } = operatorPipeline(operator, logic, period);
  const operations: readonly Operation[] = [
    { delay: 0, cycles: 0, registered: logic.register },
    { delay: 2 * logic.lut, cycles: 0 },
    { ...timing, delay: timing.delay + logic.lut },
    { delay: logic.setup + logic.lut, cycles: 0 },
  ];
  const arcs = [0, 1, 2].map((from) => ({ from, to: from + 1, distance: 0 }));
  const result = schedule({ operations, arcs, period }, 1, 1);
  // With one more partial result the scheduler can choose between two cycles.
  return Math.max(timing.cycles + 1, result?.cycles[3] ?? 0) + 1;
}
