/** What counts the energy of the device that runs a program's kernels, and what it counted. */
import type { ListedDevice } from "../../rules/steps/device.ts";
import { duration, joulesText } from "../show/words.ts";
import type { GpuEnergy } from "./device-times.ts";
import type { Measurement } from "./measurements.ts";
import { type Summary, summarise } from "./statistics.ts";

/** RAPL: this machine's processors and memory during the whole run. NVML: the GPU, from the first launch to the last one's end. */
export type EnergySource = { readonly by: "RAPL" | "NVML" } | NoEnergy;

export interface NoEnergy {
  readonly missing: string;
}

/** Joules of a run. */
export interface Energy extends Summary {
  readonly by: "RAPL" | "NVML";
  readonly most: number;
  /** By what share of it the steps of the counter may make it wrong; absent where they are too short to matter. */
  readonly uncertainty?: number;
}

/** Of fewer steps of the counter, half of what it says may be of something else. */
const LEAST_STEPS = 2;
/** With so many, a run is long enough to compare designs by. */
const ENOUGH_STEPS = 10;

export const noRapl = "the kernel counts no joules in /sys/class/powercap, or only root may read them";

/** Programs take the first device of those listed; none: they run on this machine's processors. */
export function energySourceOf([device]: readonly ListedDevice[]): EnergySource {
  if (device === undefined || device.type === "cpu") return { by: "RAPL" };
  if (device.nvml === "counts") return { by: "NVML" };
  return (
    device.nvml ?? {
      missing: "arc reads counters of this machine's processors (RAPL) and of NVIDIA GPUs (NVML) alone",
    }
  );
}

/** Whether the run was one of which the energy is known. */
export const isCounted = ({ joules, gpu }: Measurement, source: EnergySource): boolean =>
  "by" in source && (source.by === "RAPL" ? joules !== undefined : gpu !== undefined && "joules" in gpu);

/** What `arc bench` measured: RAPL counts runs without device profiling, which costs the processors time, NVML those with it. */
export const benchedEnergy = (measured: readonly Measurement[], source: EnergySource): Energy | NoEnergy =>
  energyOf(
    measured.filter(({ launches }) => (launches === undefined) === ("by" in source && source.by === "RAPL")),
    source,
  );

/** Of runs that all count: for NVML those with device profiling. */
export function energyOf(measured: readonly Measurement[], source: EnergySource): Energy | NoEnergy {
  if ("missing" in source) return source;
  return source.by === "RAPL"
    ? processorEnergy(measured)
    : gpuEnergy(measured.flatMap(({ gpu }) => gpu ?? []));
}

function processorEnergy(measured: readonly Measurement[]): Energy | NoEnergy {
  const joules = measured.flatMap((one) => one.joules ?? []);
  const summary = summarise(joules);
  if (summary === undefined) return { missing: noRapl };
  if (summary.median <= 0) return { missing: "the runs are shorter than the steps of its counter (RAPL)" };
  return { ...summary, most: Math.max(...joules), by: "RAPL" };
}

function gpuEnergy(runs: readonly GpuEnergy[]): Energy | NoEnergy {
  const counted = runs.filter((one) => "joules" in one);
  const joules = counted.map((one) => one.joules);
  const summary = summarise(joules);
  if (summary === undefined)
    return (
      runs.findLast((one) => "missing" in one) ?? {
        missing: "no run with device profiling had the GPU's joules",
      }
    );
  const uncertainty = Math.max(...counted.map(({ step, seconds }) => step / seconds));
  if (uncertainty > 1 / LEAST_STEPS) {
    const step = Math.max(...counted.map((one) => one.step));
    return { missing: tooShort(step, Math.min(...counted.map(({ seconds }) => seconds))) };
  }
  return { ...summary, most: Math.max(...joules), by: "NVML", uncertainty };
}

const tooShort = (step: number, seconds: number): string =>
  `NVML counts in steps of ${duration(step)}, and only ${duration(seconds)} pass from the first launch to the end of the last one`;

/** Why the run is too short to compare designs by its energy; undefined: it is not. */
export const whyTooShort = ({ uncertainty = 0 }: Energy): string | undefined =>
  uncertainty <= 1 / ENOUGH_STEPS
    ? undefined
    : `NVML counts in steps, of which less than ${ENOUGH_STEPS} pass from the first launch to the end of the last one: it is right to ${percent(uncertainty)} only`;

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

export const energyColumns = ["energy", "least to most", "counted by"] as const;

/** Empty texts without energy. */
export function energyCells(energy: Energy | undefined): readonly string[] {
  if (energy === undefined) return energyColumns.map(() => "");
  const { median, least, most, by, uncertainty } = energy;
  return [
    joulesText(median),
    `${joulesText(least)} to ${joulesText(most)}`,
    `${by}${uncertainty === undefined ? "" : `, ± ${percent(uncertainty)}`}`,
  ];
}
