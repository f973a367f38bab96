/** Collects the report's data from what builds left. Builds nothing. */
import type { Engine } from "../../../core/build/engine-interface.ts";
import type { Address } from "../../../core/build/model/action.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { runAddress, verifyAddress } from "../../../rules/inputs/addresses.ts";
import { imageGroups } from "../../../rules/inputs/kernel-sources.ts";
import type { VariantPlan } from "../../../rules/plan/variant.ts";
import type { Comparison } from "../../../rules/steps/compare.ts";
import { estimateAddress, estimateName } from "../../../rules/steps/estimate.ts";
import { allKernels, kernelsAddress } from "../../../rules/steps/kernels/kernels.ts";
import { vendorReportOf } from "../../../rules/steps/kernels/report.ts";
import { comparisonName } from "../../../rules/steps/verify.ts";
import type { Variant } from "../../../schema/contract/variants.ts";
import { hardwareRows } from "../../hardware/rows.ts";
import { explanation, resultOf } from "../../project/results.ts";
import { sameDesigns } from "../../project/same-designs.ts";
import type { Workspace } from "../../project/workspace.ts";
import type { EstimateRow, VendorReport } from "../../show/estimates.ts";
import { benchedRuns } from "./measured-runs.ts";
import type { AxisValue, RunReport, VariantReport } from "./report.ts";
import { type BenchedRun, totalsOf } from "./totals.ts";

export async function collect(workspace: Workspace): Promise<readonly VariantReport[]> {
  const { engine, plan, project } = workspace;
  const benched = benchedRuns(workspace);
  const same = sameDesigns(engine, plan.variants);
  return Promise.all(
    plan.variants.map(async (variant): Promise<VariantReport> => {
      const twin = same.find(({ address }) => address === variant.address);
      return {
        ...(await variantReport(variant, engine, project, benched(variant))),
        ...(twin && { sameDesign: twin.as }),
      };
    }),
  );
}

/** The report of one variant, even if its design equals another's. */
export async function variantReport(
  variant: VariantPlan,
  engine: Engine,
  project: Workspace["project"],
  benched: BenchedRun = {},
): Promise<VariantReport> {
  const { address, target } = variant;
  const { runs } = project.verify;
  const [link = "", images = ""] = variant.products;
  const program = sizeOf(engine, link);
  const imageBytes = sizeOf(engine, images);
  const hardware = await hardwareRows(engine, variant, { runs, names: project.kernels, how: new Map() });
  const comparisons = runs.map((name) => runReport(engine, address, name));
  const estimate = estimateOf(engine, address);
  return {
    address,
    target: target.name,
    variant: variant.variant.name,
    ...(variant.variant.called && { called: variant.variant.called }),
    kind: target.kind,
    axes: axesOf(variant.variant),
    built: program !== undefined && (images === "" || imageBytes !== undefined),
    ...(program === undefined ? {} : { program }),
    ...(imageBytes === undefined ? {} : { images: imageBytes }),
    comparisons,
    ...(benched.differing && { differing: benched.differing }),
    totals: totalsOf(hardware, estimate, comparisons, benched),
    ...(estimate && { estimate }),
    ...(hardware.length > 0 && { hardware }),
  };
}

/** For kernels with values of their own, only those that differ from the common ones are listed. */
function axesOf({ all, kernels }: Variant): Readonly<Record<string, AxisValue>> {
  const own = Object.entries(kernels).flatMap(([kernel, values]) =>
    Object.entries(values)
      .filter(([axis, value]) => all[axis] !== value)
      .map(([axis, value]) => [`${kernel}.${axis}`, value] as const),
  );
  return { ...all, ...Object.fromEntries(own) };
}

/** The estimate, with the vendor's reports on the kernels where they exist. */
function estimateOf(engine: Engine, variant: Address): EstimateRow | undefined {
  const estimate = resultOf<EstimateRow>(engine, estimateAddress(variant), estimateName);
  if (estimate === undefined) return undefined;
  const translated = resultOf<TranslatedKernel[]>(engine, kernelsAddress(variant), allKernels) ?? [];
  const images = imageGroups(translated, true).map(({ name }) => name);
  const kernels = estimate.kernels.map((kernel) => ({
    ...kernel,
    ...vendorReport(engine, variant, images, kernel.region),
  }));
  // Reports on several images cannot be added up.
  const imageReport = images.length === 1 ? vendorReport(engine, variant, images) : {};
  return { ...estimate, kernels, ...imageReport };
}

/** The report on one kernel, or on a whole image. */
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

export function runReport(engine: Engine, variant: Address, run: string): RunReport {
  const ran = explanation(engine, runAddress(variant, run));
  const compared = explanation(engine, verifyAddress(variant, run));
  if (ran === undefined || compared === undefined) return { run, result: "not run" };
  const serial = explanation(engine, runAddress("serial", run))?.result.seconds;
  const times = { seconds: ran.result.seconds, ...(serial !== undefined && { serial }) };
  if (compared.result.failure !== undefined) return { run, result: "differs", ...times };
  const comparison = resultOf<Comparison>(engine, verifyAddress(variant, run), comparisonName);
  if (comparison === undefined) return { run, result: "not run" };
  const { compared: values, worst, worstAt } = comparison;
  return { run, result: "same", ...times, values, worst: worst.rel, ...(worstAt && { worstAt }) };
}

const sizeOf = (engine: Engine, address: Address): number | undefined =>
  explanation(engine, address)?.result.outputs.reduce((sum, output) => sum + output.size, 0);
