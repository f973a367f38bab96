/** What the passes know of a device at a clock: how long accumulations take is up to arc's own operators. */
import type { LogicDevice } from "../../core/hw/device.ts";
import { binary32, binary64, floatShape } from "../../core/hw/float/format.ts";
import { operatorPipeline } from "../../core/hw/float/pipeline.ts";
import type { OperatorEntry } from "../../core/ir/device-profile.ts";

const types = { float: floatShape(binary32), double: floatShape(binary64) };

export function profileAt(device: LogicDevice, megahertz: number): LogicDevice {
  const operators = Object.entries(types).flatMap(([type, shape]) =>
    (["fadd", "fmul"] as const).map((op): OperatorEntry => {
      const circuit = { op, from: shape, to: shape, constants: [undefined, undefined] };
      return {
        op: op === "fadd" ? "+" : "*",
        type,
        // Scheduled when asked: most regions add up nothing.
        get latency() {
          // From a partial result, which is chosen and kept, to the one that the operator makes of it.
          return operatorPipeline(circuit, device.logic, 1000 / megahertz).latency + 2;
        },
        source: `scheduled for ${megahertz} MHz`,
      };
    }),
  );
  return { ...device, operators };
}
