/** Instances of operators: one for a single value, or shared by values that take turns. */

import { itemAt } from "../../../../core/checked/access.ts";
import type { OperatorPipeline } from "../../../../core/hw/binding/process.ts";
import type { IntegerOperator } from "../../../../core/hw/operators/integer.ts";
import type { Module } from "../text/module.ts";
import { disjunction, moduleOfOperator, range } from "../text/text.ts";

/** A module that computes an operator. */
interface Circuit {
  readonly module: string;
  readonly parameters: Readonly<Record<string, number>>;
  readonly clocked: boolean;
  /** Its two operands may be swapped. */
  readonly commutes?: boolean;
  readonly inputs: readonly Wire[];
  readonly outputs: readonly Wire[];
}

interface Wire {
  readonly name: string;
  readonly bits: number;
}

function circuitOf(operator: OperatorPipeline | IntegerOperator): Circuit {
  if ("graph" in operator) {
    const { name, latency, inputs, output } = operator;
    return {
      module: moduleOfOperator(name),
      parameters: {},
      clocked: latency > 0,
      commutes: inputs.length === 2 && (operator.op === "fadd" || operator.op === "fmul"),
      inputs: inputs.map((input) => ({ name: input.name, bits: input.shape.bits })),
      outputs: [{ name: output.name, bits: output.shape.bits }],
    };
  }
  const { width, signed } = operator;
  const inputs = ["a", "b"].map((name) => ({ name, bits: width }));
  const outputs = ["quotient", "remainder"].map((name) => ({ name, bits: width }));
  return {
    module: "arc_divide",
    parameters: { WIDTH: width, SIGNED: signed ? 1 : 0 },
    clocked: true,
    inputs,
    outputs,
  };
}

/** An instance; `signals` maps the circuit's wires to signals. */
function instance(
  { module, parameters, clocked, inputs, outputs }: Circuit,
  name: string,
  signals: (wire: string) => string,
): Parameters<Module["instance"]> {
  const wires = [...inputs, ...outputs].map((wire) => [wire.name, signals(wire.name)]);
  return [module, parameters, name, { ...(clocked && { clk: "clk" }), ...Object.fromEntries(wires) }];
}

/** Arguments for `Module.instance`. */
export function operatorInstance(
  operator: OperatorPipeline,
  name: string,
  operands: readonly string[],
  result: string,
): Parameters<Module["instance"]> {
  const operandOf = new Map(operator.inputs.map((input, k) => [input.name, itemAt(operands, k)]));
  return instance(circuitOf(operator), name, (wire) => operandOf.get(wire) ?? result);
}

interface User {
  /** High when its operands go in: never for two users at once. */
  readonly active: string;
  readonly operands: readonly string[];
}

interface Unit {
  readonly circuit: Circuit;
  readonly name: string;
  readonly users: User[];
  /** Number of used bits of each result. */
  readonly usedBits: Map<string, number>;
}

export class SharedUnits {
  private readonly module: Module;
  private readonly units = new Map<string, Unit>();

  constructor(module: Module) {
    this.module = module;
  }

  /**
   * The signal of a unit's result; `number` selects one of the units with the same operator, and the user needs `bits`
   * bits. `operands` are in the order of the unit's inputs.
   */
  use(
    operator: OperatorPipeline | IntegerOperator,
    number: number,
    user: User,
    { result, bits }: { readonly result: string; readonly bits: number },
  ): string {
    const key = `${operator.name} ${number}`;
    const unit = this.units.get(key) ?? {
      circuit: circuitOf(operator),
      name: this.module.names.unique(`${operator.op}_unit${number}`),
      users: [],
      usedBits: new Map<string, number>(),
    };
    this.units.set(key, unit);
    unit.users.push(user);
    unit.usedBits.set(result, Math.max(bits, unit.usedBits.get(result) ?? 0));
    return `${unit.name}_${result}`;
  }

  /** Writes the units, after all users are registered. */
  finish(): void {
    const { module } = this;
    for (const { circuit, name, users: all, usedBits } of this.units.values()) {
      const namedUsers = all.map(({ active, operands }) => ({
        active,
        operands: operands.map((text) => module.nameOf(text)),
      }));
      const users = circuit.commutes ? inFewPlaces(namedUsers) : namedUsers;
      for (const wire of [...circuit.inputs, ...circuit.outputs])
        module.declare(`wire ${range(wire.bits)}${name}_${wire.name};`);
      circuit.inputs.forEach((input, k) => {
        module.assign(`${name}_${input.name}`, selectOperand(users, k, input.bits));
      });
      for (const output of circuit.outputs)
        module.leave(`${name}_${output.name}`, usedBits.get(output.name) ?? 0, output.bits);
      module.instance(...instance(circuit, name, (wire) => `${name}_${wire}`));
    }
  }
}

/** Swaps users' operands so that equal ones are at the same input, in one greedy pass. */
function inFewPlaces(users: readonly User[]): readonly User[] {
  const places = [new Set<string>(), new Set<string>()] as const;
  return users.map(({ active, operands: [a = "", b = ""] }) => {
    const known = (x: string, y: string) => Number(places[0].has(x)) + Number(places[1].has(y));
    const operands = known(b, a) > known(a, b) ? [b, a] : [a, b];
    places.forEach((place, k) => void place.add(itemAt(operands, k)));
    return { active, operands };
  });
}

/**
 * Operand `k` of the user whose turn it is. With many users a lookup table can combine two, if the others are masked.
 */
function selectOperand(users: readonly User[], k: number, bits: number): string {
  const operands = new Map<string, string[]>();
  for (const user of users) {
    const text = itemAt(user.operands, k);
    operands.set(text, [...(operands.get(text) ?? []), user.active]);
  }
  const [[first, active] = ["", []], [second] = [""], ...more] = operands;
  if (operands.size === 1) return first;
  if (operands.size === 2 && more.length === 0) return `${disjunction(active)} ? ${first} : ${second}`;
  return [...operands].map(([text, t]) => `({${bits}{${disjunction(t)}}} & ${text})`).join(" | ");
}
