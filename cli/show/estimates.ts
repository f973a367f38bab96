/** Prints estimates of FPGA kernels. */
import type { Address } from "../../core/build/model/action.ts";
import type { Estimate, KernelEstimate, LoopEstimate } from "../../core/compiler/estimate/estimate.ts";
import { fitted } from "./fit.ts";
import { duration } from "./words.ts";

/** The vendor's report on a kernel. */
export interface VendorReport {
  readonly resources: Readonly<Record<string, number>>;
  readonly fmax?: number;
}

export interface EstimateRow extends Omit<Estimate, "kernels"> {
  readonly kernels: readonly (KernelEstimate & { readonly vendor?: VendorReport })[];
  /** For all kernels, if the vendor's compiler reports on them together. */
  readonly vendor?: VendorReport;
}

const resourceNames = { aluts: "ALUT", ffs: "FF", dsps: "DSP", rams: "RAM" } as const;
type Resource = keyof typeof resourceNames;
const resources = Object.keys(resourceNames) as readonly Resource[];

/** One line per loop of each kernel, with columns for the trips and the time of each run. `width`: as for `fitted`. */
export function describeEstimate(
  address: Address,
  estimate: EstimateRow,
  width = Number.POSITIVE_INFINITY,
): string {
  const { kernels, device, clock, resources: used, available } = estimate;
  const shares = resources.map(
    (r) => `${resourceNames[r]} ${used[r]} of ${available[r]} (${percent(used[r] / available[r])})`,
  );
  const runs = kernels[0]?.runs.map((run) => run.run) ?? [];
  const header = [
    "kernel",
    "model",
    ...resources.map((r) => resourceNames[r]),
    "loop",
    "II",
    "limited by",
    ...runs.flatMap((run) => [`${run}: trips`, `${run}: time`]),
  ];
  const lines = kernels.flatMap(kernelLines);
  return [
    `${address}, estimated on ${device} at ${Math.round(clock)} MHz: ${shares.join(", ")}\n`,
    fitted([header, ...lines], width),
    ...kernels.flatMap(({ function: name, vendor }) => vendorLine(name, vendor)),
    ...vendorLine(kernels.map((k) => k.function).join(", "), estimate.vendor),
    ...assumptions(estimate),
  ].join("");
}

function kernelLines(kernel: KernelEstimate): string[][] {
  const { function: name, file, line, runs } = kernel;
  const copies = [
    kernel.simd > 1 ? `simd ${kernel.simd}` : "",
    kernel.computeUnits > 1 ? `${kernel.computeUnits} units` : "",
  ].filter((word) => word !== "");
  const model = [kernel.model, ...copies].join(" ");
  const area = resources.map((r) => String(kernel.resources[r]));
  const shown = runs.find((run) => run.loops.length > 0)?.loops ?? [];
  const rows = shown.length > 0 ? shown : [undefined];
  return rows.map((loop, i) => [
    ...(i === 0 ? [`${name} (${file}:${line})`, model, ...area] : ["", "", ...area.map(() => "")]),
    loop === undefined ? "" : `line ${loop.line}`,
    loop === undefined ? "" : String(loop.ii),
    loop === undefined ? "" : limitOf(loop),
    ...runs.flatMap((run) => [
      run.launches === 0 ? "not launched" : String(Math.round(run.loops[i]?.trips ?? 0)),
      i === 0 && run.launches > 0
        ? `${duration(run.seconds)}${run.launches === 1 ? "" : ` in ${run.launches} launches`}, ${run.bound}`
        : "",
    ]),
  ]);
}

function limitOf({ limit }: LoopEstimate): string {
  if (limit === undefined) return "";
  const { through, line, latency, distance, possible } = limit;
  const far = distance === 1 ? "the next iteration" : `${distance} iterations on`;
  return `${possible ? "possibly " : ""}${through.join(", ")} (line ${line}): ${Math.ceil(latency)} cycles to ${far}`;
}

function vendorLine(name: string, vendor: VendorReport | undefined): string[] {
  if (vendor === undefined) return [];
  const figures = Object.entries(vendor.resources).map(([key, value]) => `${key} ${value}`);
  const clock = vendor.fmax === undefined ? [] : [`${Math.round(vendor.fmax)} MHz`];
  return [`  the vendor's report of ${name}: ${[...clock, ...figures].join(", ") || "no figures"}\n`];
}

/** Assumptions such as `the latency of float +`, grouped by kind. */
function assumptions({ kernels, assumed }: EstimateRow): string[] {
  const all = [...new Set([...assumed, ...kernels.flatMap((k) => k.assumed)])].sort();
  const sizes = [...new Set(kernels.flatMap((k) => k.runs.flatMap((run) => run.assumed)))];
  const groups = new Map<string, string[]>();
  for (const figure of all) {
    const [, kind, what] = /^the (latency|delay|area) of ((?:int|float|double) \S+)/.exec(figure) ?? [];
    const key = kind ?? figure;
    groups.set(key, [...(groups.get(key) ?? []), ...(what === undefined ? [] : [what])]);
  }
  const figures = [...groups].map(([key, list]) =>
    list.length > 0 ? `the ${key} of ${list.join(", ")}` : key.replace(/ \([^()]*\)$/, ""),
  );
  return [
    ...(figures.length > 0 ? [`  assumed: ${figures.join("; ")}\n`] : []),
    ...sizes.map((size) => `  assumed: ${size}\n`),
  ];
}

const percent = (share: number): string =>
  `${share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;
