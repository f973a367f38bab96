/** Instances of floating-point operators: of one value's own, or shared by values of which one at a time has its turn. */
import type { OperatorPipeline } from "../../../core/hw/float/pipeline.ts";
import type { Module } from "./module.ts";
import { disjunction, moduleOfOperator, range } from "./text.ts";

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

interface User {
  /** High where its operands go in: never for two users at once. */
  readonly turn: string;
  readonly operands: readonly string[];
}

interface Unit {
  readonly operator: OperatorPipeline;
  readonly name: string;
  readonly users: User[];
}

export class SharedUnits {
  private readonly module: Module;
  private readonly units = new Map<string, Unit>();

  constructor(module: Module) {
    this.module = module;
  }

  /** The signal of the result of a unit, `number` of those that compute the same. */
  use(operator: OperatorPipeline, number: number, turn: string, operands: readonly string[]): string {
    const key = `${operator.name} ${number}`;
    const unit = this.units.get(key) ?? {
      operator,
      name: this.module.names.unique(`${operator.op}_unit${number}`),
      users: [],
    };
    this.units.set(key, unit);
    unit.users.push({ turn, operands });
    return `${unit.name}_result`;
  }

  /** Writes the units, once all who use them are known. */
  finish(): void {
    const { module } = this;
    for (const { operator, name, users } of this.units.values()) {
      const operands = operator.inputs.map((input, k) => {
        const { bits } = input.shape;
        const signal = `${name}_${input.name}`;
        module.declare(`wire ${range(bits)}${signal};`);
        module.assign(signal, chosen(users, k, bits));
        return signal;
      });
      module.declare(`wire ${range(operator.output.shape.bits)}${name}_result;`);
      module.instance(...operatorInstance(operator, name, operands, `${name}_result`));
    }
  }
}

/** Operand `k` of the user whose turn it is. Of many, a lookup table takes two at once if the others are masked. */
function chosen(users: readonly User[], k: number, bits: number): string {
  const operands = new Map<string, string[]>();
  for (const user of users) {
    const text = user.operands[k] as string;
    operands.set(text, [...(operands.get(text) ?? []), user.turn]);
  }
  const [[first, turns] = ["", []], [second] = [""], ...more] = operands;
  if (operands.size === 1) return first;
  if (operands.size === 2 && more.length === 0) return `${disjunction(turns)} ? ${first} : ${second}`;
  return [...operands].map(([text, t]) => `({${bits}{${disjunction(t)}}} & ${text})`).join(" | ");
}
