/** Makes a design from a region: its hardware, its schedule and its Verilog. */

import { firstOf } from "../../../core/checked/access.ts";
import type { HardwarePlan } from "../../../core/hw/binding/process.ts";
import { SHORT_ADDRESS, Unsupported } from "../../../core/hw/dfg/region.ts";
import { analyseWidths } from "../../../core/hw/dfg/widths.ts";
import { buildHardware } from "../../../core/hw/frontend/build.ts";
import type { LogicDevice } from "../../../core/hw/operators/device.ts";
import { keepLoads } from "../../../core/hw/optimise/kept-loads.ts";
import { refined } from "../../../core/hw/optimise/refine.ts";
import { refuseDeadlocks } from "../../../core/hw/schedule/deadlock.ts";
import { channelDepths } from "../../../core/hw/schedule/depths.ts";
import { planHardware } from "../../../core/hw/schedule/planning.ts";
import type { Diagnostic, Loc } from "../../../core/lang/tree/ast.ts";
import type { LoweredRegion } from "../../shared/device/device.ts";
import type { ChannelDeclaration } from "../../shared/kind/emit.ts";
import { type AxiKernel, axiKernel } from "../verilog/board/axi.ts";
import { type ControlledKernel, controlledKernel } from "../verilog/board/axi-lite.ts";
import { MOST_ARGUMENTS } from "../verilog/board/control.ts";
import { frameBoard } from "../verilog/board/frame.ts";
import type { Pll } from "../verilog/board/pll.ts";
import { controlledShell, shell } from "../verilog/board/shell.ts";
import { uartBoard } from "../verilog/board/uart.ts";
import type { Wrapper } from "../verilog/board/wrapper.ts";
import { kernelModule } from "../verilog/kernel/kernel.ts";
import { withAddressGenerators } from "../verilog/kernel/streams.ts";
import { together } from "../verilog/kernel/together.ts";
import { libraryOf } from "../verilog/library.ts";
import type { KernelModule } from "../verilog/pipeline/kernel-module.ts";
import { operatorModules } from "../verilog/pipeline/operator.ts";
import type { MemoryOptions } from "../verilog/pipeline/pipeline.ts";
import { type PortedKernel, portedKernel } from "../verilog/port/port.ts";
import { roomFor } from "../verilog/text/ram.ts";
import { signatureOf } from "./kernel.ts";

export interface Design {
  /** One plan per kernel; several kernels run at the same time. */
  readonly plans: readonly HardwarePlan[];
  readonly kernel: KernelModule;
  /** For each plan, the kernel without address generators. */
  readonly modules: readonly KernelModule[];
  /** The kernel with a single memory port, if requested. */
  readonly ported?: PortedKernel;
  /** The module that merges the kernel's ports into one, whatever is connected to it. */
  readonly port?: PortedKernel;
  /** The kernel as an AXI4 manager, and the same with registers instead of arguments. */
  readonly axi?: AxiKernel;
  readonly controlled?: ControlledKernel;
  /** Depth of each channel between the kernels. */
  readonly channels: ReadonlyMap<string, number>;
  readonly text: string;
}

/**
 * How a kernel accesses memory: by one port per load and per group of stores, or through a single port, which may be an
 * AXI4 manager.
 */
export type Ports = "separate" | "one" | "axi4";

export interface DesignOptions {
  readonly device: LogicDevice;
  /** In MHz; default: the device's. */
  readonly clock?: number;
  /** Factor by which delays exceed those in the device's table; default 1. */
  readonly margin?: number;
  readonly memory?: MemoryOptions;
  /** The ports that the simulated memory sees; default: separate. */
  readonly ports?: Ports;
  readonly port?: PortOptions;
  /** For AXI4 managers: arguments and start are registers of an AXI4-Lite subordinate. */
  readonly registers?: boolean;
  /** Default: frame. */
  readonly wrapper?: Wrapper;
  /** The PLL that makes a board's clock. */
  readonly pll?: Pll;
}

/** Options of the single memory port. */
export interface PortOptions {
  /** Width of a word in bits: 32, 64 or 128; default 32. */
  readonly width?: number;
  /** Length of the longest burst in words: a power of two up to 256; 1: no bursts; default 16. */
  readonly burst?: number;
  /** Commands of each kind that may be under way: a power of two; default 16. */
  readonly outstanding?: number;
}

