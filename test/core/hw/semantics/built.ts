/** The hardware region of a source's only region, for direct execution. */

import { runPasses } from "../../../../core/compiler/passes/pipeline.ts";
import type { HardwareRegion } from "../../../../core/hw/dfg/region.ts";
import { buildHardware } from "../../../../core/hw/frontend/build.ts";
import { addressed } from "../../../../core/ir/analysis/addressed.ts";
import { constantsOf } from "../../../../core/ir/analysis/constants.ts";
import { deviceFunctions, noOtherUnits } from "../../../../core/ir/analysis/routines.ts";
import { spmdOf } from "../../../../core/ir/model/region.ts";
import { normalise, tasksOf } from "../../../../core/ir/normalise/normalise.ts";
import { readOpenarc } from "../../../../core/ir/openarc/read.ts";
import { readDirectives } from "../../../../core/ir/read/read.ts";
import { parse } from "../../../../core/lang/index.ts";
import type { Diagnostic } from "../../../../core/lang/tree/ast.ts";
import { signatureOf } from "../../../../targets/rtl/design/kernel.ts";
import { oneDataPath } from "../../../../targets/rtl/emit.ts";
import { hx8k } from "../../../../targets/rtl/parts.ts";
import { lower } from "../../../../targets/shared/lower/lower.ts";
import type { Given } from "../../../targets/rtl/simulation.ts";
import { run } from "./interpreter.ts";

interface Built {
  readonly region: HardwareRegion;
  /** The final contents of arrays, elements as unsigned numbers. */
  arrays(given: Readonly<Record<string, Given>>): Readonly<Record<string, readonly bigint[]>>;
}

const alone = { kind: "whole", others: noOtherUnits } as const;

export function builtOf(source: string): Built | { readonly diagnostics: readonly Diagnostic[] } {
  const { unit, diagnostics } = parse(source, { file: "case.c" });
  const program = normalise(readOpenarc(readDirectives(unit)), alone);
  const [found] = tasksOf(program);
  const errors = [...diagnostics, ...program.diagnostics].filter((d) => d.severity === "error");
  if (errors.length > 0 || !found) return { diagnostics: errors };
  const passed = runPasses(found.task, {}, hx8k, true);
  if (passed.diagnostics.length > 0) return { diagnostics: passed.diagnostics };
  const { functions } = deviceFunctions(program, spmdOf(passed.task).body, alone);
  const lowered = lower({
    task: passed.task,
    functions,
    model: oneDataPath,
    constants: constantsOf(program),
    addressed: addressed(program),
  });
  const [kernel] = lowered.kernels;
  if (!kernel) throw new Error("no kernel");
  const region = buildHardware(signatureOf(lowered, kernel), { addressBits: 32 });
  if ("diagnostics" in region) return region;
  return { region, arrays: (given) => arraysAfter(region, kernel.params, given) };
}

function arraysAfter(
  region: HardwareRegion,
  params: ReturnType<typeof lower>["kernels"][number]["params"],
  given: Readonly<Record<string, Given>>,
): Readonly<Record<string, readonly bigint[]>> {
  const bytes: number[] = Array(8).fill(0xaa);
  const places: {
    readonly name: string;
    readonly at: number;
    readonly of: Exclude<Given, number | bigint>;
  }[] = [];
  const values = params.map((p): bigint => {
    if (p.source.from !== "argument") throw new Error("the kernel takes more than arguments");
    const { name } = p.source.argument;
    const of = given[name];
    if (of === undefined) throw new Error(`no value for ${name}`);
    if (typeof of !== "object") return BigInt(of);
    while (bytes.length % 8 !== 0) bytes.push(0xaa);
    const at = bytes.length;
    places.push({ name, at, of });
    for (const value of of.values)
      for (let b = 0; b < of.bytes; b++) bytes.push(Number((BigInt(value) >> BigInt(8 * b)) & 255n));
    return BigInt(at);
  });
  const memory = Uint8Array.from(bytes);
  run(region, (argument) => values[region.arguments.indexOf(argument)] ?? 0n, memory);
  const word = (at: number, size: number): bigint => {
    let value = 0n;
    for (let b = size - 1; b >= 0; b--) value = (value << 8n) | BigInt(memory[at + b] ?? 0);
    return value;
  };
  return Object.fromEntries(
    places.map(({ name, at, of }) => [name, of.values.map((_, k) => word(at + k * of.bytes, of.bytes))]),
  );
}
