/** Emits regions as Verilog. */
import { SHORT_ADDRESS } from "../../core/hw/dfg/region.ts";
import type { LoweredRegion } from "../shared/device/device.ts";
import type { EmittedRegion, Emitter } from "../shared/kind/emit.ts";
import type { ExecutionModel } from "../shared/lower/geometry/execution-model.ts";
import { type Design, type Designed, type DesignOptions, designOf, designTogether } from "./design/design.ts";
import { factsOf } from "./facts.ts";
import { obligationsOf } from "./proof/obligations.ts";
import { referenceOf } from "./reference/reference.ts";
import { driverHeader, driverHeaderText } from "./simulation.ts";

/** A single work-item whose loops are pipelines. */
export const oneDataPath: ExecutionModel = {
  maxItems: 1,
  defaultItems: 1,
  partition: "block",
  inOrder: true,
  // A quarter of the block RAM in an iCE40 HX8K.
  constants: 4096,
};

export interface RtlOptions extends DesignOptions {
  readonly clock: number;
  /** The program accesses the kernel through its board. */
  readonly throughBoard: boolean;
  /** The result includes proof obligations. */
  readonly proves?: boolean;
}

export const rtlEmitter = ({ throughBoard, proves = false, ...design }: RtlOptions): Emitter => {
  const clock = throughBoard ? (design.pll?.clock ?? design.clock) : undefined;
  const emitted = (regions: readonly LoweredRegion[], designed: Designed) =>
    "diagnostics" in designed
      ? { text: "", mappings: [], diagnostics: designed.diagnostics }
      : { ...printed(regions, designed, clock), ...(proves && { obligations: obligationsOf(designed) }) };
  return {
    extension: ".v",
    slow: true,
    model: oneDataPath,
    emit(region) {
      const emittedRegion = emitted([region], designOf(region, design));
      const reference = referenceOf(region);
      return emittedRegion.text === "" || !reference ? emittedRegion : { ...emittedRegion, reference };
    },
    connected: (regions, channels) => emitted(regions, designTogether(regions, channels, design)),
  };
};

/** `clock`: that of the board through which the program accesses the design. */
function printed(
  regions: readonly LoweredRegion[],
  design: Design,
  clock: number | undefined,
): EmittedRegion {
  const diagnostics = design.plans.flatMap(({ region }) =>
    region.notes.map(({ message, loc }) => ({ severity: "note" as const, code: "hardware", loc, message })),
  );
  const entries = regions.map(({ region }) => region);
  const headers = {
    [driverHeader]: driverHeaderText(entries, design.kernel, {
      axi: design.axi !== undefined,
      registers: design.controlled !== undefined,
      wholeAddresses: design.plans.some(({ region }) => region.addressBits > SHORT_ADDRESS),
      clock,
    }),
  };
  return { text: design.text, mappings: [], headers, facts: factsOf(design), diagnostics };
}
