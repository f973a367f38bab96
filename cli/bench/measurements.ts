/**
 * Measurements, kept in the store by what decides them: program, images, arguments, inputs, device and driver, and this
 * machine's processor. A file per such key with a line per run, so that a later call adds to what an earlier one measured.
 */
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import type { Engine } from "../../core/build/engine.ts";
import { digestBytes } from "../../core/build/key/digest.ts";
import type { Digest } from "../../core/build/model/action.ts";
import { addressOf } from "../../rules/inputs/addresses.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { type ListedDevice, parseDevices } from "../../rules/steps/device.ts";
import type { Run } from "../../schema/contract/project.ts";
import { made, textOf } from "../project/results.ts";
import type { ProfileRow } from "./device-times.ts";

export interface Measurement {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Wall time of the program, start to end; absent of a run whose device was watched, which costs time. */
  readonly seconds?: number;
  /** Of this machine's processors and memory during that time, where it is counted. */
  readonly joules?: number;
  /** Of the device in all launches and in all transfers of such a run. */
  readonly launches?: number;
  readonly transfers?: number;
  /** Which kernels and transfers those were; absent of what earlier arcs measured. */
  readonly rows?: readonly ProfileRow[];
  /** Of what the program printed, without the lines that arc.yaml ignores. */
  readonly output: Digest;
}

/** Undefined where the program, or what a device is, is not known yet. */
export function measurementKey(
  engine: Engine,
  variant: VariantPlan,
  run: Run,
  inputs: readonly Digest[],
): Digest | undefined {
  const { kind, target } = variant;
  const products = variant.products
    .slice(0, 2)
    .map((product) => made(engine, product)?.outputs.map((o) => o.digest));
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

/** Those of the variant's kind that were found here; undefined where nobody has looked. */
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

/** In the order in which they were made. */
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
      // The end of the text, or a line that a crash cut off.
      return [];
    }
  });
}

/** At once, so that nothing measured is lost when the call is interrupted. */
export function keepMeasurement(store: string, key: Digest, measurement: Measurement): void {
  const file = fileOf(store, key);
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(measurement)}\n`);
}
