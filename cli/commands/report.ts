/** `arc report`: a table of what was built: kernels, sizes, times, comparisons with the serial program. */

import type { Engine } from "../../core/build/engine.ts";
import type { Address } from "../../core/build/model/action.ts";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";
import { imageGroups } from "../../rules/inputs/kernel-sources.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import type { Comparison } from "../../rules/steps/compare.ts";
import { estimateAddress, estimateName } from "../../rules/steps/estimate.ts";
import { allKernels, kernelsAddress } from "../../rules/steps/kernels/kernels.ts";
import { vendorReportOf } from "../../rules/steps/kernels/report.ts";
import { comparisonName } from "../../rules/steps/verify.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { type HardwareRow, hardwareRows } from "../hardware/rows.ts";
import { hardwareTable } from "../hardware/table.ts";
import { explanation, resultOf } from "../project/results.ts";
import { sameDesigns, sameDesignWords } from "../project/same-designs.ts";
import { withWorkspace } from "../project/workspace.ts";
import { columns } from "../show/columns.ts";
import { describeEstimate, type EstimateRow, type VendorReport } from "../show/estimates.ts";
import { bytes, seconds } from "../show/words.ts";

interface Row {
  readonly address: Address;
  readonly built: boolean;
  /** Bytes; undefined where there is none. */
  readonly program?: number;
  readonly images?: number;
  readonly comparisons: readonly RunRow[];
  /** Of kinds that are estimated. */
  readonly estimate?: EstimateRow;
  /** Kernels of FPGA targets. */
  readonly hardware?: readonly HardwareRow[];
  /** Another variant of the target that is the same design, by its name. */
  readonly sameDesign?: string;
}

interface RunRow {
  readonly run: string;
  readonly result: "same" | "differs" | "not run";
  /** Wall time of the program, start to end. */
  readonly seconds?: number;
  readonly worst?: number;
}

export function run(call: Call): Promise<Status> {
  return withWorkspace(call, call.positionals, async ({ plan, engine, project }) => {
    const { runs } = project.verify;
    const same = sameDesigns(engine, plan.variants);
    const rows = await Promise.all(
      plan.variants.map(async (variant): Promise<Row> => {
        const twin = same.find(({ address }) => address === variant.address);
        return { ...(await rowOf(variant, engine, runs)), ...(twin && { sameDesign: twin.as }) };
      }),
    );
    call.out(
      call.options.json === true
        ? `${JSON.stringify(rows)}\n`
        : `${table(rows, runs)}${same.map(sameDesignWords).join("")}${hardware(rows)}${estimates(rows)}`,
    );
    return status.done;
  });
}

async function rowOf(variant: VariantPlan, engine: Engine, runs: readonly string[]): Promise<Row> {
  const [link = "", images = ""] = variant.products;
  const program = sizeOf(engine, link);
  const imageBytes = sizeOf(engine, images);
  const hardware = await hardwareRows(engine, variant, runs, new Map());
  return {
    address: variant.address,
    built: program !== undefined && (images === "" || imageBytes !== undefined),
    ...(program === undefined ? {} : { program }),
    ...(imageBytes === undefined ? {} : { images: imageBytes }),
    comparisons: runs.map((name) => runRow(engine, variant.address, name)),
    ...estimateOf(engine, variant.address),
    ...(hardware.length > 0 && { hardware }),
  };
}

/** With what the vendor's own reports say of the kernels, where they were made. */
function estimateOf(engine: Engine, variant: Address): { readonly estimate?: EstimateRow } {
  const made = resultOf<EstimateRow>(engine, estimateAddress(variant), estimateName);
  if (made === undefined) return {};
  const translated = resultOf<TranslatedKernel[]>(engine, kernelsAddress(variant), allKernels) ?? [];
  const images = imageGroups(translated, true).map(({ name }) => name);
  const kernels = made.kernels.map((kernel) => ({
    ...kernel,
    ...vendorReport(engine, variant, images, kernel.region),
  }));
  // Reports of several images do not add up to one.
  const whole = images.length === 1 ? vendorReport(engine, variant, images) : {};
  return { estimate: { ...made, kernels, ...whole } };
}

/** Of one kernel, or of all of an image. */
function vendorReport(
  engine: Engine,
  variant: Address,
  images: readonly string[],
  region?: string,
): { readonly vendor?: VendorReport } {
  for (const image of images) {
    const { address, output } = vendorReportOf(variant, image, region);
    const vendor = resultOf<VendorReport>(engine, address, output);
    if (vendor !== undefined) return { vendor };
  }
  return {};
}

function hardware(rows: readonly Row[]): string {
  const text = hardwareTable(rows.flatMap((row) => row.hardware ?? []));
  return text === "" ? "" : `\n${text}`;
}

const estimates = (rows: readonly Row[]): string =>
  rows.map(({ address, estimate }) => (estimate ? `\n${describeEstimate(address, estimate)}` : "")).join("");

function runRow(engine: Engine, variant: Address, run: string): RunRow {
  const ran = explanation(engine, `${variant}#run-${run}`);
  const compared = explanation(engine, `${variant}#verify-${run}`);
  if (ran === undefined || compared === undefined) return { run, result: "not run" };
  const { seconds: took } = ran.result;
  if (compared.result.failure !== undefined) return { run, result: "differs", seconds: took };
  const comparison = resultOf<Comparison>(engine, `${variant}#verify-${run}`, comparisonName);
  if (comparison === undefined) return { run, result: "not run" };
  return { run, result: "same", seconds: took, worst: comparison.worst.rel };
}

const sizeOf = (engine: Engine, address: Address): number | undefined =>
  explanation(engine, address)?.result.outputs.reduce((sum, output) => sum + output.size, 0);

function table(rows: readonly Row[], runs: readonly string[]): string {
  const header = ["target", "program", "images", ...runs.map((run) => `run ${run}`)];
  const lines = rows.map((row) => [
    row.address,
    row.program === undefined ? "not built" : bytes(row.program),
    row.images === undefined ? (row.built ? "none" : "not built") : bytes(row.images),
    ...row.comparisons.map(comparisonWords),
  ]);
  return columns([header, ...lines]);
}

function comparisonWords({ result, seconds: took, worst }: RunRow): string {
  const time = took === undefined ? "" : `, ${seconds(took)}`;
  const error = worst === undefined || worst === 0 ? "" : `, off by ${worst.toExponential(1)}`;
  return `${result}${error}${time}`;
}
