/**
 * Measurements kept in the store under a key of everything that decides them: program, images, arguments, inputs,
 * device and driver, and this machine's processor. One file per key with one line per run, so that later calls add to
 * it.
 */
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import type { Engine } from "../../core/build/engine-interface.ts";
import { digestBytes } from "../../core/build/key/digest.ts";
import type { Digest } from "../../core/build/model/action.ts";
import { addressOf } from "../../rules/inputs/addresses.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { type ListedDevice, parseDevices } from "../../rules/steps/device.ts";
import type { Run } from "../../schema/contract/project.ts";
import { resultAt, textOf } from "../project/results.ts";
import type { ComparedResults } from "./compared-results.ts";
import type { GpuEnergy, ProfileRow } from "./device-times.ts";

export interface Measurement {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Wall time of the program; absent for a run with device profiling, which costs time, and for one that only warmed up. */
  readonly seconds?: number;
  /** Energy of this machine's processors and memory during that time, where it is counted. */
  readonly joules?: number;
  /** Energy of the GPU in a profiled run. */
  readonly gpu?: GpuEnergy;
  /** Seconds that the device spent in all launches and in all transfers of a profiled run. */
  readonly launches?: number;
  readonly transfers?: number;
  /** The individual kernels and transfers; absent in measurements of old versions of arc. */
  readonly rows?: readonly ProfileRow[];
  /** Digest of the program's output, without the lines that arc.yaml ignores. */
  readonly output: Digest;
  /** Absent in measurements of old versions of arc. */
  readonly compared?: ComparedResults;
}

/** Undefined if the program or the device is not known yet. */
export function measurementKey(
  engine: Engine,
  variant: VariantPlan,
  run: Run,
  inputs: readonly Digest[],
): Digest | undefined {
  const { kind, target } = variant;
  const products = variant.products
    .slice(0, 2)
    .map((product) => resultAt(engine, product)?.outputs.map((o) => o.digest));
  if (products.some((digests) => digests === undefined)) return undefined;
  const need = kind.device(target.options);
  const here = devicesOf(engine, variant);
  if (here === undefined) return undefined;
  const { args, env, stdin } = run;
  const processors = cpus();
  return digestBytes(
    JSON.stringify({
      products,
      run: { args, env, stdin },
      inputs,
      device: [need.environment, here.map(({ line }) => line)],
      processor: [processors[0]?.model, processors.length],
    }),
  );
}

/** Devices of the variant's kind found on this machine; undefined if arc has not looked for them yet. */
export function devicesOf(
  engine: Engine,
  { address, kind, target }: VariantPlan,
): readonly ListedDevice[] | undefined {
  const need = kind.device(target.options);
  if (need.always) return [];
  const text = textOf(engine, addressOf(address, "device"), "devices.txt");
  return text === undefined
    ? undefined
    : parseDevices(text).filter(({ backend }) => backend === need.backend);
}

const fileOf = (store: string, key: Digest): string => path.join(store, "measurements", `${key}.jsonl`);

/** In the order of measuring. */
export function readMeasurements(store: string, key: Digest): readonly Measurement[] {
  let text: string;
  try {
    text = readFileSync(fileOf(store, key), "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line): readonly Measurement[] => {
    try {
      return [JSON.parse(line) as Measurement];
    } catch {
      // The empty end of the text, or a line that a crash cut off.
      return [];
    }
  });
}

/** Appends at once, so that nothing is lost when the call is interrupted. */
export function keepMeasurement(store: string, key: Digest, measurement: Measurement): void {
  const file = fileOf(store, key);
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(measurement)}\n`);
}
