/** Regions as Verilog. */
import type { LogicDevice } from "../../core/hw/device.ts";
import iceHx8k from "../devices/ice40-hx8k.json" with { type: "json" };
import type { EmittedRegion, Emitter } from "../shared/emit.ts";
import type { ExecutionModel } from "../shared/geometry.ts";
import { designOf, nativeMemory, type Ports } from "./design.ts";

export const hx8k: LogicDevice = iceHx8k;

/** One work-item whose loops are pipelines. */
export const oneDataPath: ExecutionModel = {
  maxItems: 1,
  defaultItems: 1,
  partition: "block",
  inOrder: true,
};

/** The simulated design's entry point has the kernel's name. */
const simulatorFlags = (kernel: string): readonly string[] => ["-CFLAGS", `-DARC_KERNEL=${kernel}`];

export interface RtlOptions {
  /** In MHz. */
  readonly clock: number;
  readonly ports: Ports;
}

export const rtlEmitter = ({ clock, ports }: RtlOptions): Emitter => ({
  extension: ".v",
  model: oneDataPath,
  emit(region): EmittedRegion {
    const design = designOf(region, hx8k, clock, nativeMemory, ports);
    if ("diagnostics" in design) return { text: "", places: [], diagnostics: design.diagnostics };
    const diagnostics = design.plan.region.notes.map(({ message, loc }) => ({
      severity: "note" as const,
      code: "hardware",
      loc,
      message,
    }));
    const loops = design.plan.pipelines
      .filter(({ pipeline }) => pipeline.loop)
      .map(({ pipeline, ii, bounds }) => ({
        name: pipeline.name,
        pipelined: true,
        ii,
        details: limitOf(ii, bounds),
      }));
    return { text: design.text, places: [], links: simulatorFlags(region.region), loops, diagnostics };
  },
});

function limitOf(ii: number, { recurrence, resource }: { recurrence: number; resource: number }): string {
  if (ii === 1) return "an iteration per cycle";
  if (ii > Math.max(recurrence, resource)) return "the schedule";
  return recurrence >= resource ? "a recurrence" : "stores through one port";
}
