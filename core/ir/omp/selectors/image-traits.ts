/** Traits of the image that a region's code is in: kernels know them through `acc_on_device`, as each kind prints it. */
import type { Expr, Symbol } from "../../../lang/tree/ast.ts";
import { binary, call, ident, intLit } from "../../../lang/tree/build.ts";
import { makeSymbol } from "../../../lang/tree/scope.ts";
import { INT } from "../../../lang/tree/types.ts";
import { deviceTypes } from "../../model/device-types.ts";

/** Values of acc_device_t, and one that only images know: FPGAs, also simulated. */
const { host, nvidia, radeon, opencl } = deviceTypes;
const devices = { host, nvidia, radeon, opencl, fpga: 8 } as const;
export type ImageDevice = keyof typeof devices;

const onDevice: Symbol = makeSymbol(
  "acc_on_device",
  "function",
  { kind: "function", ret: INT, params: [{ type: INT }], variadic: false },
  "file",
);

/** Whether the image is for one of these devices. */
export const inImageFor = (first: ImageDevice, ...more: readonly ImageDevice[]): Expr =>
  [first, ...more]
    .map((one) => call(ident(onDevice), [intLit(devices[one])]))
    .reduce((any, one) => binary("||", any, one));