/** Word width of the memory on a board. */
const BOARD_BITS = 32;

/** Boards have their own memory, which is accessed word by word. */
function memoryOf({ memory = nativeMemory, ports, port, wrapper }: DesignOptions): MemoryOptions {
  const { width = 32, burst = 16 } = port ?? {};
  if (ports === undefined || ports === "separate" || wrapper === "uart" || burst === 1) return memory;
  return { ...memory, bursts: { bytes: width / 8, beats: burst } };
}

export type Designed = Design | { readonly diagnostics: readonly Diagnostic[] };

const nativeMemory: MemoryOptions = { addressBits: SHORT_ADDRESS, outstanding: 16 };

export function designOf(region: LoweredRegion, options: DesignOptions): Designed {
  const plan = planOf(region, options);
  if ("diagnostics" in plan) return plan;
  const fitted = withAddressesOf(plan, options);
  const memory = memoryOf(fitted);
  const module = kernelModule(plan, memory);
  const kernel = withAddressGenerators(module, memory);
  return (
    beyondMemory(plan, region, options) ??
    beyondRegisters(kernel, region, options) ??
    assembled([plan], [module], kernel, new Map(), fitted)
  );
}

/** Makes a design from regions that run at the same time, with the channels between them. */
export function designTogether(
  regions: readonly LoweredRegion[],
  channels: readonly ChannelDeclaration[],
  options: DesignOptions,
): Designed {
  const planned = plansOf(regions, options);
  const diagnostics = planned.flatMap((m) => ("diagnostics" in m ? m.diagnostics : []));
  if (diagnostics.length > 0) return { diagnostics };
  const plans = planned.flatMap((m) => ("diagnostics" in m ? [] : [m]));
  try {
    refuseDeadlocks(plans);
  } catch (problem) {
    if (!(problem instanceof Unsupported)) throw problem;
    return { diagnostics: [problem.diagnostic] };
  }
  const declared = new Map(channels.map(({ name, depth }) => [name, depth]));
  const depths = new Map(
    [...channelDepths(plans)].map(([name, depth]) => [name, Math.max(depth, declared.get(name) ?? 1)]),
  );
  const fitted = withAddressesOf(firstOf(plans), options);
  const memory = memoryOf(fitted);
  const modules = plans.map((plan) => kernelModule(plan, memory, depths));
  const kernels = modules.map((module) => withAddressGenerators(module, memory));
  const ends = kernels.flatMap((kernel) => kernel.sends);
  const depthOf = new Map(ends.map(({ channel, depth }) => [channel, depth]));
  const kernel = together(`${kernels[0]?.name}_together`, kernels);
  const [first] = regions as readonly [LoweredRegion];
  return (
    beyondMemory(firstOf(plans), first, options) ??
    beyondRegisters(kernel, first, options) ??
    assembled(plans, modules, kernel, depthOf, fitted)
  );
}

/** Kernels that run together share an address space: if one needs whole addresses, all get them. */
function plansOf(
  regions: readonly LoweredRegion[],
  options: DesignOptions,
): readonly ReturnType<typeof planOf>[] {
  const plans = regions.map((region) => planOf(region, options));
  const bits = plans.map((plan) => ("diagnostics" in plan ? 0 : plan.region.addressBits));
  const most = Math.max(...bits);
  if (plans.some((plan) => "diagnostics" in plan) || bits.every((planBits) => planBits === most))
    return plans;
  return regions.map((region) =>
    planOf(region, { ...options, memory: { ...(options.memory ?? nativeMemory), addressBits: most } }),
  );
}

/** The options, with the width of the kernel's addresses. */
const withAddressesOf = (
  { region: { addressBits } }: HardwarePlan,
  options: DesignOptions,
): DesignOptions => ({
  ...options,
  memory: { ...(options.memory ?? nativeMemory), addressBits },
});

