/** `arc report`: a table of what was built: kernels, sizes, times, comparisons with the serial program. */
import type { Address } from "../../core/build/action.ts";
import type { Engine, Explanation } from "../../core/build/engine.ts";
import { EngineError } from "../../core/build/error.ts";
import type { Comparison } from "../../rules/compare.ts";
import { estimateAddress, estimateName } from "../../rules/steps/estimate.ts";
import { type FabricReport, fabricAddress, fabricReport } from "../../rules/steps/fabric.ts";
import { allKernels } from "../../rules/steps/images.ts";
import { vendorReportOf } from "../../rules/steps/report.ts";
import { comparisonName } from "../../rules/steps/verify.ts";
import type { VariantPlan } from "../../rules/variant.ts";
import { type Call, type Status, status } from "../call.ts";
import { columns } from "../columns.ts";
import { describeEstimate, type EstimateRow, type VendorReport } from "../estimates.ts";
import { bytes, seconds } from "../words.ts";
import { withWorkspace } from "../workspace.ts";

interface Row {
  readonly address: Address;
  readonly built: boolean;
  /** Bytes; undefined where there is none. */
  readonly program?: number;
  readonly images?: number;
  readonly comparisons: readonly RunRow[];
  /** Of kinds that are estimated. */
  readonly estimate?: EstimateRow;
  /** Kernels that were placed and routed. */
  readonly fabric?: readonly FabricRow[];
}

interface FabricRow {
  readonly region: string;
  readonly report: FabricReport;
  /** What place and route took. */
  readonly seconds?: number;
}

interface RunRow {
  readonly run: string;
  readonly result: "same" | "differs" | "not run";
  /** Wall time of the program, start to end. */
  readonly seconds?: number;
  readonly worst?: number;
}

export function run(call: Call): Promise<Status> {
  return withWorkspace(call, call.positionals, ({ plan, engine, project }) => {
    const { runs } = project.verify;
    const rows = plan.variants.map((variant) => rowOf(variant, engine, runs));
    call.out(
      call.options.json === true
        ? `${JSON.stringify(rows)}\n`
        : `${table(rows, runs)}${estimates(rows)}${fabrics(rows)}`,
    );
    return status.done;
  });
}

function rowOf(variant: VariantPlan, engine: Engine, runs: readonly string[]): Row {
  const [link = "", images = ""] = variant.products;
  const program = sizeOf(engine, link);
  const imageBytes = sizeOf(engine, images);
  return {
    address: variant.address,
    built: program !== undefined && (images === "" || imageBytes !== undefined),
    ...(program === undefined ? {} : { program }),
    ...(imageBytes === undefined ? {} : { images: imageBytes }),
    comparisons: runs.map((name) => runRow(engine, variant.address, name)),
    ...estimateOf(engine, variant.address),
    ...fabricOf(engine, variant.address),
  };
}

/** What place and route say of the kernels for which they ran. */
function fabricOf(engine: Engine, variant: Address): { readonly fabric?: readonly FabricRow[] } {
  const kernels = `${variant}#kernels`;
  const regions = resultOf<{ region: string }[]>(engine, kernels, allKernels) ?? [];
  const fabric = regions.flatMap(({ region }): FabricRow[] => {
    const address = fabricAddress(`${variant}/${region}`);
    const report = resultOf<FabricReport>(engine, address, fabricReport);
    const took = explanation(engine, address)?.result.seconds;
    return report === undefined ? [] : [{ region, report, ...(took === undefined ? {} : { seconds: took }) }];
  });
  return fabric.length === 0 ? {} : { fabric };
}

/** With what the vendor's own reports say of the kernels, where they were made. */
function estimateOf(engine: Engine, variant: Address): { readonly estimate?: EstimateRow } {
  const made = resultOf<EstimateRow>(engine, estimateAddress(variant), estimateName);
  if (made === undefined) return {};
  const kernels = made.kernels.map((kernel) => ({
    ...kernel,
    ...vendorReport(engine, variant, kernel.region),
  }));
  return { estimate: { ...made, kernels, ...vendorReport(engine, variant) } };
}

/** Of one kernel, or of all. */
function vendorReport(engine: Engine, variant: Address, region?: string): { readonly vendor?: VendorReport } {
  const { address, output } = vendorReportOf(variant, region);
  const vendor = resultOf<VendorReport>(engine, address, output);
  return vendor === undefined ? {} : { vendor };
}

const estimates = (rows: readonly Row[]): string =>
  rows.map(({ address, estimate }) => (estimate ? `\n${describeEstimate(address, estimate)}` : "")).join("");

/** A line per kernel that was placed and routed. */
function fabrics(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ address, fabric = [] }) =>
    fabric.map(({ region, report: { loops, resources, percent, fmax } }) => [
      `${address}/${region}`,
      loops.map((l) => `${l.ii}${(l.ii ?? 1) > 1 ? ` (${l.details})` : ""}`).join(", "),
      `${resources.lcs ?? "?"} (${Math.round(percent.lcs ?? 0)} %)`,
      `${resources.rams ?? "?"} (${Math.round(percent.rams ?? 0)} %)`,
      fmax === undefined ? "?" : fmax.toFixed(1),
    ]),
  );
  return lines.length === 0 ? "" : `\n${columns([["kernel", "II", "LC", "RAM", "MHz"], ...lines])}`;
}

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

/** A JSON output; undefined where the action was not run, failed, or its result has left the store. */
function resultOf<T>(engine: Engine, address: Address, output: string): T | undefined {
  if (explanation(engine, address)?.result.failure !== undefined) return undefined;
  try {
    return JSON.parse(engine.read(address, output).toString("utf8")) as T;
  } catch (error) {
    if (error instanceof EngineError && ["not-built", "blob-missing"].includes(error.code)) return undefined;
    throw error;
  }
}

function explanation(engine: Engine, address: Address): Explanation | undefined {
  try {
    return engine.explain(address);
  } catch (error) {
    if (error instanceof EngineError && error.code === "not-built") return undefined;
    throw error;
  }
}

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
