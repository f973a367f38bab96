/**
 * Finds the devices that a target's programs would use on this machine. The runs on a device are known after that: they
 * are keyed on the device, and skipped with a reason if there is none.
 */

import { digestBytes } from "../../core/build/key/digest.ts";
import type {
  Action,
  ActionInput,
  Address,
  Expansion,
  Step,
  ToolIdentity,
} from "../../core/build/model/action.ts";
import { EngineError } from "../../core/build/model/error.ts";
import type { DeviceNeed } from "../../targets/shared/kind/kind.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { optionsOf } from "../inputs/options.ts";
import { driverEnvironment, runStep } from "./run.ts";

interface DeviceRequest {
  readonly address: Address;
  /** The program that lists devices. */
  readonly program: ActionInput;
  readonly need: DeviceNeed;
  /** Without a device the runs are skipped even if arc.yaml names one; otherwise that is a failure. */
  readonly skipMissing: boolean;
  /** Runs on the device and their comparisons; other actions may name these. */
  readonly runs: readonly Action[];
}

const list = "devices.txt";

interface Options {
  readonly backend: string;
  /** arc.yaml names the device. */
  readonly required?: true;
  readonly runs: readonly Action[];
}

const stepOptions = optionsOf<Options>();

export function deviceAction({ address, program, need, skipMissing, runs }: DeviceRequest): Action {
  return {
    address,
    step: deviceStep.name,
    options: stepOptions.write({
      backend: need.backend,
      ...(need.named && !skipMissing && { required: true }),
      runs,
    }),
    command: { argv: [`./${program.name}`], env: need.environment, passEnv: driverEnvironment, stdout: list },
    inputs: [program],
    outputs: [{ name: list, kind: "file" }],
    // Devices appear and disappear without any file changing.
    cache: false,
    expand: { rule: deviceExpansion.rule, promises: runs.map((run) => run.address) },
  };
}

export const deviceStep: Step = { name: "device", digest: codeDigest("device") };

export const deviceExpansion: Expansion = {
  rule: "device",
  digest: codeDigest("device"),
  async expand(action, read) {
    const { backend, required, runs } = stepOptions.read(action);
    const device = findDevice((await read(list)).toString("utf8"), backend);
    if (required && "missing" in device) throw missingDevice(device.missing, action.address);
    return runs.map((run) => (run.step !== runStep.name ? run : onDevice(run, device)));
  },
};

/** `why` lists the available devices. */
export function missingDevice(why: string, ...addresses: readonly Address[]): EngineError {
  return new EngineError(
    "missing-device",
    `the device that arc.yaml names is not here: ${why}`,
    "name one that is here, or leave out what has no device by --skip-missing",
    addresses,
  );
}

function onDevice(run: Action, device: ToolIdentity | { readonly missing: string }): Action {
  return "missing" in device
    ? { ...run, skip: device.missing }
    : { ...run, tools: [...(run.tools ?? []), device] };
}

export interface ListedDevice {
  readonly backend: string;
  /** The name reported by its driver; absent: there is no device, for `reason`. */
  readonly name?: string;
  readonly reason?: string;
  readonly vendor?: string;
  readonly type?: DeviceType;
  /** Of an NVIDIA GPU: whether NVML counts its energy, or why not. */
  readonly nvml?: "counts" | { readonly missing: string };
  /** What identifies it: the line about it without what NVML says, which may change while the device stays the same. */
  readonly line: string;
}

const types = ["cpu", "gpu", "accelerator", "custom"] as const;
/** What its driver says that it is. */
export type DeviceType = (typeof types)[number];

/** Parses the output of `targets/runtime/tools/devices.c`. */
export function parseDevices(text: string): readonly ListedDevice[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const columns = line.split("\t");
      const [backend = "", number, ...rest] = columns;
      if (number === "-") return { backend, reason: rest.join(" ") || `there is no ${backend} device`, line };
      const [name = "", vendor = "", , typeName, nvml = ""] = rest;
      const type = types.find((one) => one === typeName);
      return {
        backend,
        name,
        vendor,
        ...(type && { type }),
        ...(nvml !== "" && { nvml: nvml === "NVML" ? "counts" : { missing: nvml } }),
        line: columns.slice(0, 6).join("\t"),
      };
    });
}

function findDevice(text: string, backend: string): ToolIdentity | { readonly missing: string } {
  const device = parseDevices(text).find((one) => one.backend === backend);
  if (device?.name === undefined) return { missing: device?.reason ?? `there is no ${backend} device` };
  return { name: `${backend} device`, version: device.name, digest: digestBytes(device.line) };
}
