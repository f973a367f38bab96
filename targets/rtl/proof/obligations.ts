/** Proof obligations of a design: one for each part with properties, at the sizes used in the design. */
import { itemAt } from "../../../core/checked/access.ts";
import type { Obligation } from "../../shared/kind/proof.ts";
import type { Design } from "../design/design.ts";
import { arbiterProperties } from "./arbiters.ts";
import { axiProperties } from "./axi.ts";
import { creditProperties } from "./credits.ts";
import { connected, moduleText } from "./instances.ts";
import { memoryOrderProperties } from "./memory-order.ts";
import type { ModuleProperties } from "./monitor.ts";
import { pipelineProperties } from "./pipelines.ts";
import { properties } from "./properties.ts";
import { streamTurnProperties } from "./stream-turns.ts";

/** An instance whose parameters are all numbers. */
const instances = /^ *(arc_\w+) #\(((?:\.\w+\(\d+\)(?:, )?)+)\) \w+ \($/gm;

/** All obligations of a design; `text`: its text, as it is built. */
export function obligationsOf({ plans, modules, port, axi, text }: Design): readonly Obligation[] {
  return [
    ...partObligations(text),
    ...plans.flatMap((plan, k) => {
      const kernel = itemAt(modules, k);
      const all = [
        ...pipelineProperties(plan, kernel),
        ...creditProperties(plan, kernel),
        ...memoryOrderProperties(kernel),
        ...streamTurnProperties(kernel),
      ];
      return all.map((properties) => moduleObligation(text, properties));
    }),
    ...(port ? arbiterProperties(port).map((properties) => moduleObligation(text, properties)) : []),
    ...(port && axi ? [moduleObligation(text, axiProperties(axi, port))] : []),
  ];
}

/** Properties of a module's own inside; they do not depend on its instances, whose results are free. */
export function moduleObligation(text: string, properties: ModuleProperties): Obligation {
  const { module, text: added, steps, ...rest } = properties;
  const source = moduleText(text, module) ?? "";
  return {
    ...rest,
    text: source.replace(/endmodule$/, `${connected(added, source)}endmodule\n`),
    script: scriptOf(module, steps, ["delete -port o:*"]),
  };
}

/** Instances inside library parts are proved where designs use the part, with the design's numbers. */
export function partObligations(text: string): readonly Obligation[] {
  const obligations = new Map<string, Obligation>();
  for (const [, module = "", given = ""] of text.matchAll(instances)) {
    const parameters = Object.fromEntries(
      [...given.matchAll(/\.(\w+)\((\d+)\)/g)].map(([, name = "", value]) => [name, Number(value)]),
    );
    for (const part of [{ module, parameters }, ...inside(module, parameters)]) {
      const obligation = obligationOf(text, part.module, part.parameters);
      if (obligation !== undefined) obligations.set(`${obligation.part} ${obligation.sizes}`, obligation);
    }
  }
  return [...obligations.values()];
}

interface Part {
  readonly module: string;
  readonly parameters: Readonly<Record<string, number>>;
}

function inside(module: string, parameters: Part["parameters"]): readonly Part[] {
  const { BYTES = 0, LANES = 0, LANE = 0, WORD = 0, WORD_BITS = 0, ADDRESS = 0, LOG2 = 0 } = parameters;
  const fifo = (WIDTH: number, depth: number): Part => ({
    module: "arc_fifo",
    parameters: { WIDTH, LOG2: depth },
  });
  switch (module) {
    case "arc_stream_read":
      return [fifo(BYTES * 8, LOG2)];
    case "arc_words_read":
      return [fifo(LANES * LANE * 8, LOG2)];
    case "arc_burst_read":
      return [fifo(WORD * 8, LOG2 + 1)];
    case "arc_burst_write": {
      const bursts = { WIDTH: ADDRESS - WORD_BITS + LOG2 + 1, LOG2: 2 };
      return [{ module: "arc_queue", parameters: bursts }, fifo(WORD * 9, LOG2 + 1)];
    }
    default:
      return [];
  }
}

function obligationOf(text: string, module: string, parameters: Part["parameters"]): Obligation | undefined {
  const property = properties[module];
  const ownText = moduleText(text, module);
  if (property === undefined || ownText === undefined) return undefined;
  const names = Object.keys(parameters);
  const bitwise = isLarge(parameters);
  const value = (name: string) => (bitwise && name === "WIDTH" ? 1 : parameters[name]);
  return {
    part: module,
    sizes:
      names.map((name) => `${name} ${parameters[name]}`).join(", ") +
      (bitwise ? " (a bit of each word)" : ""),
    claims: property.claims,
    ...(property.provided !== undefined && { provided: property.provided }),
    text: ownText.replace(/endmodule$/, `${property.text}endmodule\n`),
    script: scriptOf(
      module,
      STEPS,
      [],
      names.map((name) => `chparam -set ${name} ${value(name)} ${module}`),
    ),
  };
}

/** `shape`: commands before the module is elaborated; `prune`: commands that remove parts of it afterwards. */
const scriptOf = (
  module: string,
  steps: number,
  prune: readonly string[],
  shape: readonly string[] = [],
): string =>
  [
    "read_verilog -formal part.v",
    ...shape,
    `hierarchy -top ${module}`,
    "proc",
    // Properties of a part inside are assumed where it is used, not proved again.
    "chformal -lower",
    ...prune,
    "memory_map",
    "opt -fast",
    `sat -set-assumes -prove-asserts -ignore_unknown_cells -tempinduct -maxsteps ${steps} -show-ports -verify ${module}`,
  ].join("; ");

/** Storage only moves words, and bits of a word never interact, so that for large ones a single bit stands for all. */
const isLarge = ({ WIDTH = 0, LENGTH = 0, DEPTH = LENGTH, LOG2 = 0 }: Part["parameters"]): boolean =>
  WIDTH * (DEPTH || 2 ** LOG2) > 1024;

/**
 * Properties that hold are proved by short inductions; a violation may take as many cycles to show as a queue has
 * places.
 */
const STEPS = 40;
