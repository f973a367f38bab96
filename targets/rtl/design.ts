/** A region as a design: its hardware, its schedule and its Verilog. */
import { buildHardware } from "../../core/hw/build.ts";
import type { LogicDevice } from "../../core/hw/device.ts";
import { type HardwarePlan, planHardware } from "../../core/hw/process.ts";
import { Ranges } from "../../core/hw/ranges.ts";
import { findStreams } from "../../core/hw/streams.ts";
import { analyseWidths } from "../../core/hw/widths.ts";
import type { Diagnostic } from "../../core/lang/ast.ts";
import type { LoweredRegion } from "../shared/device.ts";
import { signatureOf } from "./kernel.ts";
import { board } from "./verilog/board.ts";
import { type KernelModule, kernelModule, type MemoryOptions } from "./verilog/kernel.ts";
import { libraryOf } from "./verilog/library.ts";
import { operatorModules } from "./verilog/operator.ts";
import { type PortedKernel, portedKernel } from "./verilog/port.ts";
import { shell } from "./verilog/shell.ts";
import { withAddressGenerators } from "./verilog/streams.ts";

export interface Design {
  readonly plan: HardwarePlan;
  readonly kernel: KernelModule;
  /** The kernel with one memory port, where it is asked for. */
  readonly ported?: PortedKernel;
  readonly text: string;
}

/** How a kernel reaches memory: by a port per load and group of stores, or all of them through one. */
export type Ports = "separate" | "one";

export const nativeMemory: MemoryOptions = { addressBits: 32, outstanding: 16 };

export function designOf(
  region: LoweredRegion,
  device: LogicDevice,
  clock = device.clock,
  memory = nativeMemory,
  ports: Ports = "separate",
): Design | { readonly diagnostics: readonly Diagnostic[] } {
  const [main, ...more] = region.kernels;
  const loc = { file: region.site.file, line: region.site.line, col: 1 };
  if (!main || more.length > 0 || main.group.some((n) => n !== 1) || main.grid.some((g) => g !== "1"))
    return {
      diagnostics: [
        {
          severity: "error",
          code: "not-a-single-work-item",
          loc,
          message: "this region runs as many work-items",
          why: "hardware of this target is one pipeline per loop, for a single work-item",
          remedy: "choose model: swi, or num_gangs(1) num_workers(1) vector_length(1)",
        },
      ],
    };
  const built = buildHardware(signatureOf(region, main), { addressBits: memory.addressBits });
  if ("diagnostics" in built) return built;
  findStreams(built, new Ranges(built));
  const plan = planHardware(built, analyseWidths(built), device.logic, clock);
  const kernel = withAddressGenerators(kernelModule(plan, memory), memory.addressBits, memory.outstanding);
  const ported = ports === "one" ? portedKernel(kernel, { ...memory, dataBits: 32 }) : undefined;
  const modules = [
    ...operatorModules(plan),
    kernel.text,
    ...(ported ? [ported.text] : []),
    shell(kernel, memory.addressBits, ported),
    board(kernel),
  ].join("\n");
  const text = `\`default_nettype none\n\n${libraryOf(modules)}\n${modules}`;
  return { plan, kernel, ...(ported && { ported }), text };
}
