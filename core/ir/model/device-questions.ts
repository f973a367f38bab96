/**
 * Functions by which code asks what it runs on, or would: they stand in the IR for choices between images and devices
 * that the program itself need not have declared.
 */
import type { Symbol } from "../../lang/tree/ast.ts";
import { makeSymbol } from "../../lang/tree/scope.ts";
import { INT } from "../../lang/tree/types.ts";

/** `acc_on_device(type)`, in a region: as each kind of target prints it. */
export const onDevice: Symbol = asks("acc_on_device", 1);

/** arcrt.h's, in host code: `arc_default_target_is(kind)`, and of a device by its number, `arc_target_is(number, kind)`. */
export const defaultTargetIs: Symbol = asks("arc_default_target_is", 1);
export const targetIs: Symbol = asks("arc_target_is", 2);

function asks(name: string, parameters: number): Symbol {
  const params = Array.from({ length: parameters }, () => ({ type: INT }));
  return makeSymbol(name, "function", { kind: "function", ret: INT, params, variadic: false }, "file");
}