/** Reports pointers in the memory of a board, which holds copies of arrays at addresses of its own. */
function beyondMemory(
  { region: { addressBits } }: HardwarePlan,
  region: LoweredRegion,
  { wrapper }: DesignOptions,
): { readonly diagnostics: readonly Diagnostic[] } | undefined {
  if (wrapper !== "uart" || addressBits <= SHORT_ADDRESS) return undefined;
  return {
    diagnostics: [
      {
        severity: "error",
        code: "pointers-on-board",
        loc: siteOf(region),
        message: "this region reads or writes pointers in memory, and a board's memory has none",
        why: "with `wrapper: uart` the launch copies arrays into a memory on the chip; pointers in them are addresses of the program's memory",
        remedy: "leave `wrapper: uart` out, or use indices into arrays instead of pointers",
      },
    ],
  };
}

/** Reports more arguments than a host has registers for. */
function beyondRegisters(
  { arguments: { length } }: KernelModule,
  region: LoweredRegion,
  { wrapper, ports, registers }: DesignOptions,
): { readonly diagnostics: readonly Diagnostic[] } | undefined {
  const hasRegisters = wrapper === "uart" || (ports === "axi4" && registers);
  if (!hasRegisters || length <= MOST_ARGUMENTS) return undefined;
  const message = `this region takes ${length} arguments, and there are registers for ${MOST_ARGUMENTS}`;
  return {
    diagnostics: [
      {
        severity: "error",
        code: "too-many-arguments",
        loc: siteOf(region),
        message,
        why: "each array and each scalar that the launch gives is an argument, and the register map has so much room",
        remedy: "put scalars into an array, or rows of one size into one array",
      },
    ],
  };
}

const siteOf = ({ site }: LoweredRegion): Loc => ({ file: site.file, line: site.line, col: 1 });

function assembled(
  plans: readonly HardwarePlan[],
  modules: readonly KernelModule[],
  kernel: KernelModule,
  channels: ReadonlyMap<string, number>,
  {
    device,
    clock = device.clock,
    memory = nativeMemory,
    ports = "separate",
    port = {},
    registers = false,
    wrapper = "frame",
    pll,
  }: DesignOptions,
): Design {
  const ported =
    ports !== "separate" || wrapper === "uart"
      ? portedKernel(kernel, {
          ...memory,
          dataBits: wrapper === "uart" ? BOARD_BITS : (port.width ?? 32),
          outstanding: port.outstanding ?? memory.outstanding,
        })
      : undefined;
  const axi = ported && ports === "axi4" && wrapper !== "uart" ? axiKernel(kernel, ported) : undefined;
  const controlled = axi && registers ? controlledKernel(kernel, axi) : undefined;
  const mergedPort = ports === "one" ? ported : undefined;
  const texts = [
    ...new Set(plans.flatMap(operatorModules)),
    kernel.text,
    ...(ported ? [ported.text] : []),
    ...(axi ? [axi.text] : []),
    ...(controlled ? [controlled.text] : []),
    controlled
      ? controlledShell(kernel, controlled)
      : shell(kernel, memory.addressBits, axi ? { axi } : mergedPort && { ported: mergedPort }),
    wrapper === "uart" && ported
      ? uartBoard(kernel, ported, {
          clock: pll?.clock ?? clock,
          memory: roomFor(kernel.text, device),
          ...(pll && { pll }),
        })
      : frameBoard(
          controlled ?? axi ?? mergedPort ?? kernel,
          controlled ? "registers" : axi ? "manager" : "kernel",
        ),
  ].join("\n");
  const text = `\`default_nettype none\n\n${libraryOf(texts)}\n${texts}`;
  return {
    plans,
    kernel,
    modules,
    ...(mergedPort && { ported: mergedPort }),
    ...(ported && { port: ported }),
    ...(axi && { axi }),
    ...(controlled && { controlled }),
    channels,
    text,
  };
}

function planOf(
  region: LoweredRegion,
  {
    device,
    clock = device.clock,
    margin = 1,
    memory = nativeMemory,
    ports = "separate",
    wrapper,
  }: DesignOptions,
): HardwarePlan | { readonly diagnostics: readonly Diagnostic[] } {
  const [main, ...more] = region.kernels;
  const loc = siteOf(region);
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
  const hardware = keepLoads(built, ports !== "separate" || wrapper === "uart");
  const ranges = refined(hardware, main.hints?.operators);
  // Scaling the delays up or the period down gives the same schedules.
  return planHardware(
    hardware,
    analyseWidths(hardware, ranges),
    device.logic,
    margin * clock,
    main.hints?.operators,
  );
}
