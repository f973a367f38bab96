/**
 * A floating-point operator as a Verilog module: it takes operands in every cycle and gives each result `latency`
 * cycles later.
 */

import { entryOf } from "../../../../core/checked/access.ts";
import type { HardwarePlan, OperatorPipeline } from "../../../../core/hw/binding/process.ts";
import type { Variable } from "../../../../core/hw/dfg/value.ts";
import { Module } from "../text/module.ts";
import { moduleOfOperator, range } from "../text/text.ts";
import { ProcessText } from "./process.ts";
import { LocalRams } from "./rams.ts";
import { SharedUnits } from "./units.ts";

export function operatorModule(operator: OperatorPipeline): string {
  if (operator.multiplier) return multiplierModule(operator, operator.multiplier);
  const { name, pipeline, process, widths, inputs, output, latency, graph } = operator;
  const module = new Module(moduleOfOperator(name));
  module.names.reserve(["unused"]);
  if (latency > 0) module.port({ direction: "input", bits: 1, name: "clk" });
  const ports = new Map<Variable, string>();
  for (const { name: port, shape } of inputs)
    module.port({ direction: "input", bits: shape.bits, name: port });
  for (const input of inputs) ports.set(input, input.name);
  // Unused bits, such as the sign of an even function's operand.
  for (const v of graph.values)
    if (v.op === "read" && v.variable)
      module.leave(v.variable.name, widths.of(v).bits, v.variable.shape.bits);
  const result = module.port({ direction: "output", bits: output.shape.bits, name: "result" });
  const text = new ProcessText({
    module,
    widths,
    scheduled: { pipeline, ii: 1, bounds: { recurrence: 1, resource: 1 }, processes: [process] },
    process,
    prefix: "",
    register: (variable) => entryOf(ports, variable),
    input: () => "",
    interval: 1,
    units: new SharedUnits(module),
    rams: new LocalRams(module, widths),
  });
  text.values();
  module.assign(result, text.operand(entryOf(graph.updates, output), latency, output.shape.bits));
  text.finish();
  return module.text();
}

/** A product that synthesis maps to a multiplier of the part, which infers the factors' widths from their signs. */
function multiplierModule({ name, inputs, output }: OperatorPipeline, signs: readonly boolean[]): string {
  const { bits } = output.shape;
  const sign = signs.includes(true) ? "signed " : "";
  const factors = inputs.map(({ name: input, shape }, k) => {
    const register = `${input}_held`;
    const missing = bits - shape.bits;
    const top = shape.bits === 1 ? register : `${register}[${shape.bits - 1}]`;
    const filling = signs[k] ? `{${missing}{${top}}}` : `${missing}'d0`;
    return {
      input,
      bits: shape.bits,
      held: register,
      whole: missing > 0 ? `{${filling}, ${register}}` : register,
    };
  });
  const lines = [
    ...factors.map((f) => `reg ${range(f.bits)}${f.held};`),
    ...factors.map((f) => `wire ${sign}${range(bits)}${f.input}_whole = ${f.whole};`),
    `reg ${sign}${range(bits)}product;`,
    "assign result = product;",
    "always @(posedge clk) begin",
    ...factors.map((f) => `  ${f.held} <= ${f.input};`),
    `  product <= ${factors.map((f) => `${f.input}_whole`).join(" * ")};`,
    "end",
  ];
  return `module ${moduleOfOperator(name)} (
  input wire clk,
${factors.map((f) => `  input wire ${range(f.bits)}${f.input},\n`).join("")}  output wire ${range(bits)}result
);
${lines.map((line) => `  ${line}\n`).join("")}endmodule
`;
}

/** The modules of all operators of a plan, each once. */
export function operatorModules({ pipelines }: HardwarePlan): readonly string[] {
  const usedOperators = pipelines.flatMap((p) =>
    p.processes.flatMap((x) =>
      [...x.operators.values()].flatMap(({ operator }) => ("graph" in operator ? [operator] : [])),
    ),
  );
  return [...new Map(usedOperators.map((operator) => [operator.name, operator])).values()].map(
    operatorModule,
  );
}
