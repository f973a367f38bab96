/** OpenCL C as accepted by Intel's FPGA compiler. */
import { asIdiom } from "../../core/ir/model/idioms.ts";
import type { Apart } from "../../core/ir/model/ir.ts";
import type { Kernel, LoweredRegion } from "../shared/device/device.ts";
import { apartOf } from "../shared/device/pragmas.ts";
import type { Spaces } from "../shared/legalise/opencl-spaces.ts";
import type { Dialect, KernelPrinter } from "../shared/print/kernel-text.ts";
import { kindOfDevice, opencl } from "../shared/print/opencl.ts";
import { restrictedKernel } from "../shared/print/opencl-restrict.ts";

export function intelFpga(region: LoweredRegion): { dialect: Dialect; spaces: Spaces } {
  const { dialect: base, spaces } = opencl(region);
  const dialect: Dialect = {
    ...base,
    deviceTypes: [...base.deviceTypes.filter((type) => type !== kindOfDevice), 8],
    statement(s, print) {
      const write = asIdiom(s, "channel-write");
      if (write) return [`write_channel_intel(${write.channel}, ${print.expr(write.value)});`];
      const read = asIdiom(s, "channel-read");
      if (!read) return base.statement?.(s, print);
      const { into, channel } = read;
      return [`${print.decl(into.type, print.name(into), into)} = read_channel_intel(${channel});`];
    },
    pragma: (p, print) => (apartOf(p).length > 0 ? apartOf(p).flatMap((a) => ivdep(a, print)) : undefined),
    kernel: (kernel, print) => restrictedKernel(kernel, print, attributes(kernel)),
  };
  return { dialect, spaces };
}

/**
 * "Removing Loop-Carried Dependencies Caused by Accesses to Memory Arrays" (Best Practices Guide, 683521, 6.1.5): an
 * iteration that depends on this one is at least `safelen` iterations away.
 */
function ivdep({ array, distance, loadsFirst }: Apart, print: KernelPrinter): readonly string[] {
  // It cannot express that loads precede stores.
  if (loadsFirst && distance === 1) return [];
  const far = distance === undefined ? "" : ` safelen(${distance})`;
  return [`#pragma ivdep array(${print.name(array)})${far}`];
}

function attributes(kernel: Kernel): string[] {
  if (isSingle(kernel)) return ["__attribute__((max_global_work_dim(0)))"];
  const [x, y] = kernel.group;
  const { simd = 1, computeUnits = 1 } = kernel.hints ?? {};
  return [
    `__attribute__((reqd_work_group_size(${x}, ${y}, 1)))`,
    ...(simd > 1 ? [`__attribute__((num_simd_work_items(${simd})))`] : []),
    ...(computeUnits > 1 ? [`__attribute__((num_compute_units(${computeUnits})))`] : []),
  ];
}

/** The launch has a single work-item. */
function isSingle(kernel: Kernel): boolean {
  return kernel.group.every((n) => n === 1) && kernel.grid.every((g) => g === "1");
}
