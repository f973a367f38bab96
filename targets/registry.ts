/** Every kind of target there is. */
import { cuda } from "./cuda/kind.ts";
import { hip } from "./hip/kind.ts";
import { host } from "./host/kind.ts";
import { intelFpga } from "./intel-fpga/kind.ts";
import { opencl } from "./opencl/kind.ts";
import { rtl } from "./rtl/kind.ts";
import type { TargetKind } from "./shared/kind/kind.ts";
import { vitis } from "./vitis/kind.ts";

export const kinds: readonly TargetKind[] = [host, opencl, cuda, hip, intelFpga, vitis, rtl];

export function findKind(name: string): TargetKind | undefined {
  return kinds.find((kind) => kind.kind === name);
}
