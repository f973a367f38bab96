/**
 * Counts with open tools what a vendor's kernels would take: kernels that the kind `counted` can express go through its
 * back end and synthesis, and the netlist's cells are counted. Made on demand: `arc build TARGET#synthesis`. Nothing is
 * placed, and the vendor's compiler makes other hardware from the same loops.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Action, Address, Step, StepContext, StepResult } from "../../../core/build/model/action.ts";
import { itemAt } from "../../../core/checked/access.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { findKind } from "../../../targets/registry.ts";
import type { CountedBy } from "../../../targets/shared/kind/kind.ts";
import type { Report, Resources } from "../../../targets/shared/kind/report.ts";
import { addressOf } from "../../inputs/addresses.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { optionsOf } from "../../inputs/options.ts";
import type { PlannedFabric, PlannedStage } from "../../inputs/planned.ts";
import type { SourceInput } from "../../inputs/source-inputs.ts";
import { endOf, phaseListener, runTool, type ToolEnd, temporaryHere } from "../../tools/tool-run.ts";
import { runWasm } from "../../tools/wasm-run.ts";
import type { PlannedShaping } from "../translate.ts";
import { readerFiles } from "./hardware.ts";

interface SynthesisRequest {
  readonly variant: Address;
  readonly counted: CountedBy;
  readonly fabric: PlannedFabric;
  /** Every source of the program, with the variant's choices for its regions. */
  readonly sources: readonly { readonly source: SourceInput; readonly shaping: PlannedShaping }[];
}

/** The counts for a variant's kernels, as JSON. */
export interface Synthesis {
  readonly part: string;
  readonly kernels: readonly { readonly region: string; readonly report: Report }[];
  /** Kernels that the back end cannot express, and why. */
  readonly refused: readonly string[];
}

export const synthesisName = "synthesis.json";
export const synthesisAddress = (variant: Address): Address => addressOf(variant, "synthesis");

interface Options {
  readonly counted: CountedBy;
  readonly stage: PlannedStage;
  readonly available: Resources;
  readonly sources: readonly { readonly file: string; readonly shaping: PlannedShaping }[];
}

const stepOptions = optionsOf<Options>();

const inputName = (index: number): string => `source-${index}.i`;

export function synthesisAction({ variant, counted, fabric, sources }: SynthesisRequest): Action {
  const [stage] = fabric.stages;
  if (stage === undefined) throw new Error(`kind ${counted.kind} synthesises nothing`);
  const { tool, missing, ...planned } = stage;
  const options: Options = {
    counted,
    stage: planned,
    available: fabric.available ?? {},
    sources: sources.map(({ source, shaping }) => ({ file: source.file, shaping })),
  };
  return {
    address: synthesisAddress(variant),
    step: synthesisStep.name,
    title: `synthesise the kernels of ${variant} for ${counted.options.part} with ${stage.argv[0]}`,
    options: stepOptions.write(options),
    ...(tool === undefined ? {} : { tools: [tool] }),
    inputs: sources.map(({ source }, i) => ({ name: inputName(i), from: source.from })),
    outputs: [{ name: synthesisName, kind: "file" }],
    ...(missing === undefined ? {} : { skip: missing }),
  };
}

export const synthesisStep: Step = {
  name: "synthesis",
  digest: codeDigest("synthesis"),
  run,
  typicalSeconds: 10,
};

async function run(context: StepContext): Promise<StepResult> {
  const { counted, stage, available } = stepOptions.read(context.action);
  const { kernels, refused } = await translated(context);
  for (const reason of refused) context.log(`not counted: ${reason}\n`);
  const results: { region: string; report: Report }[] = [];
  for (const kernel of kernels) {
    const { region, text } = kernel;
    const { end, netlist } = await netlistOf(context, stage, text);
    if (end.code !== 0) {
      context.log(end.messages);
      return { ok: false, fact: true, message: `${stage.argv[0]} exited with ${end.code} for ${region}` };
    }
    const files = { "netlist.json": netlist, ...readerFiles(kernel, available) };
    const report = await findKind(counted.kind)?.readReport?.(new Map(Object.entries(files)));
    if (report !== undefined) results.push({ region, report });
  }
  const result: Synthesis = { part: counted.options.part, kernels: results, refused };
  await context.writeOutput(synthesisName, JSON.stringify(result));
  return { ok: true };
}

/** The kernels that can be expressed, and why the others cannot. */
async function translated(
  context: StepContext,
): Promise<{ readonly kernels: readonly TranslatedKernel[]; readonly refused: readonly string[] }> {
  const { translateKernels } = await import("../../../core/compiler/driver/translate.ts");
  const { counted, sources } = stepOptions.read(context.action);
  const kind = findKind(counted.kind);
  const emitter = await kind?.emitter(counted.options);
  const device = await kind?.profile?.(counted.options);
  if (emitter === undefined || device === undefined)
    throw new Error(`kind ${counted.kind} makes no hardware`);
  const texts = await Promise.all(
    sources.map(async ({ file }, i) => ({
      file,
      text: (await context.readInput(inputName(i))).toString("utf8"),
    })),
  );
  const translations = texts.map((source, i) => {
    const { all, named } = itemAt(sources, i).shaping;
    const others = { kind: "whole", others: texts.filter((other) => other !== source) } as const;
    return translateKernels(source, emitter, others, { device, all, named });
  });
  return {
    kernels: translations.flatMap(({ kernels }) => kernels.filter((kernel) => kernel.text !== "")),
    refused: translations.flatMap(({ diagnostics }) =>
      diagnostics
        .filter((d) => d.severity === "error")
        .map((d) => `${d.loc.file}:${d.loc.line}: ${d.message}`),
    ),
  };
}

async function netlistOf(
  context: StepContext,
  { argv, outputs, wasm }: PlannedStage,
  text: string,
): Promise<{ readonly end: ToolEnd; readonly netlist: string }> {
  const [netlist = ""] = outputs;
  const program = argv[0] ?? "";
  if (wasm !== undefined) {
    const { code, log, files } = await runWasm({
      ...wasm,
      args: argv.slice(1),
      files: { "kernel.v": new TextEncoder().encode(text) },
      listen: phaseListener(context, program),
      signal: context.signal,
    });
    return {
      end: endOf(program, code, log),
      netlist: Buffer.from(files[netlist] ?? "null").toString("utf8"),
    };
  }
  const folder = dirname(context.output(synthesisName));
  writeFileSync(join(folder, "kernel.v"), text);
  const end = await runTool(context, { argv, ...temporaryHere });
  return { end, netlist: end.code === 0 ? readFileSync(join(folder, netlist), "utf8") : "null" };
}
