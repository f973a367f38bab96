/** Instances of floating-point operators: of one value's own, or shared by pipelines of which one runs at a time. */
import type { OperatorPipeline } from "../../../core/hw/float/pipeline.ts";
import type { Module } from "./module.ts";
import { moduleOfOperator, range } from "./text.ts";

/** What `Module.instance` takes. */
export function operatorInstance(
  { name, latency, inputs, output }: OperatorPipeline,
  instance: string,
  operands: readonly string[],
  result: string,
): Parameters<Module["instance"]> {
  return [
    moduleOfOperator(name),
    {},
    instance,
    {
      ...(latency > 0 && { clk: "clk" }),
      ...Object.fromEntries(inputs.map((input, k) => [input.name, operands[k] as string])),
      [output.name]: result,
    },
  ];
}

interface Unit {
  readonly operator: OperatorPipeline;
  readonly name: string;
  readonly users: { readonly active: () => string; readonly operands: readonly string[] }[];
}

export class SharedUnits {
  private readonly module: Module;
  private readonly units = new Map<string, Unit>();

  constructor(module: Module) {
    this.module = module;
  }

  /** The signal of the result; `active`: the name of a signal that is high while these are the operands. */
  use(operator: OperatorPipeline, number: number, active: () => string, operands: readonly string[]): string {
    const key = `${operator.name} ${number}`;
    const unit = this.units.get(key) ?? {
      operator,
      name: this.module.names.unique(`${operator.op}_unit${number}`),
      users: [],
    };
    this.units.set(key, unit);
    unit.users.push({ active, operands });
    return `${unit.name}_result`;
  }

  /** Writes the units, once all who use them are known. */
  finish(): void {
    const { module } = this;
    for (const { operator, name, users } of this.units.values()) {
      const operands = operator.inputs.map((input, k) => {
        const signal = `${name}_${input.name}`;
        module.declare(`wire ${range(input.shape.bits)}${signal};`);
        const chosen = users
          .map((user) => ({ ...user, text: user.operands[k] as string }))
          .reduceRight<string>(
            (rest, { active, text }) => (rest ? `${active()} ? ${text} : ${rest}` : text),
            "",
          );
        module.assign(signal, chosen);
        return signal;
      });
      module.declare(`wire ${range(operator.output.shape.bits)}${name}_result;`);
      module.instance(...operatorInstance(operator, name, operands, `${name}_result`));
    }
  }
}
