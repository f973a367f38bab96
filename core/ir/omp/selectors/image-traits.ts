/** Traits of the image that a region's code is in: kernels know them through `acc_on_device`, as each kind prints it. */
import type { Expr } from "../../../lang/tree/ast.ts";
import { binary, call, ident, intLit } from "../../../lang/tree/build.ts";
import { onDevice } from "../../model/device-questions.ts";
import { deviceTypes } from "../../model/device-types.ts";

/**
 * Values of acc_device_t, and some that only images know: FPGAs, also simulated, and what a device of OpenCL is, which
 * images that are compiled for it when the program runs know (targets/shared/print/opencl.ts).
 */
const { host, nvidia, radeon, opencl } = deviceTypes;
const devices = {
  host,
  nvidia,
  radeon,
  opencl,
  fpga: 8,
  "opencl-gpu": 9,
  "opencl-cpu": 10,
  "opencl-accelerator": 11,
} as const;
export type ImageDevice = keyof typeof devices;

/** Whether the image is for one of these devices. */
export const inImageFor = (first: ImageDevice, ...more: readonly ImageDevice[]): Expr =>
  [first, ...more]
    .map((one) => call(ident(onDevice), [intLit(devices[one])]))
    .reduce((any, one) => binary("||", any, one));
