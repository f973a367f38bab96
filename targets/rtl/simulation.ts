/** Simulators for designs, and the header for the driver between the model and libarcrt. */

import { boardName, shellName } from "./verilog/board/wrapper.ts";
import type { KernelModule } from "./verilog/pipeline/kernel-module.ts";
import { FIRST_BAUD, identityOf, registerMacros } from "./verilog/text/registers.ts";

/** The kernel directly on the program's memory, the kernel in its wrapper, or the wrapper's netlist after synthesis. */
export type Simulated = "design" | "board" | "netlist";

/** Formats of waveforms. */
export type Waves = "vcd" | "fst";

export const topOf = (simulated: Simulated): string => (simulated === "design" ? shellName : boardName);

export const driverOf = (simulated: Simulated): string =>
  `simulator/${simulated === "design" ? "arc_simulator" : "arc_board"}.cpp`;

/** Located with the drivers, which include it. */
export const driverHeader = "simulator/arc_kernels.h";

interface Driven {
  /** The design is an AXI4 manager. */
  readonly axi: boolean;
  /** It is run through registers. */
  readonly registers: boolean;
  /** Its addresses are whole. */
  readonly wholeAddresses?: boolean;
  /** In MHz, if it runs through a board. */
  readonly clock?: number | undefined;
}

/**
 * The driver's header: entry points with the kernels' names, and, for a board, the arguments' sizes and kernels, and the
 * register map.
 */
export function driverHeaderText(
  entries: readonly string[],
  kernel: KernelModule,
  { axi, registers, wholeAddresses = false, clock }: Driven,
): string {
  const macros: Record<string, string | number> = {
    ARC_KERNELS: entries.map((name) => `ARC_ENTRY(${name})`).join(" "),
    ...(axi && { ARC_AXI: 1 }),
    ...(wholeAddresses && { ARC_WHOLE_ADDRESSES: 1 }),
    ...(registers && { ARC_AXI_LITE: 1, ARC_IDENTITY: `${identityOf(kernel.text)}u`, ...registerMacros }),
  };
  const list = (values: readonly number[]) => values.map((value) => `${value},`).join("");
  if (clock !== undefined)
    Object.assign(macros, {
      ARC_ARGUMENTS: list(kernel.arguments.map(({ bytes }) => bytes)),
      ARC_ARGUMENT_KERNELS: list(kernel.arguments.map((argument) => argument.kernel ?? 0)),
      ARC_IDENTITY: `${identityOf(kernel.text)}u`,
      ARC_FIRST_DIVISOR: Math.round((clock * 1e6) / FIRST_BAUD),
      ...registerMacros,
    });
  return Object.entries(macros)
    .map(([name, value]) => `#define ${name} ${value}\n`)
    .join("");
}
