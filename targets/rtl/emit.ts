/** Regions as Verilog. */
import type { LogicDevice } from "../../core/hw/device.ts";
import iceHx8k from "../devices/ice40-hx8k.json" with { type: "json" };
import type { LoweredRegion } from "../shared/device.ts";
import type { EmittedRegion, Emitter } from "../shared/emit.ts";
import type { ExecutionModel } from "../shared/geometry.ts";
import { type Designed, designOf, designTogether, type Ports } from "./design.ts";
import { factsOf } from "./facts.ts";
import { profileAt } from "./profile.ts";

export const hx8k: LogicDevice = iceHx8k;

/** The device's table for a clock in MHz. */
export const profileOf = (clock: number): LogicDevice => profileAt(hx8k, clock);

/** One work-item whose loops are pipelines. */
export const oneDataPath: ExecutionModel = {
  maxItems: 1,
  defaultItems: 1,
  partition: "block",
  inOrder: true,
};

/** The simulated design's entry points have the kernels' names. Verilator hands the flags to a shell. */
const simulatorFlags = (kernels: readonly string[]): readonly string[] => [
  "-CFLAGS",
  `-DARC_KERNELS='${kernels.map((name) => `ARC_ENTRY(${name})`).join("")}'`,
];

export interface RtlOptions {
  /** In MHz. */
  readonly clock: number;
  readonly ports: Ports;
}

export const rtlEmitter = (options: RtlOptions): Emitter => ({
  extension: ".v",
  model: oneDataPath,
  emit: (region) => emitted([region], designOf(region, { device: hx8k, ...options })),
  connected: (regions, channels) =>
    emitted(regions, designTogether(regions, channels, { device: hx8k, ...options })),
});

function emitted(regions: readonly LoweredRegion[], design: Designed): EmittedRegion {
  if ("diagnostics" in design) return { text: "", places: [], diagnostics: design.diagnostics };
  const diagnostics = design.plans.flatMap(({ region }) =>
    region.notes.map(({ message, loc }) => ({ severity: "note" as const, code: "hardware", loc, message })),
  );
  const links = simulatorFlags(regions.map(({ region }) => region));
  return { text: design.text, places: [], links, facts: factsOf(design), diagnostics };
}
